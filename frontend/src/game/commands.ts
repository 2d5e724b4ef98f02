/** What a person can do in a game, by button or by key; each knows when it makes sense. */

import { ask, helpOpen } from "../dialogs";
import { play, send } from "../connection";
import { zen } from "../preferences";
import {
  game,
  line,
  lookAtHead,
  pendingAnalysis,
  pendingMove,
  positions,
  shownPosition,
  step,
  view,
} from "../state";
import { parseVertex } from "./coordinates";
import { atHead, canMove, isExhibition, personsPosition, playable, sideOf } from "./turn";
import { t } from "../languages/language";

export interface Command {
  run: () => void;
  /** Reads signals; false shows the button disabled and makes the key do nothing. */
  enabled: () => boolean;
}

/** Whether people play to win: then only the position of the game is thought about. */
const isUnderWay = () => game.value?.mode === "game" && game.value.phase === "playing";
const always = () => game.value !== null;
const isOver = () => game.value?.phase === "over";

function personPlays(): boolean {
  const state = game.value;
  return state !== null && (state.black === "human" || state.white === "human");
}

export const pass: Command = {
  run: () => play(view.value, "pass"),
  enabled: () => canMove.value && playable.value.has("pass"),
};

export const undo: Command = {
  run: () => {
    lookAtHead();
    send({ type: "undo" });
  },
  enabled: () => game.value?.can_undo ?? false,
};

export const redo: Command = {
  run: () => {
    lookAtHead();
    send({ type: "redo" });
  },
  enabled: () => game.value?.can_redo ?? false,
};

export const askHint: Command = {
  run: () => {
    if (isUnderWay()) lookAtHead();
    send({ type: "hint", node: view.value });
  },
  enabled: () => {
    const state = game.value;
    if (state === null) return false;
    if (isUnderWay()) return sideOf(state, state.position.to_play) === "human";
    return (positions.value.get(view.value)?.moves.length ?? 0) > 0;
  },
};

export const askEstimate: Command = {
  run: () => send({ type: "estimate", node: view.value }),
  enabled: () => game.value?.kind === "go" && game.value.phase !== "counting",
};

export const resign: Command = {
  run: () => {
    void ask({
      title: t("Resign this game?"),
      text: t("Your opponent wins. You can still look through the game afterwards."),
      action: t("Resign"),
      danger: true,
    }).then((yes) => {
      if (yes) send({ type: "resign" });
    });
  },
  enabled: () => game.value?.mode === "game" && game.value.phase === "playing" && personPlays(),
};

export const moveNow: Command = {
  run: () => send({ type: "move_now" }),
  enabled: () => (game.value?.thinking ?? null) !== null,
};

export const togglePause: Command = {
  run: () => send({ type: "pause", paused: !(game.value?.paused ?? false) }),
  // A game against a program that failed is paused, too.
  enabled: () => (isExhibition.value || (game.value?.paused ?? false)) && !isOver(),
};

/** Start or stop the search of the node that is shown. */
export const toggleAnalysis: Command = {
  run: () => send({ type: "analyze", node: view.value, on: (game.value?.analyzing ?? null) === null }),
  enabled: always,
};

export function setMode(mode: "game" | "analysis"): void {
  if (game.value === null || (game.value.mode === mode && pendingAnalysis.value === null)) return;
  const request = send({ type: "configure", mode });
  pendingAnalysis.value = mode === "analysis" && request > 0 ? request : null;
}

const atStart = () => line.value[0]?.id === view.value;
const atEnd = () => line.value.at(-1)?.id === view.value;

export const goFirst: Command = { run: () => step(-Infinity), enabled: () => always() && !atStart() };
export const goBack: Command = { run: () => step(-1), enabled: () => always() && !atStart() };
export const goOn: Command = { run: () => step(1), enabled: () => always() && !atEnd() };
export const goLast: Command = { run: () => step(Infinity), enabled: () => always() && !atEnd() };

/** Go on with the game from the node that is shown, and play a move there if one is given. */
export async function playFromHere(move: string | null): Promise<void> {
  const node = view.value;
  const yes = await ask({
    title: t("Play from here?"),
    text: t("The game goes on from this position. The moves after it stay in the tree of moves."),
    action: t("Play from here"),
  });
  if (!yes) return;
  send({ type: "set_head", node });
  if (move !== null) play(node, move);
}

/** What a click on a point of the board means. */
export function clickPoint(vertex: string): void {
  const state = game.value;
  if (state === null) return;
  const mode = pendingAnalysis.value === null ? state.mode : "analysis";
  if (state.phase === "counting" && mode === "game") {
    if (atHead.value) send({ type: "mark_dead", vertex });
    else lookAtHead();
  } else if (playable.value.has(vertex)) {
    play(view.value, vertex);
  } else if (mode === "game" && !atHead.value && personPlays()) {
    const isMove = personsPosition.value?.moves.includes(vertex) ?? false;
    void playFromHere(isMove ? vertex : null);
  } else if (canMove.value && pendingMove.value === null && isEmpty(vertex)) {
    // The server knows the reason, such as a ko, and says it.
    send({ type: "play", node: view.value, move: vertex });
  }
}

/** Whether there is no stone at a point of the Go board that is shown. */
function isEmpty(vertex: string): boolean {
  const position = shownPosition.value;
  if (position === null || game.value?.kind !== "go") return false;
  const { width, height, cells } = position;
  const place = parseVertex(vertex, width, height);
  return place !== null && cells.charAt(place.y * width + place.x) === ".";
}

/** Show the board alone, or everything again. */
export const toggleZen: Command = { run: () => (zen.value = !zen.value), enabled: always };

export const showHelp: Command = { run: () => (helpOpen.value = true), enabled: () => true };
