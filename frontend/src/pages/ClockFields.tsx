/** The time system of a new game. */

import { NumberField, Segments } from "../fields";
import type { PartProps } from "./NewGameDialog";
import { phrase, t } from "../languages/language";

const EXPLANATIONS = {
  none: phrase("Take all the time you like."),
  absolute: phrase("Each player has this much time for the whole game."),
  byoyomi: phrase("After the main time, each move may take one period; a period that runs out is lost."),
  fischer: phrase("Each move adds some time to the clock."),
} as const;

export function ClockFields({ choices, problems, change }: PartProps) {
  return (
    <>
      <Segments
        legend={t("Clock")}
        name="clock"
        value={choices.clock}
        options={[
          ["none", t("None")],
          ["absolute", t("Absolute")],
          ["byoyomi", t("Byo-yomi")],
          ["fischer", t("Fischer")],
        ]}
        onChange={(clock) => change({ clock })}
      />
      <p class="field__help">{t(EXPLANATIONS[choices.clock])}</p>
      {choices.clock !== "none" && (
        <div class="form__row">
          <NumberField
            label={t("Main time")}
            unit={t("minutes")}
            value={choices.main}
            problem={problems.main}
            onInput={(main) => change({ main })}
          />
          {choices.clock === "byoyomi" && (
            <>
              <NumberField
                label={t("Periods")}
                value={choices.periods}
                problem={problems.periods}
                onInput={(periods) => change({ periods })}
              />
              <NumberField
                label={t("Length of a period")}
                unit={t("seconds")}
                value={choices.period}
                problem={problems.period}
                onInput={(period) => change({ period })}
              />
            </>
          )}
          {choices.clock === "fischer" && (
            <NumberField
              label={t("Added for each move")}
              unit={t("seconds")}
              value={choices.increment}
              problem={problems.increment}
              onInput={(increment) => change({ increment })}
            />
          )}
        </div>
      )}
    </>
  );
}
