import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, describe, expect, it } from "vitest";

import { ConnectFourBoard, describeColumn, fallen, landingRow } from "./ConnectFourBoard";
import { positionOf, propsOf } from "./samples";

afterEach(cleanup);

const PICTURE = `
  . X . . . . .
  . O . . . . .
  . X . . . . .
  . O . . . . .
  . X . O . . .
  . O . X . . .`;
const position = positionOf(PICTURE, { moves: ["1", "3", "4", "5", "6", "7"], last: "4" });

const column = (number: number) => screen.getByRole("gridcell", { name: new RegExp(`^Column ${number}:`) });
const discs = () => [...document.querySelectorAll(".four-disc:not(.is-preview):not(.is-ghost)")];

describe("a Connect 4 board", () => {
  it("says what is in each column", () => {
    render(<ConnectFourBoard {...propsOf(position).props} />);
    expect(screen.getAllByRole("gridcell")).toHaveLength(7);
    expect(describeColumn(position, 0)).toBe("Column 1: empty");
    expect(describeColumn(position, 1)).toBe(
      "Column 2: from below Yellow, Red, Yellow, Red, Yellow, Red, full",
    );
    expect(describeColumn(position, 3)).toBe("Column 4: from below Red, Yellow, 4 empty, last move");
  });

  it("plays the column that is clicked", () => {
    const { props, onPoint } = propsOf(position);
    render(<ConnectFourBoard {...props} />);
    fireEvent.click(column(5));
    expect(onPoint).toHaveBeenCalledExactlyOnceWith("5");
  });

  it("holds a disc over the column, and shows where it would come to lie", () => {
    render(<ConnectFourBoard {...propsOf(position).props} />);
    fireEvent.pointerEnter(column(4), { pointerType: "mouse" });
    expect(column(4).querySelector(".is-preview")?.getAttribute("cy")).toBe("3.5");
    fireEvent.pointerLeave(column(4));
    fireEvent.pointerEnter(column(2), { pointerType: "mouse" });
    expect(document.querySelector(".is-preview")).toBeNull();
  });

  it("lets only the last disc fall", () => {
    render(<ConnectFourBoard {...propsOf(position).props} />);
    expect(discs()).toHaveLength(8);
    const falling = document.querySelectorAll(".is-falling");
    expect(falling).toHaveLength(1);
    expect(falling[0]?.getAttribute("cy")).toBe("4.5");
  });

  it("draws a move that is on its way as if it were played", () => {
    render(<ConnectFourBoard {...propsOf(position, { pending: "4" }).props} />);
    expect(discs()).toHaveLength(9);
  });

  it("is played with the arrow keys and Enter", () => {
    const { props, onPoint } = propsOf(position);
    render(<ConnectFourBoard {...props} />);
    expect(column(4).getAttribute("tabindex")).toBe("0");
    column(4).focus();
    fireEvent.keyDown(column(4), { key: "ArrowRight" });
    expect(document.activeElement).toBe(column(5));
    fireEvent.keyDown(column(5), { key: " " });
    expect(onPoint).toHaveBeenCalledExactlyOnceWith("5");
  });

  it("rings the discs that won", () => {
    const won = positionOf(PICTURE, { connection: ["b1", "b3", "b5", "d2"] });
    render(<ConnectFourBoard {...propsOf(won).props} />);
    expect(document.querySelectorAll(".four-won")).toHaveLength(4);
  });

  it("puts heat and labels where the next disc would lie, and nowhere in a full column", () => {
    const overlay = {
      heat: new Map([["4", 1], ["2", 0.5]]),
      labels: new Map([["4", "52"], ["2", "48"]]),
    };
    render(<ConnectFourBoard {...propsOf(position, { overlay }).props} />);
    expect(document.querySelectorAll(".board-heat")).toHaveLength(1);
    expect(document.querySelector(".board-heat")?.getAttribute("cy")).toBe("3.5");
    expect(column(4).textContent).toBe("524");
    expect(column(2).textContent).toBe("2");
  });
});

describe("discs of a variation", () => {
  it("pile up", () => {
    const moves = (["4", "4", "5", "4"] as const).map((vertex, place) => ({
      vertex,
      color: place % 2 === 0 ? ("black" as const) : ("white" as const),
      number: place + 1,
    }));
    const places = fallen(position, { variation: moves }).map(({ column: x, row, text }) => [x, row, text]);
    expect(places).toEqual([[3, 3, "1"], [3, 2, "2"], [4, 5, "3"], [3, 1, "4"]]);
  });

  it("are left out where a column is full", () => {
    expect(fallen(position, { ghosts: new Map([["2", "black"]]) })).toEqual([]);
    expect(landingRow(position, 1)).toBe(-1);
  });
});
