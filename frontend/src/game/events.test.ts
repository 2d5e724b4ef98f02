import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { GameState } from "../messages";
import { sampleGame, sampleNode, samplePosition } from "../samples";
import { explanation, forgetGame, game } from "../state";
import { eventOf, noticeEvent, shownEvent, SHOWN } from "./events";
import { rematchOf, resultText } from "./result";
import { takenBetween } from "./TakenStones";
import { titleOf } from "../title";

const before = sampleGame();

/** The game after a move of White's, Montego's. */
function after(move: string, changes: Partial<GameState> = {}): GameState {
  const node = sampleNode({ id: 1, parent: 0, move, color: "white", number: 1 });
  return sampleGame({ head: 1, tree: [sampleNode(), node], ...changes });
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  forgetGame();
});

describe("events", () => {
  it("names who passed", () => {
    expect(eventOf(before, after("pass"))?.text).toBe("Montego passed.");
  });

  it("counts what was captured", () => {
    const position = samplePosition({ captures: [0, 2] });
    expect(eventOf(before, after("B2", { position }))?.text).toBe("Montego captured 2 stones.");
    const one = samplePosition({ captures: [0, 1] });
    expect(eventOf(before, after("B2", { position: one }))?.text).toBe("Montego captured a stone.");
  });

  it("tells of a ko", () => {
    const position = samplePosition({ captures: [0, 1], ko: "C3" });
    expect(eventOf(before, after("B2", { position }))?.text).toBe(
      "Ko: C3 may not be retaken at once.",
    );
  });

  it("has nothing to say of other moves, of analysis and of steps back", () => {
    expect(eventOf(before, after("B2"))).toBeNull();
    expect(eventOf(before, after("pass", { mode: "analysis" }))).toBeNull();
    expect(eventOf(after("pass"), before)).toBeNull();
    expect(eventOf(null, after("pass"))).toBeNull();
  });

  it("keeps a pass in sight, with its reason, and lets others go", () => {
    game.value = after("pass");
    noticeEvent(before, game.value);
    vi.advanceTimersByTime(2 * SHOWN);
    expect(shownEvent.value?.text).toBe("Montego passed.");
    explanation.value = {
      type: "explanation",
      game: before.id,
      node: 1,
      move: "pass",
      lines: [],
      alternatives: [],
      plain: "White passes: everything is settled.",
    };
    expect(shownEvent.value?.text).toBe("Montego passed. Everything is settled.");
    game.value = after("B2", { position: samplePosition({ captures: [0, 1] }) });
    noticeEvent(before, game.value);
    expect(shownEvent.value).not.toBeNull();
    vi.advanceTimersByTime(2 * SHOWN);
    expect(shownEvent.value).toBeNull();
  });
});

describe("results", () => {
  const over = { phase: "over", winner: "black", result: "Black wins by 3.5 points: 44 to 37.5" } as const;

  it("speaks to the person who played", () => {
    expect(resultText(sampleGame(over))).toEqual({
      headline: "You win by 3.5 points",
      detail: "44 to 37.5",
    });
    const lost = { ...over, winner: "white", result: "White wins: you resigned" } as const;
    expect(resultText(sampleGame(lost))).toEqual({ headline: "Montego wins", detail: "you resigned" });
    const people = sampleGame({ ...over, white: "human" });
    expect(resultText(people).headline).toBe("Black wins by 3.5 points");
  });

  it("offers the same game with colors changed, but for a handicap", () => {
    expect(rematchOf(sampleGame(over))).toMatchObject({ black: "montego", white: "human", size: 3 });
    const handicap = sampleGame({ ...over, handicap: 2 });
    expect(rematchOf(handicap)).toMatchObject({ black: "human", white: "montego", handicap: 2 });
  });

  it("is in the title of the page", () => {
    expect(titleOf(null)).toBe("Montego");
    expect(titleOf(sampleGame())).toBe("Your turn – Go 3x3");
    expect(titleOf(sampleGame({ mode: "analysis" }))).toBe("Go 3x3 – Montego");
    expect(titleOf(sampleGame(over))).toBe("You win by 3.5 points – Go 3x3");
  });
});

describe("captures", () => {
  const stone = samplePosition({ cells: "XO.......", to_play: "black" });

  it("finds the stones that a move took", () => {
    const next = samplePosition({ cells: "X.X......", to_play: "white", last: "C3" });
    expect(takenBetween(stone, next)).toEqual([{ x: 1, y: 0, color: "white" }]);
  });

  it("finds none where more changed than one move changes", () => {
    const other = samplePosition({ cells: "..XX.....", to_play: "white", last: "C3" });
    expect(takenBetween(stone, other)).toEqual([]);
    expect(takenBetween(stone, stone)).toEqual([]);
  });
});
