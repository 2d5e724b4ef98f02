/**
 * What the page knows: one signal a thing, and `receive`, which alone takes in what the server
 * says.
 *
 * The *head* is where the game stands; it is the server's. The *view* is the node shown; it is
 * this page's own, and follows the head until somebody looks elsewhere.
 */

import { batch, computed, signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

import type {
  AnalysisReport,
  BookReply,
  Color,
  EstimateReply,
  Explanation,
  GameState,
  GameSummary,
  HintReply,
  LadderReply,
  MoveWarning,
  Position,
  Progress,
  Reply,
  ReviewReply,
  SolutionReply,
  TreeNode,
  Welcome,
} from "./messages";
import { forgetSolution, giveUp, receiveProblem } from "./problems/store";
import { formatRoute, navigate, route } from "./routes";
import { indexTree, lineThrough, pathTo } from "./variations";
import type { VariationIndex } from "./variations";

/** Something that went wrong, until it is dismissed. */
export interface Toast {
  id: number;
  text: string;
}

/** A move that was sent and is not yet confirmed. */
export interface PendingMove {
  request: number;
  node: number;
  move: string;
  color: Color;
}

export const welcome = signal<Welcome | null>(null);
export const games = signal<readonly GameSummary[]>([]);
/** The game that is watched, as the server last told it. */
export const game = signal<GameState | null>(null);
/** When `game` arrived, by `performance.now()`: clocks count down from there. */
export const gameReceived = signal(0);
export const positions = signal<ReadonlyMap<number, Position>>(new Map());
/** The latest report on each node. */
export const analysis = signal<ReadonlyMap<number, AnalysisReport>>(new Map());
export const hint = signal<HintReply | null>(null);
export const estimate = signal<EstimateReply | null>(null);
export const explanation = signal<Explanation | null>(null);
export const review = signal<ReviewReply | null>(null);
/** A move that was not played because it would lose much, until the person decides. */
export const warning = signal<MoveWarning | null>(null);
export const progress = signal<Progress | null>(null);
export const failures = signal<readonly Toast[]>([]);
export const connected = signal(false);
export const pendingMove = signal<PendingMove | null>(null);
/** The request for analysis that is under way: what a person plays meanwhile is meant for it. */
export const pendingAnalysis = signal<number | null>(null);
/** The request for a new game that is under way: its answer opens the game. */
export const awaitedGame = signal<number | null>(null);
/** The request to open the game that the address names. */
export const openRequest = signal(0);
/** Why the game that the address names cannot be shown; empty if it can. */
export const missing = signal("");

/** How strong the person is on the board last asked for. */
export const ladder = signal<LadderReply | null>(null);
/** What the book knows of the position that was last asked for and answered. */
export const book = signal<BookReply | null>(null);
/** The latest request for a position of the book; answers to others come too late. */
export const bookRequest = signal(0);

const chosen = signal<number | null>(null);

/** The node shown. */
export const view: ReadonlySignal<number> = computed(
  () => chosen.value ?? game.value?.head ?? 0,
);

const tree = computed(() => indexTree(game.value?.tree ?? []));

/** The nodes of the tree by their number. */
export const nodes: ReadonlySignal<ReadonlyMap<number, TreeNode>> = computed(
  () => tree.value.nodes,
);

/** The children of each node, in the order they were played. */
export const children: ReadonlySignal<VariationIndex["children"]> = computed(
  () => tree.value.children,
);

/** The end of the line that was shown last: stepping forward leads there again. */
const goal = signal<number | null>(null);

/** The nodes from the root through the view to the end of its line. */
export const line: ReadonlySignal<readonly TreeNode[]> = computed(() => {
  const head = game.value?.head ?? 0;
  return lineThrough(tree.value, view.value, goal.value === null ? [head] : [goal.value, head]);
});

let lastShown: Position | null = null;

/** The position at the view; while it is on its way, the one shown before. */
export const shownPosition: ReadonlySignal<Position | null> = computed(() => {
  const current = game.value;
  if (current === null) return (lastShown = null);
  const found = positions.value.get(view.value);
  if (found) lastShown = found;
  return found ?? (lastShown?.game === current.id ? lastShown : current.position);
});

/** Show a node; looking at the head follows it from then on. */
export function look(node: number): void {
  if (!nodes.value.has(node)) return;
  if (!line.value.some((other) => other.id === node)) goal.value = node;
  chosen.value = node === game.value?.head ? null : node;
}

export function lookAtHead(): void {
  goal.value = null;
  chosen.value = null;
}

/** Show the node that many moves further along the line, or as far as it goes. */
export function step(moves: number): void {
  const path = line.value;
  const here = path.findIndex((node) => node.id === view.value);
  const there = path[Math.min(Math.max(here + moves, 0), path.length - 1)];
  if (there) look(there.id);
}

let toasts = 0;

export function fail(text: string): void {
  if (failures.value.some((toast) => toast.text === text)) return;
  toasts += 1;
  failures.value = [...failures.value.slice(-2), { id: toasts, text }];
}

export function dismiss(id: number): void {
  failures.value = failures.value.filter((toast) => toast.id !== id);
}

/** Forget everything about the game that was watched. */
export function forgetGame(): void {
  batch(() => {
    game.value = null;
    chosen.value = null;
    goal.value = null;
    pendingMove.value = null;
    pendingAnalysis.value = null;
    positions.value = new Map();
    analysis.value = new Map();
    hint.value = null;
    estimate.value = null;
    explanation.value = null;
    review.value = null;
    warning.value = null;
    forgetSolution();
  });
}

/** Take in a message of the server. What concerns another game than the one shown is dropped. */
export function receive(reply: Reply): void {
  batch(() => {
    switch (reply.type) {
      case "welcome":
        welcome.value = reply;
        games.value = reply.games;
        break;
      case "games":
        games.value = reply.games;
        break;
      case "progress":
        progress.value = reply.text === "" ? null : reply;
        break;
      case "game":
        receiveGame(reply);
        break;
      case "ladder":
        ladder.value = reply;
        break;
      case "book":
        if (reply.request === bookRequest.value) book.value = reply;
        break;
      case "problem":
      case "problem_result":
      case "problems_found":
        receiveProblem(reply);
        break;
      case "error":
        receiveFailure(reply.message, reply.request);
        break;
      default:
        if (reply.game === game.value?.id) receiveDetail(reply);
    }
  });
}

function receiveDetail(
  reply:
    | Position
    | AnalysisReport
    | HintReply
    | EstimateReply
    | Explanation
    | ReviewReply
    | MoveWarning
    | SolutionReply,
): void {
  switch (reply.type) {
    case "position":
      positions.value = new Map(positions.value).set(reply.node, reply);
      break;
    case "analysis":
      analysis.value = new Map(analysis.value).set(reply.node, reply);
      break;
    case "hint":
      hint.value = reply;
      break;
    case "estimate":
      estimate.value = reply;
      break;
    case "explanation":
      explanation.value = reply;
      break;
    case "review":
      review.value = reply;
      break;
    case "solution":
      receiveProblem(reply);
      break;
    case "warning":
      pendingMove.value = null;
      warning.value = reply;
      break;
  }
}

function receiveGame(next: GameState): void {
  if (awaitedGame.value !== null && !isShown(next.id)) {
    awaitedGame.value = null;
    forgetGame();
    navigate({ page: "game", game: next.id });
  }
  if (!isShown(next.id)) return;
  const before = game.value;
  if (before !== null && before.id !== next.id) forgetGame();
  keepKnown(game.value, next);
  missing.value = "";
  const headMoved = before?.id !== next.id || before.head !== next.head;
  game.value = next;
  gameReceived.value = performance.now();
  if (headMoved) hint.value = estimate.value = warning.value = null;
  if (next.mode === "analysis") pendingAnalysis.value = null;
  followPending(next);
  if (chosen.value !== null && (chosen.value === next.head || !nodes.value.has(chosen.value))) {
    chosen.value = null;
  }
}

function isShown(id: string): boolean {
  return formatRoute(route.value) === formatRoute({ page: "game", game: id });
}

/** Drop what was known of nodes that are gone or are something else now. */
function keepKnown(before: GameState | null, next: GameState): void {
  const known = new Map<number, Position>();
  // What may be played at a node depends on mode and phase, so positions do not outlive them.
  if (before?.mode === next.mode && before.phase === next.phase) {
    const past = new Map(before.tree.map((node) => [node.id, node]));
    for (const node of next.tree) {
      const position = positions.value.get(node.id);
      const old = past.get(node.id);
      if (position && old?.move === node.move && old.parent === node.parent) {
        known.set(node.id, position);
      }
    }
  }
  known.set(next.head, next.position);
  positions.value = known;
}

/** Once the move that was sent stands in the tree, show it. */
function followPending(next: GameState): void {
  const sent = pendingMove.value;
  if (sent === null) return;
  const made = next.tree.find(
    (node) => node.parent === sent.node && node.move?.toLowerCase() === sent.move.toLowerCase(),
  );
  if (!made) return;
  pendingMove.value = null;
  const played = pathTo(tree.value, next.head).some((node) => node.id === made.id);
  chosen.value = played ? null : made.id;
  goal.value = played ? null : made.id;
}

function receiveFailure(message: string, request: number): void {
  if (pendingMove.value?.request === request) pendingMove.value = null;
  if (pendingAnalysis.value === request) pendingAnalysis.value = null;
  if (awaitedGame.value === request) awaitedGame.value = null;
  giveUp(request);
  if (request > 0 && openRequest.value === request) missing.value = message;
  else fail(message);
}
