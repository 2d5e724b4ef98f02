/** The address of the page: `#/` is the start page, `#/game/{id}` a game. */

import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

export type Route = { page: "start" } | { page: "game"; game: string };

const GAME = /^#\/game\/([0-9a-z]{8,32})$/;

/** Return what an address's fragment means; anything unknown is the start page. */
export function parseRoute(fragment: string): Route {
  const game = GAME.exec(fragment)?.[1];
  return game === undefined ? { page: "start" } : { page: "game", game };
}

export function formatRoute(route: Route): string {
  return route.page === "game" ? `#/game/${route.game}` : "#/";
}

const current = signal<Route>(parseRoute(location.hash));

/** Where the page is. */
export const route: ReadonlySignal<Route> = current;

/** Go to another page; the browser's back button returns. */
export function navigate(to: Route): void {
  current.value = to;
  const fragment = formatRoute(to);
  if (location.hash !== fragment) location.hash = fragment;
}

/** Follow the browser's own navigation. Returns how to stop. */
export function followAddress(): () => void {
  const follow = () => {
    const next = parseRoute(location.hash);
    if (formatRoute(next) !== formatRoute(current.value)) current.value = next;
  };
  addEventListener("hashchange", follow);
  return () => {
    removeEventListener("hashchange", follow);
  };
}
