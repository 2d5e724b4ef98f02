import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { estimate, forgetGame, game, hint, look } from "../state";
import { EstimatePanel } from "./EstimatePanel";
import { HintPanel } from "./HintPanel";
import { sampleGame, sampleTree } from "./samples";

beforeEach(() => {
  game.value = sampleGame(sampleTree("0", "1 0 D4"));
});
afterEach(() => {
  cleanup();
  forgetGame();
});

describe("HintPanel", () => {
  beforeEach(() => {
    hint.value = { type: "hint", game: "sample00", node: 1, move: "E5", text: "Try E5.", variation: ["E5"] };
  });

  it("says the hint until it is dismissed", async () => {
    render(<HintPanel />);
    expect(screen.getByRole("status").textContent).toContain("Try E5.");
    fireEvent.click(screen.getByRole("button", { name: "Dismiss: Hint" }));
    await waitFor(() => expect(screen.queryByText("Try E5.")).toBeNull());
    expect(hint.value).toBeNull();
  });

  it("is gone when another position is shown", async () => {
    render(<HintPanel />);
    look(0);
    await waitFor(() => expect(screen.queryByText("Try E5.")).toBeNull());
  });
});

describe("EstimatePanel", () => {
  it("says the score and counts dead stones", async () => {
    estimate.value = {
      type: "estimate",
      game: "sample00",
      node: 1,
      score: 4.5,
      text: "Black is ahead by about 4.5 points",
      ownership: [],
      dead: ["A1"],
    };
    render(<EstimatePanel />);
    expect(screen.getByText("Black is ahead by about 4.5 points")).toBeTruthy();
    expect(screen.getByText(/1 stone is taken for dead/)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Dismiss: Estimate" }));
    await waitFor(() => expect(screen.queryByText(/ahead/)).toBeNull());
  });
});
