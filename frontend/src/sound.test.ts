import { beforeEach, describe, expect, it, vi } from "vitest";

import { afterMove } from "./boards/samples";
import { sampleGame } from "./samples";

/** Counts what is started; every node can be connected to the next. */
class FakeAudio {
  static made = 0;
  static started = 0;
  state = "running";
  currentTime = 0;
  sampleRate = 8000;
  destination = {};
  constructor() {
    FakeAudio.made += 1;
  }
  private node(): Record<string, unknown> {
    const node: Record<string, unknown> = {
      frequency: {},
      Q: {},
      gain: { setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() },
      start: () => (FakeAudio.started += 1),
      stop: vi.fn(),
    };
    node.connect = (next: unknown) => next;
    return node;
  }
  createOscillator = () => this.node();
  createBufferSource = () => this.node();
  createBiquadFilter = () => this.node();
  createGain = () => this.node();
  createBuffer = () => ({ getChannelData: () => new Float32Array(8) });
}

beforeEach(() => {
  vi.resetModules();
  FakeAudio.made = FakeAudio.started = 0;
  vi.stubGlobal("AudioContext", FakeAudio);
});

describe("sounds", () => {
  it("wait for the first gesture, and open the device once", async () => {
    const { enableSounds, playSound } = await import("./sound");
    const target = new EventTarget();
    enableSounds(target);
    playSound("stone");
    expect([FakeAudio.made, FakeAudio.started]).toEqual([0, 0]);
    target.dispatchEvent(new Event("pointerdown"));
    target.dispatchEvent(new Event("keydown"));
    playSound("stone");
    expect(FakeAudio.made).toBe(1);
    expect(FakeAudio.started).toBeGreaterThan(0);
  });

  it("can be turned off", async () => {
    const { enableSounds, playSound } = await import("./sound");
    const { sounds } = await import("./preferences");
    const target = new EventTarget();
    enableSounds(target);
    target.dispatchEvent(new Event("keydown"));
    sounds.value = false;
    playSound("end");
    expect(FakeAudio.started).toBe(0);
    sounds.value = true;
    for (const sound of ["stone", "capture", "pass", "end"] as const) playSound(sound);
    expect(FakeAudio.started).toBeGreaterThan(8);
  });

  it("are silent without an audio device", async () => {
    vi.stubGlobal("AudioContext", undefined);
    const { enableSounds, playSound } = await import("./sound");
    const target = new EventTarget();
    enableSounds(target);
    target.dispatchEvent(new Event("keydown"));
    expect(() => playSound("stone")).not.toThrow();
  });
});

describe("what is heard", async () => {
  const { soundOf } = await import("./sound");
  const start = sampleGame();
  const one = afterMove(start, "E5");

  it("is a click for a move, more for captures", () => {
    expect(soundOf(start, one)).toBe("stone");
    expect(soundOf(one, afterMove(one, "D5", {}, [0, 3]))).toBe("capture");
  });

  it("tells a pass and the end apart", () => {
    expect(soundOf(one, afterMove(one, "pass"))).toBe("pass");
    expect(soundOf(one, { ...one, phase: "over" })).toBe("end");
  });

  it("is nothing when a game is opened, taken back or unchanged", () => {
    expect(soundOf(null, start)).toBeNull();
    expect(soundOf(sampleGame({ id: "another" }), one)).toBeNull();
    expect(soundOf(one, { ...one, head: 0 })).toBeNull();
    expect(soundOf(one, one)).toBeNull();
  });
});
