/** Which report the analysis panel shows, and how much it is worth for the position shown. */
import type { AnalysisReport, GameState, TreeNode } from "../messages";
import { isLive } from "./boardView";

/** `live`: the search goes on; `ended`: it was for this node; `before`: for the node before it. */
export type ReportAge = "live" | "ended" | "before";

export interface PanelReport {
  report: AnalysisReport;
  age: ReportAge;
}

/**
 * The report on a node, or else on its parent: there Montego thought about the move just played.
 *
 * Null if no search has looked at either, or only searches of no account (reviews of one visit).
 */
export function reportFor(
  current: GameState,
  node: TreeNode | undefined,
  reports: ReadonlyMap<number, AnalysisReport>,
): PanelReport | null {
  if (!node) return null;
  const own = reports.get(node.id);
  if (own && own.moves.length > 0) {
    return { report: own, age: isLive(own, current) && !own.final ? "live" : "ended" };
  }
  const before = node.parent === null ? undefined : reports.get(node.parent);
  return before && before.moves.length > 0 ? { report: before, age: "before" } : null;
}

/** Whether a search has proved who wins, whatever the other does. In Go it is never that sure. */
export function isSolved({ kind }: GameState, { final, value }: AnalysisReport): boolean {
  return kind !== "go" && final && (value === 0 || value === 1);
}

/** The simulations that the numbers of a report stand on, those from before included. */
export function knownOf({ simulations, visits }: AnalysisReport): number {
  return Math.max(simulations, visits);
}

/** Simulations per second; 0 before the first second can be guessed at. */
export function speedOf({ simulations, seconds }: AnalysisReport): number {
  return seconds > 0.05 ? simulations / seconds : 0;
}
