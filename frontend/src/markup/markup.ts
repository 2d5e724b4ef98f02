/** Drawing on the board: which mark is in the hand, and what a click does with it. */

import { signal } from "@preact/signals";

import { send } from "../connection";
import type { BoardOverlay, MarkShape } from "../overlay";
import { nodes, view } from "../state";

export type MarkTool = "triangle" | "square" | "circle" | "cross" | "letter" | "number";

/** What a click on the board draws; null if it plays. */
export const markTool = signal<MarkTool | null>(null);

const SHAPES: readonly string[] = ["triangle", "square", "circle", "cross"];

/** Marks after a click: what was there goes if it is the same kind, or becomes the new mark. */
export function withMark(
  marks: Readonly<Record<string, string>>,
  vertex: string,
  tool: MarkTool,
): Record<string, string> {
  const { [vertex]: before, ...others } = marks;
  if (before !== undefined && kindOf(before) === tool) return others;
  return { ...others, [vertex]: SHAPES.includes(tool) ? tool : nextLabel(Object.values(others), tool) };
}

function kindOf(mark: string): MarkTool {
  if (SHAPES.includes(mark)) return mark as MarkTool;
  return /^\d+$/.test(mark) ? "number" : "letter";
}

/** The first letter or number that is free. */
function nextLabel(used: readonly string[], tool: MarkTool): string {
  const label = (place: number) => (tool === "number" ? String(place + 1) : letterAt(place));
  for (let place = 0; ; place++) if (!used.includes(label(place))) return label(place);
}

/** A to Z, a to z, then two letters. */
function letterAt(place: number): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const last = letters.charAt(place % letters.length);
  return place < letters.length ? last : letters.charAt(Math.floor(place / letters.length) - 1) + last;
}

export function markPoint(vertex: string): void {
  const node = nodes.value.get(view.value);
  if (node === undefined || markTool.value === null) return;
  send({ type: "set_marks", node: node.id, marks: withMark(node.marks ?? {}, vertex, markTool.value) });
}

export function clearMarks(): void {
  send({ type: "set_marks", node: view.value, marks: {} });
}

/** An overlay with what is drawn on the board on top. */
export function overlayWithMarks(
  overlay: BoardOverlay,
  drawn: Readonly<Record<string, string>> | undefined,
): BoardOverlay {
  if (drawn === undefined || Object.keys(drawn).length === 0) return overlay;
  const marks = new Map(overlay.marks);
  const texts = new Map(overlay.texts);
  for (const [vertex, mark] of Object.entries(drawn)) {
    if (SHAPES.includes(mark)) marks.set(vertex, mark as MarkShape);
    else texts.set(vertex, mark);
  }
  return { ...overlay, marks, texts };
}
