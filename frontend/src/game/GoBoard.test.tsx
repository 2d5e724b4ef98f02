import { cleanup, fireEvent, render } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { BoardProps } from "../boards/board";
import { samplePosition } from "../samples";
import { describePosition, GoBoard, measuresOf } from "./GoBoard";

const onPoint = vi.fn();
const PROPS: BoardProps = {
  position: samplePosition(),
  overlay: {},
  playable: new Set(["B2", "C3"]),
  color: "black",
  pending: null,
  coordinates: true,
  confirmTaps: true,
  onPoint,
};

let width = 400;

beforeEach(() => {
  onPoint.mockReset();
  width = 400;
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockImplementation(() => width);
});

afterEach(cleanup);

function show(changes: Partial<BoardProps> = {}) {
  const { container } = render(<GoBoard {...PROPS} {...changes} />);
  const board = container.querySelector<HTMLElement>(".go-board")!;
  const at = (x: number, y: number) =>
    board.querySelector<HTMLElement>(`[data-x="${x}"][data-y="${y}"]`)!;
  return { board, at };
}

function pointer(type: string, pointerType: string) {
  const event = new Event(type, { bubbles: true });
  return Object.assign(event, { pointerType });
}

describe("GoBoard", () => {
  it("tells which point was clicked", () => {
    const { at } = show();
    fireEvent.click(at(1, 1));
    expect(onPoint).toHaveBeenCalledWith("B2");
  });

  it("previews where a stone may go, and nowhere else", () => {
    const { at } = show();
    fireEvent(at(1, 1), pointer("pointerenter", "mouse"));
    expect(at(1, 1).className).toContain("shudan-ghost_1");
    fireEvent(at(0, 0), pointer("pointerenter", "mouse"));
    expect(at(1, 1).className).not.toContain("shudan-ghost");
    expect(at(0, 0).className).not.toContain("shudan-ghost");
  });

  it("asks for a second tap where points are small", () => {
    width = 60;
    const { at } = show();
    fireEvent(at(1, 1), pointer("pointerdown", "touch"));
    fireEvent.click(at(1, 1));
    expect(onPoint).not.toHaveBeenCalled();
    expect(at(1, 1).className).toContain("shudan-ghost_1");
    fireEvent.click(at(1, 1));
    expect(onPoint).toHaveBeenCalledWith("B2");
  });

  it("takes one tap where points are large", () => {
    const { at } = show();
    fireEvent(at(1, 1), pointer("pointerdown", "touch"));
    fireEvent.click(at(1, 1));
    expect(onPoint).toHaveBeenCalledWith("B2");
  });

  it("is played on by keyboard", () => {
    const { board } = show();
    fireEvent.keyDown(board, { key: "ArrowRight" });
    fireEvent.keyDown(board, { key: "ArrowUp" });
    fireEvent.keyDown(board, { key: "ArrowUp" });
    fireEvent.keyDown(board, { key: "Enter" });
    expect(onPoint).toHaveBeenCalledWith("C3");
  });

  it("says what is on it", () => {
    const { board } = show({ position: samplePosition({ cells: "X...O....", last: "B2" }) });
    expect(board.getAttribute("aria-label")).toBe(
      "Board of 3 by 3. Last move B2. Black: A3. White: B2.",
    );
  });
});

it("describes an empty board", () => {
  expect(describePosition(samplePosition())).toBe("Board of 3 by 3. Black: none. White: none.");
});

it.each([2, 9, 13, 19, 25])("fits a board of %d into its frame", (size) => {
  const position = samplePosition({ width: size, height: size });
  for (const coordinates of [true, false]) {
    const { vertexSize, style } = measuresOf(position, 374, coordinates);
    const left = Number.parseInt(style.margin.split(" ").at(-1)!);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(vertexSize * size + 2 * left).toBeLessThanOrEqual(374);
  }
});
