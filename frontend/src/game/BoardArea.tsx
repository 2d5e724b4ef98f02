/** The board of the game that is shown, whichever it is. */

import type { FunctionComponent } from "preact";

import type { BoardProps } from "../boards/board";
import { ConnectFourBoard } from "../boards/ConnectFourBoard";
import { HexBoard } from "../boards/HexBoard";
import { OwnBoard } from "../boards/OwnBoard";
import { TicTacToeBoard } from "../boards/TicTacToeBoard";
import type { GameKind } from "../messages";
import { boardOverlay, boardPosition, showNoLine } from "../panels/boardView";
import { confirmTaps, coordinates } from "../preferences";
import { game, pendingMove, view } from "../state";
import { picking, withPicked } from "../problems/picking";
import { clickPoint } from "./commands";
import { GoBoard } from "./GoBoard";
import { playable } from "./turn";
import { markPoint, markTool } from "../markup/markup";

const BOARDS: Record<GameKind, FunctionComponent<BoardProps>> = {
  go: GoBoard,
  hex: HexBoard,
  "connect-four": ConnectFourBoard,
  "tic-tac-toe": TicTacToeBoard,
  own: OwnBoard,
};

export function BoardArea() {
  const state = game.value;
  const position = boardPosition.value;
  if (state === null || position === null) return null;
  const Board = BOARDS[state.kind];
  const sent = pendingMove.value;
  const isShown = position.node === view.value;
  const isDrawing = markTool.value !== null && state.kind === "go" && isShown;
  return (
    <div class={`board-frame board-frame--${state.kind}`}>
      <Board
        position={position}
        overlay={withPicked(boardOverlay.value)}
        playable={isShown && !isDrawing && picking(position) === null ? playable.value : NOTHING}
        color={position.to_play}
        pending={sent !== null && sent.node === position.node && sent.move !== "pass" ? sent.move : null}
        coordinates={coordinates.value}
        confirmTaps={confirmTaps.value}
        // What is clicked on another position than the one shown is no move: it ends the preview.
        onPoint={isDrawing ? markPoint : isShown ? (picking(position) ?? clickPoint) : showNoLine}
      />
    </div>
  );
}

const NOTHING: ReadonlySet<string> = new Set();
