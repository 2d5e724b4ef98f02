/** What the state of the game means for the person in front of the page. */

import { computed } from "@preact/signals";

import type { Color, GameState, Position, Side } from "../messages";
import { game, pendingAnalysis, pendingMove, positions, view } from "../state";

export function sideOf(state: GameState, color: Color): Side {
  return color === "black" ? state.black : state.white;
}

export function nameOf(state: GameState, color: Color): string {
  return state.names[color === "black" ? 0 : 1];
}

/** Whether the view is where the game stands. */
export const atHead = computed(() => view.value === game.value?.head);

/** Whether Montego or an engine plays both colors. */
export const isExhibition = computed(() => {
  const state = game.value;
  return (
    state !== null && state.mode === "game" && state.black !== "human" && state.white !== "human"
  );
});

/** Whether a person may move at the node that is shown. */
export const canMove = computed(() => {
  const state = game.value;
  const position = positions.value.get(view.value);
  if (state === null || position === undefined) return false;
  return pendingAnalysis.value !== null || mayMove(state, position, atHead.value);
});

/** What the person may play at the node that is shown, passing included. */
export const playable = computed<ReadonlySet<string>>(() => {
  const position = positions.value.get(view.value);
  return canMove.value && pendingMove.value === null ? new Set(position?.moves) : new Set();
});

export function mayMove(state: GameState, position: Position, isHead: boolean): boolean {
  if (state.mode === "analysis") return true;
  return isHead && state.phase === "playing" && sideOf(state, position.to_play) === "human";
}

/** Whether a person could go on with the game from the node that is shown: *play from here*. */
export const canPlayFromHere = computed(
  () => game.value?.mode === "game" && !atHead.value && !isExhibition.value,
);

/** The position shown, if in a game it would be a person's turn there. */
export const personsPosition = computed(() => {
  const state = game.value;
  const position = positions.value.get(view.value);
  if (state === null || position === undefined) return null;
  return sideOf(state, position.to_play) === "human" ? position : null;
});
