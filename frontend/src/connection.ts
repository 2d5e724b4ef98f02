/**
 * The one WebSocket between page and server.
 *
 * It comes back by itself, later and later, and opens the game that is shown again. What was sent
 * and not answered is never sent a second time: a move must not be played twice.
 */

import { effect } from "@preact/signals";

import type { NewGame, Reply, Request } from "./messages";
import { CHECKED_LOSS, checks } from "./preferences";
import { navigate, route } from "./routes";
import {
  awaitedGame,
  bookRequest,
  connected,
  fail,
  failures,
  forgetGame,
  game,
  missing,
  openRequest,
  pendingAnalysis,
  pendingMove,
  positions,
  progress,
  receive,
  view,
  warning,
} from "./state";
import { phrase, t } from "./languages/language";

const FIRST_DELAY = 300;
const LONGEST_DELAY = 8000;
const NO_CONNECTION = phrase("There is no connection to Montego at the moment; please try again when it is back.");

let socket: WebSocket | null = null;
let delay = FIRST_DELAY;
let requests = 0;
/** The game that the server sends news of. */
let watched: string | null = null;
/** A new game that was asked for before there was a connection. */
let wanted: NewGame | null = null;

/** Send a request under a number of its own, which is returned; 0 if there is no connection. */
export function send(request: Request): number {
  if (!connected.value || socket === null) {
    fail(t(NO_CONNECTION));
    return 0;
  }
  requests += 1;
  socket.send(JSON.stringify({ ...request, request: requests }));
  return requests;
}

/** Connect, stay connected, and watch the game that the address names. Returns how to stop. */
export function connect(address: string): () => void {
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const open = () => {
    const opened = new WebSocket(address);
    socket = opened;
    opened.onopen = () => {
      delay = FIRST_DELAY;
      watched = null;
      connected.value = true;
      failures.value = failures.value.filter(({ text }) => text !== t(NO_CONNECTION));
      if (document.visibilityState === "hidden") send({ type: "presence", visible: false });
      const request = wanted;
      wanted = null;
      if (request !== null) startGame(request);
    };
    opened.onmessage = (event: MessageEvent<string>) => {
      const reply = JSON.parse(event.data) as Reply;
      // A new game is watched from its first message on, without being asked for.
      if (reply.type === "game" && awaitedGame.peek() !== null) watched = reply.id;
      receive(reply);
    };
    opened.onclose = () => {
      connected.value = false;
      pendingMove.value = null;
      pendingAnalysis.value = null;
      awaitedGame.value = null;
      progress.value = null;
      if (stopped) return;
      timer = setTimeout(open, delay);
      delay = Math.min(delay * 2, LONGEST_DELAY);
    };
  };
  // A person who comes back to the page does not wait for the longest delay to pass.
  const hurry = () => {
    if (socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(timer);
    delay = FIRST_DELAY;
    open();
  };
  // The server counts the minutes: browsers slow down or stop the timers of hidden pages.
  const noticeVisibility = () => {
    const visible = document.visibilityState !== "hidden";
    if (connected.value) send({ type: "presence", visible });
    else if (visible) hurry();
  };
  document.addEventListener("visibilitychange", noticeVisibility);
  addEventListener("online", hurry);
  open();
  const stopWatching = effect(watchRoute);
  const stopFetching = effect(fetchView);
  const stopReading = effect(fetchBook);
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", noticeVisibility);
    removeEventListener("online", hurry);
    stopWatching();
    stopFetching();
    stopReading();
    socket?.close();
  };
}

/** Tell the server which game the page shows. */
function watchRoute(): void {
  const to = route.value;
  const shown = game.peek();
  if (shown !== null && (to.page !== "game" || shown.id !== to.game)) forgetGame();
  if (!connected.value) return;
  if (to.page === "game") {
    if (watched === to.game) return;
    watched = to.game;
    missing.value = "";
    openRequest.value = send({ type: "open_game", game: to.game });
  } else if (watched !== null) {
    watched = null;
    send({ type: "leave_game" });
  }
}

/** Ask for the position at the view when it is not known yet. */
function fetchView(): void {
  const shown = game.value;
  if (shown === null || !connected.value || positions.value.has(view.value)) return;
  send({ type: "show", node: view.value });
}

/** Ask for the position of the book that the address names. */
function fetchBook(): void {
  const to = route.value;
  if (to.page !== "book" || !connected.value) return;
  bookRequest.value = send({ type: "show_book", settings: to.settings, moves: [...to.moves] });
}

/** Begin a game, once there is a connection; its first message opens it. */
export function startGame(request: NewGame): void {
  if (!connected.value) {
    wanted = request;
    return;
  }
  const number = send(request);
  if (number > 0) awaitedGame.value = number;
}

/**
 * Play a move on the board at once, and take it back if the server refuses.
 *
 * In a game against a program the server looks at it first, if the person wishes that, unless the
 * move was *checked*.
 */
export function play(node: number, move: string, { checked = false } = {}): void {
  const position = positions.value.get(node);
  if (position === undefined || pendingMove.value !== null) return;
  warning.value = null;
  const check = checked || !isAgainstProgram() ? null : CHECKED_LOSS[checks.value];
  const request = send({ type: "play", node, move, ...(check === null ? {} : { check }) });
  if (request > 0) pendingMove.value = { request, node, move, color: position.to_play };
}

function isAgainstProgram(): boolean {
  const state = game.value;
  if (state?.mode !== "game") return false;
  return [state.black, state.white].filter((side) => side === "human").length === 1;
}

export function deleteGame(id: string): void {
  send({ type: "delete_game", game: id });
  if (route.value.page === "game" && route.value.game === id) navigate({ page: "start" });
}

/** Put a game away, or take it out again. */
export function archiveGame(id: string, archived: boolean): void {
  send({ type: "archive_game", game: id, archived });
}
