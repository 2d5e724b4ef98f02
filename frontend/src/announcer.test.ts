import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { announce, describeChange } from "./announcer";
import { afterMove } from "./boards/samples";
import { sampleGame } from "./samples";

describe("what is said", () => {
  const start = sampleGame();

  it("is whose turn it is when a game is opened", () => {
    expect(describeChange(null, start)).toBe("Go 3x3. Your turn.");
    expect(describeChange(null, sampleGame({ black: "montego", white: "human" }))).toBe("Go 3x3.");
  });

  it("names moves, captures and the turn", () => {
    const mine = afterMove(start, "E5");
    expect(describeChange(start, mine)).toBe("Black played E5.");
    const answer = afterMove(mine, "D4", {}, [0, 2]);
    expect(describeChange(mine, answer)).toBe("White played D4, captured 2 stones. Your turn.");
    const again = afterMove(answer, "C3", {}, [1, 2]);
    expect(describeChange(answer, again)).toBe("Black played C3, captured 1 stone.");
  });

  it("names the color to play where two people play", () => {
    const two = sampleGame({ white: "human" });
    expect(describeChange(two, afterMove(two, "E5"))).toBe("Black played E5. White to play.");
  });

  it("speaks of passes, the count and the end", () => {
    const pass = afterMove(start, "pass");
    expect(describeChange(start, pass)).toBe("Black passed.");
    const counting = afterMove(pass, "pass", { phase: "counting" });
    expect(describeChange(pass, counting)).toContain("White passed. Both passed.");
    const over = { ...counting, phase: "over", result: "White wins by 3.5" } as const;
    expect(describeChange(counting, over)).toBe("The game is over. White wins by 3.5.");
  });

  it("uses the words of the other games", () => {
    const four = sampleGame({ kind: "connect-four" });
    expect(describeChange(four, afterMove(four, "4"))).toBe("Red played column 4.");
    const hex = sampleGame({ kind: "hex", black: "montego", white: "human" });
    const first = afterMove(hex, "c2");
    expect(describeChange(hex, first)).toBe("Red played c2. Your turn.");
    expect(describeChange(first, afterMove(first, "swap"))).toBe("Blue swapped sides.");
  });

  it("tells where undo led", () => {
    const one = afterMove(start, "E5");
    const two = afterMove(one, "C3");
    expect(describeChange(two, { ...two, head: 0, position: start.position })).toBe(
      "Back at the beginning. Your turn.",
    );
    expect(describeChange(two, { ...two, head: one.head, position: one.position })).toBe(
      "At move 1, E5.",
    );
  });

  it("is nothing when nothing happened on the board", () => {
    expect(describeChange(start, { ...start, thinking: "black" })).toBe("");
  });
});

describe("the live region", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    document.body.replaceChildren();
  });

  const region = () => document.querySelector("[aria-live=polite]");

  it("is made once, and changes even if the same is said twice", () => {
    announce("");
    expect(region()).toBeNull();
    announce("Black passed.");
    vi.runAllTimers();
    const first = region()?.textContent;
    announce("Black passed.");
    expect(document.querySelectorAll("[aria-live]")).toHaveLength(1);
    expect(first?.trim()).toBe("Black passed.");
    expect(region()?.textContent.trim()).toBe("Black passed.");
    expect(region()?.textContent).not.toBe(first);
  });

  it("has the latest words when it was made a moment before", () => {
    announce("Go 9x9. Your turn.");
    announce("B2 empty");
    vi.runAllTimers();
    expect(region()?.textContent.trim()).toBe("B2 empty");
  });
});
