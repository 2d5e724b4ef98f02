/** What the two colors of the protocol are called in each game. */
import type { Color, GameKind } from "../messages";

const NAMES: Record<GameKind, Record<Color, string>> = {
  go: { black: "Black", white: "White" },
  hex: { black: "Red", white: "Blue" },
  "connect-four": { black: "Red", white: "Yellow" },
  "tic-tac-toe": { black: "X", white: "O" },
  own: { black: "First player", white: "Second player" },
};

/** The name of a color in a game: `"Black"` in Go, `"Red"` in Hex, `"X"` in tic-tac-toe. */
export function colorName(kind: GameKind, color: Color): string {
  return NAMES[kind][color];
}

/** The other color. */
export function otherColor(color: Color): Color {
  return color === "black" ? "white" : "black";
}
