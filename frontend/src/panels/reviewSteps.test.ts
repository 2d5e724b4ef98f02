import { describe, expect, it } from "vitest";
import type { Mistake } from "../messages";
import { nextMistake, shownMistakes } from "./reviewSteps";
import { sampleTree } from "./samples";

const tree = sampleTree("0", "1 0 A1", "2 1 B1", "3 2 C1", "4 3 D1", "5 4 E1");
const nodes = new Map(tree.map((node) => [node.id, node]));

function mistake(node: number, loss: number): Mistake {
  return { node, loss, points: null, better: "E5", variation: ["E5"], refutation: [], bad: false };
}

describe("shownMistakes", () => {
  it("has the largest loss first, without the root and nodes that are gone", () => {
    const found = shownMistakes(
      [mistake(2, 0.1), mistake(4, 0.3), mistake(0, 0.5), mistake(9, 0.5)],
      nodes,
    );
    expect(found.map(({ node, before }) => [node.id, before])).toEqual([
      [4, 3],
      [2, 1],
    ]);
  });
});

describe("nextMistake", () => {
  const mistakes = shownMistakes([mistake(5, 0.4), mistake(1, 0.3), mistake(3, 0.2)], nodes);
  const from = (shown: number, direction: 1 | -1) =>
    nextMistake(mistakes, nodes.get(shown), direction)?.node.id ?? null;

  it("steps in the order of play, from the position before each", () => {
    expect(from(0, 1)).toBe(3);
    expect(from(2, 1)).toBe(5);
    expect(from(4, 1)).toBeNull();
    expect(from(4, -1)).toBe(3);
    expect(from(2, -1)).toBe(1);
    expect(from(0, -1)).toBeNull();
  });

  it("finds the nearest from anywhere", () => {
    expect(from(1, 1)).toBe(3);
    expect(from(5, -1)).toBe(5);
  });
});
