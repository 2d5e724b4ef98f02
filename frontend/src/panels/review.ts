/** The review of the line that is shown: what it found, and how one walks through it. */
import { computed, effect, signal } from "@preact/signals";
import { send } from "../connection";
import type { Mistake, ReviewReply } from "../messages";
import { wholeVariation } from "../overlays";
import { judging } from "../preferences";
import { connected, game, line, look, nodes, review, view } from "../state";
import { pin } from "./boardView";
import { nextMistake, shownMistakes, type PlayedMistake } from "./reviewSteps";

/** The game whose review was asked for, so that its mistakes are shown while it goes on. */
const asked = signal<string | null>(null);

/** Judge every move of the line that is shown; what was judged before is not judged again. */
export function startReview(): void {
  asked.value = game.value?.id ?? null;
  send({ type: "review", on: true, node: line.value.at(-1)?.id ?? 0 });
}

export function stopReview(): void {
  send({ type: "review", on: false, node: line.value.at(-1)?.id ?? 0 });
}

/** The latest review, if it is one of the line that is shown, and may be seen. */
export const lineReview = computed((): ReviewReply | null => {
  const found = review.value;
  const state = game.value;
  if (found === null || state === null) return null;
  // Who is still playing is not told what was wrong, unless asking for it.
  const isPlaying = state.mode === "game" && state.phase === "playing";
  if (isPlaying && asked.value !== state.id) return null;
  return line.value.some(({ id }) => id === found.node) ? found : null;
});

/** The mistakes of the line that is shown, the largest loss first. */
export const lineMistakes = computed((): PlayedMistake[] => {
  const shown = new Set(line.value.map(({ id }) => id));
  const found = lineReview.value?.mistakes.filter(({ node }) => shown.has(node)) ?? [];
  return shownMistakes(found, nodes.value);
});

/** The mistakes by their node, for marks on moves. */
export const mistakesByNode = computed(
  (): ReadonlyMap<number, Mistake> =>
    new Map(lineMistakes.value.map(({ mistake }) => [mistake.node, mistake])),
);

/** The mistake that is looked at: from the position before it, or after it. */
export const shownMistake = computed((): PlayedMistake | null => {
  const found = lineMistakes.value;
  const before = found.find((one) => one.before === view.value);
  return before ?? found.find((one) => one.node.id === view.value) ?? null;
});

/** The mistake before or after the one shown, in the order of play; from the end, the first. */
export function mistakeTo(direction: 1 | -1): PlayedMistake | null {
  const node = nodes.value.get(view.value);
  const found = nextMistake(lineMistakes.value, node, direction);
  const isAtEnd = line.value.at(-1)?.id === view.value;
  if (found || direction === -1 || !isAtEnd) return found;
  return nextMistake(lineMistakes.value, line.value[0], 1, true);
}

/** Show the position before a mistake, with a cross on the move and the better line beside it. */
export function showMistake({ mistake, node, before }: PlayedMistake): void {
  look(before);
  const { better, variation } = mistake;
  if (better === null || node.color === null || node.move === null) return;
  pin({
    node: before,
    color: node.color,
    moves: wholeVariation({ move: better, variation }),
    played: node.move,
  });
}

/**
 * Have a game against Montego judged as it goes, whenever it is the person's turn: a weak level knows
 * nothing that could be shown in the graph. Returns how to stop.
 */
export function followJudging(): () => void {
  let last = "";
  return effect(() => {
    const state = game.value;
    if (state === null || !connected.value || !judging.value) return;
    const people = [state.black, state.white].filter((side) => side === "human").length;
    const isDue =
      state.mode === "game" && people === 1 && state.thinking === null && state.phase !== "counting";
    const key = `${state.id} ${state.head} ${state.phase}`;
    if (!isDue || key === last || state.tree.length < 2) return;
    last = key;
    send({ type: "review", on: true });
  });
}
