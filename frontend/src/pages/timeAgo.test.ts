import { expect, it } from "vitest";

import { timeAgo } from "./timeAgo";

const NOW = 1_800_000_000;

it.each([
  [0, "just now"],
  [59, "just now"],
  [60, "1 minute ago"],
  [7200, "2 hours ago"],
  [86400, "yesterday"],
  [-50, "just now"],
])("%d seconds ago", (passed, text) => {
  expect(timeAgo(NOW - passed, NOW)).toBe(text);
});

it("gives a date for what is long ago", () => {
  expect(timeAgo(NOW - 30 * 86400, NOW)).toMatch(/2026/);
});
