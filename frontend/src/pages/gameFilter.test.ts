import { expect, it } from "vitest";

import type { GameSummary } from "../messages";
import { filterGames } from "./gameFilter";

function summary(id: string, changes: Partial<GameSummary>): GameSummary {
  const plain = { id, name: "", kind: "go", size: 9, black: "human", white: "montego", moves: 0 };
  return { ...plain, phase: "playing", result: null, changed: 0, cells: "", opening: [], archived: false, ...changes } as GameSummary;
}

const games = [
  summary("a", { name: "Go 9x9 against Montego (12k)" }),
  summary("b", { name: "Club game", phase: "over", result: "Black wins by 3.5 points" }),
  summary("d", { name: "Old", phase: "over", archived: true }),
  summary("c", { name: "Hex 11x11, two people", kind: "hex", size: 11 }),
];
const found = (...args: [string, "all" | "going" | "over" | "archived"]) =>
  filterGames(games, ...args).map(({ id }) => id);

it("finds games by words of their names, kinds and results, and by their state", () => {
  expect(found("", "all")).toEqual(["a", "b", "c"]);
  expect(found("MONTEGO go", "all")).toEqual(["a"]);
  expect(found("black wins", "all")).toEqual(["b"]);
  expect(found("11x11", "going")).toEqual(["c"]);
  expect(found("", "over")).toEqual(["b"]);
  expect(found("nothing", "all")).toEqual([]);
  expect(found("", "archived")).toEqual(["d"]);
});
