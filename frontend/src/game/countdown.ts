/** Time that passes between two messages of the server. */

import type { ClockFace, ClockSettings } from "../messages";

/** Return what a clock shows after it has run for some seconds; it stops at 0. */
export function countDown(face: ClockFace, settings: ClockSettings, elapsed: number): ClockFace {
  let { seconds, periods } = face;
  seconds -= elapsed;
  if (settings.kind === "byoyomi" && settings.period > 0) {
    if (seconds < 0 && periods === 0) {
      periods = settings.periods;
      seconds += settings.period;
    }
    while (seconds < 0 && periods > 1) {
      periods -= 1;
      seconds += settings.period;
    }
  }
  return { seconds: Math.max(seconds, 0), periods };
}

/** `"1:02:03"`, `"9:59"`, and tenths of the last ten seconds: `"0:04.2"`. */
export function formatTime(seconds: number): string {
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  const pad = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${pad(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(whole % 60)}`;
}
