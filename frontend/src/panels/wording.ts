/** Numbers and moves in the words of the panels. */
import { colorName } from "../boards/colors";
import type { Color, GameKind, TreeNode } from "../messages";
import { count, number, t } from "../languages/language";

/** A share as `"54.2"`; always one decimal, so that columns do not jump. */
export function percent(share: number): string {
  return number(100 * Math.min(Math.max(share, 0), 1), 1);
}

/** About two standard errors of a chance that so many visits found: the band around it. */
export function errorOf(chance: number, visits: number): number {
  const tries = visits + 4;
  const mean = (chance * visits + 2) / tries;
  return 2 * Math.sqrt((mean * (1 - mean)) / tries);
}

/** An error as it is told: never nothing, for nothing is known so well. */
export function bandPercent(error: number): string {
  return Math.max(Math.round(100 * error), 1).toString();
}

/** A chance as a whole percentage: `"54"`; no more is known of it. */
export function wholePercent(share: number): string {
  return Math.round(100 * Math.min(Math.max(share, 0), 1)).toString();
}

/** What a move lost: `"12% and 4 points"`. */
export function lossText(chance: number, points: number | null): string {
  const lost = `${wholePercent(chance)}%`;
  const whole = Math.round(points ?? 0);
  if (points === null || whole < 1) return lost;
  return count("{lost} and a point|{lost} and {n} points", whole, { lost });
}

/** The same in a list, in few letters: `"12% · 4 pts"`. */
export function shortLoss(chance: number, points: number | null): string {
  const whole = Math.round(points ?? 0);
  return whole < 1 ? `${wholePercent(chance)}%` : `${wholePercent(chance)}% · ${count("{n} pt|{n} pts", whole)}`;
}

/** A count in at most five characters: `"980"`, `"12.3k"`, `"4.5M"`. */
export function shortCount(count: number): string {
  if (count < 10_000) return Math.round(count).toString();
  if (count < 99_950) return `${(count / 1000).toFixed(1)}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** A count with its thousands apart: `"12,345"`. */
export function longCount(count: number): string {
  return number(Math.round(count));
}

/** Black's points minus White's as players write it: `"B+3.5"`, `"W+0.5"`; `"even"` within half a point. */
export function scoreText(score: number): string {
  const half = Math.round(2 * Math.abs(score)) / 2;
  if (half === 0) return t("even");
  const points = number(half, 1);
  return score > 0 ? t("B+{points}", { points }) : t("W+{points}", { points });
}

/** A move as people say it: `"D4"`, `"pass"`, `"column 4"`. */
export function moveText(kind: GameKind, move: string): string {
  if (kind === "connect-four" && /^\d+$/.test(move)) return t("column {number}", { number: move });
  return moveName(move);
}

/** A move as the board names it; what is not on the board has a name in every language. */
export function moveName(move: string): string {
  return move === "pass" ? t("pass") : move === "swap" ? t("swap") : move;
}

/**
 * A node in words: `"move 12, Black D4"`; the root is `"the beginning"`, and one without a move, such
 * as stones that a record sets up, `"after move 12"`.
 */
export function nodeText(kind: GameKind, node: TreeNode): string {
  if (node.parent === null) return t("the beginning");
  if (node.move === null) return t("after move {number}", { number: node.number });
  return t("move {number}, {name} {move}", {
    number: node.number,
    name: node.color ? colorName(kind, node.color) : "",
    move: moveText(kind, node.move),
  });
}

/**
 * Whose chance is larger, in words, with its error if it is known: `"Black 54% ±3"`. Where the error is
 * larger than the difference it is `"even chances"`.
 */
export function chanceText(kind: GameKind, value: number, simulations?: number): string {
  const error = simulations === undefined ? 0 : errorOf(value, simulations);
  const most = Math.max(value, 1 - value);
  if (most - 0.5 <= error / 2 || wholePercent(most) === "50") return t("even chances");
  const color: Color = value >= 0.5 ? "black" : "white";
  const band = simulations === undefined ? "" : ` ±${bandPercent(error)}`;
  return `${colorName(kind, color)} ${wholePercent(most)}%${band}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
