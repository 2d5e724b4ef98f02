import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, describe, expect, it } from "vitest";

import { HexBoard } from "./HexBoard";
import { positionOf, propsOf } from "./samples";

afterEach(cleanup);

const PICTURE = `
  X . .
   . O .
    . . .`;
const MOVES = ["b1", "c1", "a2", "c2", "a3", "b3", "c3"];
const position = positionOf(PICTURE, { moves: MOVES, last: "b2" });

const cell = (name: RegExp | string) => screen.getByRole("gridcell", { name });

describe("a Hex board", () => {
  it("names every cell and what is on it", () => {
    render(<HexBoard {...propsOf(position).props} />);
    expect(screen.getAllByRole("gridcell")).toHaveLength(9);
    expect(screen.getAllByRole("row")).toHaveLength(3);
    expect(cell("a1, Red").querySelector(".hex-stone.is-black")).not.toBeNull();
    expect(cell("b2, Blue, last move").querySelector(".board-last")).not.toBeNull();
    expect(cell("c3, empty").querySelector(".hex-stone")).toBeNull();
  });

  it("plays where it is clicked", () => {
    const { props, onPoint } = propsOf(position);
    render(<HexBoard {...props} />);
    fireEvent.click(cell("c2, empty"));
    expect(onPoint).toHaveBeenCalledExactlyOnceWith("c2");
  });

  it("shows a preview under the mouse, and only where one may play", () => {
    render(<HexBoard {...propsOf(position).props} />);
    fireEvent.pointerEnter(cell("c2, empty"), { pointerType: "mouse" });
    expect(cell("c2, empty").querySelector(".is-black.is-preview")).not.toBeNull();
    fireEvent.pointerLeave(cell("c2, empty"));
    fireEvent.pointerEnter(cell("a1, Red"), { pointerType: "mouse" });
    expect(document.querySelector(".is-preview")).toBeNull();
  });

  it("draws a move that is on its way as if it were played", () => {
    render(<HexBoard {...propsOf(position, { pending: "c3" }).props} />);
    expect(cell("c3, empty").querySelector(".hex-stone.is-black")).not.toBeNull();
  });

  it("asks for a second tap where cells are small", () => {
    const { props, onPoint } = propsOf(position, { confirmTaps: true });
    render(<HexBoard {...props} />);
    const target = cell("c2, empty");
    fireEvent.pointerDown(target, { pointerType: "touch" });
    fireEvent.click(target);
    expect(onPoint).not.toHaveBeenCalled();
    expect(target.querySelector(".is-preview")).not.toBeNull();
    fireEvent.click(target);
    expect(onPoint).toHaveBeenCalledExactlyOnceWith("c2");
  });

  it("can be played with the keyboard alone", () => {
    const { props, onPoint } = propsOf(position);
    render(<HexBoard {...props} />);
    const start = cell("b2, Blue, last move");
    expect(start.getAttribute("tabindex")).toBe("0");
    expect(cell("c2, empty").getAttribute("tabindex")).toBe("-1");
    start.focus();
    fireEvent.keyDown(start, { key: "ArrowRight" });
    expect(document.activeElement).toBe(cell("c2, empty"));
    fireEvent.keyDown(cell("c2, empty"), { key: "ArrowRight" });
    expect(document.activeElement).toBe(cell("c2, empty"));
    fireEvent.keyDown(cell("c2, empty"), { key: "ArrowUp" });
    expect(document.activeElement).toBe(cell("c1, empty"));
    fireEvent.keyDown(cell("c1, empty"), { key: "Enter" });
    expect(onPoint).toHaveBeenCalledExactlyOnceWith("c1");
  });

  it("keeps its keys from the page, and lets others through", () => {
    const seen: string[] = [];
    const listen = (event: KeyboardEvent) => seen.push(event.key);
    document.addEventListener("keydown", listen);
    render(<HexBoard {...propsOf(position).props} />);
    for (const key of ["ArrowLeft", "u", "Home"]) fireEvent.keyDown(cell("b2, Blue, last move"), { key });
    fireEvent.keyDown(cell("b2, Blue, last move"), { key: "ArrowLeft", ctrlKey: true });
    document.removeEventListener("keydown", listen);
    expect(seen).toEqual(["u", "Home", "ArrowLeft"]);
  });

  it("draws heat, labels, variations and marks, but not over stones", () => {
    const overlay = {
      heat: new Map([["c1", 1], ["a1", 1]]),
      labels: new Map([["c1", "55"]]),
      variation: [
        { vertex: "A2", color: "black", number: 1 },
        { vertex: "b2", color: "white", number: 2 },
      ] as const,
      marks: new Map([["c3", "circle"]] as const),
    };
    render(<HexBoard {...propsOf(position, { overlay }).props} />);
    expect(document.querySelectorAll(".board-heat")).toHaveLength(1);
    expect(cell("c1, empty").textContent).toBe("55");
    expect(cell("a2, empty").textContent).toBe("1");
    expect(cell("a2, empty").querySelector(".is-black.is-ghost")).not.toBeNull();
    expect(cell("b2, Blue, last move").textContent).toBe("");
    expect(cell("c3, empty").querySelector(".board-mark")).not.toBeNull();
  });

  it("draws the connection that won", () => {
    const won = positionOf(PICTURE, { connection: ["a1", "a2", "a3"] });
    render(<HexBoard {...propsOf(won).props} />);
    expect(document.querySelector(".board-connection")?.getAttribute("points")?.split(" ")).toHaveLength(3);
    expect(document.querySelectorAll(".hex-cell.is-winning")).toHaveLength(3);
  });

  it("offers the swap where it is a move", () => {
    const { props, onPoint } = propsOf(positionOf(PICTURE, { moves: [...MOVES, "swap"] }));
    const { rerender } = render(<HexBoard {...props} />);
    fireEvent.click(screen.getByRole("button", { name: /^Swap/ }));
    expect(onPoint).toHaveBeenCalledExactlyOnceWith("swap");
    rerender(<HexBoard {...propsOf(position).props} />);
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("writes coordinates only when they are wanted", () => {
    const { rerender } = render(<HexBoard {...propsOf(position).props} />);
    expect(document.querySelector(".board-coordinates")?.textContent).toBe("a1b2c3");
    rerender(<HexBoard {...propsOf(position, { coordinates: false }).props} />);
    expect(document.querySelector(".board-coordinates")).toBeNull();
  });
});
