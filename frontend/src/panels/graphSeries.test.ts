import { describe, expect, it } from "vitest";
import { bridged, isolated, readingAt, scoreRange, seriesOf, summaryOf } from "./graphSeries";
import { sampleReport, sampleTree } from "./samples";

const line = sampleTree("0", "1 0 D4", "2 1 E5", "3 2 C3").map((node) => {
  if (node.id === 1) return { ...node, value: 0.6, score: 2.5 };
  if (node.id === 2) return { ...node, value: 0.25 };
  return node;
});

describe("seriesOf", () => {
  it("has an entry for each node, and gaps where nothing is known", () => {
    expect(seriesOf(line, new Map())).toEqual({
      win: [null, 60, 25, null],
      score: [null, 2.5, null, null],
    });
  });

  it("believes a running search more than what was kept, and that more than one that ended", () => {
    const parts = { value: 0.9, score: 7 };
    const running = new Map([[1, sampleReport(1, [], parts)]]);
    const ended = new Map([
      [1, sampleReport(1, [], { ...parts, final: true })],
      [3, sampleReport(3, [], { ...parts, final: true })],
    ]);
    expect(seriesOf(line, running).win[1]).toBe(90);
    expect(seriesOf(line, running).score[1]).toBe(7);
    expect(seriesOf(line, ended).win).toEqual([null, 60, 25, 90]);
  });

  it("waits for the first simulation", () => {
    const empty = sampleReport(1, [], { value: 0.5, simulations: 0 });
    expect(seriesOf(line, new Map([[1, empty]])).win[1]).toBe(60);
  });
});

describe("bridged", () => {
  it("fills single gaps only", () => {
    expect(bridged([10, null, 30, null, null, 50, null])).toEqual([10, 20, 30, null, null, 50, null]);
  });
});

describe("isolated", () => {
  it("finds values that no line would show", () => {
    expect(isolated([5, null, 1, 2, null, 7])).toEqual([0, 5]);
    expect(isolated([null])).toEqual([]);
  });
});

describe("scoreRange", () => {
  it("is symmetric and never tiny", () => {
    expect(scoreRange([null, 0.5])).toEqual([-10, 10]);
    expect(scoreRange([3, -31])).toEqual([-35, 35]);
  });
});

describe("words", () => {
  const series = seriesOf(line, new Map());

  it("reads what is known at a place", () => {
    expect(readingAt("go", line, series, 0)).toBe("Beginning · not searched");
    expect(readingAt("go", line, series, 1)).toBe("Move 1 · Black 60.0% · B+2.5");
    expect(readingAt("go", line, series, 2)).toBe("Move 2 · White 75.0%");
    const setUp = line.map((node) => (node.id === 2 ? { ...node, move: null, number: 1 } : node));
    expect(readingAt("go", setUp, series, 2)).toBe("After move 1 · White 75.0%");
  });

  it("sums up the curve", () => {
    expect(summaryOf("go", series)).toBe(
      "Chance of Black over 3 moves: highest 60.0% at move 1, lowest 25.0% at move 2, " +
        "last known 25.0% at move 2.",
    );
    expect(summaryOf("go", { win: [null], score: [null] })).toBe(
      "No move of this line has been searched yet.",
    );
  });
});
