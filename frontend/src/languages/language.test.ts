import { afterEach, describe, expect, it } from "vitest";

import { count, gap, language, preferredLanguage, rich, sentence, speak, t, told } from "./language";

afterEach(() => speak("en"));

describe("the language of the page", () => {
  it("is what the browser likes best among those there are", () => {
    expect(preferredLanguage(["de-DE", "fr-CA", "es"])).toBe("fr");
    expect(preferredLanguage(["zh-Hant-TW"])).toBe("zh");
    expect(preferredLanguage(["de"])).toBe("en");
    expect(preferredLanguage([])).toBe("en");
  });

  it("is English until another is loaded", async () => {
    expect(t("Undo")).toBe("Undo");
    await speak("ja");
    expect(language.value).toBe("ja");
    expect(t("Undo")).toBe("待った");
    expect(t("{name} passed.", { name: "Montego" })).toBe("Montegoがパスしました。");
  });

  it("keeps what nobody has translated", async () => {
    await speak("fr");
    expect(t("Never said {n}", { n: 3 })).toBe("Never said 3");
  });

  it("puts elements where a language wants them", async () => {
    await speak("es");
    const parts = rich("It would lose {loss}.", { loss: "2%" });
    expect(parts).toEqual(["Perdería ", "2%", "."]);
  });
});

describe("plurals", () => {
  it.each([
    ["en", 1, "1 move"],
    ["en", 2, "2 moves"],
    ["ro", 1, "1 mutare"],
    ["ro", 3, "3 mutări"],
    ["ro", 20, "20 de mutări"],
    ["fr", 0, "0 coup"],
    ["ko", 5, "5수"],
  ] as const)("in %s of %i are %s", async (name, n, text) => {
    await speak(name);
    expect(count("{n} move|{n} moves", n)).toBe(text);
  });
});

describe("what the server says", () => {
  it("is left alone in English", () => {
    expect(told("Black wins by 3.5 points: 44 to 40.5")).toBe("Black wins by 3.5 points: 44 to 40.5");
  });

  it.each([
    ["es", "Black wins by 3.5 points: 44 to 40.5", "Gana Negro por 3,5 puntos: 44 a 40,5"],
    ["fr", "White wins: Black resigned", "Blanc gagne\u00a0: Noir a abandonné"],
    ["zh", "Black cannot play D4: ko.", "黑方不能下 D4：劫。"],
    ["ja", "Go 9x9 against Montego (12k)", "囲碁 9x9 対 Montego（12k）"],
    ["ko", "I would play D4: it captures stones. That gives Black 60% to win.", "저라면 D4에 둡니다: 돌을 따냅니다. 흑 승률 60%."],
    ["ro", "D4 is a mistake: E5 leads to the capture of 3 stones. Black should have played F6.", "D4 e o greșeală: E5 duce la captura a 3 pietre. Negru ar fi trebuit să joace F6."],
    ["es", "At move 12, D4 was small; there was a larger move elsewhere. Q16 was better.", "En la jugada 12, D4 era pequeña; había una mayor en otro sitio. Q16 era mejor."],
    ["fr", "Black played G2. Montego would rather play F4.", "Noir a joué G2. Montego jouerait plutôt F4."],
    ["fr", "9x9, Chinese, komi 7.5", "9x9, règles chinoises, komi 7,5"],
    ["ja", "Other moves: G8 (58 visits, 19%), H2 (1,033 visits, a proven loss).", "ほかの手：G8（訪問 58、19%）、H2（訪問 1,033、負けが証明済み）。"],
    ["es", "By shape and tactics: it captures stones; it makes the shape hane-loose, cut.", "Por forma y táctica: captura piedras; hace la forma hane-loose, cut."],
    ["ro", "White plays H7: the search prefers it (the board is still open).", "Alb joacă H7: căutarea o preferă (tabla e încă deschisă)."],
  ] as const)("is said in %s: %s", async (name, text, said) => {
    await speak(name);
    expect(told(text)).toBe(said);
  });

  it("ends sentences as the language does", async () => {
    await speak("zh");
    expect(sentence("白方胜")).toBe("白方胜。");
    await speak("ko");
    expect(sentence("백 승")).toBe("백 승.");
    expect(sentence("백 승?")).toBe("백 승?");
  });

  it("leaves a list alone of which nothing is known", async () => {
    await speak("ja");
    expect(told("Jan, Piet")).toBe("Jan, Piet");
  });

  it("leaves a space between sentences where the language has one", async () => {
    await speak("ko");
    expect(gap()).toBe(" ");
    await speak("ja");
    expect(gap()).toBe("");
    await speak("en");
    expect(gap()).toBe(" ");
  });

  it("stays English where its form is not known", async () => {
    await speak("zh");
    expect(told("The disk is made of cheese.")).toBe("The disk is made of cheese.");
  });
});
