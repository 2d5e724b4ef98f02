/** What to draw on the board by a click: shapes, letters, numbers. */

import { phrase, t } from "../languages/language";
import type { MarkTool } from "../messages";
import { connected, nodes, view } from "../state";
import { clearMarks, markTool } from "./markup";

const TOOLS: readonly (readonly [tool: MarkTool, sign: string, name: string])[] = [
  ["triangle", "△", phrase("Triangle")],
  ["square", "□", phrase("Square")],
  ["circle", "○", phrase("Circle")],
  ["cross", "✕", phrase("Cross")],
  ["letter", "A", phrase("Letter")],
  ["number", "1", phrase("Number")],
];

export function MarkTools() {
  const hasMarks = Object.keys(nodes.value.get(view.value)?.marks ?? {}).length > 0;
  return (
    <div class="mark-tools" role="group" aria-label={t("Draw on the board")}>
      {TOOLS.map(([tool, sign, name]) => (
        <button
          key={tool}
          type="button"
          class="chip"
          aria-pressed={markTool.value === tool}
          title={t(name)}
          disabled={!connected.value}
          onClick={() => (markTool.value = markTool.value === tool ? null : tool)}
        >
          <span aria-hidden="true">{sign}</span>
          <span class="visually-hidden">{t(name)}</span>
        </button>
      ))}
      {hasMarks && (
        <button type="button" class="chip" onClick={clearMarks}>
          {t("Clear")}
        </button>
      )}
      {markTool.value !== null && <span class="small quiet">{t("A click on the board draws; the same mark again stops.")}</span>}
    </div>
  );
}
