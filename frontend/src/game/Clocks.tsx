/** A player's clock, which runs by itself between the server's messages. */

import { useEffect, useState } from "preact/hooks";

import type { Color, GameState } from "../messages";
import { gameReceived } from "../state";
import { countDown, formatTime } from "./countdown";
import { count } from "../languages/language";

/** From here on the clock looks urgent. */
const URGENT = 10;
const TICK = 100;

export function Clock({ state, color }: { state: GameState; color: Color }) {
  const isRunning = state.running === color;
  const now = useNow(isRunning);
  if (state.clocks === null) return null;
  const face = state.clocks[color === "black" ? 0 : 1];
  const elapsed = isRunning ? Math.max(now - gameReceived.value, 0) / 1000 : 0;
  const shown = countDown(face, state.clock, elapsed);
  const urgent = isRunning && shown.seconds < URGENT;
  return (
    <span
      class={`clock numbers${isRunning ? " clock--running" : ""}${urgent ? " clock--urgent" : ""}`}
      role="timer"
    >
      {formatTime(shown.seconds)}
      {shown.periods > 0 && (
        <span class="clock__periods" title={count("{n} period left|{n} periods left", shown.periods)}>
          ×{shown.periods}
        </span>
      )}
    </span>
  );
}

function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(performance.now()), TICK);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
