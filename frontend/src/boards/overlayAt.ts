/** What an overlay has to say about one cell, whatever the spelling of its name. */
import type { Color } from "../messages";
import type { BoardOverlay, MarkShape, VariationMove } from "../overlay";

export interface CellOverlay {
  heat: number | undefined;
  label: string | undefined;
  ghost: Color | undefined;
  /** The move of the variation there; the first, if there are several. */
  number: VariationMove | undefined;
  mark: MarkShape | undefined;
}

/** A function from a vertex, in small letters, to what is drawn there. */
export function overlayAt(overlay: BoardOverlay): (vertex: string) => CellOverlay {
  const heat = small(overlay.heat);
  const labels = small(overlay.labels);
  const ghosts = small(overlay.ghosts);
  const marks = small(overlay.marks);
  const numbers = new Map<string, VariationMove>();
  for (const move of overlay.variation ?? []) {
    const vertex = move.vertex.toLowerCase();
    if (!numbers.has(vertex)) numbers.set(vertex, move);
  }
  return (vertex) => ({
    heat: heat.get(vertex),
    label: labels.get(vertex),
    ghost: ghosts.get(vertex),
    number: numbers.get(vertex),
    mark: marks.get(vertex),
  });
}

function small<T>(map: ReadonlyMap<string, T> | undefined): Map<string, T> {
  return new Map([...(map ?? [])].map(([vertex, value]) => [vertex.toLowerCase(), value]));
}
