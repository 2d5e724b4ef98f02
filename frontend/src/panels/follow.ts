/** Analysis goes where the person looks: when the node shown changes, the search moves there. */
import type { ReadonlySignal } from "@preact/signals";
import { send } from "../connection";
import { game, positions, view } from "../state";

/** How long a node must be shown before it is searched: stepping through a game asks once. */
export const SETTLED = 120;

/**
 * Ask for the analysis of each node that comes to be shown while analysis is on.
 *
 * Only a change of this page's own view asks: two pages that look at different nodes must not take
 * the search away from one another for ever. Returns how to stop.
 */
export function followView(shown: ReadonlySignal<number> = view): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = shown.peek();
  const stop = shown.subscribe((node) => {
    if (node === last) return;
    last = node;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const searched = game.peek()?.analyzing ?? null;
      if (searched === null || searched === node) return;
      // Nothing is left to search where the game has ended.
      if (positions.peek().get(node)?.moves.length === 0) return;
      send({ type: "analyze", node, on: true });
    }, SETTLED);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
