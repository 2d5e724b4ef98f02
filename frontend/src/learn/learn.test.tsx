import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { startGame } from "../connection";
import { beginner, checks } from "../preferences";
import { LearnPage } from "./LearnPage";
import { STEPS } from "./lessons";
import { lessonBoard, playStone } from "./rules";

vi.mock("../connection", () => ({ startGame: vi.fn() }));

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(400);
});
afterEach(() => {
  cleanup();
  beginner.value = false;
  checks.value = "off";
});

describe("the rules of lessons", () => {
  it("captures chains, and nothing else", () => {
    const after = playStone(lessonBoard([".XX.", "XOO.", ".XX.", "...."]), "D3");
    expect(after).toMatchObject({ cells: ".XX.X..X.XX.....", captures: [2, 0], ko: null });
  });

  it("refuses what is taken, suicide and the ko", () => {
    const board = lessonBoard([".XO.", "XO.O", ".XO.", "...."]);
    expect(playStone(board, "B3")).toBe("occupied");
    const taken = playStone(board, "C3");
    expect(taken).toMatchObject({ ko: "B3", captures: [1, 0] });
    if (typeof taken === "string") throw new Error(taken);
    expect(playStone(taken, "B3")).toBe("ko");
    expect(playStone(lessonBoard([".O.", "O..", "..."]), "A3")).toBe("suicide");
  });
});

it("every step can be done", () => {
  for (const step of STEPS) {
    if (step.goal === "pass" || step.goal === "any") continue;
    const vertices = step.goal === "refused" ? step.marks.map(([vertex]) => vertex) : step.goal;
    for (const vertex of vertices) {
      const after = playStone(step.board, vertex);
      if (step.goal === "refused") expect(after, step.title).toBe("suicide");
      else expect(typeof after, step.title).toBe("object");
    }
  }
});

it("the count of the last step is right", () => {
  const last = STEPS.at(-1)!;
  const owned = (mark: string) => Array.from(last.territory!).filter((one) => one === mark).length;
  expect(last.done).toContain(`Black has ${owned("X")} points, White ${owned("O")} and komi`);
});

it("leads through all steps to a first game", () => {
  const { container } = render(<LearnPage />);
  const at = (x: number, y: number) =>
    container.querySelector(`.shudan-vertex[data-x="${x}"][data-y="${y}"]`)!;
  fireEvent.click(at(2, 2));
  expect(screen.getByText(/That is all there is to a move/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Next" }));
  fireEvent.click(at(0, 0));
  expect(screen.getByText("Not there: try again.")).toBeTruthy();
  fireEvent.click(at(3, 2));
  expect(screen.getByText(/^Captured!/)).toBeTruthy();
  for (let step = 1; step < STEPS.length; step++) {
    fireEvent.click(screen.getByRole("button", { name: /Next|Skip/ }));
  }
  fireEvent.click(screen.getByRole("button", { name: "Play a first game" }));
  expect(startGame).toHaveBeenCalledWith(
    expect.objectContaining({ size: 9, strength: { level: "30k" } }),
  );
  expect([beginner.value, checks.value]).toEqual([true, "blunders"]);
});
