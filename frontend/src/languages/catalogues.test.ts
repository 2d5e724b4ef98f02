import { describe, expect, it } from "vitest";

import es from "./catalogues/es.json";
import fr from "./catalogues/fr.json";
import ja from "./catalogues/ja.json";
import ko from "./catalogues/ko.json";
import ro from "./catalogues/ro.json";
import zh from "./catalogues/zh.json";
import type { Catalogue } from "./language";
import { textsIn } from "./texts";

const CATALOGUES: Record<string, Catalogue> = { es, fr, ja, ko, ro, zh };
/** Plural forms that a language needs. */
const FORMS: Record<string, number> = { es: 2, fr: 2, ja: 1, ko: 1, ro: 3, zh: 1 };
const { used, stray } = textsIn("src");
const holes = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

it("has no text outside the catalogues", () => {
  expect(stray).toEqual([]);
});

describe.each(Object.entries(CATALOGUES))("in %s", (name, { page, server }) => {
  it("nothing of the page is missing, and nothing is left over", () => {
    expect([...used].filter((text) => !(text in page))).toEqual([]);
    expect(Object.keys(page).filter((text) => !used.has(text))).toEqual([]);
  });

  it("the server's forms are those of all languages", () => {
    expect(Object.keys(server).sort()).toEqual(Object.keys(es.server).sort());
  });

  it("marks stand as the language has them", () => {
    const torn: Record<string, RegExp> = {
      fr: / [;:!?»%]|« |'/,
      ja: /[\u3040-\u30ff\u4e00-\u9fff}][,:;!?]|[,:;!?] ?[\u3040-\u30ff\u4e00-\u9fff]/,
      zh: /[\u4e00-\u9fff}][,:;!?]|[,:;!?] ?[\u4e00-\u9fff]/,
    };
    const wrong = Object.values({ ...page, ...server }).filter((text) => torn[name]?.test(text));
    expect(wrong).toEqual([]);
  });

  it("nothing is empty", () => {
    const empty = Object.entries({ ...page, ...server }).filter(([, text]) => text.trim() === "");
    expect(empty).toEqual([]);
  });

  it("values are the same, and plurals as many as the language has", () => {
    const wrong = Object.entries({ ...page, ...server }).filter(([key, text]) => {
      const forms = text.split("|");
      const isPlural = key.includes("|") || forms.length > 1;
      if (isPlural && forms.length !== FORMS[name]) return true;
      // One of something may leave the number out.
      const wanted = holes(key).join();
      const last = forms.at(-1) ?? "";
      return holes(last).join() !== wanted || forms.some((form) => holes(form).some((hole) => !wanted.includes(hole)));
    });
    expect(wrong).toEqual([]);
  });
});
