/**
 * Where the nodes of a tree of variations lie in its picture.
 *
 * A column is a move number. First children lie right of their parents in the same row; each other
 * child begins a row further down, as far up as leaves lines uncrossed.
 */
import type { TreeNode } from "../messages";

/** The children of each node by its id, in the order they were played. */
export type Children = ReadonlyMap<number, readonly TreeNode[]>;

/** A node in the picture; `parent` is the place of its parent, none for the root. */
export interface PlacedNode {
  node: TreeNode;
  column: number;
  row: number;
  parent: PlacedNode | null;
}

export interface TreeLayout {
  /** By id, in the order of placing: the main line first. */
  places: Map<number, PlacedNode>;
  columns: number;
  rows: number;
}

/** A variation that is still to be placed: its first node, and where it leaves its parent. */
interface Branch {
  first: TreeNode;
  parent: PlacedNode | null;
}

/** Place the root and every node that can be reached from it. */
export function layOutTree(root: TreeNode | undefined, children: Children): TreeLayout {
  const places = new Map<number, PlacedNode>();
  // The leftmost column in use, by row. Branches are placed from right to left, so what lies right
  // of it is taken and what lies left of it is free.
  const leftmost: number[] = [];
  let columns = 0;
  const waiting: Branch[] = root ? [{ first: root, parent: null }] : [];
  for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
    const chain = firstChildren(children, branch.first);
    const start = branch.parent ? branch.parent.column + 1 : 0;
    const end = start + chain.length - 1;
    const row = branch.parent ? freeRow(leftmost, branch.parent.row + 1, end) : 0;
    // The line from the parent comes down in the parent's column.
    leftmost[row] = branch.parent ? start - 1 : 0;
    columns = Math.max(columns, end + 1);
    let parent = branch.parent;
    for (const [offset, node] of chain.entries()) {
      const place: PlacedNode = { node, column: start + offset, row, parent };
      places.set(node.id, place);
      // The last in this list is placed first: the rightmost branch, and of siblings the eldest.
      const others = children.get(node.id)?.slice(1) ?? [];
      for (const first of others.reverse()) waiting.push({ first, parent: place });
      parent = place;
    }
  }
  return { places, columns, rows: leftmost.length };
}

/** A node and its first child, that one's first child, and so on. */
function firstChildren(children: Children, first: TreeNode): TreeNode[] {
  const chain = [first];
  let next = children.get(first.id)?.[0];
  while (next) {
    chain.push(next);
    next = children.get(next.id)?.[0];
  }
  return chain;
}

/**
 * The first row from `row` on where a branch ending in column `end` fits.
 *
 * No row further down may reach left of that end either: lines that leave the branch downwards
 * would cross it.
 */
function freeRow(leftmost: readonly number[], row: number, end: number): number {
  let free = leftmost.length;
  while (free > row && (leftmost[free - 1] ?? 0) > end) free -= 1;
  return free;
}

/** A window into the picture, in columns and rows; its ends are included. */
export interface TreeWindow {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The nodes to draw: those in a window, and those whose line to their parent passes through it. */
export function visiblePlaces(layout: TreeLayout, window: TreeWindow): PlacedNode[] {
  const visible: PlacedNode[] = [];
  for (const place of layout.places.values()) {
    const top = place.parent?.row ?? place.row;
    const left = place.parent?.column ?? place.column;
    if (
      place.column >= window.left &&
      left <= window.right &&
      place.row >= window.top &&
      top <= window.bottom
    ) {
      visible.push(place);
    }
  }
  return visible;
}

export type Direction = "left" | "right" | "up" | "down";

/**
 * The node that lies in a direction: parent, first child, or the nearest of the same move number in
 * the rows above or below. Null if there is none.
 */
export function neighborOf(layout: TreeLayout, id: number, direction: Direction): number | null {
  const here = layout.places.get(id);
  if (!here) return null;
  if (direction === "left") return here.parent?.node.id ?? null;
  let found: PlacedNode | null = null;
  for (const place of layout.places.values()) {
    if (!liesIn(direction, here, place)) continue;
    if (!found || distance(here, place) < distance(here, found)) found = place;
  }
  return found?.node.id ?? null;
}

function liesIn(direction: Direction, here: PlacedNode, there: PlacedNode): boolean {
  if (direction === "right") return there.parent === here;
  if (there.column !== here.column) return false;
  return direction === "up" ? there.row < here.row : there.row > here.row;
}

function distance(one: PlacedNode, other: PlacedNode): number {
  return Math.abs(one.row - other.row);
}
