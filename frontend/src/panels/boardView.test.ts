import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnalysisReport } from "../messages";
import { DEFAULT_OVERLAYS, overlays } from "../preferences";
import { analysis, estimate, forgetGame, game, hint, look, positions } from "../state";
import {
  BOARD_PAUSE,
  boardOverlay,
  boardPosition,
  pinned,
  pointed,
  shownEstimate,
  shownHint,
} from "./boardView";
import { sampleGame, sampleMove, samplePosition, sampleReport, sampleTree } from "./samples";

const tree = sampleTree("0", "1 0 D4", "2 1 E5");

beforeEach(() => {
  vi.useFakeTimers();
  overlays.value = { ...DEFAULT_OVERLAYS, heat: "off", labels: false };
  game.value = sampleGame(tree, { analyzing: 2 });
  positions.value = new Map([0, 1, 2].map((node) => [node, samplePosition(node)]));
});
afterEach(() => {
  forgetGame();
  vi.advanceTimersByTime(BOARD_PAUSE);
  vi.useRealTimers();
});

/** Let reports through, whatever went before. */
function report(...reports: AnalysisReport[]): void {
  analysis.value = new Map(reports.map((one) => [one.node, one]));
  vi.advanceTimersByTime(BOARD_PAUSE);
}

const variation = () => boardOverlay.value.variation?.map(({ vertex }) => vertex);

describe("boardOverlay", () => {
  it("shows the analysis of the node shown", () => {
    report(sampleReport(2, [sampleMove("C3")]));
    expect(variation()).toEqual(["C3"]);
    look(1);
    expect(variation()).toBeUndefined();
  });

  it("shows what Montego thinks while it thinks, and not afterwards", () => {
    report(sampleReport(2, [sampleMove("C3")], { purpose: "move" }));
    game.value = sampleGame(tree, { thinking: "black" });
    expect(variation()).toEqual(["C3"]);
    game.value = sampleGame(tree);
    expect(variation()).toBeUndefined();
  });

  it("keeps what an analysis found that came to an end, and not what was switched off", () => {
    game.value = sampleGame(tree);
    report(sampleReport(2, [sampleMove("C3")], { final: true }));
    expect(variation()).toEqual(["C3"]);
    report(sampleReport(2, [sampleMove("C3")], { final: false }));
    expect(variation()).toBeUndefined();
  });

  it("gives no hints away that were not asked for", () => {
    game.value = sampleGame(tree);
    report(sampleReport(2, [sampleMove("C3")], { purpose: "review" }));
    expect(variation()).toBeUndefined();
  });

  it("lets a line that is pointed at follow its search", () => {
    report(sampleReport(2, [sampleMove("C3"), sampleMove("G7")]));
    pointed.value = { node: 2, color: "black", moves: ["G7"], live: true };
    report(sampleReport(2, [sampleMove("G7", { variation: ["G7", "C7"] })]));
    expect(variation()).toEqual(["G7", "C7"]);
  });

  it("prefers what is pointed at to what is pinned", () => {
    pinned.value = { node: 2, color: "black", moves: ["A1"] };
    expect(variation()).toEqual(["A1"]);
    pointed.value = { node: 2, color: "black", moves: ["B1"] };
    expect(variation()).toEqual(["B1"]);
    pointed.value = null;
    expect(variation()).toEqual(["A1"]);
  });

  it("shows the count where the game stands only", () => {
    const count = { dead: [], territory: "X", black: 1, white: 0, result: "", proposed: true, acceptable: true };
    game.value = sampleGame(tree, { count });
    expect(boardOverlay.value.territory).toBe("X");
    look(0);
    expect(boardOverlay.value.territory).toBeUndefined();
  });
});

describe("boardPosition", () => {
  it("is the position where a line begins that is looked at", () => {
    pointed.value = { node: 1, color: "white", moves: ["A1"] };
    expect(boardPosition.value?.node).toBe(1);
    expect(variation()).toEqual(["A1"]);
  });

  it("stays where it is until that position has arrived, without the line", () => {
    positions.value = new Map([[2, samplePosition(2)]]);
    pointed.value = { node: 1, color: "white", moves: ["A1"] };
    expect(boardPosition.value?.node).toBe(2);
    expect(variation()).toBeUndefined();
  });

  it("comes back when another node is shown", () => {
    pinned.value = { node: 1, color: "white", moves: ["A1"] };
    look(0);
    expect(pinned.value).toBeNull();
    expect(boardPosition.value?.node).toBe(0);
  });
});

describe("answers", () => {
  it("are shown with the position that they are for", () => {
    hint.value = { type: "hint", game: "sample00", node: 2, move: "C3", text: "C3", variation: [] };
    estimate.value = {
      type: "estimate",
      game: "sample00",
      node: 2,
      score: 0,
      text: "",
      ownership: [],
      dead: [],
    };
    expect(shownHint.value?.move).toBe("C3");
    expect(shownEstimate.value?.node).toBe(2);
    look(1);
    expect(shownHint.value).toBeNull();
    expect(shownEstimate.value).toBeNull();
  });
});
