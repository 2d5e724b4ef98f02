import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { send } from "../connection";
import type { ReviewReply } from "../messages";
import { connected, forgetGame, game, review, view } from "../state";
import { pinned } from "./boardView";
import { ReviewPanel } from "./ReviewPanel";
import { sampleGame, sampleTree } from "./samples";

vi.mock("../connection", () => ({ send: vi.fn(() => 1) }));

const tree = sampleTree("0", "1 0 D4", "2 1 E5", "3 2 C3", "4 3 G7");

function found(part: number): ReviewReply {
  return {
    type: "review",
    game: "sample00",
    node: 4,
    part,
    running: part < 1,
    lessons: [],
    mistakes: [
      {
        node: 3,
        loss: 0.256,
        points: 4.2,
        better: "C7",
        variation: ["C7", "D7"],
        refutation: [],
        bad: true,
      },
      {
        node: 2,
        loss: 0.1,
        points: null,
        better: null,
        variation: [],
        refutation: [],
        bad: false,
      },
    ],
  };
}

beforeEach(() => {
  connected.value = true;
  game.value = sampleGame(tree, { phase: "over" });
});
afterEach(() => {
  cleanup();
  forgetGame();
  vi.mocked(send).mockClear();
});

describe("ReviewPanel", () => {
  it("starts, shows how far it is, and stops", async () => {
    render(<ReviewPanel />);
    fireEvent.click(screen.getByRole("button", { name: "Review the game" }));
    expect(send).toHaveBeenLastCalledWith({ type: "review", on: true, node: 4 });
    review.value = found(0.4);
    expect(await screen.findByText("40%")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(send).toHaveBeenLastCalledWith({ type: "review", on: false, node: 4 });
    review.value = { ...found(0.5), running: false };
    expect(await screen.findByText(/Found so far/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Review the game" })).toBeTruthy();
  });

  it("cannot review a game without moves", () => {
    game.value = sampleGame(sampleTree("0"));
    render(<ReviewPanel />);
    expect(screen.getByRole("button", { name: "Review the game" })).toHaveProperty("disabled", true);
  });

  it("does not disturb who is still playing", () => {
    game.value = sampleGame(tree, { id: "another0" });
    review.value = { ...found(1), game: "another0" };
    render(<ReviewPanel />);
    expect(screen.queryAllByRole("listitem")).toEqual([]);
  });

  it("is of the line that is shown", () => {
    const branched = sampleTree("0", "1 0 D4", "2 1 E5", "3 2 C3", "4 3 G7", "5 1 A1");
    game.value = sampleGame(branched, { phase: "over", head: 5 });
    review.value = found(1);
    render(<ReviewPanel />);
    expect(screen.queryAllByRole("listitem")).toEqual([]);
  });

  it("steps from the start, from the end, and back", () => {
    review.value = found(1);
    render(<ReviewPanel />);
    // At the end of the game, the first mistake is the next one.
    fireEvent.click(screen.getByRole("button", { name: "Next mistake" }));
    expect(view.value).toBe(1);
    fireEvent.click(screen.getByRole("button", { name: "Next mistake" }));
    expect(view.value).toBe(2);
    fireEvent.click(screen.getByRole("button", { name: "Previous mistake" }));
    expect(view.value).toBe(1);
  });

  it("lists what was lost", () => {
    review.value = found(1);
    render(<ReviewPanel />);
    const rows = screen.getAllByRole("listitem").map((row) => row.textContent);
    expect(rows).toEqual(["3Black C3−26% · 4 ptsbetter C7", "2White E5−10%"]);
  });

  it("shows the position before a mistake, with the better line", () => {
    review.value = found(1);
    render(<ReviewPanel />);
    fireEvent.click(screen.getByRole("button", { name: /C3/ }));
    expect(view.value).toBe(2);
    expect(pinned.value).toEqual({ node: 2, color: "black", moves: ["C7", "D7"], played: "C3" });
  });

  it("steps from mistake to mistake", async () => {
    review.value = found(1);
    render(<ReviewPanel />);
    fireEvent.click(screen.getByRole("button", { name: "Previous mistake" }));
    expect(view.value).toBe(2);
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Next mistake" })).toHaveProperty("disabled", true),
    );
    fireEvent.click(screen.getByRole("button", { name: "Previous mistake" }));
    expect(view.value).toBe(1);
    expect(pinned.value).toBeNull();
  });
});
