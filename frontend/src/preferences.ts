/**
 * What a person has chosen on this device: signals that remember themselves in local storage.
 *
 * Storage may be missing, blocked or full, and what it holds may come from another version: then the
 * choice lasts as long as the page does, and what makes no sense is read as the default.
 */
import { effect, signal, type Signal } from "@preact/signals";

export type Theme = "light" | "dark" | "system";
/** What the heat map on the board shows. */
export type HeatMap = "off" | "visits" | "rave" | "prior";

/** What is drawn over the board while the search reports. */
export interface OverlayChoice {
  heat: HeatMap;
  variation: boolean;
  ownership: boolean;
  /** Numbers on the points: visits and chances. */
  labels: boolean;
}

const PREFIX = "montego.";

export const DEFAULT_OVERLAYS: OverlayChoice = {
  heat: "visits",
  variation: true,
  ownership: false,
  labels: true,
};

/** A signal whose value is kept under `key`; `accept` returns null for what makes no sense. */
export function remembered<T>(
  key: string,
  fallback: T,
  accept: (value: unknown) => T | null,
): Signal<T> {
  const kept = signal(accept(read(key)) ?? fallback);
  let first = true;
  effect(() => {
    const value = kept.value;
    // The value just read need not be written again.
    if (first) first = false;
    else write(key, value);
  });
  return kept;
}

export const theme = remembered<Theme>("theme", "system", oneOf("light", "dark", "system"));
export const coordinates = remembered("coordinates", true, flag);
export const sounds = remembered("sounds", true, flag);
/** Whether the panels follow a search while it runs, or wait for its end. */
export const liveUpdates = remembered("live", true, flag);
export const overlays = remembered<OverlayChoice>("overlays", DEFAULT_OVERLAYS, overlayChoice);
/** Whether a finger plays on small points by two taps: the first shows where the stone would go. */
export const confirmTaps = remembered("confirm-taps", true, flag);

/** Whether moves are looked at before they are final: which mistakes Montego warns of. */
export type Checks = "off" | "blunders" | "mistakes";
export const checks = remembered<Checks>("checks", "off", oneOf("off", "blunders", "mistakes"));
/** The chance that a move must lose for a warning. */
export const CHECKED_LOSS: Record<Checks, number | null> = { off: null, blunders: 0.2, mistakes: 0.1 };
/** Whether games against Montego are judged as they go, for the graph and the review. */
export const judging = remembered("judging", true, flag);
/** Whether panels leave out the words and numbers of the search. */
export const beginner = remembered("beginner", false, flag);

/** Whether the board stands alone, without panels. */
export const zen = remembered("zen", false, flag);
/** What the board is made of, and how stones are drawn. */
export type BoardTheme = "wood" | "slate" | "paper";
export const boardTheme = remembered<BoardTheme>("board", "wood", oneOf("wood", "slate", "paper"));
export type StoneTheme = "shaded" | "flat";
export const stoneTheme = remembered<StoneTheme>("stones", "shaded", oneOf("shaded", "flat"));

export const preferences = { theme, coordinates, sounds, liveUpdates, overlays, confirmTaps };

/**
 * Keep `data-theme` of the document's element at the theme that was chosen.
 *
 * With "system" there is no such attribute, and the style sheet asks the system. Returns how to stop.
 */
export function followTheme(root: HTMLElement = document.documentElement): () => void {
  return effect(() => {
    if (theme.value === "system") delete root.dataset.theme;
    else root.dataset.theme = theme.value;
    root.dataset.board = boardTheme.value;
    root.dataset.stones = stoneTheme.value;
  });
}

function read(key: string): unknown {
  try {
    const text = window.localStorage.getItem(PREFIX + key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function write(key: string, value: unknown): void {
  try {
    window.localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Blocked or full: the choice then lasts as long as the page.
  }
}

function oneOf<T extends string>(...values: T[]): (value: unknown) => T | null {
  return (value) => values.find((one) => one === value) ?? null;
}

function flag(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function record(value: unknown): Record<string, unknown> | null {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : null;
}

function overlayChoice(value: unknown): OverlayChoice | null {
  const found = record(value);
  if (found === null) return null;
  return {
    heat: oneOf<HeatMap>("off", "visits", "rave", "prior")(found.heat) ?? DEFAULT_OVERLAYS.heat,
    variation: flag(found.variation) ?? DEFAULT_OVERLAYS.variation,
    ownership: flag(found.ownership) ?? DEFAULT_OVERLAYS.ownership,
    labels: flag(found.labels) ?? DEFAULT_OVERLAYS.labels,
  };
}
