/**
 * Hex: a rhombus of cells. Red (the first player) connects top and bottom, Blue left and right.
 *
 * Where there is more height than width, on a phone, the rhombus stands on its tip: its cells are
 * half as large again. Cells are named as the server names them, `a1` being row 1, column a.
 */
import { useId, useRef } from "preact/hooks";

import { useWidth } from "../game/size";
import type { Color, Position } from "../messages";
import type { BoardProps } from "./board";
import { useAim } from "./aim";
import "./boards.css";
import { colorName } from "./colors";
import { SIDES, layoutOf, type HexLayout, type Point } from "./hexLayout";
import { overlayAt, type CellOverlay } from "./overlayAt";
import { t } from "../languages/language";

/** In less width than this, in pixels, the rhombus stands upright, if the screen does. */
const NARROW = 560;
/** Cells narrower than this are hard to hit with a finger. */
const SMALL_CELL = 34;

export function HexBoard(props: BoardProps) {
  const { position, overlay, playable, color, pending } = props;
  const size = position.width;
  const frame = useRef<HTMLDivElement>(null);
  const room = useWidth(frame);
  const layout = layoutOf(size, room > 0 && room < NARROW && innerHeight > innerWidth, props.coordinates);
  const [left, top, width, height] = layout.box;
  const aim = useAim({
    columns: size,
    rows: size,
    vertexAt: hexVertex,
    confirmTaps: props.confirmTaps && room / width < SMALL_CELL,
    onPoint: props.onPoint,
  });
  const drawn = overlayAt(overlay);
  const won = new Set(position.connection);

  return (
    <div class="board board-hex" ref={frame}>
      <svg
        ref={aim.ref}
        viewBox={`${left} ${top} ${width} ${height}`}
        role="grid"
        aria-label={t("Hex board, {size} by {size}", { size })}
        aria-rowcount={size}
        aria-colcount={size}
        onKeyDown={aim.onKeyDown}
        onMouseDown={aim.onMouseDown}
        onBlur={aim.onBlur}
      >
        <Edges layout={layout} />
        {props.coordinates && <Coordinates layout={layout} />}
        {range(size).map((row) => (
          <g role="row" key={row}>
            {range(size).map((column) => {
              const vertex = hexVertex(column, row);
              const stone = stoneAt(position, column, row);
              const isPending = vertex === pending;
              return (
                <Cell
                  key={vertex}
                  at={layout.center(column, row)}
                  corners={layout.corners}
                  stone={stone ?? (isPending ? color : null)}
                  preview={vertex === aim.aimed && playable.has(vertex) ? color : null}
                  isPlayable={playable.has(vertex)}
                  isLast={vertex === position.last}
                  isWinning={won.has(vertex)}
                  overlay={drawn(vertex)}
                  label={labelOf(vertex, stone, vertex === position.last)}
                  handlers={aim.cell(column, row)}
                />
              );
            })}
          </g>
        ))}
        <Connection position={position} layout={layout} />
      </svg>
      {playable.has("swap") && (
        <button type="button" class="board-extra" onClick={() => props.onPoint("swap")}>
          {t("Swap: take Red’s first stone, mirrored")}
        </button>
      )}
    </div>
  );
}

interface CellProps {
  at: Point;
  corners: readonly Point[];
  stone: Color | null;
  preview: Color | null;
  isPlayable: boolean;
  isLast: boolean;
  isWinning: boolean;
  overlay: CellOverlay;
  label: string;
  handlers: ReturnType<ReturnType<typeof useAim>["cell"]>;
}

function Cell(props: CellProps) {
  const { at, stone, preview, overlay } = props;
  const shape = pointList(props.corners);
  const number = stone === null ? overlay.number : undefined;
  const ghost = stone === null ? (number?.color ?? overlay.ghost) : undefined;
  const text = number?.number.toString() ?? (stone === null ? overlay.label : undefined);
  return (
    <g
      {...props.handlers}
      role="gridcell"
      aria-label={props.label}
      transform={`translate(${at[0].toFixed(3)} ${at[1].toFixed(3)})`}
      class={`board-cell${props.isPlayable ? " is-playable" : ""}`}
    >
      <polygon points={shape} class={`hex-cell${props.isWinning ? " is-winning" : ""}`} />
      {overlay.heat !== undefined && stone === null && (
        <polygon points={shape} class="board-heat" fill-opacity={0.12 + 0.68 * overlay.heat} />
      )}
      {stone !== null && <circle r={0.39} class={`hex-stone is-${stone}`} />}
      {ghost !== undefined && <circle r={0.36} class={`hex-stone is-${ghost} is-ghost`} />}
      {stone === null && preview !== null && (
        <circle r={0.39} class={`hex-stone is-${preview} is-preview`} />
      )}
      {props.isLast && stone !== null && <circle r={0.13} class="board-last" />}
      {overlay.mark !== undefined && <circle r={0.22} class="board-mark" />}
      {text !== undefined && preview === null && (
        <text class={`board-text${number === undefined ? "" : " is-number"}`} font-size={fitted(text)}>
          {text}
        </text>
      )}
      <polygon points={shape} class="board-focus" />
    </g>
  );
}

/** The sides of the board in the colors of those who connect them; the long diagonal parts them. */
function Edges({ layout }: { layout: HexLayout }) {
  const id = useId();
  return (
    <g aria-hidden="true">
      {(["upper", "lower"] as const).map((half) => (
        <clipPath key={half} id={`${id}-${half}`}>
          <polygon points={pointList(layout.half(half))} />
        </clipPath>
      ))}
      {SIDES.map(({ name, color, half }) => (
        <g key={name} clip-path={`url(#${id}-${half})`}>
          <polyline class={`hex-edge is-${color}`} points={pointList(layout.edge(name))} />
        </g>
      ))}
    </g>
  );
}

function Coordinates({ layout }: { layout: HexLayout }) {
  return (
    <g aria-hidden="true" class="board-coordinates">
      {range(layout.size).map((place) => {
        const [letter, number] = layout.coordinates(place);
        return (
          <g key={place}>
            <text x={letter[0]} y={letter[1]}>{hexVertex(place, 0).slice(0, 1)}</text>
            <text x={number[0]} y={number[1]}>{place + 1}</text>
          </g>
        );
      })}
    </g>
  );
}

/** A line through the cells that won. */
function Connection({ position, layout }: { position: Position; layout: HexLayout }) {
  if (position.connection.length === 0) return null;
  const points = position.connection.map((vertex) => layout.center(...placeOf(vertex)));
  return <polyline aria-hidden="true" class="board-connection" points={pointList(points)} />;
}

function pointList(points: readonly Point[]): string {
  return points.map(([x, y]) => `${x.toFixed(3)},${y.toFixed(3)}`).join(" ");
}

/** The name of a cell, counted from the top left. */
export function hexVertex(column: number, row: number): string {
  return `${String.fromCharCode(97 + column)}${row + 1}`;
}

function placeOf(vertex: string): [column: number, row: number] {
  return [vertex.charCodeAt(0) - 97, Number(vertex.slice(1)) - 1];
}

function stoneAt(position: Position, column: number, row: number): Color | null {
  const cell = position.cells[row * position.width + column];
  return cell === "X" ? "black" : cell === "O" ? "white" : null;
}

function labelOf(vertex: string, stone: Color | null, isLast: boolean): string {
  const what = stone === null ? t("empty") : colorName("hex", stone);
  return `${vertex}, ${what}${isLast ? `, ${t("last move")}` : ""}`;
}

/** A size at which a text fits into a cell. */
function fitted(text: string): number {
  return text.length <= 2 ? 0.36 : text.length === 3 ? 0.3 : 0.24;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, place) => place);
}
