/** The time system of a new game. */

import { NumberField, Segments } from "../fields";
import type { PartProps } from "./NewGameDialog";

const EXPLANATIONS = {
  none: "Take all the time you like.",
  absolute: "Each player has this much time for the whole game.",
  byoyomi: "After the main time, each move may take one period; a period that runs out is lost.",
  fischer: "Each move adds some time to the clock.",
} as const;

export function ClockFields({ choices, problems, change }: PartProps) {
  return (
    <>
      <Segments
        legend="Clock"
        name="clock"
        value={choices.clock}
        options={[
          ["none", "None"],
          ["absolute", "Absolute"],
          ["byoyomi", "Byo-yomi"],
          ["fischer", "Fischer"],
        ]}
        onChange={(clock) => change({ clock })}
      />
      <p class="field__help">{EXPLANATIONS[choices.clock]}</p>
      {choices.clock !== "none" && (
        <div class="form__row">
          <NumberField
            label="Main time"
            unit="minutes"
            value={choices.main}
            problem={problems.main}
            onInput={(main) => change({ main })}
          />
          {choices.clock === "byoyomi" && (
            <>
              <NumberField
                label="Periods"
                value={choices.periods}
                problem={problems.periods}
                onInput={(periods) => change({ periods })}
              />
              <NumberField
                label="Length of a period"
                unit="seconds"
                value={choices.period}
                problem={problems.period}
                onInput={(period) => change({ period })}
              />
            </>
          )}
          {choices.clock === "fischer" && (
            <NumberField
              label="Added for each move"
              unit="seconds"
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
