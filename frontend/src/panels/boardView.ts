/**
 * What the board shows besides the game: signals that combine what panels and the server say.
 *
 * Whoever draws a board takes `boardPosition` and `boardOverlay`; panels set `pointed` and `pinned`.
 */
import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";
import type { AnalysisReport, EstimateReply, GameState, HintReply, Position } from "../messages";
import type { BoardOverlay } from "../overlay";
import { composeOverlay, wholeVariation, type Preview } from "../overlays";
import { overlays } from "../preferences";
import { overlayWithMarks } from "../markup/markup";
import { analysis, estimate, game, hint, nodes, positions, shownPosition, view } from "../state";
import { every, perFrame } from "./pace";

/** A line that a person looks at, and whether it goes on changing with the search of its node. */
export interface ShownLine extends Preview {
  live?: boolean;
}

/** The line under the mouse or the keyboard's focus. */
export const pointed = signal<ShownLine | null>(null);
/** The line that was clicked, and stays when the mouse goes elsewhere. */
export const pinned = signal<ShownLine | null>(null);

/** Keep a line on the board, and have the board in sight where it lies above the panels. */
export function pin(line: ShownLine): void {
  pinned.value = line;
  const board = document.querySelector(".game-page__board");
  if (board && board.getBoundingClientRect().bottom < innerHeight / 3) {
    board.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }
}

const shownLine = computed(() => pointed.value ?? pinned.value);

/** Have the board show its own position again, without any line. */
export function showNoLine(): void {
  batch(() => {
    pointed.value = null;
    pinned.value = null;
  });
}

// What is pointed at belongs to what is shown: when that changes, it is gone.
computed(() => `${game.value?.id ?? ""} ${view.value}`).subscribe(showNoLine);

/** Whether a report tells of a search that is running for people to see, not of one that was. */
export function isLive(report: AnalysisReport, current: GameState): boolean {
  if (report.node === current.analyzing && report.purpose === "analysis") return true;
  return (
    report.purpose === "move" &&
    report.node === current.head &&
    current.thinking !== null &&
    !report.final
  );
}

/** Whether it tells of an analysis that came to an end by itself: small games are soon solved. */
export function isComplete({ purpose, final }: AnalysisReport): boolean {
  return purpose === "analysis" && final;
}

/** The latest report on each node; changes at most once a frame. */
export const analysisReports: ReadonlySignal<ReadonlyMap<number, AnalysisReport>> =
  perFrame(analysis);

/** Heat and variations that change faster than this, in milliseconds, are a flicker. */
export const BOARD_PAUSE = 200;

const boardReports = every(BOARD_PAUSE, analysis);

const shownReport = computed(() => boardReports.value.get(view.value) ?? null);

/** The report that may be drawn on the board. */
const liveReport = computed(() => {
  const report = shownReport.value;
  const current = game.value;
  if (!report || report.game !== current?.id || report.node !== view.value) return null;
  return isLive(report, current) || isComplete(report) ? report : null;
});

/** The line shown, with its latest moves. */
const preview = computed((): Preview | null => {
  const line = shownLine.value;
  const report = shownReport.value;
  if (!line?.live || report?.node !== line.node) return line;
  const candidate = report.moves.find(({ move }) => move === line.moves[0]);
  return candidate ? { ...line, moves: wholeVariation(candidate) } : line;
});

/** The hint, while the position that it is for is shown. */
export const shownHint: ReadonlySignal<HintReply | null> = computed(() =>
  hint.value?.node === view.value ? hint.value : null,
);

/** The estimate, while the position that it is for is shown. */
export const shownEstimate: ReadonlySignal<EstimateReply | null> = computed(() =>
  estimate.value?.node === view.value ? estimate.value : null,
);

/** The position to draw: the one shown, or the one where the line begins that is looked at. */
export const boardPosition: ReadonlySignal<Position | null> = computed(() => {
  const line = shownLine.value;
  return (line && positions.value.get(line.node)) ?? shownPosition.value;
});

/** What to draw over it. */
export const boardOverlay: ReadonlySignal<BoardOverlay> = computed(() => {
  const current = game.value;
  const position = boardPosition.value;
  if (!current || !position) return {};
  const line = preview.value;
  const overlay = composeOverlay({
    kind: current.kind,
    choice: overlays.value,
    report: liveReport.value,
    // A line from a position that has not arrived yet would be drawn over the wrong stones.
    preview: line?.node === position.node ? line : null,
    hint: shownHint.value,
    toPlay: position.to_play,
    estimate: shownEstimate.value,
    count: view.value === current.head ? current.count : null,
  });
  return line === null ? overlayWithMarks(overlay, nodes.value.get(position.node)?.marks) : overlay;
});
