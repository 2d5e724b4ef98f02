import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from "vitest";

import * as connection from "../connection";
import { opponentOpen, question } from "../dialogs";
import { navigate } from "../routes";
import { GAME_ID, sampleGame, samplePosition, sampleTree } from "../samples";
import { connected, forgetGame, look, pendingAnalysis, receive, view } from "../state";
import { clickPoint, setMode } from "./commands";
import { Controls } from "./Controls";
import { CountPanel } from "./CountPanel";
import { Navigation } from "./Navigation";
import { Players } from "./Players";

const AFTER_TWO = { head: 2, tree: sampleTree(), position: samplePosition({ node: 2 }) };
const COUNT = {
  dead: [],
  territory: ".........",
  black: 10,
  white: 44.5,
  result: "White wins by 34.5 points",
  proposed: true,
  acceptable: true,
};

let send: MockInstance<typeof connection.send>;

beforeEach(() => {
  forgetGame();
  connected.value = true;
  question.value = null;
  navigate({ page: "game", game: GAME_ID });
  send = vi.spyOn(connection, "send").mockReturnValue(1);
});

afterEach(cleanup);

function button(name: string) {
  return screen.getByRole<HTMLButtonElement>("button", { name });
}

describe("Controls", () => {
  it("let a person pass on their turn", () => {
    const play = vi.spyOn(connection, "play").mockReturnValue();
    receive(sampleGame());
    render(<Controls />);
    fireEvent.click(button("Pass"));
    expect(play).toHaveBeenCalledWith(0, "pass");
  });

  it("offer to hurry Montego while it thinks", () => {
    receive(sampleGame({ position: samplePosition({ to_play: "white" }), thinking: "white" }));
    render(<Controls />);
    expect(button("Pass").disabled).toBe(true);
    expect(screen.queryByText("Hint")).toBeNull();
    fireEvent.click(button("Move now"));
    expect(send).toHaveBeenCalledWith({ type: "move_now" });
  });

  it("ask before resigning", async () => {
    receive(sampleGame());
    render(<Controls />);
    fireEvent.click(button("Resign"));
    expect(send).not.toHaveBeenCalled();
    question.value?.answer(true);
    await Promise.resolve();
    expect(send).toHaveBeenCalledWith({ type: "resign" });
  });

  it("pause a game that Montego plays by itself", () => {
    receive(sampleGame({ black: "montego" }));
    render(<Controls />);
    fireEvent.click(button("Pause"));
    expect(send).toHaveBeenCalledWith({ type: "pause", paused: true });
    expect(screen.queryByText("Resign")).toBeNull();
  });
});

describe("Navigation", () => {
  it("says where one is, and leads back", () => {
    receive(sampleGame(AFTER_TWO));
    look(1);
    render(<Navigation />);
    expect(screen.getByText("Viewing move 1 of 2")).toBeTruthy();
    fireEvent.click(button("Back to the game"));
    expect(view.value).toBe(2);
  });

  it("goes on from an earlier move after a question", async () => {
    receive(sampleGame(AFTER_TWO));
    look(1);
    render(<Navigation />);
    fireEvent.click(button("Play from here"));
    question.value?.answer(true);
    await Promise.resolve();
    expect(send).toHaveBeenCalledWith({ type: "set_head", node: 1 });
  });

  it("asks in analysis who plays on from there", () => {
    receive(sampleGame({ ...AFTER_TWO, mode: "analysis" }));
    look(1);
    render(<Navigation />);
    expect(screen.getByText("move 1 of 2")).toBeTruthy();
    fireEvent.click(screen.getByText("Play from here"));
    expect(opponentOpen.value).toBe(true);
    opponentOpen.value = false;
  });
});

describe("CountPanel", () => {
  it("shows the score and agrees", () => {
    receive(sampleGame({ phase: "counting", count: COUNT }));
    render(<CountPanel />);
    expect(screen.getByText("White 44.5")).toBeTruthy();
    expect(button("Montego’s proposal").disabled).toBe(true);
    fireEvent.click(button("Accept"));
    expect(send).toHaveBeenCalledWith({ type: "accept_count" });
  });

  it("waits until it is known which stones are dead", () => {
    receive(sampleGame({ phase: "counting", count: { ...COUNT, proposed: false, acceptable: false } }));
    render(<CountPanel />);
    expect(screen.getByText("Montego is still looking for dead stones.")).toBeTruthy();
    expect(button("Accept").disabled).toBe(true);
  });
});

describe("Players", () => {
  it("tell whose turn it is, and what was captured", () => {
    receive(sampleGame({ position: samplePosition({ captures: [3, 1] }) }));
    render(<Players />);
    expect(screen.getByText("Black · Your turn")).toBeTruthy();
    expect(screen.getByText("3 captured")).toBeTruthy();
  });

  it("count the simulations of Montego's thinking", () => {
    receive(sampleGame({ position: samplePosition({ to_play: "white" }), thinking: "white" }));
    receive({
      type: "analysis",
      game: GAME_ID,
      node: 0,
      to_play: "white",
      purpose: "move",
      apart: false,
      simulations: 1234,
      visits: 0,
      seconds: 1,
      value: 0.5,
      score: null,
      moves: [],
      ownership: null,
      final: false,
    });
    const { container } = render(<Players />);
    expect(container.textContent).toContain("Thinking · 1,234 simulations");
  });
});

describe("clickPoint", () => {
  it("plays a legal move on the person's turn", () => {
    const play = vi.spyOn(connection, "play").mockReturnValue();
    receive(sampleGame());
    clickPoint("B2");
    expect(play).toHaveBeenCalledWith(0, "B2");
  });

  it("plays nothing on Montego's turn", () => {
    const play = vi.spyOn(connection, "play").mockReturnValue();
    receive(sampleGame({ position: samplePosition({ to_play: "white" }) }));
    clickPoint("B2");
    expect(play).not.toHaveBeenCalled();
    expect(question.value).toBeNull();
  });

  it("marks stones while counting", () => {
    receive(sampleGame({ phase: "counting", count: COUNT }));
    clickPoint("B2");
    expect(send).toHaveBeenCalledWith({ type: "mark_dead", vertex: "B2" });
  });

  it("offers to go on from an earlier position", () => {
    receive(sampleGame(AFTER_TWO));
    look(1);
    clickPoint("A3");
    expect(question.value?.title).toBe("Play from here?");
  });

  it("makes a variation in analysis", () => {
    const play = vi.spyOn(connection, "play").mockReturnValue();
    receive(sampleGame({ ...AFTER_TWO, mode: "analysis" }));
    receive(samplePosition({ node: 1 }));
    look(1);
    clickPoint("A3");
    expect(play).toHaveBeenCalledWith(1, "A3");
  });

  it("plays as soon as analysis was asked for, before the server has said yes", () => {
    const play = vi.spyOn(connection, "play").mockReturnValue();
    const waiting = { position: samplePosition({ to_play: "white" }), thinking: "white" } as const;
    receive(sampleGame(waiting));
    clickPoint("A3");
    expect(play).not.toHaveBeenCalled();
    setMode("analysis");
    expect(send).toHaveBeenCalledWith({ type: "configure", mode: "analysis" });
    clickPoint("A3");
    expect(play).toHaveBeenCalledWith(0, "A3");
    receive(sampleGame({ ...waiting, mode: "analysis" }));
    expect(pendingAnalysis.value).toBeNull();
  });

  it("waits for Montego again if analysis is refused or given up", () => {
    const play = vi.spyOn(connection, "play").mockReturnValue();
    receive(sampleGame({ position: samplePosition({ to_play: "white" }), thinking: "white" }));
    setMode("analysis");
    receive({ type: "error", message: "no", request: 1 });
    clickPoint("A3");
    setMode("analysis");
    setMode("game");
    expect(send).toHaveBeenLastCalledWith({ type: "configure", mode: "game" });
    clickPoint("A3");
    expect(play).not.toHaveBeenCalled();
  });
});
