/**
 * The address of the page: `#/` is the start page, `#/game/{id}` a game, `#/learn` the rules of Go,
 * `#/profile` the person's games in numbers, `#/problems` problems of life and death, and `#/book/{settings}/{moves}` a position of the book.
 */

import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

/** A position of the book: what games are played by, as the server names it, and the moves to it. */
export interface BookPlace {
  page: "book";
  /** Empty for what most games of the book are. */
  settings: string;
  moves: readonly string[];
}

export type Route = { page: "start" } | { page: "learn" } | { page: "profile" } | { page: "problems" } | { page: "game"; game: string } | BookPlace;

const GAME = /^#\/game\/([0-9a-z]{8,32})$/;
const BOOK = /^#\/book(?:\/([\w.-]{1,80})(?:\/([0-9A-Za-z,]+))?)?\/?$/;

/** Return what an address's fragment means; anything unknown is the start page. */
export function parseRoute(fragment: string): Route {
  const game = GAME.exec(fragment)?.[1];
  if (game !== undefined) return { page: "game", game };
  if (fragment === "#/learn") return { page: "learn" };
  if (fragment === "#/profile") return { page: "profile" };
  if (fragment === "#/problems") return { page: "problems" };
  const book = BOOK.exec(fragment);
  if (book === null) return { page: "start" };
  const moves = (book[2] ?? "").split(",").filter((move) => move !== "");
  return { page: "book", settings: book[1] ?? "", moves };
}

export function formatRoute(route: Route): string {
  if (route.page === "start") return "#/";
  if (route.page === "learn" || route.page === "profile" || route.page === "problems") return `#/${route.page}`;
  if (route.page === "game") return `#/game/${route.game}`;
  if (route.settings === "") return "#/book";
  return ["#/book", route.settings, route.moves.join(",")].filter((part) => part !== "").join("/");
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
