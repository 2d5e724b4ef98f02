/** Picking stones for the solver by clicks on the board. */

import { formatVertex, parseVertex } from "../game/coordinates";
import type { Position } from "../messages";
import type { BoardOverlay, MarkShape } from "../overlay";
import { picked, pickChain } from "./store";

/** What a click means while stones are picked; null while none are. */
export function picking(position: Position): ((vertex: string) => void) | null {
  if (picked.value === null) return null;
  return (vertex) => pickChain(position, vertex, chainAt(position, vertex));
}

/** The overlay, with the picked stones marked. */
export function withPicked(overlay: BoardOverlay): BoardOverlay {
  if (picked.value === null || picked.value.size === 0) return overlay;
  const marks = new Map<string, MarkShape>(overlay.marks);
  for (const stone of picked.value) marks.set(stone, "circle");
  return { ...overlay, marks };
}

/** The stones that are connected to one, itself included; none at an empty point. */
export function chainAt({ cells, width, height }: Position, vertex: string): string[] {
  const place = parseVertex(vertex, width, height);
  if (place === null) return [];
  const start = place.y * width + place.x;
  const color = cells.charAt(start);
  if (color === ".") return [];
  const stones = new Set([start]);
  const waiting = [start];
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    const x = here % width;
    const near = [x > 0 ? here - 1 : -1, x < width - 1 ? here + 1 : -1, here - width, here + width];
    for (const next of near) {
      if (next < 0 || cells.charAt(next) !== color || stones.has(next)) continue;
      stones.add(next);
      waiting.push(next);
    }
  }
  return [...stones].map((index) => formatVertex({ x: index % width, y: Math.floor(index / width) }, height));
}
