import { expect, it } from "vitest";

import { sampleTree } from "./samples";
import { indexTree, lineThrough, pathTo } from "./variations";

const INDEX = indexTree(sampleTree());
const ids = (nodes: { id: number }[]) => nodes.map(({ id }) => id);

it("finds the way from the root", () => {
  expect(ids(pathTo(INDEX, 3))).toEqual([0, 1, 3]);
  expect(ids(pathTo(INDEX, 99))).toEqual([]);
});

it.each([
  { id: 1, goals: [], expected: [0, 1, 2] },
  { id: 1, goals: [3], expected: [0, 1, 3] },
  { id: 2, goals: [3], expected: [0, 1, 2] },
  { id: 0, goals: [3, 2], expected: [0, 1, 3] },
])("leads a line through $id towards $goals", ({ id, goals, expected }) => {
  expect(ids(lineThrough(INDEX, id, goals))).toEqual(expected);
});
