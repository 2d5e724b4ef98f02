/** What the kept games say of the person who played them: won and lost, openings, and the rating in words. */

import { parseVertex } from "../game/coordinates";
import type { Color, GameSummary, LadderReply } from "../messages";
import { welcome } from "../state";
import { count, t, told } from "../languages/language";

export interface Tally {
  name: string;
  won: number;
  lost: number;
  drawn: number;
}

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

/** A rank of the server's as people say it: `"12 kyu"`. */
export function rankName(rank: string): string {
  return told(welcome.value?.levels.find(({ value }) => value === rank)?.label ?? rank);
}

/** How strong the person is: `"You are about 14 kyu here, by 6 games (18 kyu to 10 kyu)."` */
export function ratingText({ games, rank, least, most }: LadderReply): string {
  if (games === 0) return t("You have no rating on this board yet; {rank} to begin with.", { rank: rankName(rank) });
  return count(
    "You are about {rank} here, by {n} game ({least} to {most}).|You are about {rank} here, by {n} games ({least} to {most}).",
    games,
    { rank: rankName(rank), least: rankName(least), most: rankName(most) },
  );
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
