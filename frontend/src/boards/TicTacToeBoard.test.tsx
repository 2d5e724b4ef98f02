import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, describe, expect, it } from "vitest";

import { TicTacToeBoard } from "./TicTacToeBoard";
import { positionOf, propsOf } from "./samples";

afterEach(cleanup);

const PICTURE = `
  O . .
  . X .
  . . .`;
const position = positionOf(PICTURE, {
  moves: ["b3", "c3", "a2", "c2", "a1", "b1", "c1"],
  last: "a3",
});

const cell = (name: string) => screen.getByRole("gridcell", { name });

describe("a tic-tac-toe board", () => {
  it("counts its rows from below", () => {
    render(<TicTacToeBoard {...propsOf(position).props} />);
    expect(screen.getAllByRole("gridcell")).toHaveLength(9);
    expect(cell("a3, O, last move").querySelector("circle.three-mark")).not.toBeNull();
    expect(cell("b2, X").querySelector("path.three-mark")).not.toBeNull();
    expect(cell("c1, empty").querySelector(".three-mark")).toBeNull();
  });

  it("plays where it is clicked, and shows a preview there before", () => {
    const { props, onPoint } = propsOf(position);
    render(<TicTacToeBoard {...props} />);
    fireEvent.pointerEnter(cell("c1, empty"), { pointerType: "mouse" });
    expect(cell("c1, empty").querySelector(".is-preview")).not.toBeNull();
    fireEvent.click(cell("c1, empty"));
    expect(onPoint).toHaveBeenCalledExactlyOnceWith("c1");
  });

  it("is played with the keyboard, where up is up", () => {
    const { props, onPoint } = propsOf(position);
    render(<TicTacToeBoard {...props} />);
    cell("b2, X").focus();
    fireEvent.keyDown(cell("b2, X"), { key: "ArrowUp" });
    expect(document.activeElement).toBe(cell("b3, empty"));
    fireEvent.keyDown(cell("b3, empty"), { key: "Enter" });
    expect(onPoint).toHaveBeenCalledExactlyOnceWith("b3");
  });

  it("leaves the keyboard to the page after Escape, and after a click", () => {
    render(<TicTacToeBoard {...propsOf(position).props} />);
    cell("b2, X").focus();
    fireEvent.keyDown(cell("b2, X"), { key: "Escape" });
    expect(document.activeElement).toBe(document.body);
    expect(fireEvent.mouseDown(cell("c1, empty"))).toBe(false);
  });

  it("marks the line that won", () => {
    const won = positionOf("X . O\nX O .\nX . .", { connection: ["a1", "a2", "a3"], last: "a1" });
    render(<TicTacToeBoard {...propsOf(won).props} />);
    expect(document.querySelectorAll(".three-cell.is-winning")).toHaveLength(3);
    expect(document.querySelector(".three-cell.is-last")).toBeNull();
  });

  it("draws variations and heat on empty cells", () => {
    const overlay = {
      heat: new Map([["c1", 0.5], ["b2", 1]]),
      variation: [{ vertex: "c1", color: "black", number: 1 }] as const,
    };
    render(<TicTacToeBoard {...propsOf(position, { overlay }).props} />);
    expect(document.querySelectorAll(".board-heat")).toHaveLength(1);
    expect(cell("c1, empty").querySelector(".three-mark.is-ghost")).not.toBeNull();
    expect(cell("c1, empty").textContent).toBe("1");
  });
});
