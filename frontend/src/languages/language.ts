/**
 * The language of the page.
 *
 * English stands in the sources and is the key to every other language: `t("Undo")` looks the text up
 * in the catalogue of the language that is chosen, which is loaded when it is needed. The server speaks
 * English; `told` finds the form of a sentence in the catalogue, and says it with the same values.
 */

import { computed, effect, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import { remembered } from "../preferences";

export const LANGUAGES = {
  en: "English",
  es: "Español",
  fr: "Français",
  ro: "Română",
  zh: "中文",
  ja: "日本語",
  ko: "한국어",
} as const;

export type Language = keyof typeof LANGUAGES;

export interface Catalogue {
  /** What stands in the sources of the page, in English, and what to say. */
  page: Readonly<Record<string, string>>;
  /** The forms of what the server says, and how to say them. */
  server: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, string | number>>;

/** One module each, so that only the one that is used is loaded. */
const CATALOGUES: Record<Exclude<Language, "en">, () => Promise<{ default: Catalogue }>> = {
  es: () => import("./catalogues/es.json"),
  fr: () => import("./catalogues/fr.json"),
  ro: () => import("./catalogues/ro.json"),
  zh: () => import("./catalogues/zh.json"),
  ja: () => import("./catalogues/ja.json"),
  ko: () => import("./catalogues/ko.json"),
};

/** What a person has chosen; `system` is what the browser asks for. */
export const languageChoice = remembered<Language | "system">("language", "system", (value) =>
  value === "system" || isLanguage(value) ? value : null,
);

const spoken = signal<{ language: Language; catalogue: Catalogue | null }>({
  language: "en",
  catalogue: null,
});

/** The language that is shown: the one chosen, once its catalogue is there. */
export const language = computed(() => spoken.value.language);

function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && value in LANGUAGES;
}

/** The language that a browser would like best among those there are. */
export function preferredLanguage(wanted: readonly string[]): Language {
  const known = wanted.map((tag) => tag.toLowerCase().split("-")[0]).find(isLanguage);
  return known ?? "en";
}

/** Show a language; English stays if its catalogue cannot be had. */
export async function speak(next: Language): Promise<void> {
  if (next === "en") {
    spoken.value = { language: next, catalogue: null };
    return;
  }
  try {
    const { default: catalogue } = await CATALOGUES[next]();
    spoken.value = { language: next, catalogue };
  } catch {
    // Without a connection what is shown stays as it is; the next visit tries again.
  }
}

/** Speak the language that is chosen, now and whenever the choice changes. */
export async function followLanguage(root: HTMLElement = document.documentElement): Promise<void> {
  effect(() => {
    root.lang = language.value;
  });
  let first: Promise<void> = Promise.resolve();
  effect(() => {
    const choice = languageChoice.value;
    first = speak(choice === "system" ? preferredLanguage(navigator.languages) : choice);
  });
  await first;
}

/** Marks a text that is said later, by `t`: for lists that are made when the page is loaded. */
export function phrase(text: string): string {
  return text;
}

/** A text of the page in the language chosen; `{name}` in it stands for a value. */
export function t(text: string, values: Values = {}): string {
  return fill(spoken.value.catalogue?.page[text] ?? text, values);
}

/** A text that depends on a number `n`: `"{n} move|{n} moves"`, one form for each plural. */
export function count(forms: string, n: number, values: Values = {}): string {
  const text = spoken.value.catalogue?.page[forms] ?? forms;
  return fill(pluralOf(text, n), { n: number(n), ...values });
}

/** The same as `t` where a value is more than text. */
export function rich(text: string, values: Record<string, ComponentChildren>): ComponentChildren[] {
  const parts = (spoken.value.catalogue?.page[text] ?? text).split(/\{(\w+)\}/);
  return parts.map((part, place) => (place % 2 === 0 ? part : values[part]));
}

/** What stands between two sentences: nothing where characters are as wide as they are high. */
export function gap(): string {
  return language.value === "zh" || language.value === "ja" ? "" : " ";
}

/** A text with the end of a sentence, if it has none. */
export function sentence(text: string): string {
  if (text === "" || /[.!?。！？]$/.test(text)) return text;
  return gap() === "" ? `${text}。` : `${text}.`;
}

/** A number as the language writes it, with one decimal at most, or with as many as are wanted. */
export function number(value: number, decimals?: number): string {
  const least = decimals ?? 0;
  const options = { minimumFractionDigits: least, maximumFractionDigits: decimals ?? 1 };
  return value.toLocaleString(language.value, options);
}

/** Of forms for one, (few) and other; a language may need fewer. */
function pluralOf(text: string, n: number): string {
  const forms = text.split("|");
  const category = new Intl.PluralRules(language.value).select(n);
  const place = category === "one" ? 0 : category === "few" ? 1 : forms.length - 1;
  return forms[Math.min(place, forms.length - 1)] ?? text;
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

// What the server says

interface Form {
  pattern: RegExp;
  names: readonly string[];
  /** Letters that are not values: the more, the surer. */
  letters: number;
  text: string;
}

const forms = computed((): readonly Form[] => {
  const found = Object.entries(spoken.value.catalogue?.server ?? {}).map(([key, text]) => {
    const parts = key.split(/\{(\w+)\}/);
    const literal = parts.filter((_, place) => place % 2 === 0);
    const pattern = literal.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.+?)");
    return {
      pattern: new RegExp(`^${pattern}$`, "s"),
      names: parts.filter((_, place) => place % 2 === 1),
      letters: literal.join("").length,
      text,
    };
  });
  return found.sort((one, other) => other.letters - one.letters);
});

/** What the server says, in the language chosen; as it is where its form is not known. */
export function told(text: string): string {
  const { catalogue } = spoken.value;
  if (catalogue === null || text === "") return text;
  const known = catalogue.server[text];
  if (known !== undefined) return known;
  const sentences = text.match(/.+?(?:[.!?](?= [A-Z])|$)/gs) ?? [];
  if (sentences.length > 1) {
    return sentences.map((sentence) => told(sentence.trim())).join(gap());
  }
  if (DECIMAL.test(text)) return number(Number(text), text.length - text.indexOf(".") - 1);
  for (const form of forms.value) {
    const match = form.pattern.exec(text);
    if (match === null || match.slice(1).some(isTorn)) continue;
    const values = Object.fromEntries(form.names.map((name, place) => [name, told(match[place + 1] ?? "")]));
    const n = Number(match[form.names.indexOf("n") + 1]);
    return fill(form.names.includes("n") ? pluralOf(form.text, n) : form.text, values);
  }
  return listed(text, ";") ?? listed(text, ",") ?? text;
}

const DECIMAL = /^\d+\.\d+$/;

/** Whether a value has one parenthesis without the other: then it begins or ends in another's middle. */
function isTorn(value: string): boolean {
  return /^[^(]*\)|\([^)]*$/.test(value);
}

/** A list of things that are told each; null if none of them is known. What is in parentheses stays together. */
function listed(text: string, separator: ";" | ","): string | null {
  const parts = text.split(new RegExp(`${separator} (?![^(]*\\))`));
  if (parts.length < 2) return null;
  const said = parts.map((part) => told(part));
  if (said.every((part, place) => part === parts[place])) return null;
  const wide = separator === ";" ? "；" : "、";
  return said.join(gap() === "" ? wide : `${separator} `);
}
