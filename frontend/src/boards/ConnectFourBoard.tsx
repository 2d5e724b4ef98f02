/**
 * Connect 4: a frame of seven columns; a move is a column, and its disc falls.
 *
 * Columns are `"1"` to `"7"` from the left. A cell that won is named by the column's letter and the row
 * from below, `"d1"` being the lowest in the middle.
 */
import type { Color, Position } from "../messages";
import type { BoardOverlay, VariationMove } from "../overlay";
import type { BoardProps } from "./board";
import { useAim } from "./aim";
import "./boards.css";
import { colorName } from "./colors";
import { overlayAt, type CellOverlay } from "./overlayAt";
import { t } from "../languages/language";

const RADIUS = 0.41;
/** Above the frame, where the disc in the hand is. */
const HAND = 1;
const FOOT = 0.45;

export function ConnectFourBoard(props: BoardProps) {
  const { position, overlay, playable, color, pending } = props;
  const { width, height } = position;
  const aim = useAim({
    columns: width,
    rows: 1,
    vertexAt: (column) => columnName(column),
    confirmTaps: false,
    onPoint: props.onPoint,
  });
  const drawn = overlayAt(overlay);
  const won = new Set(position.connection);
  const columns = Array.from({ length: width }, (_, column) => column);
  const last = position.last === null ? null : Number(position.last) - 1;

  return (
    <div class="board board-four">
      <svg
        ref={aim.ref}
        viewBox={`-0.15 ${-HAND} ${width + 0.3} ${height + HAND + FOOT}`}
        role="grid"
        aria-label={t("Connect 4 board")}
        aria-rowcount={1}
        aria-colcount={width}
        onKeyDown={aim.onKeyDown}
        onMouseDown={aim.onMouseDown}
        onBlur={aim.onBlur}
      >
        <rect class="four-back" x={0} y={0} width={width} height={height} rx={0.3} />
        {discs(position, pending, color).map((disc) => (
          <circle
            key={`${disc.column}-${disc.row}-${disc.color}`}
            cx={disc.column + 0.5}
            cy={disc.row + 0.5}
            r={RADIUS + 0.03}
            class={`four-disc is-${disc.color}${isTop(disc, last, position) ? " is-falling" : ""}`}
            style={{ "--fall": `${-(disc.row + 1)}px`, "--fall-time": `${fallTime(disc.row)}ms` }}
          />
        ))}
        <path class="four-front" d={frontPath(width, height)} fill-rule="evenodd" aria-hidden="true" />
        {columns.map((column) => (
          <Heat key={column} column={column} row={landingRow(position, column)} heat={drawn(columnName(column)).heat} />
        ))}
        {fallen(position, overlay).map((ghost) => (
          <g key={`${ghost.column}-${ghost.row}`} aria-hidden="true" transform={middle(ghost)}>
            <circle r={RADIUS} class={`four-disc is-${ghost.color} is-ghost`} />
            {ghost.text !== undefined && (
              <text class="board-text is-number" font-size={0.4}>{ghost.text}</text>
            )}
          </g>
        ))}
        {discs(position, pending, color).map((disc) => (
          <g key={`${disc.column}-${disc.row}`} aria-hidden="true" transform={middle(disc)}>
            {won.has(cellName(disc, height)) && <circle r={0.3} class="four-won" />}
            {won.size === 0 && isTop(disc, last, position) && <circle r={0.12} class="board-last" />}
          </g>
        ))}
        <g role="row">
          {columns.map((column) => (
            <Column
              key={column}
              column={column}
              position={position}
              preview={aim.aimed === columnName(column) && playable.has(columnName(column)) ? color : null}
              isPlayable={playable.has(columnName(column))}
              overlay={drawn(columnName(column))}
              coordinates={props.coordinates}
              handlers={aim.cell(column, 0)}
            />
          ))}
        </g>
      </svg>
    </div>
  );
}

interface ColumnProps {
  column: number;
  position: Position;
  preview: Color | null;
  isPlayable: boolean;
  overlay: CellOverlay;
  coordinates: boolean;
  handlers: ReturnType<ReturnType<typeof useAim>["cell"]>;
}

/** What can be aimed at: a whole column, from the hand above it to its number below. */
function Column({ column, position, preview, overlay, ...props }: ColumnProps) {
  const { height } = position;
  const row = landingRow(position, column);
  return (
    <g
      {...props.handlers}
      role="gridcell"
      aria-label={describeColumn(position, column)}
      class={`board-cell${props.isPlayable ? " is-playable" : ""}`}
    >
      <rect class="board-hit" x={column} y={-HAND} width={1} height={height + HAND + FOOT} />
      {overlay.label !== undefined && overlay.number === undefined && preview === null && row >= 0 && (
        <text class="board-text" font-size={0.27} x={column + 0.5} y={row + 0.5}>{overlay.label}</text>
      )}
      {overlay.mark !== undefined && row >= 0 && (
        <circle class="board-mark" cx={column + 0.5} cy={row + 0.5} r={0.24} />
      )}
      {preview !== null && row >= 0 && (
        <>
          <circle class={`four-disc is-${preview}`} cx={column + 0.5} cy={-HAND / 2} r={RADIUS} />
          <circle
            class={`four-disc is-${preview} is-preview`}
            cx={column + 0.5}
            cy={row + 0.5}
            r={RADIUS}
          />
        </>
      )}
      {props.coordinates && (
        <text class="board-coordinates" x={column + 0.5} y={height + 0.24}>{column + 1}</text>
      )}
      <rect
        class="board-focus"
        x={column + 0.04}
        y={-HAND + 0.04}
        width={0.92}
        height={height + HAND + FOOT - 0.08}
        rx={0.2}
      />
    </g>
  );
}

/** How much attention a column got, on the cell where its next disc would come to lie. */
function Heat({ column, row, heat }: { column: number; row: number; heat: number | undefined }) {
  if (heat === undefined || row < 0) return null;
  return (
    <circle
      class="board-heat"
      cx={column + 0.5}
      cy={row + 0.5}
      r={RADIUS}
      fill-opacity={0.15 + 0.75 * heat}
    />
  );
}

interface Disc {
  column: number;
  row: number;
  color: Color;
}

/** The discs in the frame, and the one that is on its way to the server. */
function discs(position: Position, pending: string | null, color: Color): Disc[] {
  const found: Disc[] = [];
  Array.from(position.cells).forEach((cell, index) => {
    if (cell === ".") return;
    const row = Math.floor(index / position.width);
    found.push({ column: index % position.width, row, color: cell === "X" ? "black" : "white" });
  });
  if (pending !== null) {
    const column = Number(pending) - 1;
    const row = landingRow(position, column);
    if (row >= 0) found.push({ column, row, color });
  }
  return found;
}

/** Translucent discs where ghosts and the moves of the variation would come to lie. */
export function fallen(
  position: Position,
  overlay: BoardOverlay,
): (Disc & { text: string | undefined })[] {
  const height = Array.from({ length: position.width }, (_, column) => landingRow(position, column));
  const drop = (vertex: string, color: Color, text: string | undefined) => {
    const column = Number(vertex) - 1;
    const row = height[column] ?? -1;
    height[column] = row - 1;
    return { column, row, color, text };
  };
  const moves: readonly VariationMove[] = overlay.variation ?? [];
  if (moves.length > 0) {
    const line = moves.map((move) => drop(move.vertex, move.color, move.number.toString()));
    return line.filter((ghost) => ghost.row >= 0);
  }
  const ghosts = [...(overlay.ghosts ?? [])].map(([vertex, color]) => drop(vertex, color, undefined));
  return ghosts.filter((ghost) => ghost.row >= 0);
}

/** The lowest empty row of a column, counted from above; -1 if it is full. */
export function landingRow(position: Position, column: number): number {
  for (let row = position.height - 1; row >= 0; row--) {
    if (position.cells[row * position.width + column] === ".") return row;
  }
  return -1;
}

function isTop(disc: Disc, column: number | null, position: Position): boolean {
  return disc.column === column && disc.row === landingRow(position, column) + 1;
}

function columnName(column: number): string {
  return (column + 1).toString();
}

function cellName({ column, row }: Disc, height: number): string {
  return `${String.fromCharCode(97 + column)}${height - row}`;
}

function middle({ column, row }: Disc): string {
  return `translate(${column + 0.5} ${row + 0.5})`;
}

/** Milliseconds that a disc takes to fall: with the root of the way, as things do. */
function fallTime(row: number): number {
  return Math.round(170 * Math.sqrt(row + 1));
}

/** `"Column 4: from below Red, Yellow, 4 empty"`. */
export function describeColumn(position: Position, column: number): string {
  const names: string[] = [];
  for (let row = position.height - 1; row >= 0; row--) {
    const cell = position.cells[row * position.width + column];
    if (cell === "X" || cell === "O") {
      names.push(colorName("connect-four", cell === "X" ? "black" : "white"));
    }
  }
  const empty = position.height - names.length;
  const parts = [t("Column {number}", { number: column + 1 })];
  if (names.length > 0) parts.push(t("from below {discs}", { discs: names.join(", ") }));
  parts.push(empty === 0 ? t("full") : empty === position.height ? t("empty") : t("{n} empty", { n: empty }));
  if (position.last === columnName(column)) parts.push(t("last move"));
  return `${parts[0]}: ${parts.slice(1).join(", ")}`;
}

/** A plate with rounded corners and a round hole for every cell. */
function frontPath(width: number, height: number): string {
  const plate = `M0.3 0H${width - 0.3}A0.3 0.3 0 0 1 ${width} 0.3V${height - 0.3}A0.3 0.3 0 0 1 ${width - 0.3} ${height}H0.3A0.3 0.3 0 0 1 0 ${height - 0.3}V0.3A0.3 0.3 0 0 1 0.3 0Z`;
  const holes: string[] = [];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = [column + 0.5 - RADIUS, row + 0.5];
      holes.push(`M${x} ${y}a${RADIUS} ${RADIUS} 0 1 0 ${2 * RADIUS} 0a${RADIUS} ${RADIUS} 0 1 0 ${-2 * RADIUS} 0Z`);
    }
  }
  return plate + holes.join("");
}
