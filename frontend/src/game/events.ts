/** What happens in a game that one should not overlook: passes, captures, ko. */

import { computed, signal } from "@preact/signals";

import type { Color, GameState } from "../messages";
import { stonesTaken } from "../sound";
import { explanation, game } from "../state";
import { nameOf, sideOf } from "./turn";
import { count, gap, sentence, t, told } from "../languages/language";

export interface GameEvent {
  /** The node of the move. */
  node: number;
  text: string;
}

/** How long an event is shown, in milliseconds. A pass stays until the next move. */
export const SHOWN = 4000;

const latest = signal<GameEvent | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** The event to show, with the reason of a pass once it is known. */
export const shownEvent = computed((): GameEvent | null => {
  const event = latest.value;
  const state = game.value;
  if (event === null || state?.head !== event.node) return null;
  const node = state.tree.find(({ id }) => id === event.node);
  const reason = explanation.value;
  if (node?.move !== "pass" || reason?.node !== event.node || reason.plain === "") return event;
  return { ...event, text: `${event.text}${gap()}${reasonOf(reason.plain)}`.trim() };
});

/** `"White passes: everything is settled (won)."` without what the event has said already. */
function reasonOf(plain: string): string {
  const [, reason = "", note] = /^[^:]*:?\s*(.*?)(?: \((.*)\))?\.?$/.exec(plain) ?? [];
  const said = told(reason) + (note === undefined ? "" : ` (${told(note)})`);
  return sentence(`${said.charAt(0).toUpperCase()}${said.slice(1)}`);
}

/** Take in a change of the game. */
export function noticeEvent(before: GameState | null, after: GameState): void {
  if (before?.id === after.id && before.head === after.head) return;
  clearTimeout(timer);
  latest.value = eventOf(before, after);
  if (latest.value === null || isPass(after)) return;
  timer = setTimeout(() => (latest.value = null), SHOWN);
}

/** What happened between two states that is worth a line; null if nothing did. */
export function eventOf(before: GameState | null, after: GameState): GameEvent | null {
  if (before?.id !== after.id || after.mode !== "game") return null;
  const node = after.tree.find(({ id }) => id === after.head);
  if (node?.parent !== before.head || node.move === null || node.color === null) return null;
  const name = playerName(after, node.color);
  const isYou = nameOf(after, node.color) === "You";
  const say = (text: string) => ({ node: node.id, text });
  if (node.move === "pass") return say(isYou ? t("You passed.") : t("{name} passed.", { name }));
  if (node.move === "swap") return say(isYou ? t("You swapped sides.") : t("{name} swapped sides.", { name }));
  const taken = stonesTaken(before, after);
  const { ko } = after.position;
  if (ko !== null) return say(t("Ko: {ko} may not be retaken at once.", { ko }));
  if (taken === 0) return null;
  return say(
    isYou
      ? count("You captured a stone.|You captured {n} stones.", taken)
      : count("{name} captured a stone.|{name} captured {n} stones.", taken, { name }),
  );
}

/** A player as a sentence begins: `"You"`, `"Montego"`, or the color among people. */
export function playerName(state: GameState, color: Color): string {
  const name = nameOf(state, color);
  return told(sideOf(state, color) === "human" ? name : name.replace(/ \(.*\)$/, ""));
}

function isPass(state: GameState): boolean {
  return state.tree.find(({ id }) => id === state.head)?.move === "pass";
}
