/** How a game ended, as the person who played it would say. */

import { startGame } from "../connection";
import type { GameState, NewGame } from "../messages";
import { playerName } from "./events";

/** `"You win by 3.5 points"`, and what else the server says of it: `"44 to 37.5"`. */
export function resultText(state: GameState): { headline: string; detail: string } {
  const text = state.result ?? "The game is over";
  const [first = text, ...rest] = text.split(": ");
  const detail = rest.join(": ");
  const people = [state.black, state.white].filter((side) => side === "human").length;
  if (state.winner === null || people !== 1) return { headline: first, detail };
  const who = playerName(state, state.winner);
  const verb = who === "You" ? "win" : "wins";
  return { headline: first.replace(/^.+? wins/, `${who} ${verb}`), detail };
}

/** Play the same again, with colors changed. */
export function rematch(state: GameState): void {
  startGame(rematchOf(state));
}

export function rematchOf(state: GameState): NewGame {
  const request: NewGame = {
    type: "new_game",
    kind: state.kind,
    size: state.size,
    // A handicap is the weaker player's, who stays with it.
    black: state.handicap > 0 ? state.black : state.white,
    white: state.handicap > 0 ? state.white : state.black,
    strength: state.strength,
    clock: state.clock,
  };
  if (state.kind === "go") {
    request.rules = state.rules;
    request.komi = state.komi;
    request.handicap = state.handicap;
  }
  return request;
}
