/** What is chosen for a new game, what is wrong with it, and the request it becomes. */

import type { Color, GameKind, NewGame, Side, Strength, Welcome } from "../messages";
import { remembered } from "../preferences";
import { number, t } from "../languages/language";

export type Opponent =
  | "montego"
  | "hybrid"
  | "person"
  | "engine"
  | "self"
  | "hybrid-montego"
  | "engine-montego"
  | "engine-hybrid";
export type StrengthKind = "level" | "simulations" | "seconds" | "preset";
/** How a level is found: chosen, the person's own, or people of a rank. */
export type LevelKind = "fixed" | "even" | "people";
export type ClockKind = "none" | "absolute" | "byoyomi" | "fischer";

/** The fields of the form. Numbers are texts, as they are typed. */
export interface Choices {
  kind: GameKind;
  size: string;
  color: Color | "random";
  opponent: Opponent;
  handicap: string;
  /** Empty for what rules and handicap suggest. */
  komi: string;
  rules: string;
  clock: ClockKind;
  /** Minutes. */
  main: string;
  /** Seconds of a byo-yomi period. */
  period: string;
  periods: string;
  /** Seconds that Fischer time adds for a move. */
  increment: string;
  strength: StrengthKind;
  level: string;
  levelKind: LevelKind;
  /** An opponent like people. */
  people: string;
  simulations: string;
  seconds: string;
  /** A program of the documents. */
  preset: string;
  /** What Montego likes of moves that are about as good; empty for nothing. */
  style: string;
}

export type Problems = Partial<Record<keyof Choices, string>>;

export const DEFAULT_CHOICES: Choices = {
  kind: "go",
  size: "9",
  color: "black",
  opponent: "montego",
  handicap: "0",
  komi: "",
  rules: "chinese",
  clock: "none",
  main: "10",
  period: "30",
  periods: "5",
  increment: "10",
  strength: "level",
  level: "15k",
  levelKind: "fixed",
  people: "like-15k",
  simulations: "2000",
  seconds: "3",
  preset: "v-run",
  style: "",
};

/** The sizes that people usually play on; the first is the one to begin with. */
export const USUAL_SIZES: Record<GameKind, readonly number[]> = {
  go: [9, 13, 19],
  hex: [11, 7, 9, 13],
  "connect-four": [],
  "tic-tac-toe": [],
  own: [],
};

/** A kind of game to begin with: Go where the one of the last time is not to be had. */
export function availableKind(kind: GameKind, server: Welcome | null): GameKind {
  return kind === "own" && (server?.own ?? null) === null ? "go" : kind;
}

/** The choices of the last game that was begun. */
export const lastChoices = remembered<Choices>("choices", DEFAULT_CHOICES, acceptChoices);

/** Fill gaps, and drop what is not text, so that an older version's choices can be read. */
function acceptChoices(value: unknown): Choices | null {
  if (typeof value !== "object" || value === null) return null;
  const known = Object.keys(DEFAULT_CHOICES) as (keyof Choices)[];
  const found = value as Record<string, unknown>;
  const texts = known.filter((key) => typeof found[key] === "string");
  const kept = Object.fromEntries(texts.map((key) => [key, found[key]]));
  return { ...DEFAULT_CHOICES, ...(kept as Partial<Choices>) };
}

/** The same choices for another kind of game: the size is a usual one there, and all can play it. */
export function withKind(choices: Choices, kind: GameKind): Choices {
  const size = USUAL_SIZES[kind][0] ?? DEFAULT_CHOICES.size;
  const known = lastChoices.value.kind === kind ? lastChoices.value.size : String(size);
  const isKnown = kind === "go" || !/engine|hybrid/.test(choices.opponent);
  return { ...choices, kind, size: known, opponent: isKnown ? choices.opponent : "montego" };
}

/** Whether Montego plays, so that its strength matters. */
export function hasMontego({ opponent }: Choices): boolean {
  return opponent !== "person" && opponent !== "engine";
}

/** Whether Montego plays with an adviser, which leaves it no level. */
export function hasHybrid({ opponent }: Choices): boolean {
  return opponent.includes("hybrid");
}

/** Whether Montego can play as a program of the documents: Go, and with no other adviser. */
export function hasPresets(choices: Choices): boolean {
  return choices.kind === "go" && !hasHybrid(choices);
}

/** How Montego's strength is told: seconds stand for what there is not. */
export function strengthOf(choices: Choices): StrengthKind {
  if (choices.strength === "level" && hasHybrid(choices)) return "seconds";
  if (choices.strength === "preset" && !hasPresets(choices)) return "seconds";
  return choices.strength;
}

/** Whether Montego can play in a style: in Go, and as no other program. */
export function hasStyles(choices: Choices): boolean {
  return choices.kind === "go" && strengthOf(choices) !== "preset";
}

/** How the level is found: other games than Go have neither ratings nor people. */
export function levelKindOf({ kind, levelKind }: Choices): LevelKind {
  return kind === "go" ? levelKind : "fixed";
}

/** Whether one person plays, so that the color matters. */
export function hasColor({ opponent }: Choices): boolean {
  return opponent !== "person" && opponent !== "self";
}

/** Return what is wrong, a sentence for each field; empty if the game can begin. */
export function problemsOf(choices: Choices, server: Welcome | null): Problems {
  const problems: Problems = {};
  const check = (field: keyof Choices, least: number, most: number, what: string, whole = true) => {
    const problem = numberProblem(choices[field], least, most, what, whole);
    if (problem !== null) problems[field] = problem;
  };
  if (USUAL_SIZES[choices.kind].length > 0) {
    const [least, most] = server?.sizes[choices.kind] ?? [2, 25];
    check("size", least, most, t("The size"));
  }
  if (choices.kind === "go") {
    check("handicap", 0, 25, t("The handicap"));
    if (choices.komi.trim() !== "") check("komi", -400, 400, t("Komi"), false);
  }
  if (choices.clock !== "none") {
    check("main", 0, 1440, t("The main time"), false);
    if (choices.clock === "absolute" && Number(choices.main) === 0) {
      problems.main = t("Without extra time, there must be some main time.");
    }
  }
  if (choices.clock === "byoyomi") {
    check("period", 1, 3600, t("A period"), false);
    check("periods", 1, 100, t("The number of periods"));
  }
  if (choices.clock === "fischer") check("increment", 1, 3600, t("The time for a move"), false);
  if (hasMontego(choices)) {
    const strength = strengthOf(choices);
    if (strength === "simulations") check("simulations", 1, 1_000_000, t("The number of simulations"));
    if (strength === "seconds") check("seconds", 0.1, 600, t("The time"), false);
  }
  if (choices.opponent.startsWith("engine") && (server?.engine ?? null) === null) {
    problems.opponent = t("There is no engine: name one on the command line.");
  } else if (hasHybrid(choices) && (server?.adviser ?? null) === null) {
    problems.opponent = t("There is no adviser: name one on the command line.");
  }
  return problems;
}

function numberProblem(
  text: string,
  least: number,
  most: number,
  what: string,
  whole: boolean,
): string | null {
  const value = Number(text.trim().replace(",", "."));
  if (text.trim() === "" || !Number.isFinite(value)) return t("{what} must be a number.", { what });
  if (whole && !Number.isInteger(value)) return t("{what} must be a whole number.", { what });
  if (value < least || value > most) return t("{what} must be from {least} to {most}.", { what, least, most: number(most) });
  return null;
}

/** Return the request for choices without problems. `random` is a number below 1, for the color. */
export function requestOf(choices: Choices, random: number): NewGame {
  const [black, white] = sidesOf(choices, random);
  const number = (text: string) => Number(text.trim().replace(",", "."));
  const request: NewGame = { type: "new_game", kind: choices.kind, black, white };
  if (USUAL_SIZES[choices.kind].length > 0) request.size = number(choices.size);
  if (choices.kind === "go") {
    request.handicap = number(choices.handicap);
    request.komi = choices.komi.trim() === "" ? null : number(choices.komi);
    request.rules = choices.rules;
  }
  request.clock = clockOf(choices, number);
  if (hasMontego(choices)) {
    request.strength = strengthRequest(choices, number);
    if (choices.style !== "" && hasStyles(choices)) request.strength.style = choices.style;
  }
  return request;
}

/** Who chooses the color, and who plays the other one. */
const PAIRS: Record<Opponent, readonly [mine: Side, other: Side]> = {
  montego: ["human", "montego"],
  hybrid: ["human", "hybrid"],
  person: ["human", "human"],
  engine: ["human", "engine"],
  self: ["montego", "montego"],
  "hybrid-montego": ["montego", "hybrid"],
  "engine-montego": ["montego", "engine"],
  "engine-hybrid": ["hybrid", "engine"],
};

function sidesOf({ color, opponent }: Choices, random: number): [black: Side, white: Side] {
  const [mine, other] = PAIRS[opponent];
  const isBlack = color === "black" || (color === "random" && random < 0.5);
  return isBlack ? [mine, other] : [other, mine];
}

function strengthRequest(choices: Choices, number: (text: string) => number): Partial<Strength> {
  const kind = strengthOf(choices);
  if (kind === "preset") return { preset: choices.preset };
  if (kind !== "level") return { [kind]: number(choices[kind]) };
  const found = levelKindOf(choices);
  if (found === "even") return { even: true };
  return { level: found === "people" ? choices.people : choices.level };
}

function clockOf(choices: Choices, number: (text: string) => number): NonNullable<NewGame["clock"]> {
  const main = number(choices.main) * 60;
  switch (choices.clock) {
    case "none":
      return { kind: "none" };
    case "absolute":
      return { kind: "absolute", main };
    case "byoyomi":
      return {
        kind: "byoyomi",
        main,
        period: number(choices.period),
        periods: number(choices.periods),
      };
    case "fischer":
      return { kind: "fischer", main, period: number(choices.increment) };
  }
}
