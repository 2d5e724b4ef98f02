import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { play } from "../connection";
import { pinned } from "../panels/boardView";
import { sampleGame, samplePosition, sampleTree } from "../panels/samples";
import { connected, forgetGame, game, positions } from "../state";
import { BoardArea } from "./BoardArea";

vi.mock("../connection", () => ({ send: vi.fn(() => 1), play: vi.fn() }));

const empty = { width: 3, height: 3, cells: ".........", moves: ["a1", "b2", "c3"] };

beforeEach(() => {
  connected.value = true;
  game.value = sampleGame(sampleTree("0", "1 0 a1"), {
    kind: "tic-tac-toe",
    mode: "analysis",
    head: 1,
  });
  positions.value = new Map([0, 1].map((node) => [node, samplePosition(node, empty)]));
});
afterEach(() => {
  cleanup();
  forgetGame();
  vi.mocked(play).mockClear();
});

const cell = () => screen.getByRole("gridcell", { name: /b2/ });

describe("BoardArea", () => {
  it("plays where one clicks", () => {
    render(<BoardArea />);
    fireEvent.click(cell());
    expect(play).toHaveBeenCalledWith(1, "b2");
  });

  it("plays nothing on a position that is only a preview, and ends the preview", async () => {
    pinned.value = { node: 0, color: "black", moves: ["c3"] };
    render(<BoardArea />);
    fireEvent.click(cell());
    await waitFor(() => expect(pinned.value).toBeNull());
    expect(play).not.toHaveBeenCalled();
  });
});
