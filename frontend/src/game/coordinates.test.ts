import { expect, it } from "vitest";

import { columnName, formatVertex, parseVertex } from "./coordinates";

it.each([
  ["A1", 0, 18],
  ["H8", 7, 11],
  ["J9", 8, 10],
  ["T19", 18, 0],
  [" d4 ", 3, 15],
])("places %s", (vertex, x, y) => {
  expect(parseVertex(vertex, 19, 19)).toEqual({ x, y });
});

it.each(["I5", "U1", "A20", "A0", "5", "", "pass", "A1x"])("refuses %s", (vertex) => {
  expect(parseVertex(vertex, 19, 19)).toBeNull();
});

it("returns to where it began, on every size", () => {
  for (let size = 2; size <= 25; size += 1) {
    for (let x = 0; x < size; x += 1) {
      const place = { x, y: size - 1 - x };
      expect(parseVertex(formatVertex(place, size), size, size)).toEqual(place);
    }
  }
});

it("skips I", () => {
  expect(Array.from({ length: 25 }, (_, x) => columnName(x)).join("")).toBe(
    "ABCDEFGHJKLMNOPQRSTUVWXYZ",
  );
});
