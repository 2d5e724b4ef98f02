import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { send } from "../connection";
import type { AnalysisReport } from "../messages";
import { DEFAULT_OVERLAYS, overlays } from "../preferences";
import { analysis, connected, forgetGame, game, look, view } from "../state";
import { AnalysisPanel } from "./AnalysisPanel";
import { pinned, pointed } from "./boardView";
import { sampleGame, sampleMove, sampleReport, sampleTree } from "./samples";

vi.mock("../connection", () => ({ send: vi.fn(() => 1), play: vi.fn() }));

const tree = sampleTree("0", "1 0 D4", "2 1 E5");

beforeEach(() => {
  connected.value = true;
  overlays.value = DEFAULT_OVERLAYS;
  game.value = sampleGame(tree, { analyzing: 2 });
});
afterEach(() => {
  cleanup();
  forgetGame();
  vi.mocked(send).mockClear();
});

async function show(...reports: AnalysisReport[]): Promise<void> {
  analysis.value = new Map(reports.map((one) => [one.node, one]));
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve));
}

const rows = () => screen.getAllByRole("row").map((row) => row.textContent);

describe("AnalysisPanel", () => {
  it("shows a running search", async () => {
    const moves = [
      sampleMove("C3", { visits: 1500, value: 0.625, score: 3.5, prior: 0.2, rave: 0.5 }),
      sampleMove("G7", { visits: 0, rave_visits: 0 }),
    ];
    render(<AnalysisPanel />);
    await show(sampleReport(2, moves, { value: 0.6, score: 3.5, simulations: 12000, seconds: 4 }));
    expect(screen.getByText("Analyzing")).toBeTruthy();
    expect(screen.getByText("12,000")).toBeTruthy();
    expect(screen.getByText("3,000")).toBeTruthy();
    expect(screen.getByRole("img", { name: /Black 60%, White 40%, give or take \d/ })).toBeTruthy();
    expect(rows()).toEqual([
      "MoveVisitsWin %ScorePriorRAVE",
      "C3150063±2B+3.52050",
      "G70––10–",
    ]);
  });

  it("gives chances to the player to move", async () => {
    render(<AnalysisPanel />);
    await show(sampleReport(2, [sampleMove("C3", { value: 0.3 })], { to_play: "white" }));
    expect(rows()[1]).toContain("70±9");
  });

  it("has neither score nor ownership in other games", async () => {
    game.value = sampleGame(tree, { kind: "connect-four", analyzing: 2 });
    render(<AnalysisPanel />);
    await show(sampleReport(2, [sampleMove("4")]));
    expect(screen.queryByText("Score")).toBeNull();
    expect(screen.queryByRole("button", { name: "Ownership" })).toBeNull();
    expect(screen.getByRole("button", { name: /^column 4/ })).toBeTruthy();
    expect(screen.getByRole("img", { name: /Red 50%, Yellow 50%/ })).toBeTruthy();
  });

  it("says when numbers are of an earlier search or of the move before", async () => {
    game.value = sampleGame(tree);
    render(<AnalysisPanel />);
    await show(sampleReport(1, [sampleMove("E5")], { purpose: "move", final: true }));
    expect(screen.getByText("Found before the last move")).toBeTruthy();
    expect(screen.getByRole("button", { name: /^E5, played/ })).toBeTruthy();
    look(1);
    await show(sampleReport(1, [sampleMove("E5")], { purpose: "move", final: true }));
    expect(screen.getByText("Found earlier")).toBeTruthy();
  });

  it("leads to the node that is searched", async () => {
    render(<AnalysisPanel />);
    look(1);
    fireEvent.click(await screen.findByRole("button", { name: "Show" }));
    expect(view.value).toBe(2);
  });

  it("switches analysis on and off", async () => {
    render(<AnalysisPanel />);
    fireEvent.click(screen.getByRole("button", { name: "Stop analysis" }));
    expect(send).toHaveBeenLastCalledWith({ type: "analyze", node: 2, on: false });
    game.value = sampleGame(tree);
    fireEvent.click(await screen.findByRole("button", { name: "Analyze" }));
    expect(send).toHaveBeenLastCalledWith({ type: "analyze", node: 2, on: true });
  });

  it("shows the variation of a row that is pointed at, and keeps that of one that is clicked", async () => {
    render(<AnalysisPanel />);
    await show(sampleReport(2, [sampleMove("C3", { variation: ["C3", "D5"] })]));
    const button = screen.getByRole("button", { name: /^C3/ });
    fireEvent.focus(button);
    expect(pointed.value).toMatchObject({ node: 2, color: "black", moves: ["C3", "D5"] });
    fireEvent.blur(button);
    expect(pointed.value).toBeNull();
    fireEvent.click(button);
    expect(pinned.value?.moves).toEqual(["C3", "D5"]);
    fireEvent.click(button);
    expect(pinned.value).toBeNull();
  });

  it("leaves nothing behind when a finger taps twice", async () => {
    render(<AnalysisPanel />);
    await show(sampleReport(2, [sampleMove("C3")]));
    const button = screen.getByRole("button", { name: /^C3/ });
    const tap = () => {
      fireEvent.pointerEnter(screen.getAllByRole("row")[1]!, { pointerType: "touch" });
      fireEvent.focus(button);
      fireEvent.click(button);
    };
    tap();
    expect(pinned.value?.moves).toEqual(["C3"]);
    fireEvent.click(button);
    expect([pointed.value, pinned.value]).toEqual([null, null]);
  });

  it("keeps rows in their places while one is pointed at", async () => {
    render(<AnalysisPanel />);
    await show(sampleReport(2, [sampleMove("C3"), sampleMove("G7")]));
    fireEvent.pointerEnter(screen.getAllByRole("row")[1]!, { pointerType: "mouse" });
    await show(sampleReport(2, [sampleMove("A1"), sampleMove("G7"), sampleMove("C3")]));
    expect(rows().map((text) => text.slice(0, 2))).toEqual(["Mo", "C3", "G7", "A1"]);
    pointed.value = null;
    await show(sampleReport(2, [sampleMove("A1"), sampleMove("G7"), sampleMove("C3")]));
    expect(rows().map((text) => text.slice(0, 2))).toEqual(["Mo", "A1", "G7", "C3"]);
  });

  it("changes what is drawn on the board", () => {
    render(<AnalysisPanel />);
    fireEvent.click(screen.getByRole("radio", { name: "RAVE" }));
    fireEvent.click(screen.getByRole("button", { name: "Ownership" }));
    expect(overlays.value).toEqual({ ...DEFAULT_OVERLAYS, heat: "rave", ownership: true });
  });
});
