/** How a game ended, as the person who played it would say. */

import { startGame } from "../connection";
import type { GameState, NewGame } from "../messages";
import { playerName } from "./events";
import { sideOf } from "./turn";
import { count, t, told } from "../languages/language";

/** `"You win by 3.5 points"`, and what else the server says of it: `"44 to 37.5"`. */
export function resultText(state: GameState): { headline: string; detail: string } {
  const [first = "", ...rest] = (state.result ?? "").split(": ");
  const detail = told(rest.join(": "));
  if (first === "") return { headline: t("The game is over"), detail };
  const people = [state.black, state.white].filter((side) => side === "human").length;
  if (state.winner === null || people !== 1) return { headline: told(first), detail };
  const name = playerName(state, state.winner);
  const isYou = sideOf(state, state.winner) === "human";
  const points = Number(/ wins by ([\d.]+) /.exec(first)?.[1] ?? Number.NaN);
  if (Number.isNaN(points)) {
    return { headline: isYou ? t("You win") : t("{name} wins", { name }), detail };
  }
  const headline = isYou
    ? count("You win by {n} point|You win by {n} points", points)
    : count("{name} wins by {n} point|{name} wins by {n} points", points, { name });
  return { headline, detail };
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
