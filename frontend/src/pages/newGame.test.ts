import { describe, expect, it } from "vitest";

import { sampleWelcome } from "../samples";
import { DEFAULT_CHOICES, problemsOf, requestOf, withKind, type Choices } from "./newGame";

const SERVER = sampleWelcome();

function choose(changes: Partial<Choices>): Choices {
  return { ...DEFAULT_CHOICES, ...changes };
}

describe("problemsOf", () => {
  it("finds nothing wrong with the usual game", () => {
    expect(problemsOf(DEFAULT_CHOICES, SERVER)).toEqual({});
  });

  it.each([
    [{ size: "1" }, "size", "The size must be from 2 to 25."],
    [{ size: "nine" }, "size", "The size must be a number."],
    [{ size: "9.5" }, "size", "The size must be a whole number."],
    [{ size: "" }, "size", "The size must be a number."],
    [{ handicap: "-1" }, "handicap", "The handicap must be from 0 to 25."],
    [{ komi: "much" }, "komi", "Komi must be a number."],
    [{ clock: "absolute", main: "0" }, "main", "Without extra time, there must be some main time."],
    [{ clock: "byoyomi", periods: "0" }, "periods", "The number of periods must be from 1 to 100."],
    [{ clock: "fischer", increment: "0" }, "increment", "The time for a move must be from 1 to 3,600."],
    [
      { strength: "simulations", simulations: "0" },
      "simulations",
      "The number of simulations must be from 1 to 1,000,000.",
    ],
    [{ strength: "seconds", seconds: "x" }, "seconds", "The time must be a number."],
    [{ opponent: "engine" }, "opponent", "There is no engine: name one on the command line."],
    [{ opponent: "hybrid" }, "opponent", "There is no adviser: name one on the command line."],
  ] as const)("explains %j", (changes, field, sentence) => {
    expect(problemsOf(choose(changes), SERVER)).toEqual({ [field]: sentence });
  });

  it("asks only for what is shown", () => {
    const hidden = choose({
      kind: "tic-tac-toe",
      size: "x",
      komi: "x",
      main: "x",
      simulations: "x",
    });
    expect(problemsOf(hidden, SERVER)).toEqual({});
  });
});

describe("requestOf", () => {
  it("describes the usual game", () => {
    expect(requestOf(DEFAULT_CHOICES, 0)).toEqual({
      type: "new_game",
      kind: "go",
      size: 9,
      black: "human",
      white: "montego",
      handicap: 0,
      komi: null,
      rules: "chinese",
      clock: { kind: "none" },
      strength: { level: "15k" },
    });
  });

  it.each([
    [{ color: "white" }, 0, "montego", "human"],
    [{ color: "random" }, 0.2, "human", "montego"],
    [{ color: "random" }, 0.7, "montego", "human"],
    [{ opponent: "person", color: "white" }, 0, "human", "human"],
    [{ opponent: "self" }, 0, "montego", "montego"],
    [{ opponent: "engine" }, 0, "human", "engine"],
    [{ opponent: "engine-montego", color: "white" }, 0, "engine", "montego"],
  ] as const)("seats the players of %j", (changes, random, black, white) => {
    expect(requestOf(choose(changes), random)).toMatchObject({ black, white });
  });

  it("turns minutes into seconds and takes a comma for a point", () => {
    const choices = choose({ clock: "byoyomi", main: "1,5", period: "20", periods: "3", komi: "0,5" });
    expect(requestOf(choices, 0)).toMatchObject({
      komi: 0.5,
      clock: { kind: "byoyomi", main: 90, period: 20, periods: 3 },
    });
  });

  it("sends exactly one measure of strength, and none without Montego", () => {
    expect(requestOf(choose({ strength: "seconds", seconds: "2" }), 0).strength).toEqual({ seconds: 2 });
    expect(requestOf(choose({ opponent: "person" }), 0).strength).toBeUndefined();
  });

  it("leaves out what other games do not have", () => {
    const request = requestOf(choose({ kind: "connect-four" }), 0);
    expect(request).not.toHaveProperty("komi");
    expect(request).not.toHaveProperty("rules");
    expect(request).not.toHaveProperty("size");
  });
});

it("gives another kind of game a size that is usual there", () => {
  expect(withKind(choose({ size: "19" }), "hex").size).toBe("11");
});

describe("the hybrid", () => {
  it.each([
    ["hybrid", ["human", "hybrid"]],
    ["hybrid-montego", ["montego", "hybrid"]],
    ["engine-hybrid", ["hybrid", "engine"]],
  ] as const)("is one of the players: %s", (opponent, [black, white]) => {
    expect(requestOf(choose({ opponent }), 0)).toMatchObject({ black, white });
    expect(requestOf(choose({ opponent, color: "white" }), 0)).toMatchObject({
      black: white,
      white: black,
    });
  });

  it("has no level", () => {
    const chosen = choose({ opponent: "hybrid", strength: "level", seconds: "x" });
    expect(requestOf({ ...chosen, seconds: "5" }, 0).strength).toEqual({ seconds: 5 });
    expect(problemsOf(chosen, sampleWelcome({ adviser: "GNU Go" }))).toEqual({
      seconds: "The time must be a number.",
    });
  });

  it("plays Go only", () => {
    expect(withKind(choose({ opponent: "hybrid" }), "hex").opponent).toBe("montego");
    expect(withKind(choose({ opponent: "self" }), "hex").opponent).toBe("self");
  });
});

describe("a style", () => {
  it("goes along with any strength of Montego's own", () => {
    expect(requestOf(choose({ level: "9k", style: "calm" }), 0).strength).toEqual({ level: "9k", style: "calm" });
    expect(requestOf(choose({ strength: "seconds", seconds: "2", style: "calm" }), 0).strength).toEqual({
      seconds: 2,
      style: "calm",
    });
  });

  it("is for Go, and not for other programs", () => {
    expect(requestOf(choose({ strength: "preset", style: "calm" }), 0).strength).toEqual({ preset: "v-run" });
    expect(requestOf(withKind(choose({ style: "calm" }), "hex"), 0).strength).toEqual({ level: "15k" });
  });
});

describe("an opponent by rating", () => {
  const strength = (changes: Partial<Choices>) => requestOf(choose(changes), 0).strength;

  it("is even, or like people", () => {
    expect(strength({ levelKind: "even" })).toEqual({ even: true });
    expect(strength({ levelKind: "people", people: "like-5k" })).toEqual({ level: "like-5k" });
  });

  it("is of a level in other games", () => {
    expect(strength({ kind: "hex", levelKind: "even" })).toEqual({ level: "15k" });
  });
});
