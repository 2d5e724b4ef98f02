import { describe, expect, it } from "vitest";
import { isSolved, reportFor, speedOf } from "./analysisStatus";
import { sampleGame, sampleMove, sampleReport, sampleTree } from "./samples";

const tree = sampleTree("0", "1 0 D4", "2 1 E5");
const moves = [sampleMove("C3")];
const age = (
  parts: Parameters<typeof sampleGame>[1],
  node: number,
  ...reports: ReturnType<typeof sampleReport>[]
) => {
  const found = new Map(reports.map((report) => [report.node, report]));
  return reportFor(sampleGame(tree, parts), tree[node], found)?.age ?? null;
};

describe("reportFor", () => {
  it("is live while the node is analyzed, or Montego thinks there", () => {
    expect(age({ analyzing: 2 }, 2, sampleReport(2, moves))).toBe("live");
    const thinking = sampleReport(2, moves, { purpose: "move" });
    expect(age({ thinking: "black" }, 2, thinking)).toBe("live");
  });

  it("has ended when the search has, or belongs to another node now", () => {
    expect(age({ analyzing: 2 }, 2, sampleReport(2, moves, { final: true }))).toBe("ended");
    expect(age({ analyzing: 1 }, 2, sampleReport(2, moves))).toBe("ended");
    expect(age({}, 2, sampleReport(2, moves))).toBe("ended");
  });

  it("falls back to the node before", () => {
    expect(age({}, 2, sampleReport(1, moves))).toBe("before");
    expect(age({}, 2, sampleReport(1, moves), sampleReport(2, []))).toBe("before");
  });

  it("is nothing where nothing is known", () => {
    expect(age({}, 2, sampleReport(0, moves))).toBeNull();
    expect(age({}, 9, sampleReport(0, moves))).toBeNull();
    expect(age({}, 0)).toBeNull();
  });
});

describe("isSolved", () => {
  it("needs a search that came to its end with certainty, and not in Go", () => {
    const hex = sampleGame(tree, { kind: "hex" });
    const certain = sampleReport(2, moves, { final: true, value: 1 });
    expect(isSolved(hex, certain)).toBe(true);
    expect(isSolved(hex, { ...certain, final: false })).toBe(false);
    expect(isSolved(hex, { ...certain, value: 0.99 })).toBe(false);
    expect(isSolved(sampleGame(tree), certain)).toBe(false);
  });
});

describe("speedOf", () => {
  it("is not guessed from the first moment", () => {
    expect(speedOf(sampleReport(2, [], { simulations: 900, seconds: 3 }))).toBe(300);
    expect(speedOf(sampleReport(2, [], { simulations: 9, seconds: 0.001 }))).toBe(0);
  });
});
