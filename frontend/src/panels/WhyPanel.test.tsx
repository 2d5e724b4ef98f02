import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { send } from "../connection";
import type { Explanation } from "../messages";
import { connected, explanation, forgetGame, game, look } from "../state";
import { pointed } from "./boardView";
import { beginner } from "../preferences";
import { sampleGame, sampleMove, sampleTree } from "./samples";
import { WhyPanel } from "./WhyPanel";

vi.mock("../connection", () => ({ send: vi.fn(() => 1) }));

const tree = sampleTree("0", "1 0 D4", "2 1 E5").map((node) => {
  return node.id === 2 ? { ...node, explained: true } : node;
});
const answer: Explanation = {
  type: "explanation",
  game: "sample00",
  node: 2,
  move: "E5",
  lines: ["E5 was tried most often.", "It takes the center."],
  plain: "A good move.",
  alternatives: [sampleMove("E5"), sampleMove("C3", { variation: ["C3", "G7"] })],
};

beforeEach(() => {
  connected.value = true;
  game.value = sampleGame(tree);
});
afterEach(() => {
  cleanup();
  forgetGame();
  vi.mocked(send).mockClear();
});

describe("WhyPanel", () => {
  it("asks about the move shown, once, and then for the position before it", async () => {
    render(<WhyPanel />);
    await waitFor(() => expect(send).toHaveBeenCalledWith({ type: "explain", node: 2 }));
    explanation.value = answer;
    await waitFor(() => expect(send).toHaveBeenCalledWith({ type: "show", node: 1 }));
    expect(send).toHaveBeenCalledTimes(2);
  });

  it("tells the reasons and the alternatives", () => {
    explanation.value = answer;
    render(<WhyPanel />);
    expect(screen.getByText("E5 was tried most often.")).toBeTruthy();
    expect(screen.getByText("It takes the center.")).toBeTruthy();
    fireEvent.focus(screen.getByRole("button", { name: /^C3/ }));
    expect(pointed.value).toMatchObject({ node: 1, color: "white", moves: ["C3", "G7"] });
  });

  it("says when there is nothing to tell", async () => {
    render(<WhyPanel />);
    look(1);
    expect(await screen.findByText(/has not looked at this yet: move 1, Black D4/)).toBeTruthy();
    look(0);
    expect(await screen.findByText(/Step to a move/)).toBeTruthy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(send).not.toHaveBeenCalledWith({ type: "explain", node: 1 });
    look(1);
    fireEvent.click(await screen.findByRole("button", { name: "Explain this move" }));
    expect(send).toHaveBeenLastCalledWith({ type: "explain", node: 1 });
    expect(await screen.findByText("Asking Montego…")).toBeTruthy();
  });

  it("leaves words of the search out for beginners", () => {
    beginner.value = true;
    explanation.value = answer;
    render(<WhyPanel />);
    expect(screen.getByText("A good move.")).toBeTruthy();
    expect(screen.queryByText("E5 was tried most often.")).toBeNull();
    expect(screen.queryByRole("table")).toBeNull();
    beginner.value = false;
  });
});
