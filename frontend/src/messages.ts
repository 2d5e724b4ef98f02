// Written by `python frontend/write_messages.py` from the server's. Do not edit.

/** Most characters of a comment. */
export const MOST_TEXT = 4000;

/** Most characters of a move; games of one's own may have long names for theirs. */
export const MOST_MOVE_TEXT = 40;

/** Most moves to a position of the book. */
export const MOST_BOOK_MOVES = 1000;

export type Color = "black" | "white";

/** What draws on a board. */
export type MarkTool = "triangle" | "square" | "circle" | "cross" | "letter" | "number";

/**
 * Who plays a color; `engine` is the GTP engine named on the command line, `hybrid` is Montego
 * advised by another program.
 */
export type Side = "human" | "montego" | "hybrid" | "engine";

/** `own` is the game of one's own in the file named on the command line. */
export type GameKind = "go" | "hex" | "connect-four" | "tic-tac-toe" | "own";

/** A time system; fields that it does not have are 0. */
export interface ClockSettings {
  kind: "absolute" | "byoyomi" | "fischer" | "none";
  main: number;
  /** Seconds of a byo-yomi period, or the Fischer increment. */
  period: number;
  periods: number;
}

/**
 * How well Montego plays: a level, simulations or seconds; else its best in three seconds.
 *
 * With a preset it plays as a program of the documents did, and simulations or seconds say how
 * long, if not as long as that did.
 */
export interface Strength {
  /** As `montego.engine.options.levels` names it: `"12k"`, `"like-15k"`. */
  level: string | null;
  simulations: number | null;
  seconds: number | null;
  /** As `montego.engine.options.presets.PRESETS` names it: `"v-run"`. */
  preset: string | null;
  /** As `montego.engine.options.styles` names it: `"calm"`. Only in Go, not with a preset. */
  style: string | null;
  /**
   * Whether the level is the one nearest to the person's rating, whatever :attr:`level` says: the
   * server chooses it when a game begins. Only in Go.
   */
  even: boolean;
}

/** Begin a game and open it. Answered with `game`. */
export interface NewGame {
  type: "new_game";
  kind?: GameKind;
  /** Of the board; games that have one size only take no notice. */
  size?: number;
  black?: Side;
  white?: Side;
  handicap?: number;
  /** None for what rules and handicap suggest. */
  komi?: number | null;
  rules?: string;
  clock?: Partial<ClockSettings>;
  strength?: Partial<Strength>;
  /** In analysis a person plays both colors, and nobody answers. */
  mode?: "analysis" | "game";
  request?: number;
}

/** Watch a game, and leave the one watched before. Answered with `game`. */
export interface OpenGame {
  type: "open_game";
  game: string;
  request?: number;
}

/** Watch no game: the start page is shown. Answered with `games`. */
export interface LeaveGame {
  type: "leave_game";
  request?: number;
}

/** Forget a game for good. */
export interface DeleteGame {
  type: "delete_game";
  game: string;
  request?: number;
}

/** Put a game away without deleting it, or take it out again. */
export interface ArchiveGame {
  type: "archive_game";
  game: string;
  archived: boolean;
  request?: number;
}

/**
 * Ask how strong the person is on a board, and for fair terms against a level.
 *
 * Answered with `ladder`, to this page only.
 */
export interface ShowLadder {
  type: "show_ladder";
  size?: number;
  /** Empty for the one nearest to the person's rating. */
  level?: string;
  request?: number;
}

/** Ask what the book knows of a position. Answered with `book`, to this page only. */
export interface ShowBook {
  type: "show_book";
  /** What the games are played by, as a choice in `book` names it; else what most are. */
  settings?: string;
  /** From the empty board to the position. */
  moves?: string[];
  request?: number;
}

/** Ask for a problem of life and death. Answered with `problem`, to this page only. */
export interface ShowProblem {
  type: "show_problem";
  /** One of the sets that `problem` lists; else what comes along. */
  set?: string;
  /** A certain one; else what to try next. */
  problem?: string;
  /** Only problems of that grade; 0 for any. */
  grade?: number;
  /** The one that was tried last: it is not the next. */
  after?: string;
  request?: number;
}

/** Try a move in a problem. Answered with `problem_result`, to this page only. */
export interface AnswerProblem {
  type: "answer_problem";
  problem: string;
  /** Empty to give up. */
  move?: string;
  /** That were looked at before. */
  hints?: number;
  /** Whether it is the first try, which alone is rated. */
  counts?: boolean;
  request?: number;
}

/**
 * Make problems of the life-and-death mistakes that reviews found in the person's games.
 *
 * Answered with `problems_found` when that is done.
 */
export interface FindProblems {
  type: "find_problems";
  request?: number;
}

/** Ask whether stones at a node live or die. Go only. Answered with `solution`. */
export interface Solve {
  type: "solve";
  node: number;
  /** A stone of each chain that is meant; else Montego guesses. */
  target?: string[];
  /** None for whoever is to move there. */
  to_move?: Color | null;
  request?: number;
}

/** Say whether anybody can see the page. A game that nobody sees for long stops thinking. */
export interface Presence {
  type: "presence";
  visible: boolean;
  request?: number;
}

/**
 * Play a move after a node: `"D4"`, `"pass"`, or what the game calls its moves.
 *
 * In a game the node must be the head, and it must be a person's turn.
 */
export interface Play {
  type: "play";
  node: number;
  move: string;
  /**
   * In a game: if the move loses that much chance, `warning` is the answer, and it is not
   * played.
   */
  check?: number | null;
  request?: number;
}

/** Go back to the person's last turn, or by one move in analysis. Nothing is deleted. */
export interface Undo {
  type: "undo";
  request?: number;
}

/** Follow again what was taken back. */
export interface Redo {
  type: "redo";
  request?: number;
}

/** Go on from another node: *play from here*. */
export interface SetHead {
  type: "set_head";
  node: number;
  request?: number;
}

/** Give up, for the person whose turn it is, or who plays Montego. */
export interface Resign {
  type: "resign";
  request?: number;
}

/** Have Montego play the best it has found so far. */
export interface MoveNow {
  type: "move_now";
  request?: number;
}

/** Stop or go on with a game that Montego plays by itself or against an engine. */
export interface Pause {
  type: "pause";
  paused: boolean;
  request?: number;
}

/** Ask for the position at a node. Answered with `position`, to this page only. */
export interface Show {
  type: "show";
  node: number;
  request?: number;
}

/** Search the position at a node until told to stop, or switch that off. One a game. */
export interface Analyze {
  type: "analyze";
  node: number;
  on: boolean;
  request?: number;
}

/** Ask what Montego would play, and why. Answered with `hint`. */
export interface Hint {
  type: "hint";
  /** None for the head. Elsewhere while a game goes on only in analysis. */
  node?: number | null;
  request?: number;
}

/** Ask for the score as it stands at a node. Answered with `estimate`. Go only. */
export interface Estimate {
  type: "estimate";
  node: number;
  request?: number;
}

/** Ask why the move of a node was played. Answered with `explanation`. */
export interface Explain {
  type: "explain";
  node: number;
  request?: number;
}

/** Judge every move of a line; False stops it. Answered with `review` several times. */
export interface Review {
  type: "review";
  on?: boolean;
  /** Where the line ends; None for the one through the head. */
  node?: number | null;
  request?: number;
}

/** While counting: change whether the group at a point is dead. */
export interface MarkDead {
  type: "mark_dead";
  vertex: string;
  request?: number;
}

/** While counting: put back Montego's own proposal. */
export interface ProposeDead {
  type: "propose_dead";
  request?: number;
}

/** While counting: agree, which ends the game. To play on instead, undo. */
export interface AcceptCount {
  type: "accept_count";
  request?: number;
}

/** Change what can be changed in a game; None leaves it as it is. */
export interface Configure {
  type: "configure";
  strength?: Partial<Strength> | null;
  mode?: "analysis" | "game" | null;
  black?: Side | null;
  white?: Side | null;
  name?: string | null;
  request?: number;
}

/** Write or, with an empty text, remove the comment of a node. */
export interface SetComment {
  type: "set_comment";
  node: number;
  text: string;
  request?: number;
}

/**
 * Draw on a point of a node's board with a tool. Go only.
 *
 * A mark that the tool draws goes; another one is replaced. A letter or number is the first that
 * is free.
 */
export interface DrawMark {
  type: "draw_mark";
  node: number;
  vertex: string;
  tool: MarkTool;
  request?: number;
}

/** Take all that is drawn on a node's board away. */
export interface ClearMarks {
  type: "clear_marks";
  node: number;
  request?: number;
}

/** Forget a variation: a node and all that follows. Not the root. */
export interface DeleteNode {
  type: "delete_node";
  node: number;
  request?: number;
}

/** Make a variation the main line: stepping on leads there, and records begin with it. */
export interface PromoteNode {
  type: "promote_node";
  node: number;
  request?: number;
}

export type Phase = "playing" | "counting" | "over";

/** Something to pick from a list. */
export interface Choice {
  value: string;
  label: string;
  help: string;
}

/** A game in the list of the start page. */
export interface GameSummary {
  id: string;
  name: string;
  kind: GameKind;
  size: number;
  black: Side;
  white: Side;
  moves: number;
  phase: Phase;
  /** In words: `"Black wins by 3.5"`. */
  result: string | null;
  /** When, in seconds since 1970. */
  changed: number;
  /** The position at the head, as in `Position`, for a small picture. */
  cells: string;
  /** Who won, when the game is over; None for a draw. */
  winner: Color | null;
  /** Montego's, if it plays at one. */
  level: string | null;
  /** The first moves. */
  opening: string[];
  /** Whether a person has put it away. */
  archived: boolean;
}

/** The first message on every connection. */
export interface Welcome {
  type: "welcome";
  version: string;
  levels: Choice[];
  /** The programs of the documents that Montego can play as. */
  presets: Choice[];
  rules: Choice[];
  /** The name of the GTP engine given on the command line. */
  engine: string | null;
  /** The name of the program that advises the hybrid, if there is one. */
  adviser: string | null;
  /** The name of the game of one's own in the file given on the command line. */
  own: string | null;
  /** The smallest and largest board of each kind of game. */
  sizes: Record<string, [number, number]>;
  /** Bytes of an SGF file. */
  most_upload: number;
  games: GameSummary[];
  /** Something a person should know: games cannot be saved, or one was damaged. */
  notice: string;
}

/** The list of the start page; sent whenever it changes to pages that show it. */
export interface Games {
  type: "games";
  games: GameSummary[];
}

/** What is being prepared or compiled; shown as one line until it is done. */
export interface Progress {
  type: "progress";
  /** Empty when everything is ready. */
  text: string;
  /** How much of it is done, from 0 to 1, where that is known. */
  part: number | null;
}

/** A move in the tree of variations. Its number is its id: parents come before children. */
export interface TreeNode {
  id: number;
  /** None for the root. */
  parent: number | null;
  /** None for the root, and where a record sets stones up in mid-game or has mark-up alone. */
  move: string | null;
  color: Color | null;
  /** Of the move, or of the last one before, from 1; 0 for the root. */
  number: number;
  /** The chance after the move, once some search has looked at it. */
  value?: number | null;
  score?: number | null;
  /** That both stand on. */
  simulations?: number;
  comment?: string;
  /** The move after it that belongs to the main line, if one was chosen. */
  followed?: number | null;
  /** Whether `explain` has something to say about it. */
  explained?: boolean;
  /** What is drawn on points: `circle`, `cross`, `square`, `triangle`, or a label. */
  marks?: Record<string, string>;
}

/** The board at a node. */
export interface Position {
  type: "position";
  game: string;
  node: number;
  width: number;
  height: number;
  /** One character a point: `.` empty, `X` Black, `O` White. */
  cells: string;
  to_play: Color;
  /** The last move, if it was on the board. */
  last: string | null;
  /** Legal moves of the player to move, `"pass"` among them; empty when the game is over. */
  moves: string[];
  ko: string | null;
  /** Stones that Black and White have captured. */
  captures: [number, number];
  /** The cells that won: Hex, Connect 4, tic-tac-toe. */
  connection: string[];
  /** Of a game of one's own, as the game draws it in text; there are no cells then. */
  picture: string;
}

/** The board while it is counted, and after. */
export interface Count {
  dead: string[];
  /** One character a point: `X` Black's, `O` White's, `.` nobody's. */
  territory: string;
  black: number;
  /** With komi. */
  white: number;
  /** In words. */
  result: string;
  /** Whether the dead stones are Montego's own proposal. */
  proposed: boolean;
  /** Whether it may be agreed on: not before Montego, or else a person, has said who is dead. */
  acceptable: boolean;
}

/** One player's time. */
export interface ClockFace {
  /** Of main time, or of the period. */
  seconds: number;
  /** Byo-yomi periods left, the current one included; 0 before that or without. */
  periods: number;
}

/** A game, whole. Sent to all pages that watch it whenever something changes. */
export interface GameState {
  type: "game";
  id: string;
  name: string;
  kind: GameKind;
  size: number;
  komi: number;
  rules: string;
  handicap: number;
  black: Side;
  white: Side;
  mode: "analysis" | "game";
  strength: Strength;
  phase: Phase;
  /** In words, with the reason. */
  result: string | null;
  /** Who won, when the game is over; None for a draw. */
  winner: Color | null;
  /** The node where the game stands. */
  head: number;
  tree: TreeNode[];
  /** At the head. */
  position: Position;
  clock: ClockSettings;
  /** Black's and White's, at the moment of sending. */
  clocks: [ClockFace, ClockFace] | null;
  /** Whose clock is running. */
  running: Color | null;
  /** For whom Montego or the engine thinks. */
  thinking: Color | null;
  /** The node that is analyzed. */
  analyzing: number | null;
  paused: boolean;
  count: Count | null;
  can_undo: boolean;
  can_redo: boolean;
  /** Black's and White's, for people: `"You"`, `"Montego (12k)"`, `"GNU Go"`. */
  names: [string, string];
  /** Something a person should know: an engine died, a record was mended. */
  notice: string;
}

/** A move as the search sees it. */
export interface MoveReport {
  move: string;
  visits: number;
  /** The chance of Black, or of the first player. */
  value: number;
  /** Share of the belief before any simulation. */
  prior: number;
  /** Black's chance when the move is played at any time. */
  rave: number;
  rave_visits: number;
  score: number | null;
  variation: string[];
}

/** What a search knows about a position at one moment. */
export interface Findings {
  to_play: Color;
  /** Of this search. */
  simulations: number;
  /** Those kept from earlier searches and games included. */
  visits: number;
  seconds: number;
  /** The chance of Black, or of the first player, if the best move is played. */
  value: number;
  score: number | null;
  /** Best first, at most 30. */
  moves: MoveReport[];
  /** 1 Black's, -1 White's, with two decimals. */
  ownership: number[] | null;
}

/** What the search knows so far about a node. */
export interface AnalysisReport {
  type: "analysis";
  to_play: Color;
  /** Of this search. */
  simulations: number;
  /** Those kept from earlier searches and games included. */
  visits: number;
  seconds: number;
  /** The chance of Black, or of the first player, if the best move is played. */
  value: number;
  score: number | null;
  /** Best first, at most 30. */
  moves: MoveReport[];
  /** 1 Black's, -1 White's, with two decimals. */
  ownership: number[] | null;
  game: string;
  node: number;
  purpose: "analysis" | "hint" | "move" | "review";
  /** Whether the search has ended. */
  final: boolean;
  /** Whether it is a weaker player's than the one by whom games are judged: not for the graph. */
  apart: boolean;
}

/** What Montego would play, and why. */
export interface HintReply {
  type: "hint";
  game: string;
  node: number;
  move: string;
  text: string;
  /** What it expects, the move itself first. */
  variation: string[];
}

/** The score as it stands. */
export interface Estimation {
  score: number;
  /** 1 Black's, -1 White's. */
  ownership: number[];
  dead: string[];
}

/** The score as it stands at a node. */
export interface EstimateReply {
  type: "estimate";
  score: number;
  /** 1 Black's, -1 White's. */
  ownership: number[];
  dead: string[];
  game: string;
  node: number;
  /** `"Black is ahead by about 4.5 points"`. */
  text: string;
}

/** Why a move was played. */
export interface Explanation {
  type: "explanation";
  game: string;
  node: number;
  move: string;
  lines: string[];
  /** The move itself first. */
  alternatives: MoveReport[];
  /** The same in one sentence, without words of the search. */
  plain: string;
}

/** A move that lost some chance to win. */
export interface Mistake {
  node: number;
  /** Chance of the player who moved that was lost, from 0 to 1. */
  loss: number;
  /** Points that were lost; None where the game has none. */
  points: number | null;
  /** What the search would have played. */
  better: string | null;
  /** How that would have gone on, the move itself first. */
  variation: string[];
  /** What answers the mistake. */
  refutation: string[];
  /** Whether it lost a lot. */
  bad: boolean;
}

/** What a game teaches the person who played it, in plain words. */
export interface Lesson {
  node: number;
  title: string;
  text: string;
}

/** How far the review is, and what it has found, the largest loss first. */
export interface ReviewReply {
  type: "review";
  game: string;
  /** Where the line ends that is judged. */
  node: number;
  /** From 0 to 1; 1 when it is done. */
  part: number;
  running: boolean;
  mistakes: Mistake[];
  /** For the person who played against a program; three at most. */
  lessons: Lesson[];
}

/** A move that was not played, because it would lose much. */
export interface MoveWarning {
  type: "warning";
  game: string;
  node: number;
  move: string;
  loss: number;
  points: number | null;
  better: string | null;
  /** What the opponent would answer. */
  refutation: string[];
  text: string;
}

/** A move that the book knows, and all that symmetry makes the same. */
export interface BookMove {
  move: string;
  /** Other moves that symmetry makes the same; their visits are counted here. */
  alike: string[];
  visits: number;
  /** The chance of Black. */
  value: number;
  /** Black's chance when the move is played at any time. */
  rave: number;
  rave_visits: number;
  /** Whether the book knows the position after it. */
  goes_on: boolean;
}

/** How strong the person is on a board, by the games of Go against levels, and whom to play. */
export interface LadderReply {
  type: "ladder";
  request: number;
  size: number;
  /** Boards with games, and this one. */
  sizes: number[];
  /** By which the person is rated here. */
  games: number;
  /** As levels are named: the even opponent. */
  rank: string;
  /** With :attr:`most`, the ranks that it may well be. */
  least: string;
  most: string;
  /** The highest rung; None if there is none yet. */
  climbed: string | null;
  /** The level to beat next. */
  next: string;
  /** The rank after each game, as a number: -1 for 1 kyu, 0 for 1 dan. */
  course: number[];
  /** What the terms are for. */
  level: string;
  /** That the person should have against it. */
  color: Color;
  handicap: number;
  komi: number;
}

/** What the book knows of a position. */
export interface BookReply {
  type: "book";
  request: number;
  /** The book's file; empty if no book is in use. */
  place: string;
  /** Board sizes, rules and komi that the book knows, those with most positions first. */
  choices: Choice[];
  /** The one of them that is shown; empty if there is none. */
  settings: string;
  /** From the empty board to the position, as far as they can be played. */
  moves: string[];
  /** None if there is nothing to show. */
  position: Position | null;
  /** Of the position; 0 if the book does not know it. */
  visits: number;
  /** Most visits first, at most 100. */
  known: BookMove[];
  /** Why there is nothing to show, or less than was asked for, in a sentence. */
  trouble: string;
}

/** A set of problems. */
export interface ProblemSet {
  /** `montego` for what comes along, `games` for what the person's games gave. */
  name: string;
  total: number;
  tried: number;
  /** To be seen again now. */
  due: number;
}

/** First tries at problems of a grade. */
export interface GradeTally {
  grade: number;
  solved: number;
  failed: number;
}

/** How a person fares with problems. */
export interface Standing {
  rating: number;
  /** Problems solved in a row. */
  streak: number;
  /** The rating after each of the last tries. */
  history: number[];
  grades: GradeTally[];
  sets: ProblemSet[];
  /** Why nothing can be kept, in a sentence. */
  trouble: string;
}

/** A problem to try; without a name there is none in that set. */
export interface ProblemReply {
  type: "problem";
  request: number;
  set: string;
  problem: string;
  name: string;
  size: number;
  /** As in `Position`. */
  cells: string;
  to_move: Color;
  /** The stones that it is about, if that is known. */
  target: string[];
  /** What a right move leads to: `lives`, `dies`, `seki`, `ko`; empty if nobody says. */
  value: string;
  grade: number;
  rating: number;
  /** How often it was tried before. */
  seen: number;
  /** Points among which a right one is, fewer each time. */
  hints: string[][];
  standing: Standing | null;
}

/** What came of a move in a problem. */
export interface ProblemResult {
  type: "problem_result";
  request: number;
  problem: string;
  /** Empty if the person gave up. */
  move: string;
  right: boolean;
  correct: string[];
  /** How it would go on, the move first: the refutation of a wrong one. */
  line: string[];
  proven: boolean;
  standing: Standing;
}

/** What came of looking through the person's games. */
export interface ProblemsFound {
  type: "problems_found";
  /** New problems. */
  found: number;
  /** Mistakes that reviews had found. */
  looked: number;
  standing: Standing;
}

/** A first move, whether it works, and how it goes on. */
export interface SolutionMove {
  move: string;
  works: boolean | null;
  line: string[];
}

/** What the solver says of stones at a node. */
export interface SolutionReply {
  type: "solution";
  game: string;
  node: number;
  defender: Color;
  to_move: Color;
  target: string[];
  value: "dies" | "ko" | "lives" | "seki" | "unknown";
  proven: boolean;
  favors: "attacker" | "defender" | null;
  threats: number | null;
  /** If the other side moved first. */
  other: "dies" | "ko" | "lives" | "seki" | "unknown";
  outside: "attacker" | "closed" | "independent";
  moves: SolutionMove[];
  /** What a search would play where nothing is proven. */
  suggestion: string | null;
  line: string[];
  chance: number | null;
  nodes: number;
}

/** What was asked cannot be done; nothing has changed. For people, in one sentence. */
export interface Failure {
  type: "error";
  message: string;
  request: number;
}

/** Everything a page may send. */
export type Request =
  | NewGame
  | OpenGame
  | LeaveGame
  | DeleteGame
  | ArchiveGame
  | ShowBook
  | ShowLadder
  | ShowProblem
  | AnswerProblem
  | FindProblems
  | Solve
  | Presence
  | Play
  | Undo
  | Redo
  | SetHead
  | Resign
  | MoveNow
  | Pause
  | Show
  | Analyze
  | Hint
  | Estimate
  | Explain
  | Review
  | MarkDead
  | ProposeDead
  | AcceptCount
  | Configure
  | SetComment
  | DrawMark
  | ClearMarks
  | DeleteNode
  | PromoteNode;

/** Everything a page may receive. */
export type Reply =
  | Welcome
  | Games
  | Progress
  | Position
  | GameState
  | AnalysisReport
  | HintReply
  | EstimateReply
  | Explanation
  | ReviewReply
  | MoveWarning
  | BookReply
  | LadderReply
  | ProblemReply
  | ProblemResult
  | ProblemsFound
  | SolutionReply
  | Failure;
