/** The chances of both players as one bar, with their numbers. */
import { colorName } from "../boards/colors";
import type { GameKind } from "../messages";
import { bandPercent, errorOf, wholePercent } from "./wording";
import { t } from "../languages/language";

interface WinRateBarProps {
  kind: GameKind;
  value: number;
  /** That the value stands on. */
  simulations: number;
}

export function WinRateBar({ kind, value, simulations }: WinRateBarProps) {
  const error = errorOf(value, simulations);
  const first = colorName(kind, "black");
  const second = colorName(kind, "white");
  return (
    <div
      class="win-bar"
      role="img"
      aria-label={t("Chances to win: {first} {most}%, {second} {least}%, give or take {error}", {
        first,
        most: wholePercent(value),
        second,
        least: wholePercent(1 - value),
        error: bandPercent(error),
      })}
    >
      <span>
        {first} {wholePercent(value)}%
      </span>
      <span class="quiet">±{bandPercent(error)}</span>
      <span>
        {second} {wholePercent(1 - value)}%
      </span>
      <span class="win-bar__track">
        <span class="win-bar__first" style={{ width: `${100 * value}%` }} />
        <span
          class="win-bar__error"
          style={{
            left: `${100 * Math.max(value - error, 0)}%`,
            width: `${100 * (Math.min(value + error, 1) - Math.max(value - error, 0))}%`,
          }}
        />
      </span>
    </div>
  );
}
