/** The two players: names, captures, clocks, and whose turn it is. */

import { colorName, otherColor } from "../boards/colors";
import type { Color, GameState } from "../messages";
import { analysis, game, shownPosition } from "../state";
import { Clock } from "./Clocks";
import { nameOf, sideOf } from "./turn";
import { number, t, told } from "../languages/language";

export function Players() {
  const state = game.value;
  if (state === null) return null;
  return (
    <section class={`players${state.clocks === null ? "" : " players--clocks"}`} aria-label={t("Players")}>
      <Player state={state} color="black" />
      <Player state={state} color="white" />
    </section>
  );
}

function Player({ state, color }: { state: GameState; color: Color }) {
  const position = shownPosition.value ?? state.position;
  const isTurn = state.phase === "playing" && position.to_play === color;
  return (
    <div class={`player${isTurn ? " player--turn" : ""}`}>
      <span class={`stone-dot stone-dot--${state.kind}-${color}`} aria-hidden="true" />
      <div class="player__text">
        <span class="player__name">{told(nameOf(state, color))}</span>
        <span class="player__status small quiet numbers">
          {state.thinking === color ? <Thinking state={state} /> : statusOf(state, color)}
        </span>
      </div>
      {state.kind === "go" && (
        <Captures color={color} count={position.captures[color === "black" ? 0 : 1]} />
      )}
      <Clock state={state} color={color} />
    </div>
  );
}

/** The stones that a player has taken, which are the other color's. */
function Captures({ color, count }: { color: Color; count: number }) {
  const text = t("{n} captured", { n: count });
  return (
    <span class="captures small quiet numbers" title={text}>
      <span
        class={`stone-dot stone-dot--small stone-dot--go-${otherColor(color)}`}
        aria-hidden="true"
      />
      <span aria-hidden="true">{count}</span>
      <span class="visually-hidden">{text}</span>
    </span>
  );
}

function Thinking({ state }: { state: GameState }) {
  const report = analysis.value.get(state.head);
  if (report === undefined || report.final || report.simulations === 0) return <>{t("Thinking…")}</>;
  return (
    <>
      {t("Thinking")} · {number(report.simulations)}
      <span class="player__unit"> {t("simulations")}</span>
    </>
  );
}

/** The color, unless the name says it already, and whether it is this player's turn. */
function statusOf(state: GameState, color: Color): string {
  const name = colorName(state.kind, color);
  const parts = told(nameOf(state, color)) === name ? [] : [name];
  if (state.phase === "playing" && state.position.to_play === color) {
    const isPerson = state.mode === "analysis" || sideOf(state, color) === "human";
    const isAlone = state.mode === "game" && state.black !== state.white;
    if (state.paused && !isPerson) parts.push(t("Paused"));
    else parts.push(isPerson && isAlone ? t("Your turn") : t("To play"));
  }
  return parts.join(" · ");
}
