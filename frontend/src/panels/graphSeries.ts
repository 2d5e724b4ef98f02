/** The course of a game as numbers for the graph, and in words for those who do not see it. */
import { colorName } from "../boards/colors";
import type { AnalysisReport, GameKind, TreeNode } from "../messages";
import { knownOf } from "./analysisStatus";
import { chanceText, errorOf, scoreText, wholePercent } from "./wording";
import { t } from "../languages/language";

/** Of a running search whose numbers are drawn. */
const LEAST_SIMULATIONS = 100;

/** One entry a node of the line, the root first. Null where nothing is known. */
export interface GraphSeries {
  /** The first player's chance, in percent. */
  win: (number | null)[];
  /** Half of the band around it: about two standard errors. */
  error: (number | null)[];
  /** The simulations that it stands on. */
  simulations: (number | null)[];
  /** Black's points minus White's. */
  score: (number | null)[];
}

/** Moves that a game has room for in the graph from its beginning, so that the curve lies still. */
export function roomFor(kind: GameKind): number {
  return kind === "tic-tac-toe" ? 9 : 20;
}

/** What is known along a line. What a search says right now goes before what was kept. */
export function seriesOf(
  line: readonly TreeNode[],
  reports: ReadonlyMap<number, AnalysisReport>,
): GraphSeries {
  const win: (number | null)[] = [];
  const score: (number | null)[] = [];
  const error: (number | null)[] = [];
  const simulations: (number | null)[] = [];
  for (const node of line) {
    const report = reports.get(node.id);
    const known = report ? knownOf(report) : 0;
    const isLong = known >= LEAST_SIMULATIONS && report?.apart !== true;
    const isRunning = report && !report.final && isLong;
    const isKept = typeof node.value === "number";
    const isKnown = isRunning === true || (!isKept && isLong);
    const value = (isKnown ? report?.value : node.value) ?? null;
    const made = (isKnown ? known : node.simulations) ?? 0;
    win.push(value === null ? null : 100 * value);
    error.push(value === null ? null : 100 * errorOf(value, made));
    simulations.push(value === null ? null : made);
    score.push((isKnown ? report?.score : node.score) ?? null);
  }
  return { win, error, simulations, score };
}

/**
 * The same values, a single missing one between two others taken as their mean.
 *
 * Where Montego plays one color, only its own turns are searched, and half of a line would be gaps.
 */
export function bridged(values: readonly (number | null)[]): (number | null)[] {
  return values.map((value, place) => {
    const before = values[place - 1];
    const after = values[place + 1];
    if (value !== null || typeof before !== "number" || typeof after !== "number") return value;
    return (before + after) / 2;
  });
}

/** The places of values without a neighbor, which a line would not show. */
export function isolated(values: readonly (number | null)[]): number[] {
  const found: number[] = [];
  for (const [place, value] of values.entries()) {
    const hasNeighbor =
      typeof values[place - 1] === "number" || typeof values[place + 1] === "number";
    if (value !== null && !hasNeighbor) found.push(place);
  }
  return found;
}

/** A range for scores that has zero in the middle and room above. */
export function scoreRange(scores: readonly (number | null)[]): [number, number] {
  const largest = Math.max(5, ...scores.map((score) => Math.abs(score ?? 0)));
  const limit = Math.ceil((1.1 * largest) / 5) * 5;
  return [-limit, limit];
}

/** What is known at a place of the line: `"Move 12 · Black 54% ±3 · B+3.5"`. */
export function readingAt(
  kind: GameKind,
  line: readonly TreeNode[],
  series: GraphSeries,
  place: number,
): string {
  const node = line[place];
  const number = node?.number ?? place;
  const parts = [node?.move === null ? t("After move {number}", { number }) : t("Move {number}", { number })];
  if (node?.parent === null) parts[0] = t("Beginning");
  const win = series.win[place] ?? null;
  const score = series.score[place] ?? null;
  const simulations = series.simulations[place] ?? undefined;
  parts.push(win === null ? t("not searched") : chanceText(kind, win / 100, simulations));
  if (score !== null) parts.push(scoreText(score));
  return parts.join(" · ");
}

/** The whole curve in a few sentences. */
export function summaryOf(kind: GameKind, series: GraphSeries): string {
  const known: { place: number; win: number }[] = [];
  for (const [place, win] of series.win.entries()) if (win !== null) known.push({ place, win });
  const last = known.at(-1);
  if (!last) return t("No move of this line has been searched yet.");
  const name = colorName(kind, "black");
  const best = known.reduce((one, other) => (other.win > one.win ? other : one));
  const worst = known.reduce((one, other) => (other.win < one.win ? other : one));
  const at = ({ place, win }: { place: number; win: number }) =>
    t("{chance}% at move {number}", { chance: wholePercent(win / 100), number: place });
  return (
    t("Chance of {name} over {moves} moves: highest {best}, lowest {worst}, last known {last}.", {
      name,
      moves: series.win.length - 1,
      best: at(best),
      worst: at(worst),
      last: at(last),
    })
  );
}
