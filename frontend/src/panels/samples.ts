/** Messages as the server might send them, for tests: everything plain, except what a test says. */
import type {
  AnalysisReport,
  Color,
  GameState,
  MoveReport,
  Position,
  TreeNode,
} from "../messages";

/** Nodes from texts such as `"0"`, `"1 0 D4"`, `"2 1 E5"`: id, parent, move. Colors alternate. */
export function sampleTree(...lines: string[]): TreeNode[] {
  const numbers = new Map<number, number>();
  return lines.map((line) => {
    const [id = "0", parent, move = null] = line.split(" ");
    const number = parent === undefined ? 0 : (numbers.get(Number(parent)) ?? 0) + 1;
    numbers.set(Number(id), number);
    const color: Color | null = number === 0 ? null : number % 2 === 1 ? "black" : "white";
    const from = parent === undefined ? null : Number(parent);
    return { id: Number(id), parent: from, move, color, number };
  });
}

export function samplePosition(node: number, parts: Partial<Position> = {}): Position {
  return {
    type: "position",
    game: "sample00",
    node,
    width: 9,
    height: 9,
    cells: ".".repeat(81),
    to_play: "black",
    last: null,
    moves: ["D4", "pass"],
    ko: null,
    captures: [0, 0],
    connection: [],
    picture: "",
    ...parts,
  };
}

/** A game that stands at the last node of its tree. */
export function sampleGame(tree: TreeNode[], parts: Partial<GameState> = {}): GameState {
  const head = parts.head ?? tree.at(-1)?.id ?? 0;
  return {
    type: "game",
    id: "sample00",
    name: "Sample",
    kind: "go",
    size: 9,
    komi: 7,
    rules: "chinese",
    handicap: 0,
    black: "human",
    white: "montego",
    mode: "game",
    strength: { level: null, simulations: 100, seconds: null, preset: null, style: null, even: false },
    phase: "playing",
    result: null,
    winner: null,
    head,
    tree,
    position: samplePosition(head),
    clock: { kind: "none", main: 0, period: 0, periods: 0 },
    clocks: null,
    running: null,
    thinking: null,
    analyzing: null,
    paused: false,
    count: null,
    can_undo: true,
    can_redo: false,
    names: ["You", "Montego"],
    notice: "",
    ...parts,
  };
}

export function sampleMove(move: string, parts: Partial<MoveReport> = {}): MoveReport {
  return {
    move,
    visits: 100,
    value: 0.5,
    prior: 0.1,
    rave: 0.5,
    rave_visits: 50,
    score: null,
    variation: [move],
    ...parts,
  };
}

export function sampleReport(
  node: number,
  moves: MoveReport[],
  parts: Partial<AnalysisReport> = {},
): AnalysisReport {
  return {
    type: "analysis",
    game: "sample00",
    node,
    to_play: "black",
    purpose: "analysis",
    apart: false,
    simulations: 1000,
    visits: 0,
    seconds: 2,
    value: 0.5,
    score: null,
    moves,
    ownership: null,
    final: false,
    ...parts,
  };
}
