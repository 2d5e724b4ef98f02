/**
 * The tree of variations as the server sends it, a flat list in which parents come before children,
 * and lines through it: paths from the root to a leaf.
 */

import type { TreeNode } from "./messages";

export interface VariationIndex {
  nodes: ReadonlyMap<number, TreeNode>;
  /** In the order they were played. */
  children: ReadonlyMap<number, readonly TreeNode[]>;
}

export function indexTree(tree: readonly TreeNode[]): VariationIndex {
  const children = new Map<number, TreeNode[]>();
  for (const node of tree) {
    if (node.parent === null) continue;
    const siblings = children.get(node.parent);
    if (siblings) siblings.push(node);
    else children.set(node.parent, [node]);
  }
  return { nodes: new Map(tree.map((node) => [node.id, node])), children };
}

/** The nodes from the root to a node, both included; empty if there is no such node. */
export function pathTo({ nodes }: VariationIndex, id: number): TreeNode[] {
  const path: TreeNode[] = [];
  for (let node = nodes.get(id); node; ) {
    path.push(node);
    node = node.parent === null ? undefined : nodes.get(node.parent);
  }
  return path.reverse();
}

/**
 * The line through a node. Behind it, it leads to the first of `goals` that lies there, if one does,
 * and then along the main line: children that were followed last, or the first.
 */
export function lineThrough(
  index: VariationIndex,
  id: number,
  goals: readonly number[],
): TreeNode[] {
  const towards = goals
    .map((goal) => pathTo(index, goal))
    .find((path) => path.some((node) => node.id === id));
  const line = towards ?? pathTo(index, id);
  for (let last = line.at(-1); last; ) {
    const { id, followed } = last;
    last = index.nodes.get(followed ?? -1) ?? index.children.get(id)?.[0];
    if (last) line.push(last);
  }
  return line;
}
