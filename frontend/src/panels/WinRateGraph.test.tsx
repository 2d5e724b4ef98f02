import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetGame, game, look, view } from "../state";
import { drawGraph, type Graph } from "./graph";
import { sampleGame, sampleTree } from "./samples";
import { WinRateGraph } from "./WinRateGraph";

const drawn = { update: vi.fn<Graph["update"]>(), close: vi.fn() };

vi.mock("./graph", () => ({ drawGraph: vi.fn() }));

const tree = sampleTree("0", "1 0 D4", "2 1 E5", "3 1 C3").map((node) => {
  return node.id === 2 ? { ...node, value: 0.7, score: 3, simulations: 500 } : node;
});

beforeEach(() => {
  vi.mocked(drawGraph).mockReturnValue(drawn);
  game.value = sampleGame(tree, { head: 2 });
});
afterEach(() => {
  cleanup();
  forgetGame();
  vi.clearAllMocks();
});

const wins = () => drawn.update.mock.lastCall?.[0].win;
const scores = () => drawn.update.mock.lastCall?.[0].score;

/** What the graph reports back. */
const events = () => vi.mocked(drawGraph).mock.lastCall![1];

describe("WinRateGraph", () => {
  it("draws the line through the node shown", async () => {
    render(<WinRateGraph />);
    await waitFor(() => expect(drawn.update).toHaveBeenCalled());
    expect(wins()).toEqual([null, null, 70]);
    expect(drawn.update.mock.lastCall?.slice(1)).toEqual([2, 20, []]);
    look(3);
    await waitFor(() => expect(wins()).toEqual([null, null, null]));
  });

  it("goes to a move that is clicked", async () => {
    render(<WinRateGraph />);
    await waitFor(() => expect(drawGraph).toHaveBeenCalled());
    events().go(1);
    expect(view.value).toBe(1);
  });

  it("says in words what it shows", async () => {
    render(<WinRateGraph />);
    const slider = screen.getByRole("slider");
    expect(slider.getAttribute("aria-valuetext")).toBe("Move 2 · Black 70% ±4 · B+3.0");
    expect(screen.getByText(/^Chance of Black over 2 moves/)).toBeTruthy();
    await waitFor(() => expect(drawGraph).toHaveBeenCalled());
    events().hover(0);
    expect(await screen.findByText("Beginning · not searched")).toBeTruthy();
  });

  it("shows the score when asked, in Go only", async () => {
    render(<WinRateGraph />);
    fireEvent.click(screen.getByRole("button", { name: "Score" }));
    await waitFor(() => expect(scores()).toEqual([null, null, 3]));
    game.value = sampleGame(tree, { head: 2, kind: "hex" });
    await waitFor(() => expect(screen.queryByRole("button", { name: "Score" })).toBeNull());
    await waitFor(() => expect(scores()).toEqual([null, null, null]));
  });

  it("is closed with its panel", async () => {
    const { unmount } = render(<WinRateGraph />);
    await waitFor(() => expect(drawGraph).toHaveBeenCalled());
    unmount();
    expect(drawn.close).toHaveBeenCalledOnce();
  });
});
