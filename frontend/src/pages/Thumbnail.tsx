/** A small picture of a position, for the list of games. */

import type { GameKind } from "../messages";

interface ThumbnailProps {
  kind: GameKind;
  size: number;
  cells: string;
}

/** Columns and rows of the board of a game. */
export function boardShape(kind: GameKind, size: number): [columns: number, rows: number] {
  if (kind === "connect-four") return [7, 6];
  if (kind === "tic-tac-toe") return [3, 3];
  return [size, size];
}

export function Thumbnail({ kind, size, cells }: ThumbnailProps) {
  // What its board looks like, only the game's picture knows.
  if (kind === "own") {
    return (
      <svg class="thumbnail thumbnail--own" viewBox="0 0 4 4" aria-hidden="true">
        <path class="thumbnail__grid" d="M.7 1.3h2.6M.7 2h2.6M.7 2.7h1.6" />
      </svg>
    );
  }
  const [columns, rows] = boardShape(kind, size);
  // Rows of Hex are shifted by half a cell each.
  const shift = kind === "hex" ? 0.5 : 0;
  const width = columns + shift * (rows - 1);
  const side = Math.max(width, rows);
  const left = (side - width) / 2;
  const top = (side - rows) / 2;
  const center = (index: number): [number, number] => {
    const y = Math.floor(index / columns);
    return [left + (index % columns) + shift * y + 0.5, top + y + 0.5];
  };
  const stones = Array.from(cells).flatMap((cell, index) =>
    cell === "." ? [] : [{ color: cell === "X" ? "black" : "white", at: center(index) }],
  );
  return (
    <svg class={`thumbnail thumbnail--${kind}`} viewBox={`0 0 ${side} ${side}`} aria-hidden="true">
      {kind === "go" || kind === "tic-tac-toe" ? (
        <path class="thumbnail__grid" d={gridPath(kind, columns, rows)} />
      ) : (
        Array.from({ length: columns * rows }, (_, index) => {
          const [x, y] = center(index);
          return <circle key={index} class="thumbnail__cell" cx={x} cy={y} r={0.42} />;
        })
      )}
      {stones.map(({ color, at: [x, y] }) =>
        kind === "tic-tac-toe" && color === "black" ? (
          <path
            key={`${x} ${y}`}
            class="thumbnail__stone thumbnail__stone--black"
            d={`M${x - 0.25} ${y - 0.25}l.5 .5m0 -.5l-.5 .5`}
          />
        ) : (
          <circle
            key={`${x} ${y}`}
            class={`thumbnail__stone thumbnail__stone--${color}`}
            cx={x}
            cy={y}
            r={kind === "tic-tac-toe" ? 0.28 : 0.46}
          />
        ),
      )}
    </svg>
  );
}

/** Lines through the points in Go, between the cells in tic-tac-toe. */
function gridPath(kind: GameKind, columns: number, rows: number): string {
  const isGo = kind === "go";
  const offset = isGo ? 0.5 : 1;
  const lines = (count: number) => Array.from({ length: isGo ? count : count - 1 }, (_, at) => at + offset);
  const margin = isGo ? 0.5 : 0.1;
  const across = lines(rows).map((y) => `M${margin} ${y}H${columns - margin}`);
  const down = lines(columns).map((x) => `M${x} ${margin}V${rows - margin}`);
  return [...across, ...down].join("");
}
