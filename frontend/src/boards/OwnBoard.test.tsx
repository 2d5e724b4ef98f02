import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, describe, expect, it } from "vitest";

import { samplePosition } from "../samples";
import { OwnBoard } from "./OwnBoard";
import { propsOf } from "./samples";

afterEach(cleanup);

const position = samplePosition({
  width: 1,
  height: 1,
  cells: "",
  picture: "heap 1: ||\nheap 2: |||",
  moves: ["take 1", "take 2"],
  last: "take 3",
});

const move = (name: string) => screen.getByRole("button", { name });

describe("the board of a game of one's own", () => {
  it("shows the game's picture line by line, and the last move", () => {
    render(<OwnBoard {...propsOf(position).props} />);
    expect(screen.getByRole("img").textContent).toBe("heap 1: ||\nheap 2: |||");
    expect(screen.getByText("Last move: take 3")).toBeTruthy();
  });

  it("plays the move whose button is pressed", () => {
    const { props, onPoint } = propsOf(position);
    render(<OwnBoard {...props} />);
    fireEvent.click(move("take 2"));
    expect(onPoint).toHaveBeenCalledExactlyOnceWith("take 2");
  });

  it("lets nobody move out of turn", () => {
    const { props, onPoint } = propsOf(position, { playable: new Set() });
    render(<OwnBoard {...props} />);
    fireEvent.click(move("take 2"));
    expect(onPoint).not.toHaveBeenCalled();
  });

  it("says what a search thinks of a move", () => {
    const overlay = { labels: new Map([["take 1", "73"]]) };
    render(<OwnBoard {...propsOf(position, { overlay }).props} />);
    expect(move("take 1 73")).toBeTruthy();
  });
});
