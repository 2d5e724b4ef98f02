import { describe, expect, it } from "vitest";

import type { ClockSettings } from "../messages";
import { countDown, formatTime } from "./countdown";

const BYOYOMI: ClockSettings = { kind: "byoyomi", main: 60, period: 30, periods: 3 };
const ABSOLUTE: ClockSettings = { kind: "absolute", main: 60, period: 0, periods: 0 };

describe("countDown", () => {
  it.each([
    { face: { seconds: 10, periods: 0 }, elapsed: 4, expected: { seconds: 6, periods: 0 } },
    { face: { seconds: 10, periods: 0 }, elapsed: 15, expected: { seconds: 25, periods: 3 } },
    { face: { seconds: 30, periods: 3 }, elapsed: 31, expected: { seconds: 29, periods: 2 } },
    { face: { seconds: 30, periods: 1 }, elapsed: 31, expected: { seconds: 0, periods: 1 } },
    { face: { seconds: 5, periods: 0 }, elapsed: 500, expected: { seconds: 0, periods: 1 } },
  ])("after $elapsed s of byo-yomi", ({ face, elapsed, expected }) => {
    expect(countDown(face, BYOYOMI, elapsed)).toEqual(expected);
  });

  it("stops at nothing", () => {
    expect(countDown({ seconds: 5, periods: 0 }, ABSOLUTE, 9)).toEqual({ seconds: 0, periods: 0 });
  });
});

it.each([
  [0, "0:00.0"],
  [4.26, "0:04.2"],
  [9.99, "0:09.9"],
  [10, "0:10"],
  [59.9, "0:59"],
  [600, "10:00"],
  [3723, "1:02:03"],
])("writes %d seconds as %s", (seconds, text) => {
  expect(formatTime(seconds)).toBe(text);
});
