/** Everything that can be chosen for a new game; it begins with the choices of the last one. */

import { useState } from "preact/hooks";

import { colorName } from "../boards/colors";
import { startGame } from "../connection";
import { Dialog } from "../Dialog";
import { newGameOpen } from "../dialogs";
import { NumberField, Segments, SelectField } from "../fields";
import type { GameKind, Welcome } from "../messages";
import { welcome } from "../state";
import { ClockFields } from "./ClockFields";
import { Goal } from "./Goal";
import {
  USUAL_SIZES,
  availableKind,
  hasColor,
  hasHybrid,
  hasMontego,
  lastChoices,
  problemsOf,
  requestOf,
  withKind,
  type Choices,
  type Opponent,
  type Problems,
} from "./newGame";
import { levelsOf, peopleOf } from "./levels";
import { StrengthFields } from "./StrengthFields";
import { phrase, t, told } from "../languages/language";

export const KINDS: readonly (readonly [GameKind, string])[] = [
  ["go", phrase("Go")],
  ["hex", phrase("Hex")],
  ["connect-four", phrase("Connect 4")],
  ["tic-tac-toe", phrase("Tic-tac-toe")],
];

/** The kinds of game that this server plays: those above, and one's own if there is one. */
function kindsOf(server: Welcome | null): readonly (readonly [GameKind, string])[] {
  const own = server?.own ?? null;
  const known = KINDS.map(([kind, name]) => [kind, t(name)] as const);
  return own === null ? known : [...known, ["own", own]];
}

/** What every part of the form is given. */
export interface PartProps {
  choices: Choices;
  problems: Problems;
  change: (changes: Partial<Choices>) => void;
}

export function NewGameDialog() {
  const kind = newGameOpen.value;
  if (kind === null) return null;
  return <NewGameForm key={kind} kind={availableKind(kind, welcome.value)} />;
}

function NewGameForm({ kind }: { kind: GameKind }) {
  const [choices, setChoices] = useState(() =>
    lastChoices.value.kind === kind ? lastChoices.value : withKind(lastChoices.value, kind),
  );
  const server = welcome.value;
  const problems = problemsOf(choices, server);
  const isWrong = Object.keys(problems).length > 0;
  const change = (changes: Partial<Choices>) => setChoices((before) => ({ ...before, ...changes }));
  const part: PartProps = { choices, problems, change };
  const close = () => (newGameOpen.value = null);

  const begin = (event: SubmitEvent) => {
    event.preventDefault();
    if (isWrong) return;
    lastChoices.value = choices;
    startGame(requestOf(choices, Math.random()));
    close();
  };

  return (
    <Dialog title={t("New game")} onClose={close}>
      <form class="form" onSubmit={begin} noValidate>
        <Segments
          legend={t("Game")}
          name="kind"
          value={choices.kind}
          options={kindsOf(server)}
          onChange={(value) => setChoices(withKind(choices, value))}
        />
        <Goal kind={choices.kind} onLearn={close} />
        {USUAL_SIZES[choices.kind].length > 0 && <SizeField {...part} server={server} />}
        <SelectField
          label={t("Players")}
          value={choices.opponent}
          options={opponents(choices.kind, server)}
          help={hasHybrid(choices) ? adviceOf(server) : undefined}
          problem={problems.opponent}
          onChange={(value) => change({ opponent: value as Opponent })}
        />
        {hasColor(choices) && (
          <Segments
            legend={choices.opponent.includes("-") ? t("Montego plays") : t("You play")}
            name="color"
            value={choices.color}
            options={[
              ["black", <Stone kind={choices.kind} color="black" />],
              ["white", <Stone kind={choices.kind} color="white" />],
              ["random", t("Random")],
            ]}
            onChange={(color) => change({ color })}
          />
        )}
        {hasMontego(choices) && (
          <StrengthFields
            {...part}
            levels={levelsOf(choices.kind, server?.levels ?? [])}
            people={peopleOf(server?.levels ?? [])}
            terms={choices.opponent === "montego"}
            presets={server?.presets ?? []}
          />
        )}
        <details class="form__more" open={hasMore(problems)}>
          <summary>{choices.kind === "go" ? t("Rules, handicap and clock") : t("Clock")}</summary>
          <div class="form">
            {choices.kind === "go" && <RulesFields {...part} server={server} />}
            <ClockFields {...part} />
          </div>
        </details>
        <div class="dialog__actions">
          <button type="button" class="button" onClick={close}>
            {t("Cancel")}
          </button>
          <button type="submit" class="button button--primary" disabled={isWrong}>
            {t("Start game")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Stone({ kind, color }: { kind: GameKind; color: "black" | "white" }) {
  return (
    <>
      <span class={`stone-dot stone-dot--${kind}-${color}`} aria-hidden="true" />
      {colorName(kind, color)}
    </>
  );
}

function SizeField({ choices, problems, change, server }: PartProps & { server: Welcome | null }) {
  const usual = USUAL_SIZES[choices.kind];
  const [isOther, setOther] = useState(!usual.map(String).includes(choices.size));
  const [least, most] = server?.sizes[choices.kind] ?? [2, 25];
  return (
    <div class="form__row">
      <Segments
        legend={t("Board")}
        name="size"
        value={isOther ? "other" : choices.size}
        options={[
          ...[...usual].sort((a, b) => a - b).map((size) => [String(size), `${size}×${size}`] as const),
          ["other", t("Other")] as const,
        ]}
        onChange={(size) => {
          setOther(size === "other");
          if (size !== "other") change({ size });
        }}
      />
      {isOther && (
        <NumberField
          label={t("Size, {least} to {most}", { least, most })}
          value={choices.size}
          problem={problems.size}
          onInput={(size) => change({ size })}
        />
      )}
    </div>
  );
}

function RulesFields({ choices, problems, change, server }: PartProps & { server: Welcome | null }) {
  const rules = server?.rules ?? [];
  return (
    <>
      <SelectField
        label={t("Rules")}
        value={choices.rules}
        options={rules.map(({ value, label }) => ({ value, label: told(label) }))}
        help={told(rules.find(({ value }) => value === choices.rules)?.help ?? "")}
        onChange={(value) => change({ rules: value })}
      />
      <div class="form__row">
        <NumberField
          label={t("Handicap stones")}
          value={choices.handicap}
          problem={problems.handicap}
          onInput={(handicap) => change({ handicap })}
        />
        <NumberField
          label={t("Komi")}
          value={choices.komi}
          placeholder={t("automatic")}
          problem={problems.komi}
          onInput={(komi) => change({ komi })}
        />
      </div>
    </>
  );
}

function hasMore(problems: Problems): boolean {
  const inside: (keyof Choices)[] = ["handicap", "komi", "main", "period", "periods", "increment"];
  return inside.some((field) => problems[field] !== undefined);
}

function adviceOf(server: Welcome | null): string {
  return t("{adviser} says what it would play; search and advice decide together.", {
    adviser: server?.adviser ?? t("The adviser"),
  });
}

function opponents(kind: GameKind, server: Welcome | null) {
  const options: { value: Opponent; label: string }[] = [
    { value: "montego", label: t("You against Montego") },
    { value: "person", label: t("Two people on this page") },
    { value: "self", label: t("Montego against itself") },
  ];
  if (kind !== "go" || server === null) return options;
  const { engine, adviser } = server;
  const hybrid = t("Montego with {adviser}", { adviser: adviser ?? "" });
  if (adviser !== null) {
    options.splice(1, 0, { value: "hybrid", label: t("You against {name}", { name: hybrid }) });
    options.push({ value: "hybrid-montego", label: t("{one} against {other}", { one: "Montego", other: hybrid }) });
  }
  if (engine !== null) {
    options.push(
      { value: "engine", label: t("You against {name}", { name: engine }) },
      { value: "engine-montego", label: t("{one} against {other}", { one: "Montego", other: engine }) },
    );
  }
  if (engine !== null && adviser !== null) {
    options.push({ value: "engine-hybrid", label: t("{one} against {other}", { one: hybrid, other: engine }) });
  }
  return options;
}
