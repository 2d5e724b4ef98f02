/** The rules of Go on a small board, for lessons: the server is not asked about every click. */

import { formatVertex, parseVertex } from "../game/coordinates";
import type { Color, Position } from "../messages";

/** A board: rows of `.`, `X` and `O` from the top, and where a ko may not be retaken. */
export interface LessonBoard {
  size: number;
  cells: string;
  to_play: Color;
  last: string | null;
  ko: string | null;
  captures: [number, number];
}

/** Why a stone may not be played. */
export type Refusal = "occupied" | "suicide" | "ko";

export function lessonBoard(rows: readonly string[], to_play: Color = "black"): LessonBoard {
  const cells = rows.join("").replace(/\s/g, "");
  return { size: rows.length, cells, to_play, last: null, ko: null, captures: [0, 0] };
}

export function markOf(color: Color): "X" | "O" {
  return color === "black" ? "X" : "O";
}

/** The board after a stone of the player to move, or why it may not be played. */
export function playStone(board: LessonBoard, vertex: string): LessonBoard | Refusal {
  const place = parseVertex(vertex, board.size, board.size);
  if (place === null) return "occupied";
  const index = place.y * board.size + place.x;
  if (board.cells.charAt(index) !== ".") return "occupied";
  if (board.ko === vertex) return "ko";
  const own = markOf(board.to_play);
  const cells = Array.from(board.cells);
  cells[index] = own;
  const taken = new Set<number>();
  for (const near of neighbors(index, board.size)) {
    if (cells[near] === "." || cells[near] === own || taken.has(near)) continue;
    const chain = chainAt(cells, near, board.size);
    if (chain.liberties.size === 0) chain.stones.forEach((stone) => taken.add(stone));
  }
  taken.forEach((stone) => (cells[stone] = "."));
  const chain = chainAt(cells, index, board.size);
  if (chain.liberties.size === 0) return "suicide";
  const [only] = taken;
  const isKo = taken.size === 1 && chain.stones.size === 1 && chain.liberties.size === 1;
  const captures: [number, number] = [...board.captures];
  captures[board.to_play === "black" ? 0 : 1] += taken.size;
  return {
    size: board.size,
    cells: cells.join(""),
    to_play: board.to_play === "black" ? "white" : "black",
    last: vertex,
    ko: isKo && only !== undefined ? vertexAt(only, board.size) : null,
    captures,
  };
}

/** The board as the page draws it; the person plays Black in every lesson. */
export function positionOf(board: LessonBoard): Position {
  const { size, cells, to_play, last, ko, captures } = board;
  const moves = Array.from(cells).flatMap((cell, index) => (cell === "." ? [vertexAt(index, size)] : []));
  return {
    type: "position",
    game: "lesson",
    node: 0,
    width: size,
    height: size,
    cells,
    to_play,
    last,
    moves,
    ko,
    captures,
    connection: [],
    picture: "",
  };
}

function vertexAt(index: number, size: number): string {
  return formatVertex({ x: index % size, y: Math.floor(index / size) }, size);
}

function neighbors(index: number, size: number): number[] {
  const x = index % size;
  const found: number[] = [];
  if (x > 0) found.push(index - 1);
  if (x < size - 1) found.push(index + 1);
  if (index >= size) found.push(index - size);
  if (index < size * (size - 1)) found.push(index + size);
  return found;
}

function chainAt(cells: readonly string[], start: number, size: number) {
  const stones = new Set([start]);
  const liberties = new Set<number>();
  const waiting = [start];
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    for (const near of neighbors(here, size)) {
      if (cells[near] === ".") liberties.add(near);
      else if (cells[near] === cells[start] && !stones.has(near)) {
        stones.add(near);
        waiting.push(near);
      }
    }
  }
  return { stones, liberties };
}
