/**
 * From what the server says to what boards draw over their stones.
 *
 * Pure functions: which report, hint or count is current is for the caller to say.
 */
import { otherColor } from "./boards/colors";
import type {
  AnalysisReport,
  Color,
  Count,
  EstimateReply,
  GameKind,
  HintReply,
  MoveReport,
} from "./messages";
import type { BoardOverlay, VariationMove } from "./overlay";
import type { HeatMap, OverlayChoice } from "./preferences";

/** More moves of a variation than this are a blur. */
export const MOST_VARIATION = 12;
/** How many candidates get numbers on the board. */
const MOST_LABELS = 8;
/** Candidates with a smaller share of the visits of the best one get no numbers. */
const LEAST_SHARE = 0.01;

/** Candidates with fewer visits get none either: a few simulations say anything. */
const FEW_VISITS = 20;

/** A line of play that a person points at in some panel. */
export interface Preview {
  /** The node that it begins at, which is the one to show. */
  node: number;
  /** Who plays its first move. */
  color: Color;
  moves: readonly string[];
  /** What was played instead; it gets a cross. */
  played?: string;
}

/** All that may be drawn; null for what is not there or belongs to another node. */
export interface OverlaySources {
  kind: GameKind;
  choice: OverlayChoice;
  /** The search that runs on the position shown. */
  report: AnalysisReport | null;
  preview: Preview | null;
  hint: HintReply | null;
  /** Whose turn it is in the position shown. */
  toPlay: Color;
  estimate: EstimateReply | null;
  count: Count | null;
}

/** What to draw. A preview stands alone; counts and estimates hide the search. */
export function composeOverlay(sources: OverlaySources): BoardOverlay {
  const { kind, choice, report, preview, hint, toPlay, estimate, count } = sources;
  if (preview) return previewOverlay(kind, preview);
  if (count) return countOverlay(count);
  if (estimate) return estimateOverlay(estimate);
  const searched = report ? searchOverlay(kind, report, choice) : {};
  return hint ? { ...searched, ...hintOverlay(hint, toPlay) } : searched;
}

/** A line of play alone on the board, with a cross on the move that it is better than. */
export function previewOverlay(kind: GameKind, preview: Preview): BoardOverlay {
  const { moves, color, played } = preview;
  const variation = variationMoves(kind, moves, color);
  if (played === undefined || !isOnBoard(played)) return { variation };
  // A point that the line plays later shows the number.
  if (variation.some(({ vertex }) => vertex === played)) return { variation };
  return { variation, marks: new Map([[played, "cross"]]) };
}

/** Heat, numbers, principal variation and ownership, as far as they are chosen. */
export function searchOverlay(
  kind: GameKind,
  report: AnalysisReport,
  choice: OverlayChoice,
): BoardOverlay {
  const overlay: BoardOverlay = {};
  const best = report.moves[0];
  if (choice.variation && best) {
    overlay.variation = variationMoves(kind, wholeVariation(best), report.to_play);
  }
  // Where the stones of the variation lie there is no room for anything else.
  const covered = new Set(overlay.variation?.map(({ vertex }) => vertex));
  if (choice.heat !== "off") overlay.heat = without(heatOf(report, choice.heat), covered);
  if (choice.labels) overlay.labels = without(labelsOf(report, choice.heat), covered);
  if (choice.ownership && report.ownership) overlay.ownership = report.ownership;
  return overlay;
}

/** How much heat each candidate on the board has, from 0 to 1, the hottest 1. */
export function heatOf(report: AnalysisReport, heat: HeatMap): Map<string, number> {
  const candidates = report.moves.filter((candidate) => isOnBoard(candidate.move));
  const found = new Map<string, number>();
  switch (heat) {
    case "off":
      break;
    case "visits": {
      const most = Math.max(...candidates.map((candidate) => candidate.visits), 1);
      // The root makes moves of a few percent visible next to the best.
      for (const { move, visits } of candidates) {
        if (visits > 0) found.set(move, Math.sqrt(visits / most));
      }
      break;
    }
    case "prior": {
      const most = Math.max(...candidates.map((candidate) => candidate.prior), Number.MIN_VALUE);
      for (const { move, prior } of candidates) if (prior > 0) found.set(move, prior / most);
      break;
    }
    case "rave": {
      // Chances differ by a few percent, so it is their order that is shown, not their size.
      const known = candidates.filter((candidate) => candidate.rave_visits > 0);
      const chances = known.map((candidate) => chanceOf(candidate.rave, report.to_play));
      const least = Math.min(...chances);
      const range = Math.max(...chances) - least;
      for (const [place, { move }] of known.entries()) {
        const chance = chances[place] ?? least;
        found.set(move, range > 0 ? (chance - least) / range : 1);
      }
      break;
    }
  }
  return found;
}

/** Percentages on the best candidates: of what the heat shows, else the chance to win. */
function labelsOf(report: AnalysisReport, heat: HeatMap): Map<string, string> {
  const least = LEAST_SHARE * Math.max(...report.moves.map((candidate) => candidate.visits), 1);
  const labels = new Map<string, string>();
  for (const candidate of report.moves.slice(0, MOST_LABELS)) {
    const { move, visits } = candidate;
    if (!isOnBoard(move) || visits < Math.max(least, FEW_VISITS)) continue;
    labels.set(move, Math.round(100 * shownShare(candidate, heat, report.to_play)).toString());
  }
  return labels;
}

function without<T>(values: Map<string, T>, covered: ReadonlySet<string>): Map<string, T> {
  return new Map([...values].filter(([vertex]) => !covered.has(vertex)));
}

function shownShare(candidate: MoveReport, heat: HeatMap, toPlay: Color): number {
  if (heat === "prior") return candidate.prior;
  return chanceOf(heat === "rave" ? candidate.rave : candidate.value, toPlay);
}

/**
 * A line of play as numbered stones.
 *
 * Passes take a number and no point. A point played twice keeps its first number; in Connect 4, where
 * moves are columns, every stone counts.
 */
export function variationMoves(
  kind: GameKind,
  moves: readonly string[],
  first: Color,
): VariationMove[] {
  const stones: VariationMove[] = [];
  const seen = new Set<string>();
  let color = first;
  for (const [place, vertex] of moves.slice(0, MOST_VARIATION).entries()) {
    if (isOnBoard(vertex) && (kind === "connect-four" || !seen.has(vertex))) {
      stones.push({ vertex, color, number: place + 1 });
      seen.add(vertex);
    }
    color = otherColor(color);
  }
  return stones;
}

/** The variation of a candidate, beginning with the candidate. */
export function wholeVariation({ move, variation }: Pick<MoveReport, "move" | "variation">): string[] {
  return variation[0] === move ? variation : [move, ...variation];
}

/** The move of a hint as a marked translucent stone; nothing for a pass. */
export function hintOverlay(hint: HintReply, toPlay: Color): BoardOverlay {
  if (!isOnBoard(hint.move)) return {};
  return {
    variation: [],
    ghosts: new Map([[hint.move, toPlay]]),
    marks: new Map([[hint.move, "circle"]]),
  };
}

export function estimateOverlay(estimate: EstimateReply): BoardOverlay {
  return { ownership: estimate.ownership, dead: new Set(estimate.dead) };
}

export function countOverlay(count: Count): BoardOverlay {
  return { territory: count.territory, dead: new Set(count.dead) };
}

/** A chance of Black's as a chance of the given color. */
export function chanceOf(chance: number, color: Color): number {
  return color === "black" ? chance : 1 - chance;
}

/** Whether a move takes place on the board: not a pass, nor a swap. */
export function isOnBoard(move: string): boolean {
  return move !== "pass" && move !== "swap" && move !== "resign";
}
