import { describe, expect, it } from "vitest";

import { layoutOf, SIDES, type Point } from "./hexLayout";

const distance = (one: Point, other: Point) => Math.hypot(one[0] - other[0], one[1] - other[1]);

describe.each([false, true])("the layout of a Hex board, upright %s", (upright) => {
  const layout = layoutOf(5, upright, true);

  it("puts the six neighbors of a cell around it", () => {
    const middle = layout.center(2, 2);
    for (const [column, row] of [[3, 2], [1, 2], [2, 1], [3, 1], [2, 3], [1, 3]] as const) {
      expect(distance(middle, layout.center(column, row))).toBeCloseTo(1);
    }
    expect(distance(middle, layout.center(3, 3))).toBeGreaterThan(1.5);
  });

  it("has room for every cell, every edge and all coordinates", () => {
    const [left, top, width, height] = layout.box;
    const inside = ([x, y]: Point) =>
      x >= left && x <= left + width && y >= top && y <= top + height;
    for (let column = 0; column < 5; column++) {
      for (let row = 0; row < 5; row++) {
        const [x, y] = layout.center(column, row);
        for (const [right, down] of layout.corners) expect(inside([x + right, y + down])).toBe(true);
      }
      for (const place of layout.coordinates(column)) expect(inside(place)).toBe(true);
    }
  });

  it("joins the four edges to a ring, but for the tips that overlap", () => {
    const [top, right, bottom, left] = (["top", "right", "bottom", "left"] as const).map(layout.edge);
    expect(distance(top!.at(-1)!, right![0]!)).toBeCloseTo(0);
    expect(distance(bottom!.at(-1)!, left![0]!)).toBeCloseTo(0);
    expect(distance(right!.at(-2)!, bottom![1]!)).toBeCloseTo(0);
    expect(distance(left!.at(-2)!, top![1]!)).toBeCloseTo(0);
  });

  it("keeps each edge on its side of the long diagonal", () => {
    const [from, to] = [layout.center(0, 0), layout.center(4, 4)];
    const side = ([x, y]: Point) =>
      (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]);
    for (const { name, half } of SIDES) {
      const inner = layout.edge(name).slice(2, -2);
      const sign = Math.sign(side(layout.half(half)[2]!));
      expect(inner.every((point) => Math.sign(side(point)) === sign)).toBe(true);
    }
  });
});

it("makes the board narrower when it stands upright", () => {
  const [, , lying] = layoutOf(11, false, false).box;
  const [, , standing] = layoutOf(11, true, false).box;
  expect(standing).toBeLessThan(0.75 * lying);
});
