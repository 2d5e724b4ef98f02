/** The chances of both players as one bar, with their numbers. */
import { colorName } from "../boards/colors";
import type { GameKind } from "../messages";
import { percent } from "./wording";

export function WinRateBar({ kind, value }: { kind: GameKind; value: number }) {
  const first = colorName(kind, "black");
  const second = colorName(kind, "white");
  return (
    <div
      class="win-bar"
      role="img"
      aria-label={`Chances to win: ${first} ${percent(value)}%, ${second} ${percent(1 - value)}%`}
    >
      <span>
        {first} {percent(value)}%
      </span>
      <span>
        {second} {percent(1 - value)}%
      </span>
      <span class="win-bar__track">
        <span class="win-bar__first" style={{ width: `${100 * value}%` }} />
      </span>
    </div>
  );
}
