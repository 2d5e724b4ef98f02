import { signal } from "@preact/signals";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { every, perFrame } from "./pace";

describe("perFrame", () => {
  let frames: (() => void)[] = [];

  beforeEach(() => {
    frames = [];
    vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run));
  });
  afterEach(() => vi.unstubAllGlobals());

  const nextFrame = () => {
    const due = frames;
    frames = [];
    for (const run of due) run();
  };

  it("takes the first change at once and later ones once a frame", () => {
    const source = signal(0);
    const followed = perFrame(source);
    const seen: number[] = [];
    followed.subscribe((value) => seen.push(value));
    source.value = 1;
    source.value = 2;
    source.value = 3;
    expect(seen).toEqual([0, 1]);
    nextFrame();
    expect(seen).toEqual([0, 1, 3]);
    nextFrame();
    nextFrame();
    expect(seen).toEqual([0, 1, 3]);
    source.value = 4;
    expect(seen).toEqual([0, 1, 3, 4]);
  });

  it("is quiet when the source comes back to what is shown", () => {
    const source = signal(0);
    const followed = perFrame(source);
    source.value = 1;
    source.value = 2;
    source.value = 1;
    nextFrame();
    expect(followed.value).toBe(1);
  });
});

describe("every", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("lets time pass between changes", () => {
    const source = signal(0);
    const followed = every(200, source);
    source.value = 1;
    source.value = 2;
    vi.advanceTimersByTime(199);
    expect(followed.value).toBe(1);
    vi.advanceTimersByTime(1);
    expect(followed.value).toBe(2);
  });
});
