import { describe, expect, it } from "vitest";
import { bridged, isolated, readingAt, scoreRange, seriesOf, summaryOf } from "./graphSeries";
import { sampleReport, sampleTree } from "./samples";

const line = sampleTree("0", "1 0 D4", "2 1 E5", "3 2 C3").map((node) => {
  if (node.id === 1) return { ...node, value: 0.6, score: 2.5, simulations: 800 };
  if (node.id === 2) return { ...node, value: 0.25, simulations: 100 };
  return node;
});

describe("seriesOf", () => {
  it("has an entry for each node, and gaps where nothing is known", () => {
    const { win, score, error, simulations } = seriesOf(line, new Map());
    expect(win).toEqual([null, 60, 25, null]);
    expect(score).toEqual([null, 2.5, null, null]);
    expect(simulations).toEqual([null, 800, 100, null]);
    expect(error.map((one) => one && Math.round(one))).toEqual([null, 3, 9, null]);
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

  it("does not show what a weaker player believes", () => {
    const report = sampleReport(3, [], { value: 0.9, final: true, apart: true });
    expect(seriesOf(line, new Map([[3, report]])).win[3]).toBeNull();
  });

  it("waits until there are enough simulations", () => {
    const empty = sampleReport(1, [], { value: 0.5, simulations: 40 });
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
    expect(readingAt("go", line, series, 1)).toBe("Move 1 · Black 60% ±3 · B+2.5");
    expect(readingAt("go", line, series, 2)).toBe("Move 2 · White 75% ±9");
    const setUp = line.map((node) => (node.id === 2 ? { ...node, move: null, number: 1 } : node));
    expect(readingAt("go", setUp, series, 2)).toBe("After move 1 · White 75% ±9");
  });

  it("sums up the curve", () => {
    expect(summaryOf("go", series)).toBe(
      "Chance of Black over 3 moves: highest 60% at move 1, lowest 25% at move 2, " +
        "last known 25% at move 2.",
    );
    expect(summaryOf("go", seriesOf(line.slice(0, 1), new Map()))).toBe(
      "No move of this line has been searched yet.",
    );
  });
});
