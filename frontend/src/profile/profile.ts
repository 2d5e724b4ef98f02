/** What the kept games say of the person who played them: won and lost, a rating, openings. */

import { parseVertex } from "../game/coordinates";
import type { Color, GameSummary } from "../messages";
import { t } from "../languages/language";

export interface Tally {
  name: string;
  won: number;
  lost: number;
  drawn: number;
}

/** A rating after a game, in points: a hundred are a rank, and 1 kyu is 2000. */
export interface RatingPoint {
  game: string;
  time: number;
  rating: number;
}

/** How much a game may change the rating. */
const STEP = 80;
const FIRST_DAN = 2100;

/** A finished game of one person against Montego, and how it went for the person. */
interface Played {
  summary: GameSummary;
  color: Color;
  /** 1 won, 0 lost, 0.5 drawn. */
  score: number;
}

/** The finished games against Montego, the oldest first. */
export function playedGames(games: readonly GameSummary[]): Played[] {
  const found: Played[] = [];
  for (const summary of games) {
    if (summary.phase !== "over") continue;
    const { black, white, winner } = summary;
    const color: Color = black === "human" ? "black" : "white";
    const other = color === "black" ? white : black;
    if ((black === "human") === (white === "human") || other !== "montego") continue;
    found.push({ summary, color, score: winner === null ? 0.5 : winner === color ? 1 : 0 });
  }
  return found.sort((one, another) => one.summary.changed - another.summary.changed);
}

/** Won and lost games of Go by Montego's level, the weakest first; others under their own name. */
export function byLevel(games: readonly GameSummary[]): Tally[] {
  const found = new Map<string, Tally>();
  for (const { summary, score } of playedGames(games)) {
    const name = summary.kind === "go" ? (summary.level ?? t("without level")) : summary.kind;
    const tally = found.get(name) ?? { name, won: 0, lost: 0, drawn: 0 };
    if (score === 1) tally.won += 1;
    else if (score === 0) tally.lost += 1;
    else tally.drawn += 1;
    found.set(name, tally);
  }
  return [...found.values()].sort((one, other) => placeOf(one.name) - placeOf(other.name));
}

/** The rating after each game of Go at a level; it begins at the first opponent's. */
export function ratingsOf(games: readonly GameSummary[]): RatingPoint[] {
  const points: RatingPoint[] = [];
  let rating: number | null = null;
  for (const { summary, score } of playedGames(games)) {
    const rank = summary.kind === "go" && summary.level ? rankOf(summary.level) : null;
    if (rank === null) continue;
    const opponent = FIRST_DAN + 100 * rank;
    rating ??= opponent;
    const expected = 1 / (1 + 10 ** ((opponent - rating) / 400));
    rating += STEP * (score - expected);
    points.push({ game: summary.id, time: summary.changed, rating: Math.round(rating) });
  }
  return points;
}

/** A rating as a rank: `"about 12 kyu"`. */
export function rankText(rating: number): string {
  const kyu = Math.round((FIRST_DAN - rating) / 100);
  if (kyu < 1) return t("stronger than 1 kyu");
  return kyu > 30 ? t("a beginner") : t("about {kyu} kyu", { kyu });
}

/** How often the person began a game of Go where, the most frequent first. */
export function openingsOf(games: readonly GameSummary[]): Tally[] {
  const found = new Map<string, Tally>();
  for (const { summary, color, score } of playedGames(games)) {
    if (summary.kind !== "go") continue;
    const move = summary.opening[color === "black" ? 0 : 1];
    const name = move === undefined ? null : pointName(move, summary.size);
    if (name === null) continue;
    const tally = found.get(name) ?? { name, won: 0, lost: 0, drawn: 0 };
    if (score === 1) tally.won += 1;
    else if (score === 0) tally.lost += 1;
    else tally.drawn += 1;
    found.set(name, tally);
  }
  const total = ({ won, lost, drawn }: Tally) => won + lost + drawn;
  return [...found.values()].sort((one, other) => total(other) - total(one));
}

/** A point as players call it whatever the corner: `"3-4 point"`, `"center"`. */
function pointName(move: string, size: number): string | null {
  const place = parseVertex(move, size, size);
  if (place === null) return null;
  const lines = [place.x, place.y].map((line) => Math.min(line, size - 1 - line) + 1);
  const middle = (size + 1) / 2;
  if (lines.every((line) => line === middle)) return t("center");
  return t("{point} point", { point: `${Math.min(...lines)}-${Math.max(...lines)}` });
}

/** A level as a number of ranks: -12 for `"12k"`, 0 for `"1d"`; null for what is none. */
function rankOf(level: string): number | null {
  const found = /^(\d+)([kd])$/.exec(level);
  if (found === null) return null;
  return found[2] === "k" ? -Number(found[1]) : Number(found[1]) - 1;
}

/** Where a tally stands: those of levels first, the weakest before all. */
function placeOf(name: string): number {
  return rankOf(name) ?? Number.POSITIVE_INFINITY;
}
