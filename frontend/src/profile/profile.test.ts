import { describe, expect, it } from "vitest";

import type { GameSummary } from "../messages";
import { byLevel, openingsOf, playedGames, rankText, ratingsOf } from "./profile";

let games = 0;

function over(changes: Partial<GameSummary>): GameSummary {
  games += 1;
  return {
    id: `game${games}`,
    name: "",
    kind: "go",
    size: 9,
    black: "human",
    white: "montego",
    moves: 40,
    phase: "over",
    result: "",
    changed: games,
    cells: "",
    winner: "black",
    level: "12k",
    opening: ["E5", "C3"],
    archived: false,
    ...changes,
  };
}

const KEPT = [
  over({ winner: "black", level: "20k" }),
  over({ winner: "white" }),
  over({ winner: "white", black: "montego", white: "human", opening: ["E5", "G3"] }),
  over({ winner: null, kind: "hex", level: "12k" }),
  over({ phase: "playing" }),
  over({ white: "human" }),
  over({ black: "montego" }),
];

describe("profile", () => {
  it("counts finished games of one person against Montego", () => {
    expect(playedGames(KEPT).map(({ score }) => score)).toEqual([1, 0, 1, 0.5]);
  });

  it("sums up by level, the weakest first", () => {
    expect(byLevel(KEPT)).toEqual([
      { name: "20k", won: 1, lost: 0, drawn: 0 },
      { name: "12k", won: 1, lost: 1, drawn: 0 },
      { name: "hex", won: 0, lost: 0, drawn: 1 },
    ]);
  });

  it("rates by the level of the opponent", () => {
    const ratings = ratingsOf(KEPT).map(({ rating }) => rating);
    // 20 kyu is 100 points; a win against an equal is worth half a step.
    expect(ratings[0]).toBe(140);
    expect(ratings[1]).toBeLessThan(140);
    expect(ratings[2]).toBeGreaterThan(ratings[1]!);
    expect(rankText(900)).toBe("about 12 kyu");
    expect(rankText(2200)).toBe("stronger than 1 kyu");
    expect(rankText(-2000)).toBe("a beginner");
  });

  it("names first moves whatever the corner", () => {
    expect(openingsOf(KEPT)).toEqual([
      { name: "center", won: 1, lost: 1, drawn: 0 },
      { name: "3-3 point", won: 1, lost: 0, drawn: 0 },
    ]);
  });
});
