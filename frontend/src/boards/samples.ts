/** Positions and properties for the tests of the boards. */
import { vi } from "vitest";

import type { GameState, Position } from "../messages";
import { samplePosition } from "../samples";
import type { BoardProps } from "./board";

/** A position from a picture: rows from the top, cells apart by spaces or not. */
export function positionOf(picture: string, changes: Partial<Position> = {}): Position {
  const rows = picture.trim().split("\n").map((row) => row.replaceAll(" ", ""));
  return samplePosition({
    width: rows[0]?.length ?? 0,
    height: rows.length,
    cells: rows.join(""),
    moves: [],
    ...changes,
  });
}

/** Properties of a board on which everything that the position lists can be played. */
export function propsOf(position: Position, changes: Partial<BoardProps> = {}) {
  const onPoint = vi.fn<(vertex: string) => void>();
  const props: BoardProps = {
    position,
    overlay: {},
    playable: new Set(position.moves),
    color: position.to_play,
    pending: null,
    coordinates: true,
    confirmTaps: false,
    onPoint,
    ...changes,
  };
  return { props, onPoint };
}

/** The same game after one more move at the head. */
export function afterMove(
  game: GameState,
  move: string,
  changes: Partial<GameState> = {},
  captures: [number, number] = game.position.captures,
): GameState {
  const color = game.position.to_play;
  const id = game.tree.length;
  const number = (game.tree.find((node) => node.id === game.head)?.number ?? 0) + 1;
  return {
    ...game,
    tree: [...game.tree, { id, parent: game.head, move, color, number }],
    head: id,
    position: {
      ...game.position,
      node: id,
      to_play: color === "black" ? "white" : "black",
      last: move,
      captures,
    },
    ...changes,
  };
}
