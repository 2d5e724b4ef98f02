/** Tic-tac-toe: nine cells, `"a1"` being the lower left one. */
import type { Color, Position } from "../messages";
import type { BoardProps } from "./board";
import { useAim } from "./aim";
import "./boards.css";
import { colorName } from "./colors";
import { overlayAt, type CellOverlay } from "./overlayAt";
import { t } from "../languages/language";

const REACH = 0.27; // from the middle of a cell to the end of a stroke

export function TicTacToeBoard(props: BoardProps) {
  const { position, playable, color, pending } = props;
  const { width, height } = position;
  const vertexAt = (column: number, row: number) => cellVertex(column, row, height);
  const aim = useAim({
    columns: width,
    rows: height,
    vertexAt,
    confirmTaps: false,
    onPoint: props.onPoint,
  });
  const drawn = overlayAt(props.overlay);
  const won = new Set(position.connection);
  const margin = props.coordinates ? 0.32 : 0.06;

  return (
    <div class="board board-three">
      <svg
        ref={aim.ref}
        viewBox={`${-margin} -0.06 ${width + 0.06 + margin} ${height + 0.06 + margin}`}
        role="grid"
        aria-label={t("Tic-tac-toe board")}
        aria-rowcount={height}
        aria-colcount={width}
        onKeyDown={aim.onKeyDown}
        onMouseDown={aim.onMouseDown}
        onBlur={aim.onBlur}
      >
        {range(height).map((row) => (
          <g role="row" key={row}>
            {range(width).map((column) => {
              const vertex = vertexAt(column, row);
              const mark = markAt(position, column, row);
              const isAimed = vertex === aim.aimed && playable.has(vertex);
              return (
                <Cell
                  key={vertex}
                  column={column}
                  row={row}
                  mark={mark ?? (vertex === pending ? color : null)}
                  preview={isAimed ? color : null}
                  isPlayable={playable.has(vertex)}
                  isLast={vertex === position.last && won.size === 0}
                  isWinning={won.has(vertex)}
                  overlay={drawn(vertex)}
                  label={labelOf(vertex, mark, vertex === position.last)}
                  handlers={aim.cell(column, row)}
                />
              );
            })}
          </g>
        ))}
        <g class="three-lines" aria-hidden="true">
          {[1, 2].map((place) => (
            <g key={place}>
              <line x1={place} y1={0.06} x2={place} y2={height - 0.06} />
              <line x1={0.06} y1={place} x2={width - 0.06} y2={place} />
            </g>
          ))}
        </g>
        {props.coordinates &&
          range(width).map((place) => (
            <g key={place} class="board-coordinates" aria-hidden="true">
              <text x={place + 0.5} y={height + 0.16}>{cellVertex(place, 0, height).slice(0, 1)}</text>
              <text x={-0.16} y={place + 0.5}>{height - place}</text>
            </g>
          ))}
      </svg>
    </div>
  );
}

interface CellProps {
  column: number;
  row: number;
  mark: Color | null;
  preview: Color | null;
  isPlayable: boolean;
  isLast: boolean;
  isWinning: boolean;
  overlay: CellOverlay;
  label: string;
  handlers: ReturnType<ReturnType<typeof useAim>["cell"]>;
}

function Cell({ mark, preview, overlay, ...props }: CellProps) {
  const number = mark === null ? overlay.number : undefined;
  const ghost = mark === null ? (number?.color ?? overlay.ghost) : undefined;
  const state = props.isWinning ? " is-winning" : props.isLast ? " is-last" : "";
  return (
    <g
      {...props.handlers}
      role="gridcell"
      aria-label={props.label}
      transform={`translate(${props.column + 0.5} ${props.row + 0.5})`}
      class={`board-cell${props.isPlayable ? " is-playable" : ""}`}
    >
      <rect class="board-hit" x={-0.5} y={-0.5} width={1} height={1} />
      <rect class={`three-cell${state}`} x={-0.44} y={-0.44} width={0.88} height={0.88} rx={0.08} />
      {overlay.heat !== undefined && mark === null && (
        <rect
          class="board-heat"
          x={-0.44}
          y={-0.44}
          width={0.88}
          height={0.88}
          rx={0.08}
          fill-opacity={0.1 + 0.6 * overlay.heat}
        />
      )}
      {mark !== null && <Mark color={mark} kind="" />}
      {mark === null && preview !== null && <Mark color={preview} kind=" is-preview" />}
      {ghost !== undefined && preview === null && <Mark color={ghost} kind=" is-ghost" />}
      {overlay.mark !== undefined && <circle r={0.4} class="board-mark" />}
      {number !== undefined && preview === null && (
        <text class="board-text" x={0.36} y={-0.34} font-size={0.17}>{number.number}</text>
      )}
      {overlay.label !== undefined && mark === null && preview === null && (
        <text class="board-text" y={ghost === undefined ? 0 : 0.38} font-size={0.17}>
          {overlay.label}
        </text>
      )}
      <rect class="board-focus" x={-0.45} y={-0.45} width={0.9} height={0.9} rx={0.08} />
    </g>
  );
}

function Mark({ color, kind }: { color: Color; kind: string }) {
  const style = `three-mark is-${color}${kind}`;
  if (color === "white") return <circle r={REACH} class={style} />;
  return <path class={style} d={`M${-REACH} ${-REACH}L${REACH} ${REACH}M${REACH} ${-REACH}L${-REACH} ${REACH}`} />;
}

/** The name of a cell, counted from the top left: rows are numbered from below. */
export function cellVertex(column: number, row: number, height: number): string {
  return `${String.fromCharCode(97 + column)}${height - row}`;
}

function markAt(position: Position, column: number, row: number): Color | null {
  const cell = position.cells[row * position.width + column];
  return cell === "X" ? "black" : cell === "O" ? "white" : null;
}

function labelOf(vertex: string, mark: Color | null, isLast: boolean): string {
  const what = mark === null ? t("empty") : colorName("tic-tac-toe", mark);
  return `${vertex}, ${what}${isLast ? `, ${t("last move")}` : ""}`;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, place) => place);
}
