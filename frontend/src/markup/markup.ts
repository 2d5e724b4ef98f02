/** Drawing on the board: which mark is in the hand, and what a click does with it. */

import { signal } from "@preact/signals";

import { send } from "../connection";
import type { MarkTool } from "../messages";
import type { BoardOverlay, MarkShape } from "../overlay";
import { view } from "../state";

/** What a click on the board draws; null if it plays. */
export const markTool = signal<MarkTool | null>(null);

const SHAPES: readonly string[] = ["triangle", "square", "circle", "cross"];

/** The server works out the mark: a second click may come before the answer to the first. */
export function markPoint(vertex: string): void {
  if (markTool.value !== null) send({ type: "draw_mark", node: view.value, vertex, tool: markTool.value });
}

export function clearMarks(): void {
  send({ type: "clear_marks", node: view.value });
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
