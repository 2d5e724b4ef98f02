import { describe, expect, it } from "vitest";
import { speak } from "../languages/language";
import { sampleTree } from "./samples";
import {
  capitalized,
  chanceText,
  errorOf,
  lossText,
  longCount,
  moveText,
  nodeText,
  percent,
  scoreText,
  shortCount,
} from "./wording";

describe("numbers", () => {
  it.each([
    [0, "0.0"],
    [0.5421, "54.2"],
    [1, "100.0"],
    [1.001, "100.0"],
    [-0.001, "0.0"],
  ])("percent of %d is %s", (share, text) => {
    expect(percent(share)).toBe(text);
  });

  it.each([
    [0, "0"],
    [9999, "9999"],
    [10_000, "10.0k"],
    [99_949, "99.9k"],
    [99_950, "100k"],
    [999_499, "999k"],
    [999_500, "1.0M"],
    [4_500_000, "4.5M"],
  ])("a count of %d is short as %s", (count, text) => {
    expect(shortCount(count)).toBe(text);
  });

  it("sets thousands apart", () => {
    expect(longCount(1234567.4)).toBe("1,234,567");
  });

  it.each([
    [3.5, "B+3.5"],
    [-0.54, "W+0.5"],
    [0.04, "even"],
    [-0.04, "even"],
  ])("a score of %d is %s", (score, text) => {
    expect(scoreText(score)).toBe(text);
  });

  it.each([
    ["fr", 3.5, "N+3,5"],
    ["es", -0.5, "B+0,5"],
    ["ro", -12, "A+12,0"],
    ["zh", 3.5, "黑+3.5"],
  ] as const)("in %s the letter is the color's: %d is %s", async (language, score, text) => {
    await speak(language);
    expect(scoreText(score)).toBe(text);
    await speak("en");
  });

  it("names the one who is ahead", () => {
    expect(chanceText("go", 0.542)).toBe("Black 54%");
    expect(chanceText("hex", 0.25)).toBe("Blue 75%");
    expect(chanceText("go", 0.5001)).toBe("even chances");
    expect(chanceText("go", 0.542, 4000)).toBe("Black 54% ±2");
    expect(chanceText("go", 0.53, 200)).toBe("even chances");
    expect(chanceText("go", 0.89, 100_000)).toBe("Black 89% ±1");
  });

  it("knows how far off a chance may be", () => {
    expect(errorOf(0.5, 0)).toBe(0.5);
    expect(errorOf(0.5, 1000)).toBeCloseTo(0.032, 3);
    expect(errorOf(0, 40)).toBeGreaterThan(0.05);
  });

  it("says what was lost", () => {
    expect(lossText(0.124, 4.4)).toBe("12% and 4 points");
    expect(lossText(0.124, 0.8)).toBe("12% and a point");
    expect(lossText(0.124, 0.2)).toBe("12%");
    expect(lossText(0.124, null)).toBe("12%");
  });
});

describe("moves", () => {
  it("says columns in Connect 4", () => {
    expect(moveText("connect-four", "4")).toBe("column 4");
    expect(moveText("go", "D4")).toBe("D4");
  });

  it("says who played", () => {
    const [root, first, second] = sampleTree("0", "1 0 D4", "2 1 pass");
    expect(nodeText("go", root!)).toBe("the beginning");
    expect(nodeText("go", first!)).toBe("move 1, Black D4");
    expect(nodeText("go", second!)).toBe("move 2, White pass");
    expect(capitalized(nodeText("go", first!))).toBe("Move 1, Black D4");
    expect(nodeText("go", { ...second!, move: null, color: null })).toBe("after move 2");
  });
});
