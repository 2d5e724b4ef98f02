/** How well Montego plays in a new game: by level, simulations or seconds, or as another program. */

import { useEffect, useId } from "preact/hooks";

import { send } from "../connection";
import { NumberField, Segments, SelectField } from "../fields";
import type { Choice, LadderReply } from "../messages";
import { ratingText } from "../profile/profile";
import { ladder } from "../state";
import type { PartProps } from "./NewGameDialog";
import {
  hasHybrid,
  hasPresets,
  hasStyles,
  levelKindOf,
  strengthOf,
  type Choices,
  type LevelKind,
  type StrengthKind,
} from "./newGame";
import { gap, phrase, t, told } from "../languages/language";

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
  people: readonly Choice[];
  presets: readonly Choice[];
  /** Whether handicap and komi can still be agreed on. */
  terms: boolean;
}

export function StrengthFields(props: StrengthProps) {
  const { choices, problems, change, presets } = props;
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
      {strength === "level" && <LevelFields {...props} />}
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
          help={told(presets.find(({ value }) => value === choices.preset)?.help ?? "")}
          onChange={(preset) => change({ preset })}
        />
      )}
      {hasStyles(choices) && (
        <SelectField
          label={t("Style")}
          value={choices.style}
          options={STYLES.map(([value, label]) => ({ value, label: t(label) }))}
          onChange={(style) => change({ style })}
        />
      )}
    </>
  );
}

/** What Montego likes of moves that are about as good. */
const STYLES: readonly (readonly [string, string])[] = [
  ["", phrase("Its own")],
  ["calm", phrase("Calm: keeps away from you")],
  ["fighting", phrase("Fighting: touches your stones")],
  ["territory", phrase("Territory: stays near the edge")],
  ["influence", phrase("Influence: stays high")],
];

const LEVEL_KINDS: readonly (readonly [LevelKind, string])[] = [
  ["fixed", phrase("Of a level that you choose")],
  ["even", phrase("As strong as you")],
  ["people", phrase("Like people of a rank, on 9×9")],
];

/** Which level, and what makes up for it. */
function LevelFields({ choices, change, levels, people, terms }: StrengthProps) {
  const kind = levelKindOf(choices);
  return (
    <>
      {choices.kind === "go" && (
        <SelectField
          label={t("Opponent")}
          value={kind}
          options={LEVEL_KINDS.map(([value, label]) => ({ value, label: t(label) }))}
          onChange={(value) => change({ levelKind: value as LevelKind })}
        />
      )}
      {kind === "fixed" && (
        <LevelSlider levels={levels} value={choices.level} onChange={(level) => change({ level })} />
      )}
      {kind === "people" && (
        <LevelSlider levels={people} value={choices.people} onChange={(value) => change({ people: value })} />
      )}
      {choices.kind === "go" && kind !== "people" && (
        <Rating
          size={Number(choices.size) || 9}
          level={kind === "fixed" ? choices.level : ""}
          onTerms={terms ? ({ handicap, komi, color }) => change({ handicap: String(handicap), komi: String(komi), color }) : null}
        />
      )}
    </>
  );
}

interface RatingProps {
  size: number;
  /** For which terms are proposed; empty for none. */
  level: string;
  onTerms: ((found: LadderReply) => void) | null;
}

/** How strong the person is on the board, and fair terms against a level. */
function Rating({ size, level, onTerms }: RatingProps) {
  useEffect(() => {
    if (size >= 2 && size <= 25) send({ type: "show_ladder", size, level });
  }, [size, level]);
  const found = ladder.value;
  if (found?.size !== size) return null;
  const isProposed = onTerms !== null && level !== "" && found.level === level && found.games > 0;
  return (
    <p class="small quiet" role="status">
      {ratingText(found)}
      {isProposed && (
        <>
          {gap()}
          {found.handicap > 0
            ? t("For an even game: {color}, {stones} stones, komi {komi}.", termsOf(found))
            : t("For an even game: {color}, komi {komi}.", termsOf(found))}
          {gap()}
          <button type="button" class="link" onClick={() => onTerms(found)}>
            {t("Take these terms")}
          </button>
        </>
      )}
    </p>
  );
}

function termsOf({ color, handicap, komi }: LadderReply) {
  return {
    color: color === "black" ? t("you play black") : t("you play white"),
    stones: handicap,
    komi,
  };
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
