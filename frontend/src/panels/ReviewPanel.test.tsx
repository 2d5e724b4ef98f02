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
    part,
    mistakes: [
      { node: 3, loss: 0.256, better: "C7", variation: ["C7", "D7"] },
      { node: 2, loss: 0.1, better: null, variation: [] },
    ],
  };
}

beforeEach(() => {
  connected.value = true;
  game.value = sampleGame(tree);
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
    expect(send).toHaveBeenLastCalledWith({ type: "review", on: true });
    review.value = found(0.4);
    expect(await screen.findByText("40%")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Stop" }));
    expect(send).toHaveBeenLastCalledWith({ type: "review", on: false });
    // A reply that was under way does not start it again.
    review.value = found(0.5);
    expect(await screen.findByText(/Stopped/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Review again" })).toBeTruthy();
  });

  it("cannot review a game without moves", () => {
    game.value = sampleGame(sampleTree("0"));
    render(<ReviewPanel />);
    expect(screen.getByRole("button", { name: "Review the game" })).toHaveProperty("disabled", true);
  });

  it("lists what was lost", () => {
    review.value = found(1);
    render(<ReviewPanel />);
    const rows = screen.getAllByRole("listitem").map((row) => row.textContent);
    expect(rows).toEqual(["3Black C3−25.6%better C7", "2White E5−10.0%"]);
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
