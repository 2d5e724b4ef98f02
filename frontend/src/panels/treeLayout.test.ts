import { describe, expect, it } from "vitest";
import type { TreeNode } from "../messages";
import { layOutTree, visiblePlaces, type TreeLayout } from "./treeLayout";

function layOut(parents: readonly (number | null)[]): TreeLayout {
  const tree = parents.map((parent, id): TreeNode => {
    return { id, parent, move: null, color: null, number: 0 };
  });
  const children = new Map<number, TreeNode[]>();
  for (const node of tree) {
    if (node.parent === null) continue;
    children.set(node.parent, [...(children.get(node.parent) ?? []), node]);
  }
  return layOutTree(tree[0], children);
}

/** The picture as text: one letter a node, in the order of ids. */
function picture(layout: TreeLayout): string[] {
  const rows = Array.from({ length: layout.rows }, () => " ".repeat(layout.columns).split(""));
  for (const { node, row, column } of layout.places.values()) {
    const cells = rows[row];
    if (cells) cells[column] = String.fromCharCode(97 + node.id);
  }
  return rows.map((cells) => cells.join("").trimEnd());
}

/** Check that no two nodes share a place and no line from a parent passes through a node. */
function expectNothingCrossed(layout: TreeLayout): void {
  const taken = new Set<string>();
  for (const { row, column } of layout.places.values()) taken.add(`${column} ${row}`);
  expect(taken.size).toBe(layout.places.size);
  for (const { row, column, parent } of layout.places.values()) {
    if (!parent) continue;
    expect(column).toBe(parent.column + 1);
    expect(row).toBeGreaterThanOrEqual(parent.row);
    for (let between = parent.row + 1; between <= row; between += 1) {
      expect(taken).not.toContain(`${parent.column} ${between}`);
    }
  }
}

describe("layOutTree", () => {
  it("puts the main line into the first row", () => {
    expect(picture(layOut([null, 0, 1, 2]))).toEqual(["abcd"]);
  });

  it("puts a variation below the move it stands for", () => {
    expect(picture(layOut([null, 0, 1, 2, 1, 4]))).toEqual(["abcd", "  ef"]);
  });

  it("lets variations share a row where there is room", () => {
    expect(picture(layOut([null, 0, 1, 2, 3, 4, 0, 3]))).toEqual(["abcdef", " g  h"]);
  });

  it("moves a long variation below one that is in its way", () => {
    expect(picture(layOut([null, 0, 1, 2, 3, 0, 5, 6, 2]))).toEqual(["abcde", "   i", " fgh"]);
  });

  it("keeps siblings in the order they were played", () => {
    expect(picture(layOut([null, 0, 0, 0]))).toEqual(["ab", " c", " d"]);
  });

  it("crosses nothing in random trees", () => {
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let round = 0; round < 60; round += 1) {
      const parents: (number | null)[] = [null];
      for (let id = 1; id < 80; id += 1) parents.push(random(3) === 0 ? random(id) : id - 1);
      expectNothingCrossed(layOut(parents));
    }
  });

  it("places thousands of nodes, however deeply nested", () => {
    const chain = layOut(Array.from({ length: 5000 }, (_, id) => (id === 0 ? null : id - 1)));
    expect([chain.columns, chain.rows]).toEqual([5000, 1]);
    const comb = layOut(
      Array.from({ length: 5001 }, (_, id) => (id === 0 ? null : id <= 2 ? 0 : id - 2)),
    );
    expect(comb.places.size).toBe(5001);
    expectNothingCrossed(comb);
  });

  it("is empty for an empty tree", () => {
    expect(layOut([])).toMatchObject({ columns: 0, rows: 0 });
  });
});

describe("visiblePlaces", () => {
  const layout = layOut([null, 0, 1, 2, 3, 4, 1]);

  it("leaves out what lies outside", () => {
    const visible = visiblePlaces(layout, { left: 3, right: 4, top: 0, bottom: 0 });
    expect(visible.map(({ node }) => node.id)).toEqual([3, 4, 5]);
  });

  it("keeps a node outside whose line is inside", () => {
    const visible = visiblePlaces(layout, { left: 0, right: 1, top: 0, bottom: 0 });
    expect(visible.map(({ node }) => node.id)).toEqual([0, 1, 2, 6]);
  });
});
