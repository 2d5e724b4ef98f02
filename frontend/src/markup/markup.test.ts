import { describe, expect, it } from "vitest";

import { overlayWithMarks } from "./markup";

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
