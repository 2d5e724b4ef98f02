import { describe, expect, it } from "vitest";

import type { GameSummary, LadderReply } from "../messages";
import { byLevel, openingsOf, playedGames, ratingText } from "./profile";

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

  it("says how strong somebody is", () => {
    const found: LadderReply = {
      type: "ladder",
      request: 1,
      size: 9,
      sizes: [9],
      games: 6,
      rank: "14k",
      least: "18k",
      most: "10k",
      climbed: null,
      next: "30k",
      course: [],
      level: "14k",
      color: "black",
      handicap: 0,
      komi: 7.5,
    };
    expect(ratingText(found)).toBe("You are about 14k here, by 6 games (18k to 10k).");
    expect(ratingText({ ...found, games: 0, rank: "20k" })).toContain("no rating on this board yet; 20k");
  });

  it("names first moves whatever the corner", () => {
    expect(openingsOf(KEPT)).toEqual([
      { name: "center", won: 1, lost: 1, drawn: 0 },
      { name: "3-3 point", won: 1, lost: 0, drawn: 0 },
    ]);
  });
});
