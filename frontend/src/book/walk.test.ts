import { expect, it } from "vitest";

import { sampleBook, sampleBookMove, samplePosition } from "../samples";
import {
  bookOverlay,
  countsText,
  knownPoints,
  moveAt,
  movePointed,
  placeAfter,
  placeAt,
  smallCount,
  turnText,
} from "./walk";

it("knows all points that symmetry makes the same", () => {
  const reply = sampleBook();
  expect(moveAt(reply, "A1")?.move).toBe("C3");
  expect(moveAt(reply, "A2")).toBeNull();
  expect(knownPoints(reply)).toEqual(new Set(["B2", "C3", "C1", "A3", "A1"]));
});

it("leads on and back", () => {
  const reply = sampleBook({ moves: ["B2", "A1"] });
  expect(placeAfter(reply, "C3").moves).toEqual(["B2", "A1", "C3"]);
  expect(placeAt(reply, 1)).toEqual({ page: "book", settings: "3-chinese-7.5", moves: ["B2"] });
  expect(placeAt(reply, -1).moves).toEqual([]);
});

it("shows visits as heat, and chances of the player to move with counts", () => {
  const { heat, labels, marks } = bookOverlay(sampleBook(), null);
  expect(heat?.get("B2")).toBe(1);
  expect(heat?.get("A3")).toBe(0.5);
  expect(heat?.has("pass")).toBe(false);
  expect(labels?.get("B2")).toBe("61\n1.2k");
  expect(labels?.get("C1")).toBe("40\n300");
  expect(marks).toBeUndefined();

  const white = sampleBook({ position: samplePosition({ to_play: "white" }) });
  expect(bookOverlay(white, null).labels?.get("B2")).toBe("39\n1.2k");
});

it("has no numbers for moves that were hardly looked at", () => {
  const reply = sampleBook({ known: [sampleBookMove({ visits: 500 }), sampleBookMove({ move: "B2", alike: [], visits: 4 })] });
  const { heat, labels } = bookOverlay(reply, null);
  expect(heat?.has("B2")).toBe(true);
  expect(labels?.has("B2")).toBe(false);
  expect(labels?.has("C3")).toBe(true);
});

it("has one line of small print on large boards", () => {
  const large = sampleBook({ position: samplePosition({ width: 19, height: 19 }) });
  expect(bookOverlay(large, null).labels?.get("B2")).toBe("61");
});

it("marks the move pointed at wherever it is the same", () => {
  expect([...(bookOverlay(sampleBook(), "C1").marks?.keys() ?? [])]).toEqual(["C3", "C1", "A3", "A1"]);
});

it("points at one move after another, and stays at the ends", () => {
  const reply = sampleBook();
  expect(movePointed(reply, null, 1)).toBe("B2");
  expect(movePointed(reply, "B2", 1)).toBe("C3");
  expect(movePointed(reply, "pass", 1)).toBe("pass");
  expect(movePointed(reply, "A1", -1)).toBe("B2");
  expect(movePointed(reply, null, -1)).toBe("pass");
  expect(movePointed(sampleBook({ known: [] }), null, 1)).toBeNull();
});

it("says how much is known", () => {
  expect(turnText(sampleBook())).toBe("Black to play");
  expect(countsText(sampleBook())).toBe("1,500 visits, 3 known moves");
  expect(countsText(sampleBook({ visits: 1, known: [sampleBookMove()] }))).toBe("1 visit, 1 known move");
  expect(countsText(sampleBook({ visits: 0, known: [] }))).toMatch(/^The book ends here/);
});

it.each([
  [7, "7"],
  [999, "999"],
  [1000, "1.0k"],
  [9949, "9.9k"],
  [9950, "10k"],
  [999_499, "999k"],
  [999_500, "1.0M"],
])("writes %i small", (count, text) => {
  expect(smallCount(count)).toBe(text);
});
