/** Points of a Go board: `"D4"` is the fourth column from the left and the fourth row from below. */

/** Columns, without I. */
const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/** A column and a row, counted from the top left. */
export interface Place {
  x: number;
  y: number;
}

/** Return the place of a vertex, or null if it is not on a board of that height. */
export function parseVertex(vertex: string, width: number, height: number): Place | null {
  const [, letter, digits] = /^([A-Z])([1-9][0-9]?)$/.exec(vertex.trim().toUpperCase()) ?? [];
  if (letter === undefined) return null;
  const place = { x: LETTERS.indexOf(letter), y: height - Number(digits) };
  return place.x >= 0 && place.x < width && place.y >= 0 ? place : null;
}

export function formatVertex({ x, y }: Place, height: number): string {
  return `${columnName(x)}${height - y}`;
}

export function columnName(x: number): string {
  return LETTERS.charAt(x);
}
