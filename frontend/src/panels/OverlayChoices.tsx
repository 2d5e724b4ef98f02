/** What of the search is drawn on the board. */
import { useId } from "preact/hooks";
import type { GameKind } from "../messages";
import { overlays, type HeatMap, type OverlayChoice } from "../preferences";
import { phrase, t } from "../languages/language";

const HEATS: readonly (readonly [HeatMap, string])[] = [
  ["off", phrase("Off")],
  ["visits", phrase("Visits")],
  ["rave", "RAVE"],
  ["prior", phrase("Priors")],
];

type Switch = "variation" | "labels" | "ownership";

const SWITCHES: readonly (readonly [Switch, string])[] = [
  ["variation", phrase("Variation")],
  ["labels", phrase("Numbers")],
  ["ownership", phrase("Ownership")],
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
        <legend class="visually-hidden">{t("Heat map on the board")}</legend>
        <span class="choices__label small quiet" aria-hidden="true">
          {t("Heat map")}
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
              {t(label)}
            </label>
          ))}
        </span>
      </fieldset>
      <div class="choices__switches" role="group" aria-label={t("Also on the board")}>
        {switches.map(([name, label]) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={choice[name]}
            onClick={() => change({ [name]: !choice[name] })}
          >
            {t(label)}
          </button>
        ))}
      </div>
    </div>
  );
}
