/** Rows that stay where they are while somebody points at one of them. */

/** The same rows: those named in `order` in that order, new ones after them. */
export function keepOrder<T extends { move: string }>(
  rows: readonly T[],
  order: readonly string[],
): T[] {
  const places = new Map(order.map((move, place) => [move, place]));
  const placeOf = (row: T): number => places.get(row.move) ?? order.length;
  return [...rows].sort((one, other) => placeOf(one) - placeOf(other));
}
