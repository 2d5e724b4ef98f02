/** Walking through the book: where moves lead, and what lies on the board. Pure functions. */

import { colorName } from "../boards/colors";
import type { BookMove, BookReply } from "../messages";
import type { BoardOverlay } from "../overlay";
import { chanceOf, isOnBoard } from "../overlays";
import type { BookPlace } from "../routes";
import { count, t } from "../languages/language";

/** Moves that get numbers on the board, each with all that are alike; more are a blur. */
const MOST_LABELS = 12;
/** Moves with a smaller share of the visits of the first one get no numbers. */
const LEAST_SHARE = 0.01;
/** On larger boards there is room for one line of small print. */
const TWO_LINES = 13;

/** Return the known move that a point stands for, or null. */
export function moveAt(reply: BookReply, vertex: string): BookMove | null {
  return reply.known.find(({ move, alike }) => move === vertex || alike.includes(vertex)) ?? null;
}

/** The points that can be followed. */
export function knownPoints(reply: BookReply): Set<string> {
  return new Set(reply.known.flatMap(pointsOf));
}

function pointsOf({ move, alike }: BookMove): string[] {
  return [move, ...alike].filter(isOnBoard);
}

/** Where one is after a move. */
export function placeAfter({ settings, moves }: BookReply, move: string): BookPlace {
  return { page: "book", settings, moves: [...moves, move] };
}

/** Where one is after the first so many moves. */
export function placeAt({ settings, moves }: BookReply, count: number): BookPlace {
  return { page: "book", settings, moves: moves.slice(0, Math.max(count, 0)) };
}

/** Heat by visits, and chances of the player to move and visits in small print; marks where asked. */
export function bookOverlay(reply: BookReply, pointed: string | null): BoardOverlay {
  const { position, known } = reply;
  if (position === null) return {};
  const most = Math.max(...known.map(({ visits }) => visits), 1);
  const heat = new Map<string, number>();
  const labels = new Map<string, string>();
  for (const [place, entry] of known.entries()) {
    const chance = Math.round(100 * chanceOf(entry.value, position.to_play)).toString();
    const count = position.width <= TWO_LINES ? `\n${smallCount(entry.visits)}` : "";
    const hasLabel = place < MOST_LABELS && entry.visits >= LEAST_SHARE * most;
    for (const vertex of pointsOf(entry)) {
      // The root makes moves of a few percent visible next to the best.
      heat.set(vertex, Math.sqrt(entry.visits / most));
      if (hasLabel) labels.set(vertex, chance + count);
    }
  }
  const overlay: BoardOverlay = { heat, labels };
  const marked = pointed === null ? null : moveAt(reply, pointed);
  if (marked !== null) overlay.marks = new Map(pointsOf(marked).map((vertex) => [vertex, "circle"]));
  return overlay;
}

/** A count in at most four characters: `"980"`, `"9.8k"`, `"98k"`, `"1.2M"`. */
export function smallCount(count: number): string {
  if (count < 1000) return count.toString();
  if (count < 9950) return `${(count / 1000).toFixed(1)}k`;
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** The move so many rows from the one that is pointed at; from none, the first or the last. */
export function movePointed(reply: BookReply, pointed: string | null, rows: number): string | null {
  const here = pointed === null ? null : moveAt(reply, pointed);
  const start = rows > 0 ? -1 : reply.known.length;
  const place = (here === null ? start : reply.known.indexOf(here)) + rows;
  return reply.known[Math.min(Math.max(place, 0), reply.known.length - 1)]?.move ?? null;
}

/** Whose turn it is, in words. */
export function turnText(reply: BookReply): string {
  return t("{name} to play", { name: colorName("go", reply.position?.to_play ?? "black") });
}

/** How much the book knows of the position: `"12,345 visits, 8 moves"`. */
export function countsText({ visits, known }: BookReply): string {
  if (visits === 0) return t("The book ends here: no search has told it of this position yet.");
  return `${count("{n} visit|{n} visits", visits)}, ${count("{n} known move|{n} known moves", known.length)}`;
}
