/** What a game is about, in one picture and one sentence. */

import "../learn/learn.css";
import type { GameKind } from "../messages";
import { Thumbnail } from "./Thumbnail";
import { phrase, t } from "../languages/language";

interface GameGoal {
  text: string;
  size: number;
  /** A game that Black, or the first player, has won. */
  cells: string;
}

export const GOALS: Record<Exclude<GameKind, "own">, GameGoal> = {
  go: {
    text: phrase("Fence in more of the board than the other; stones without a free point are captured."),
    size: 5,
    cells: ".XO.." + ".XO.." + "XXOO." + ".XXO." + "..XO.",
  },
  hex: {
    text: phrase("Red connects the upper and lower edge, Blue the left and right one. Somebody always does."),
    size: 5,
    cells: "..X.." + ".OX.." + ".XOO." + ".XO.." + "X....",
  },
  "connect-four": {
    text: phrase("Drop discs into columns; four of yours in a row, in any direction, win."),
    size: 7,
    cells: "......." + "......." + "...X..." + "..XO..." + ".XOXO.." + "XOOOX..",
  },
  "tic-tac-toe": {
    text: phrase("Three of yours in a row, in any direction, win."),
    size: 3,
    cells: "X.O" + "OX." + "..X",
  },
};

export function Goal({ kind, onLearn }: { kind: GameKind; onLearn: () => void }) {
  if (kind === "own") return null;
  const { text, size, cells } = GOALS[kind];
  return (
    <div class="goal">
      <Thumbnail kind={kind} size={size} cells={cells} />
      <p class="small quiet">
        {t(text)}
        {kind === "go" && (
          <>
            {" "}
            <a href="#/learn" onClick={onLearn}>
              {t("Learn the rules")}
            </a>
          </>
        )}
      </p>
    </div>
  );
}
