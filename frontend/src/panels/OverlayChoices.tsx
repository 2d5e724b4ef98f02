/** What of the search is drawn on the board. */
import { useId } from "preact/hooks";
import type { GameKind } from "../messages";
import { overlays, type HeatMap, type OverlayChoice } from "../preferences";

const HEATS: readonly (readonly [HeatMap, string])[] = [
  ["off", "Off"],
  ["visits", "Visits"],
  ["rave", "RAVE"],
  ["prior", "Priors"],
];

type Switch = "variation" | "labels" | "ownership";

const SWITCHES: readonly (readonly [Switch, string])[] = [
  ["variation", "Variation"],
  ["labels", "Numbers"],
  ["ownership", "Ownership"],
];

export function OverlayChoices({ kind }: { kind: GameKind }) {
  // The choices may be on the page twice, and radio buttons of one name exclude one another.
  const name = useId();
  const choice = overlays.value;
  const change = (part: Partial<OverlayChoice>) => (overlays.value = { ...choice, ...part });
  const switches = SWITCHES.filter(([part]) => part !== "ownership" || kind === "go");
  return (
    <div class="choices">
      <fieldset class="choices__heat">
        <legend class="visually-hidden">Heat map on the board</legend>
        <span class="choices__label small quiet" aria-hidden="true">
          Heat map
        </span>
        <span class="segments">
          {HEATS.map(([heat, label]) => (
            <label key={heat}>
              <input
                type="radio"
                name={name}
                checked={choice.heat === heat}
                onChange={() => change({ heat })}
              />
              {label}
            </label>
          ))}
        </span>
      </fieldset>
      <div class="choices__switches" role="group" aria-label="Also on the board">
        {switches.map(([name, label]) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={choice[name]}
            onClick={() => change({ [name]: !choice[name] })}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
