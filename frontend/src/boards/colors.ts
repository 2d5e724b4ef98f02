/** What the two colors of the protocol are called in each game. */
import type { Color, GameKind } from "../messages";
import { phrase, t } from "../languages/language";

const NAMES: Record<GameKind, Record<Color, string>> = {
  go: { black: phrase("Black"), white: phrase("White") },
  hex: { black: phrase("Red"), white: phrase("Blue") },
  "connect-four": { black: phrase("Red"), white: phrase("Yellow") },
  "tic-tac-toe": { black: "X", white: "O" },
  own: { black: phrase("First player"), white: phrase("Second player") },
};

/** The name of a color in a game: `"Black"` in Go, `"Red"` in Hex, `"X"` in tic-tac-toe. */
export function colorName(kind: GameKind, color: Color): string {
  return t(NAMES[kind][color]);
}

/** The other color. */
export function otherColor(color: Color): Color {
  return color === "black" ? "white" : "black";
}
