/** The mistakes of a review: which are shown, and how one steps from one to the next. */
import type { Mistake, TreeNode } from "../messages";

const MOST_MISTAKES = 20;

/** A mistake with the node of its move. */
export interface PlayedMistake {
  mistake: Mistake;
  node: TreeNode;
  /** The node before the move, where the better one is played. */
  before: number;
}

/** The mistakes to show, the largest loss first; those whose nodes are gone are left out. */
export function shownMistakes(
  mistakes: readonly Mistake[],
  nodes: ReadonlyMap<number, TreeNode>,
): PlayedMistake[] {
  const found: PlayedMistake[] = [];
  for (const mistake of mistakes) {
    const node = nodes.get(mistake.node);
    const before = node?.parent ?? null;
    if (!node || before === null) continue;
    found.push({ mistake, node, before });
  }
  found.sort((one, other) => other.mistake.loss - one.mistake.loss);
  return found.slice(0, MOST_MISTAKES);
}

/** The next mistake after the node shown in the order of play, or the one before it.
 *
 * From the start, the very first counts as well. */
export function nextMistake(
  mistakes: readonly PlayedMistake[],
  shown: TreeNode | undefined,
  direction: 1 | -1,
  fromStart = false,
): PlayedMistake | null {
  // A mistake is looked at from the node before it.
  const here = fromStart ? 0 : (shown?.number ?? 0) + 1;
  let found: PlayedMistake | null = null;
  for (const one of mistakes) {
    const ahead = direction * (one.node.number - here);
    if (ahead <= 0) continue;
    if (!found || ahead < direction * (found.node.number - here)) found = one;
  }
  return found;
}
