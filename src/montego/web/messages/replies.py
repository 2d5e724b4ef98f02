"""What the server tells pages: one class a message. Plain data, ready to be sent as JSON.

Chances are Black's, or the first player's, from 0 to 1. Scores are Black's points minus White's.
Points are texts such as ``"D4"``; boards are read row by row from the top left.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from montego.web.messages.limits import MOST_ALTERNATIVES

# The classes of fields are needed at run time.
from montego.web.messages.requests import ClockSettings, Color, GameKind, Side, Strength  # noqa: TC001

Phase = Literal["playing", "counting", "over"]


class Choice(Struct, frozen=True):
    """Something to pick from a list."""

    value: str
    label: str
    help: str = ""


class GameSummary(Struct, frozen=True):
    """A game in the list of the start page."""

    id: str
    name: str
    kind: GameKind
    size: int
    black: Side
    white: Side
    moves: int
    phase: Phase
    result: str | None
    """In words: ``"Black wins by 3.5"``."""
    changed: float
    """When, in seconds since 1970."""
    cells: str
    """The position at the head, as in :class:`Position`, for a small picture."""
    winner: Color | None = None
    """Who won, when the game is over; None for a draw."""
    level: str | None = None
    """Montego's, if it plays at one."""
    opening: list[str] = []
    """The first moves."""
    archived: bool = False
    """Whether a person has put it away."""


class Welcome(Struct, frozen=True, tag="welcome"):
    """The first message on every connection."""

    version: str
    levels: list[Choice]
    presets: list[Choice]
    """The programs of the documents that Montego can play as."""
    rules: list[Choice]
    engine: str | None
    """The name of the GTP engine given on the command line."""
    adviser: str | None
    """The name of the program that advises the hybrid, if there is one."""
    own: str | None
    """The name of the game of one's own in the file given on the command line."""
    sizes: dict[str, tuple[int, int]]
    """The smallest and largest board of each kind of game."""
    most_upload: int
    """Bytes of an SGF file."""
    games: list[GameSummary]
    notice: str = ""
    """Something a person should know: games cannot be saved, or one was damaged."""


class Games(Struct, frozen=True, tag="games"):
    """The list of the start page; sent whenever it changes to pages that show it."""

    games: list[GameSummary]


class Progress(Struct, frozen=True, tag="progress"):
    """What is being prepared or compiled; shown as one line until it is done."""

    text: str
    """Empty when everything is ready."""
    part: float | None = None
    """How much of it is done, from 0 to 1, where that is known."""


class TreeNode(Struct, frozen=True, omit_defaults=True):
    """A move in the tree of variations. Its number is its id: parents come before children."""

    id: int
    parent: int | None
    """None for the root."""
    move: str | None
    """None for the root, and where a record sets stones up in mid-game or has mark-up alone."""
    color: Color | None
    number: int
    """Of the move, or of the last one before, from 1; 0 for the root."""
    value: float | None = None
    """The chance after the move, once some search has looked at it."""
    score: float | None = None
    simulations: int = 0
    """That both stand on."""
    comment: str = ""
    followed: int | None = None
    """The move after it that belongs to the main line, if one was chosen."""
    explained: bool = False
    """Whether ``explain`` has something to say about it."""
    marks: dict[str, str] = {}
    """What is drawn on points: ``circle``, ``cross``, ``square``, ``triangle``, or a label."""


class Position(Struct, frozen=True, tag="position"):
    """The board at a node."""

    game: str
    node: int
    width: int
    height: int
    cells: str
    """One character a point: ``.`` empty, ``X`` Black, ``O`` White."""
    to_play: Color
    last: str | None
    """The last move, if it was on the board."""
    moves: list[str]
    """Legal moves of the player to move, ``"pass"`` among them; empty when the game is over."""
    ko: str | None = None
    captures: tuple[int, int] = (0, 0)
    """Stones that Black and White have captured."""
    connection: list[str] = []
    """The cells that won: Hex, Connect 4, tic-tac-toe."""
    picture: str = ""
    """Of a game of one's own, as the game draws it in text; there are no cells then."""


class Count(Struct, frozen=True):
    """The board while it is counted, and after."""

    dead: list[str]
    territory: str
    """One character a point: ``X`` Black's, ``O`` White's, ``.`` nobody's."""
    black: float
    white: float
    """With komi."""
    result: str
    """In words."""
    proposed: bool
    """Whether the dead stones are Montego's own proposal."""
    acceptable: bool
    """Whether it may be agreed on: not before Montego, or else a person, has said who is dead."""


class ClockFace(Struct, frozen=True):
    """One player's time."""

    seconds: float
    """Of main time, or of the period."""
    periods: int
    """Byo-yomi periods left, the current one included; 0 before that or without."""


class GameState(Struct, frozen=True, tag="game"):
    """A game, whole. Sent to all pages that watch it whenever something changes."""

    id: str
    name: str
    kind: GameKind
    size: int
    komi: float
    rules: str
    handicap: int
    black: Side
    white: Side
    mode: Literal["game", "analysis"]
    strength: Strength
    phase: Phase
    result: str | None
    """In words, with the reason."""
    winner: Color | None
    """Who won, when the game is over; None for a draw."""
    head: int
    """The node where the game stands."""
    tree: list[TreeNode]
    position: Position
    """At the head."""
    clock: ClockSettings
    clocks: tuple[ClockFace, ClockFace] | None
    """Black's and White's, at the moment of sending."""
    running: Color | None
    """Whose clock is running."""
    thinking: Color | None
    """For whom Montego or the engine thinks."""
    analyzing: int | None
    """The node that is analyzed."""
    paused: bool
    count: Count | None
    can_undo: bool
    can_redo: bool
    names: tuple[str, str]
    """Black's and White's, for people: ``"You"``, ``"Montego (12k)"``, ``"GNU Go"``."""
    notice: str = ""
    """Something a person should know: an engine died, a record was mended."""


class MoveReport(Struct, frozen=True):
    """A move as the search sees it."""

    move: str
    visits: int
    value: float
    """The chance of Black, or of the first player."""
    prior: float
    """Share of the belief before any simulation."""
    rave: float
    """Black's chance when the move is played at any time."""
    rave_visits: float
    score: float | None
    variation: list[str]


class Findings(Struct, frozen=True, kw_only=True):
    """What a search knows about a position at one moment."""

    to_play: Color
    simulations: int
    """Of this search."""
    visits: int = 0
    """Those kept from earlier searches and games included."""
    seconds: float
    value: float
    """The chance of Black, or of the first player, if the best move is played."""
    score: float | None = None
    moves: list[MoveReport] = []
    """Best first, at most 30."""
    ownership: list[float] | None = None
    """1 Black's, -1 White's, with two decimals."""

    @property
    def known(self) -> int:
        """What its numbers stand on."""
        return max(self.simulations, self.visits)

    def find(self, move: str) -> MoveReport | None:
        """Return what is known about a move; None if it is not among the best."""
        return next((found for found in self.moves if found.move == move), None)

    def alternatives(self, move: str) -> list[MoveReport]:
        """Return the best moves, that one before all others."""
        return sorted(self.moves, key=lambda found: found.move != move)[:MOST_ALTERNATIVES]


class AnalysisReport(Findings, frozen=True, kw_only=True, tag="analysis"):
    """What the search knows so far about a node."""

    game: str
    node: int
    purpose: Literal["move", "analysis", "hint", "review"]
    final: bool
    """Whether the search has ended."""
    apart: bool = False
    """Whether it is a weaker player's than the one by whom games are judged: not for the graph."""


class HintReply(Struct, frozen=True, tag="hint"):
    """What Montego would play, and why."""

    game: str
    node: int
    move: str
    text: str
    variation: list[str] = []
    """What it expects, the move itself first."""


class Estimation(Struct, frozen=True, kw_only=True):
    """The score as it stands."""

    score: float
    ownership: list[float]
    """1 Black's, -1 White's."""
    dead: list[str]


class EstimateReply(Estimation, frozen=True, kw_only=True, tag="estimate"):
    """The score as it stands at a node."""

    game: str
    node: int
    text: str
    """``"Black is ahead by about 4.5 points"``."""


class Explanation(Struct, frozen=True, tag="explanation"):
    """Why a move was played."""

    game: str
    node: int
    move: str
    lines: list[str]
    alternatives: list[MoveReport]
    """The move itself first."""
    plain: str = ""
    """The same in one sentence, without words of the search."""


class Mistake(Struct, frozen=True):
    """A move that lost some chance to win."""

    node: int
    loss: float
    """Chance of the player who moved that was lost, from 0 to 1."""
    points: float | None
    """Points that were lost; None where the game has none."""
    better: str | None
    """What the search would have played."""
    variation: list[str]
    """How that would have gone on, the move itself first."""
    refutation: list[str]
    """What answers the mistake."""
    bad: bool
    """Whether it lost a lot."""


class Lesson(Struct, frozen=True):
    """What a game teaches the person who played it, in plain words."""

    node: int
    title: str
    text: str


class ReviewReply(Struct, frozen=True, tag="review"):
    """How far the review is, and what it has found, the largest loss first."""

    game: str
    node: int
    """Where the line ends that is judged."""
    part: float
    """From 0 to 1; 1 when it is done."""
    running: bool
    mistakes: list[Mistake]
    lessons: list[Lesson] = []
    """For the person who played against a program; three at most."""


class MoveWarning(Struct, frozen=True, tag="warning"):
    """A move that was not played, because it would lose much."""

    game: str
    node: int
    move: str
    loss: float
    points: float | None
    better: str | None
    refutation: list[str]
    """What the opponent would answer."""
    text: str


class BookMove(Struct, frozen=True):
    """A move that the book knows, and all that symmetry makes the same."""

    move: str
    alike: list[str]
    """Other moves that symmetry makes the same; their visits are counted here."""
    visits: int
    value: float
    """The chance of Black."""
    rave: float
    """Black's chance when the move is played at any time."""
    rave_visits: int
    goes_on: bool
    """Whether the book knows the position after it."""


class LadderReply(Struct, frozen=True, tag="ladder"):
    """How strong the person is on a board, by the games of Go against levels, and whom to play."""

    request: int
    size: int
    sizes: list[int]
    """Boards with games, and this one."""
    games: int
    """By which the person is rated here."""
    rank: str
    """As levels are named: the even opponent."""
    least: str
    """With :attr:`most`, the ranks that it may well be."""
    most: str
    climbed: str | None
    """The highest rung; None if there is none yet."""
    next: str
    """The level to beat next."""
    course: list[float]
    """The rank after each game, as a number: -1 for 1 kyu, 0 for 1 dan."""
    level: str
    """What the terms are for."""
    color: Color
    """That the person should have against it."""
    handicap: int
    komi: float


class BookReply(Struct, frozen=True, tag="book"):
    """What the book knows of a position."""

    request: int
    place: str
    """The book's file; empty if no book is in use."""
    choices: list[Choice] = []
    """Board sizes, rules and komi that the book knows, those with most positions first."""
    settings: str = ""
    """The one of them that is shown; empty if there is none."""
    moves: list[str] = []
    """From the empty board to the position, as far as they can be played."""
    position: Position | None = None
    """None if there is nothing to show."""
    visits: int = 0
    """Of the position; 0 if the book does not know it."""
    known: list[BookMove] = []
    """Most visits first, at most 100."""
    trouble: str = ""
    """Why there is nothing to show, or less than was asked for, in a sentence."""


class ProblemSet(Struct, frozen=True):
    """A set of problems."""

    name: str
    """``montego`` for what comes along, ``games`` for what the person's games gave."""
    total: int
    tried: int
    due: int
    """To be seen again now."""


class GradeTally(Struct, frozen=True):
    """First tries at problems of a grade."""

    grade: int
    solved: int
    failed: int


class Standing(Struct, frozen=True):
    """How a person fares with problems."""

    rating: int
    streak: int
    """Problems solved in a row."""
    history: list[int]
    """The rating after each of the last tries."""
    grades: list[GradeTally]
    sets: list[ProblemSet]
    trouble: str = ""
    """Why nothing can be kept, in a sentence."""


class ProblemReply(Struct, frozen=True, tag="problem"):
    """A problem to try; without a name there is none in that set."""

    request: int
    set: str
    problem: str = ""
    name: str = ""
    size: int = 0
    cells: str = ""
    """As in :class:`Position`."""
    to_move: Color = "black"
    target: list[str] = []
    """The stones that it is about, if that is known."""
    value: str = ""
    """What a right move leads to: ``lives``, ``dies``, ``seki``, ``ko``; empty if nobody says."""
    grade: int = 0
    rating: int = 0
    seen: int = 0
    """How often it was tried before."""
    hints: list[list[str]] = []
    """Points among which a right one is, fewer each time."""
    standing: Standing | None = None


class ProblemResult(Struct, frozen=True, tag="problem_result"):
    """What came of a move in a problem."""

    request: int
    problem: str
    move: str
    """Empty if the person gave up."""
    right: bool
    correct: list[str]
    line: list[str]
    """How it would go on, the move first: the refutation of a wrong one."""
    proven: bool
    standing: Standing


class ProblemsFound(Struct, frozen=True, tag="problems_found"):
    """What came of looking through the person's games."""

    found: int
    """New problems."""
    looked: int
    """Mistakes that reviews had found."""
    standing: Standing


class SolutionMove(Struct, frozen=True):
    """A first move, whether it works, and how it goes on."""

    move: str
    works: bool | None
    line: list[str]


class SolutionReply(Struct, frozen=True, tag="solution"):
    """What the solver says of stones at a node."""

    game: str
    node: int
    defender: Color
    to_move: Color
    target: list[str]
    value: Literal["lives", "dies", "seki", "ko", "unknown"]
    proven: bool
    favors: Literal["attacker", "defender"] | None
    threats: int | None
    other: Literal["lives", "dies", "seki", "ko", "unknown"]
    """If the other side moved first."""
    outside: Literal["closed", "independent", "attacker"]
    moves: list[SolutionMove]
    suggestion: str | None
    """What a search would play where nothing is proven."""
    line: list[str]
    chance: float | None
    nodes: int


class Failure(Struct, frozen=True, tag="error"):
    """What was asked cannot be done; nothing has changed. For people, in one sentence."""

    message: str
    request: int = 0


Reply: TypeAlias = (
    Welcome
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
    | Failure
)


def as_sentence(text: str) -> str:
    """Return the message of an error as a sentence of its own."""
    text = text.strip() or "that cannot be done"
    return f"{text[:1].upper()}{text[1:]}{'' if text[-1] in '.!?' else '.'}"
