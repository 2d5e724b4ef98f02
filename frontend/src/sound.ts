/**
 * Sounds of a board, made by the browser itself: no files.
 *
 * Browsers let a page make sounds only after a person has touched it, and complain about those who
 * try; so the audio device is opened at the first gesture, and what happens before it is silent.
 */
import type { GameState } from "./messages";
import { sounds } from "./preferences";

export type Sound = "stone" | "capture" | "pass" | "end";

/** Stones that are taken off: seconds after the click, and how loud. */
const RATTLE = [[0.09, 0.45], [0.14, 0.3], [0.2, 0.35]] as const;
const CHORD = [392, 494, 587];

let audio: AudioContext | null = null;

/** Open the audio device at the first gesture of the person. Returns how to stop waiting for it. */
export function enableSounds(target: EventTarget = window): () => void {
  const gestures = ["pointerdown", "keydown"];
  const stop = () => {
    gestures.forEach((name) => target.removeEventListener(name, open, true));
  };
  const open = () => {
    stop();
    if (audio !== null || typeof window.AudioContext !== "function") return;
    try {
      audio = new window.AudioContext();
    } catch {
      // No audio device: the board is silent.
    }
  };
  gestures.forEach((name) => target.addEventListener(name, open, true));
  return stop;
}

/** Make a sound, if sounds are on and the person has touched the page. */
export function playSound(sound: Sound): void {
  if (!sounds.value || audio === null) return;
  if (audio.state === "suspended") void audio.resume();
  make(audio, audio.currentTime, sound);
}

function make(context: AudioContext, now: number, sound: Sound): void {
  switch (sound) {
    case "stone":
      click(context, now, 1);
      break;
    case "capture":
      click(context, now, 1);
      for (const [delay, strength] of RATTLE) click(context, now + delay, strength);
      break;
    case "pass":
      tone(context, now, 440, 0.12, 0.08);
      tone(context, now + 0.1, 330, 0.16, 0.08);
      break;
    case "end":
      CHORD.forEach((pitch, step) => tone(context, now + step * 0.13, pitch, 0.5, 0.07));
      break;
  }
}

/** What is to be heard when a game goes from one state to another; null for nothing. */
export function soundOf(before: GameState | null, after: GameState): Sound | null {
  if (before?.id !== after.id) return null;
  if (after.phase === "over" && before.phase !== "over") return "end";
  const node = after.tree.find((one) => one.id === after.head);
  if (node?.parent !== before.head) return null;
  if (node.move === null) return null;
  if (node.move === "pass") return "pass";
  return stonesTaken(before, after) > 0 ? "capture" : "stone";
}

/** How many stones were captured between two states, by both players. */
export function stonesTaken(before: GameState, after: GameState): number {
  const [black, white] = after.position.captures;
  const [blackBefore, whiteBefore] = before.position.captures;
  return Math.max(black - blackBefore, 0) + Math.max(white - whiteBefore, 0);
}

/** A stone set on wood: a short crack over a dull thump. */
function click(context: AudioContext, at: number, strength: number): void {
  const crack = context.createBufferSource();
  crack.buffer = noise(context, 0.04);
  const band = context.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = 2400;
  band.Q.value = 1.2;
  crack.connect(band).connect(fading(context, at, 0.04, 0.5 * strength)).connect(context.destination);
  crack.start(at);
  tone(context, at, 210, 0.07, 0.25 * strength);
}

function tone(context: AudioContext, at: number, pitch: number, length: number, loudness: number): void {
  const source = context.createOscillator();
  source.type = "sine";
  source.frequency.value = pitch;
  source.connect(fading(context, at, length, loudness)).connect(context.destination);
  source.start(at);
  source.stop(at + length);
}

/** A volume that begins at once and dies away; never 0, where an exponential cannot end. */
function fading(context: AudioContext, at: number, length: number, loudness: number): GainNode {
  const volume = context.createGain();
  volume.gain.setValueAtTime(loudness, at);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  return volume;
}

function noise(context: AudioContext, length: number): AudioBuffer {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = 2 * Math.random() - 1;
  return buffer;
}
