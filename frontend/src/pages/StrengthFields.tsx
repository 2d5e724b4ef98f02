/** How well Montego plays in a new game: by level, simulations or seconds, or as another program. */

import { useId } from "preact/hooks";

import { NumberField, Segments, SelectField } from "../fields";
import type { Choice } from "../messages";
import type { PartProps } from "./NewGameDialog";
import { hasHybrid, hasPresets, strengthOf, type Choices, type StrengthKind } from "./newGame";
import { phrase, t, told } from "../languages/language";

const KINDS: readonly (readonly [StrengthKind, string])[] = [
  ["level", phrase("Level")],
  ["simulations", phrase("Simulations")],
  ["seconds", phrase("Seconds")],
  ["preset", phrase("Program")],
];

/** The ways to tell the strength that these players leave. */
function kindsFor(choices: Choices): typeof KINDS {
  const left = KINDS.filter(([kind]) => {
    if (kind === "level") return !hasHybrid(choices);
    return kind !== "preset" || hasPresets(choices);
  });
  return left.map(([kind, name]) => [kind, t(name)]);
}

interface StrengthProps extends PartProps {
  levels: readonly Choice[];
  presets: readonly Choice[];
}

export function StrengthFields(props: StrengthProps) {
  const { choices, problems, change, levels, presets } = props;
  const strength = strengthOf(choices);
  return (
    <>
      <Segments
        legend={t("Strength")}
        name="strength"
        value={strength}
        options={kindsFor(choices)}
        onChange={(kind) => change({ strength: kind })}
      />
      {strength === "level" && (
        <LevelSlider
          levels={levels}
          value={choices.level}
          onChange={(level) => change({ level })}
        />
      )}
      {strength === "simulations" && (
        <NumberField
          label={t("Simulations for a move")}
          value={choices.simulations}
          problem={problems.simulations}
          onInput={(simulations) => change({ simulations })}
        />
      )}
      {strength === "seconds" && (
        <NumberField
          label={t("Time for a move")}
          unit={t("seconds")}
          value={choices.seconds}
          problem={problems.seconds}
          onInput={(seconds) => change({ seconds })}
        />
      )}
      {strength === "preset" && (
        <SelectField
          label={t("Plays as")}
          value={choices.preset}
          options={presets}
          help={presets.find(({ value }) => value === choices.preset)?.help}
          onChange={(preset) => change({ preset })}
        />
      )}
    </>
  );
}

interface LevelSliderProps {
  levels: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
}

/** A slider from the weakest level to the strongest, which says the name of the one chosen. */
export function LevelSlider({ levels, value, onChange }: LevelSliderProps) {
  const id = useId();
  const index = Math.max(
    levels.findIndex((level) => level.value === value),
    0,
  );
  const level = levels[index];
  return (
    <div class="field">
      <label for={id} class="visually-hidden">
        {t("Level")}
      </label>
      <output for={id} class="level">
        <strong>{told(level?.label ?? "")}</strong> <span class="quiet small">{told(level?.help ?? "")}</span>
      </output>
      <input
        id={id}
        class="slider"
        type="range"
        min={0}
        max={Math.max(levels.length - 1, 0)}
        value={index}
        aria-valuetext={told(level?.label ?? "")}
        onInput={(event) => {
          const chosen = levels[Number(event.currentTarget.value)];
          if (chosen) onChange(chosen.value);
        }}
      />
      <div class="slider__ends quiet small" aria-hidden="true">
        <span>{told(levels[0]?.label ?? "")}</span>
        <span>{told(levels.at(-1)?.label ?? "")}</span>
      </div>
    </div>
  );
}
