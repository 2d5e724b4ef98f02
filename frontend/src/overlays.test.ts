import { describe, expect, it } from "vitest";
import type { Count, EstimateReply, HintReply } from "./messages";
import {
  composeOverlay,
  heatOf,
  hintOverlay,
  previewOverlay,
  searchOverlay,
  variationMoves,
  wholeVariation,
  type OverlaySources,
} from "./overlays";
import { sampleMove, sampleReport } from "./panels/samples";
import { DEFAULT_OVERLAYS, type OverlayChoice } from "./preferences";

const NOTHING: OverlayChoice = { heat: "off", variation: false, ownership: false, labels: false };

const report = sampleReport(
  3,
  [
    sampleMove("D4", { visits: 400, value: 0.6, prior: 0.5, rave: 0.55, variation: ["D4", "E5"] }),
    sampleMove("C3", { visits: 100, value: 0.4, prior: 0.25, rave: 0.45 }),
    sampleMove("pass", { visits: 900, value: 0.1, prior: 0.9, rave: 0.1 }),
    sampleMove("G7", { visits: 0, value: 0.5, prior: 0, rave_visits: 0 }),
  ],
  { ownership: [1, -1] },
);

describe("heatOf", () => {
  it("shows visits by their root, passes and unvisited moves left out", () => {
    expect([...heatOf(report, "visits")]).toEqual([
      ["D4", 1],
      ["C3", 0.5],
    ]);
  });

  it("shows priors as shares of the largest", () => {
    expect([...heatOf(report, "prior")]).toEqual([
      ["D4", 1],
      ["C3", 0.5],
    ]);
  });

  it("spreads RAVE from the worst to the best for the player to move", () => {
    expect([...heatOf(report, "rave")]).toEqual([
      ["D4", 1],
      ["C3", 0],
    ]);
    expect([...heatOf({ ...report, to_play: "white" }, "rave")]).toEqual([
      ["D4", 0],
      ["C3", 1],
    ]);
  });

  it("takes a single move known by RAVE for the best", () => {
    expect([...heatOf(sampleReport(0, [sampleMove("A1")]), "rave")]).toEqual([["A1", 1]]);
  });

  it("is empty when it is off or nothing is known", () => {
    expect(heatOf(report, "off").size).toBe(0);
    for (const heat of ["visits", "rave", "prior"] as const) {
      expect(heatOf(sampleReport(0, []), heat).size).toBe(0);
    }
  });
});

describe("searchOverlay", () => {
  it("draws nothing that is not chosen", () => {
    expect(searchOverlay("go", report, NOTHING)).toEqual({});
  });

  it("writes the chance of the player to move on candidates", () => {
    const choice: OverlayChoice = { ...NOTHING, labels: true };
    expect(searchOverlay("go", report, choice).labels).toEqual(
      new Map([
        ["D4", "60"],
        ["C3", "40"],
      ]),
    );
    const white = searchOverlay("go", { ...report, to_play: "white" }, choice);
    expect(white.labels?.get("C3")).toBe("60");
  });

  it("writes what the heat shows", () => {
    const labels = (heat: "rave" | "prior") =>
      searchOverlay("go", report, { ...NOTHING, labels: true, heat }).labels?.get("C3");
    expect(labels("prior")).toBe("25");
    expect(labels("rave")).toBe("45");
  });

  it("puts neither heat nor numbers on stones of the variation", () => {
    const choice: OverlayChoice = { ...NOTHING, labels: true, variation: true, heat: "visits" };
    const overlay = searchOverlay("go", report, choice);
    expect(overlay.variation).toEqual([
      { vertex: "D4", color: "black", number: 1 },
      { vertex: "E5", color: "white", number: 2 },
    ]);
    expect([...(overlay.labels?.keys() ?? [])]).toEqual(["C3"]);
    expect([...(overlay.heat?.keys() ?? [])]).toEqual(["C3"]);
  });

  it("shades ownership where there is some", () => {
    const choice = { ...NOTHING, ownership: true };
    expect(searchOverlay("go", report, choice)).toEqual({ ownership: [1, -1] });
    expect(searchOverlay("hex", { ...report, ownership: null }, choice)).toEqual({});
  });

  it("has no variation before the first simulation", () => {
    const overlay = searchOverlay("go", sampleReport(0, []), DEFAULT_OVERLAYS);
    expect(overlay.variation).toBeUndefined();
  });
});

describe("variationMoves", () => {
  it("lets colors alternate, also over a pass", () => {
    expect(variationMoves("go", ["D4", "pass", "E5"], "white")).toEqual([
      { vertex: "D4", color: "white", number: 1 },
      { vertex: "E5", color: "white", number: 3 },
    ]);
  });

  it("keeps the first number of a point played twice", () => {
    const numbers = variationMoves("go", ["D4", "E5", "D4"], "black").map(({ number }) => number);
    expect(numbers).toEqual([1, 2]);
  });

  it("counts every stone of a column in Connect 4", () => {
    const stones = variationMoves("connect-four", ["4", "4", "4"], "black");
    expect(stones.map(({ color }) => color)).toEqual(["black", "white", "black"]);
  });

  it("is cut where nobody could follow it", () => {
    const long = Array.from({ length: 30 }, (_, place) => `A${place + 1}`);
    expect(variationMoves("go", long, "black")).toHaveLength(12);
  });
});

describe("wholeVariation", () => {
  it("begins with the move itself", () => {
    expect(wholeVariation({ move: "D4", variation: ["D4", "E5"] })).toEqual(["D4", "E5"]);
    expect(wholeVariation({ move: "D4", variation: [] })).toEqual(["D4"]);
    expect(wholeVariation({ move: "D4", variation: ["E5"] })).toEqual(["D4", "E5"]);
  });
});

describe("previewOverlay", () => {
  it("puts a cross on the move that was played instead", () => {
    const overlay = previewOverlay("go", { node: 0, color: "black", moves: ["D4"], played: "C3" });
    expect(overlay.marks).toEqual(new Map([["C3", "cross"]]));
  });

  it("puts none on a pass or on a point of the line", () => {
    for (const played of ["pass", "E5"]) {
      const line = { node: 0, color: "black" as const, moves: ["D4", "E5"], played };
      expect(previewOverlay("go", line).marks).toBeUndefined();
    }
  });
});

const hint: HintReply = { type: "hint", game: "g", node: 3, move: "C3", text: "", variation: [] };
const estimate: EstimateReply = {
  type: "estimate",
  game: "g",
  node: 3,
  score: 2.5,
  text: "",
  ownership: [0.5, -0.5],
  dead: ["A1"],
};
const count: Count = {
  dead: ["B2"],
  territory: "XO",
  black: 1,
  white: 2,
  result: "",
  proposed: true,
  acceptable: true,
};

describe("hintOverlay", () => {
  it("is a marked stone of the player to move, or nothing for a pass", () => {
    expect(hintOverlay(hint, "white").ghosts).toEqual(new Map([["C3", "white"]]));
    expect(hintOverlay({ ...hint, move: "pass" }, "white")).toEqual({});
  });
});

describe("composeOverlay", () => {
  const sources: OverlaySources = {
    kind: "go",
    choice: { ...NOTHING, variation: true },
    report,
    preview: null,
    hint: null,
    toPlay: "black",
    estimate: null,
    count: null,
  };

  it("shows the search", () => {
    expect(composeOverlay(sources).variation).toHaveLength(2);
  });

  it("shows a hint instead of the principal variation", () => {
    const overlay = composeOverlay({ ...sources, hint });
    expect(overlay.variation).toEqual([]);
    expect(overlay.marks).toEqual(new Map([["C3", "circle"]]));
  });

  it("hides the search behind an estimate, and that behind a count", () => {
    expect(composeOverlay({ ...sources, estimate })).toEqual({
      ownership: [0.5, -0.5],
      dead: new Set(["A1"]),
    });
    expect(composeOverlay({ ...sources, estimate, count })).toEqual({
      territory: "XO",
      dead: new Set(["B2"]),
    });
  });

  it("shows a line that is pointed at alone", () => {
    const preview = { node: 3, color: "white" as const, moves: ["G7"] };
    expect(composeOverlay({ ...sources, estimate, count, preview })).toEqual({
      variation: [{ vertex: "G7", color: "white", number: 1 }],
    });
  });

  it("is empty when there is nothing to show", () => {
    expect(composeOverlay({ ...sources, report: null })).toEqual({});
  });
});
