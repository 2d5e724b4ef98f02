/** Messages for tests: a small game of Go, and changes to it. */

import type { BookMove, BookReply, GameState, Position, TreeNode, Welcome } from "./messages";

export const GAME_ID = "0123456789abcdef";

export function samplePosition(changes: Partial<Position> = {}): Position {
  return {
    type: "position",
    game: GAME_ID,
    node: 0,
    width: 3,
    height: 3,
    cells: ".........",
    to_play: "black",
    last: null,
    moves: ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3", "pass"],
    ko: null,
    captures: [0, 0],
    connection: [],
    picture: "",
    ...changes,
  };
}

export function sampleGame(changes: Partial<GameState> = {}): GameState {
  return {
    type: "game",
    id: GAME_ID,
    name: "Go 3x3",
    kind: "go",
    size: 3,
    komi: 7.5,
    rules: "chinese",
    handicap: 0,
    black: "human",
    white: "montego",
    mode: "game",
    strength: { level: "15k", simulations: null, seconds: null, preset: null, style: null, even: false },
    phase: "playing",
    result: null,
    winner: null,
    head: 0,
    tree: [sampleNode()],
    position: samplePosition(),
    clock: { kind: "none", main: 0, period: 0, periods: 0 },
    clocks: null,
    running: null,
    thinking: null,
    analyzing: null,
    paused: false,
    count: null,
    can_undo: false,
    can_redo: false,
    names: ["You", "Montego (15k)"],
    notice: "",
    ...changes,
  };
}

export function sampleNode(changes: Partial<TreeNode> = {}): TreeNode {
  return { id: 0, parent: null, move: null, color: null, number: 0, ...changes };
}

/** A tree: 1 and 2 after the root, 3 an alternative to 2. The head is 2. */
export function sampleTree(): TreeNode[] {
  return [
    sampleNode(),
    sampleNode({ id: 1, parent: 0, move: "B2", color: "black", number: 1 }),
    sampleNode({ id: 2, parent: 1, move: "A1", color: "white", number: 2 }),
    sampleNode({ id: 3, parent: 1, move: "C3", color: "white", number: 2 }),
  ];
}

export function sampleWelcome(changes: Partial<Welcome> = {}): Welcome {
  return {
    type: "welcome",
    version: "1.0",
    levels: [
      { value: "20k", label: "20 kyu", help: "" },
      { value: "15k", label: "15 kyu", help: "" },
      { value: "1k", label: "1 kyu", help: "" },
    ],
    presets: [
      { value: "v-run", label: "V-Run", help: "Document 000: plain UCT" },
      { value: "mogo", label: "MoGo", help: "Document 001: MC-RAVE" },
    ],
    rules: [{ value: "chinese", label: "Chinese", help: "counts stones and territory" }],
    engine: null,
    adviser: null,
    own: null,
    sizes: { go: [2, 25], hex: [3, 19] },
    most_upload: 1000,
    games: [],
    notice: "",
    ...changes,
  };
}

/** The book's move C3 on the empty board of 3x3, which stands for all four corners. */
export function sampleBookMove(changes: Partial<BookMove> = {}): BookMove {
  return {
    move: "C3",
    alike: ["C1", "A3", "A1"],
    visits: 300,
    value: 0.4,
    rave: 0.45,
    rave_visits: 500,
    goes_on: true,
    ...changes,
  };
}

export function sampleBook(changes: Partial<BookReply> = {}): BookReply {
  return {
    type: "book",
    request: 1,
    place: "/home/me/book.sqlite",
    choices: [
      { value: "3-chinese-7.5", label: "3×3, Chinese, komi 7.5", help: "" },
      { value: "5-chinese-0.5", label: "5×5, Chinese, komi 0.5", help: "" },
    ],
    settings: "3-chinese-7.5",
    moves: [],
    position: samplePosition({ game: "", moves: [] }),
    visits: 1500,
    known: [
      sampleBookMove({ move: "B2", alike: [], visits: 1200, value: 0.61 }),
      sampleBookMove(),
      sampleBookMove({ move: "pass", alike: [], visits: 1, value: 0.1, goes_on: false }),
    ],
    trouble: "",
    ...changes,
  };
}
