import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { send } from "../connection";
import { forgetGame, game, look, positions } from "../state";
import { followView, SETTLED } from "./follow";
import { sampleGame, samplePosition, sampleTree } from "./samples";

vi.mock("../connection", () => ({ send: vi.fn(() => 1) }));

const tree = sampleTree("0", "1 0 D4", "2 1 E5", "3 2 C3");
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(send).mockClear();
  game.value = sampleGame(tree, { analyzing: 3 });
  stop = followView();
});
afterEach(() => {
  stop();
  forgetGame();
  vi.useRealTimers();
});

describe("followView", () => {
  it("asks for the node that the person stays at, once", () => {
    look(2);
    vi.advanceTimersByTime(SETTLED / 2);
    look(1);
    vi.advanceTimersByTime(SETTLED);
    expect(vi.mocked(send).mock.calls).toEqual([[{ type: "analyze", node: 1, on: true }]]);
  });

  it("asks for nothing while analysis is off", () => {
    game.value = sampleGame(tree);
    look(1);
    vi.advanceTimersByTime(SETTLED);
    expect(send).not.toHaveBeenCalled();
  });

  it("leaves the search to another page that moved it", () => {
    game.value = sampleGame(tree, { analyzing: 1 });
    vi.advanceTimersByTime(SETTLED);
    expect(send).not.toHaveBeenCalled();
  });

  it("asks for nothing where the game has ended", () => {
    positions.value = new Map([[1, samplePosition(1, { moves: [] })]]);
    look(1);
    vi.advanceTimersByTime(SETTLED);
    expect(send).not.toHaveBeenCalled();
  });

  it("follows the head of the game", () => {
    game.value = sampleGame(sampleTree("0", "1 0 D4", "2 1 E5", "3 2 C3", "4 3 G7"), {
      analyzing: 3,
    });
    vi.advanceTimersByTime(SETTLED);
    expect(send).toHaveBeenCalledWith({ type: "analyze", node: 4, on: true });
  });
});
