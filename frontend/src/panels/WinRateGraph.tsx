/** The chances along the game: the line from its beginning through the node shown to its end. */
import "uplot/dist/uPlot.min.css";
import "./panels.css";
import "./course.css";
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { remembered } from "../preferences";
import { game, line, look, view } from "../state";
import { analysisReports } from "./boardView";
import { drawGraph, type Graph } from "./graph";
import { mistakesByNode } from "./review";
import { readingAt, roomFor, seriesOf, summaryOf } from "./graphSeries";
import { t } from "../languages/language";

const withScore = remembered("graph-score", false, (value) =>
  typeof value === "boolean" ? value : null,
);

export function WinRateGraph() {
  const element = useRef<HTMLDivElement>(null);
  const graph = useSignal<Graph | null>(null);
  const hovered = useSignal<number | null>(null);
  const series = useComputed(() => seriesOf(line.value, analysisReports.value));
  const shown = useComputed(() => line.value.findIndex((node) => node.id === view.value));

  useEffect(() => {
    if (!element.current) return;
    const drawn = drawGraph(element.current, {
      go: (place) => {
        const node = line.peek()[place];
        if (node) look(node.id);
      },
      hover: (place) => (hovered.value = place),
    });
    graph.value = drawn;
    return drawn.close;
  }, [graph, hovered]);
  useSignalEffect(() => {
    const kind = game.value?.kind ?? "go";
    const { score } = series.value;
    const hasScore = withScore.value && kind === "go";
    const drawn = { ...series.value, score: hasScore ? score : score.map(() => null) };
    const mistakes = mistakesByNode.value;
    const dots = line.value.flatMap(({ id }, place) => {
      const mistake = mistakes.get(id);
      return mistake ? [{ place, bad: mistake.bad }] : [];
    });
    graph.value?.update(drawn, shown.value, roomFor(kind), dots);
  });

  const current = game.value;
  if (!current) return null;
  const place = Math.min(hovered.value ?? shown.value, line.value.length - 1);
  return (
    <section class="graph" aria-label={t("Win rate")}>
      <header class="graph__head">
        <p class="graph__reading small numbers">
          {readingAt(current.kind, line.value, series.value, place)}
        </p>
        {current.kind === "go" && (
          <button
            type="button"
            class="chip"
            aria-pressed={withScore.value}
            onClick={() => (withScore.value = !withScore.value)}
          >
            {t("Score")}
          </button>
        )}
      </header>
      <div
        ref={element}
        class="graph__plot"
        role="slider"
        tabIndex={0}
        aria-label={t("Move shown")}
        aria-valuemin={0}
        aria-valuemax={Math.max(line.value.length - 1, 0)}
        aria-valuenow={Math.max(shown.value, 0)}
        aria-valuetext={readingAt(current.kind, line.value, series.value, shown.value)}
        aria-describedby="graph-summary"
      />
      <p id="graph-summary" class="visually-hidden">
        {summaryOf(current.kind, series.value)}
      </p>
    </section>
  );
}
