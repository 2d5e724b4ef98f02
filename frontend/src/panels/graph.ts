/** The drawing of the win-rate graph: uPlot with the colors of the page. */
import uPlot from "uplot";
import { bridged, isolated, scoreRange, type GraphSeries } from "./graphSeries";

export interface Graph {
  /** Draw these values, with a line at the place that is shown, in room for so many moves. */
  update: (series: GraphSeries, shown: number, room: number, dots: readonly GraphDot[]) => void;
  close: () => void;
}

/** A mistake at a place of the line. */
export interface GraphDot {
  place: number;
  bad: boolean;
}

interface GraphEvents {
  /** A place was clicked. */
  go: (place: number) => void;
  /** The mouse is over a place, or has left. */
  hover: (place: number | null) => void;
}

const HEIGHT = 124;

/** Draw a graph into an element, as wide as that is, until it is closed. */
export function drawGraph(element: HTMLElement, events: GraphEvents): Graph {
  let shown = 0;
  let dots: readonly GraphDot[] = [];
  let errors: readonly (number | null)[] = [];
  let moves = 0;
  let length = 1;
  let range: [number, number] = [-5, 5];
  const plot = new uPlot(options(), [[0], [null], [null]], element);

  const resize = new ResizeObserver(() => {
    if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height: HEIGHT });
  });
  resize.observe(element);
  const repaint = () => plot.redraw(false, true);
  const themes = new MutationObserver(repaint);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", repaint);

  return {
    update(series, place, room, mistakes) {
      shown = place;
      dots = mistakes;
      errors = bridged(series.error);
      moves = series.win.length - 1;
      length = Math.max(moves, room);
      range = scoreRange(series.score);
      plot.setData([
        series.win.map((_, move) => move),
        bridged(series.win),
        bridged(series.score),
      ]);
    },
    close() {
      resize.disconnect();
      themes.disconnect();
      system.removeEventListener("change", repaint);
      plot.destroy();
    },
  };

  function options(): uPlot.Options {
    const axis: uPlot.Axis = {
      stroke: () => color("--text-quiet"),
      font: "11px system-ui, sans-serif",
      grid: { stroke: () => color("--line"), width: 1 },
      ticks: { show: false },
    };
    return {
      width: element.clientWidth || 320,
      height: HEIGHT,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: {
        x: { time: false, range: () => [0, length] },
        win: { range: [0, 100] },
        score: { range: () => range },
      },
      axes: [
        { ...axis, size: 18, gap: 2, grid: { show: false }, incrs: [1, 5, 10, 20, 50, 100, 200, 500] },
        { ...axis, scale: "win", size: 36, gap: 4, splits: [0, 25, 50, 75, 100], values: percents },
      ],
      series: [
        {},
        {
          scale: "win",
          stroke: () => color("--accent"),
          fill: () => color("--accent-soft"),
          fillTo: 50,
          width: 2,
          points: { show: true, size: 5, filter: () => isolated(values(1)) },
        },
        {
          scale: "score",
          stroke: () => color("--warm"),
          width: 1.5,
          dash: [4, 3],
          points: { show: true, size: 4, filter: () => isolated(values(2)) },
        },
      ],
      hooks: {
        drawSeries: [(u, series) => series === 1 && drawBand(u)],
        draw: [drawShown],
        setCursor: [(u) => events.hover(u.cursor.idx ?? null)],
        ready: [
          (u) => {
            u.over.addEventListener("click", (event) => {
              events.go(Math.min(Math.max(u.posToIdx(event.offsetX), 0), moves));
            });
          },
        ],
      },
    };
  }

  function values(series: number): (number | null)[] {
    return (plot.data[series] ?? []) as (number | null)[];
  }

  /** The band around the chances in which they may lie. */
  function drawBand(u: uPlot): void {
    const { ctx } = u;
    const win = values(1);
    const at = (place: number, value: number): [number, number] => [
      u.valToPos(place, "x", true),
      u.valToPos(Math.min(Math.max(value, 0), 100), "win", true),
    ];
    ctx.save();
    ctx.globalAlpha = 0.22;
    ctx.fillStyle = color("--accent");
    for (let place = 0; place + 1 < win.length; place++) {
      const [here, next] = [win[place], win[place + 1]];
      if (typeof here !== "number" || typeof next !== "number") continue;
      const [error, following] = [errors[place] ?? 0, errors[place + 1] ?? 0];
      ctx.beginPath();
      ctx.moveTo(...at(place, here + error));
      ctx.lineTo(...at(place + 1, next + following));
      ctx.lineTo(...at(place + 1, next - following));
      ctx.lineTo(...at(place, here - error));
      ctx.fill();
    }
    ctx.restore();
  }

  function drawDots(u: uPlot): void {
    const { ctx } = u;
    for (const { place, bad } of dots) {
      const win = values(1)[place];
      if (typeof win !== "number") continue;
      ctx.beginPath();
      ctx.fillStyle = color(bad ? "--danger" : "--warm");
      const radius = (bad ? 4.5 : 3.5) * devicePixelRatio;
      ctx.arc(u.valToPos(place, "x", true), u.valToPos(win, "win", true), radius, 0, 2 * Math.PI);
      ctx.fill();
    }
  }

  function drawShown(u: uPlot): void {
    const { ctx } = u;
    const middle = u.valToPos(50, "win", true);
    const here = u.valToPos(shown, "x", true);
    const { left, top, width, height } = u.bbox;
    ctx.save();
    ctx.lineWidth = devicePixelRatio;
    ctx.strokeStyle = color("--line-strong");
    ctx.beginPath();
    ctx.moveTo(left, middle);
    ctx.lineTo(left + width, middle);
    ctx.stroke();
    ctx.lineWidth = 2 * devicePixelRatio;
    ctx.strokeStyle = color("--text");
    ctx.beginPath();
    ctx.moveTo(here, top);
    ctx.lineTo(here, top + height);
    ctx.stroke();
    drawDots(u);
    ctx.restore();
  }
}

function percents(_: uPlot, splits: number[]): string[] {
  return splits.map((split) => (split % 50 === 0 ? `${split}%` : ""));
}

/** A color of the page's theme as it is now. */
function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}
