import { describe, expect, it } from "vitest";

import { overlayWithMarks, withMark } from "./markup";

describe("withMark", () => {
  it("draws, replaces and takes away", () => {
    const one = withMark({}, "D4", "triangle");
    expect(one).toEqual({ D4: "triangle" });
    expect(withMark(one, "D4", "square")).toEqual({ D4: "square" });
    expect(withMark(one, "D4", "triangle")).toEqual({});
  });

  it("takes the next free letter or number", () => {
    expect(withMark({ A1: "A", B1: "C" }, "D4", "letter").D4).toBe("B");
    expect(withMark({ A1: "1", B1: "A" }, "D4", "number").D4).toBe("2");
    expect(withMark({ D4: "B" }, "D4", "letter")).toEqual({});
    const many = Object.fromEntries(Array.from({ length: 52 }, (_, place) => [`P${place}`, place < 26 ? String.fromCharCode(65 + place) : String.fromCharCode(71 + place)]));
    expect(withMark(many, "D4", "letter").D4).toBe("AA");
  });
});

describe("overlayWithMarks", () => {
  it("puts shapes and texts over what is there", () => {
    const overlay = overlayWithMarks({ heat: new Map([["A1", 1]]) }, { A1: "circle", B2: "x" });
    expect(overlay.marks?.get("A1")).toBe("circle");
    expect(overlay.texts?.get("B2")).toBe("x");
    expect(overlay.heat?.size).toBe(1);
  });

  it("leaves a board alone that nobody drew on", () => {
    const overlay = {};
    expect(overlayWithMarks(overlay, undefined)).toBe(overlay);
    expect(overlayWithMarks(overlay, {})).toBe(overlay);
  });
});
