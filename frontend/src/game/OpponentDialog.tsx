/** Who goes on with the game from the position shown, and how strong Montego is. */

import { useState } from "preact/hooks";

import { send } from "../connection";
import { Dialog } from "../Dialog";
import { opponentOpen } from "../dialogs";
import { SelectField } from "../fields";
import type { Color, GameState, Side, Strength, Welcome } from "../messages";
import { levelsOf, peopleOf } from "../pages/levels";
import { lastChoices, problemsOf, requestOf, type Choices } from "../pages/newGame";
import { StrengthFields } from "../pages/StrengthFields";
import { colorName } from "../boards/colors";
import { game, nodes, view, welcome } from "../state";
import { t } from "../languages/language";

export function OpponentDialog() {
  const state = game.value;
  if (!opponentOpen.value || state === null) return null;
  return <OpponentForm state={state} />;
}

function OpponentForm({ state }: { state: GameState }) {
  const server = welcome.value;
  const [sides, setSides] = useState<Record<Color, Side>>(suggested(state));
  const [choices, setChoices] = useState<Choices>(() => choicesOf(state));
  const close = () => (opponentOpen.value = false);
  const hasProgram = Object.values(sides).some((side) => side === "montego" || side === "hybrid");
  const hasHybrid = Object.values(sides).includes("hybrid");
  const form: Choices = { ...choices, opponent: hasHybrid ? "hybrid" : "montego" };
  const problems = problemsOf(form, server);
  const isElsewhere = view.value !== state.head;
  const node = nodes.value.get(view.value);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (hasProgram && Object.keys(problems).length > 0) return;
    const strength = hasProgram ? (requestOf(form, 0).strength as Strength) : null;
    if (isElsewhere) send({ type: "set_head", node: view.value });
    send({ type: "configure", mode: "game", ...sides, strength });
    close();
  };
  return (
    <Dialog title={isElsewhere ? t("Play from this position") : t("Players")} onClose={close}>
      <form class="form" onSubmit={submit} noValidate>
        {isElsewhere && (
          <p class="small quiet">
            {t("The game goes on after move {number}. The moves after it stay in the tree of moves.", {
              number: node?.number ?? 0,
            })}
          </p>
        )}
        <div class="form__row">
          {(["black", "white"] as const).map((color) => (
            <SelectField
              key={color}
              label={colorName(state.kind, color)}
              value={sides[color]}
              options={playersOf(state, server)}
              onChange={(side) => setSides({ ...sides, [color]: side as Side })}
            />
          ))}
        </div>
        {hasProgram && (
          <StrengthFields
            choices={form}
            problems={problems}
            change={(changes) => setChoices({ ...choices, ...changes })}
            levels={levelsOf(state.kind, server?.levels ?? [])}
            people={peopleOf(server?.levels ?? [])}
            terms={false}
            presets={server?.presets ?? []}
          />
        )}
        <div class="dialog__actions">
          <button type="button" class="button" onClick={close}>
            {t("Cancel")}
          </button>
          <button type="submit" class="button button--primary">
            {isElsewhere ? t("Play from here") : t("Go on")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Who plays now; in a record of two people, Montego takes the side that is not to move. */
function suggested(state: GameState): Record<Color, Side> {
  if (state.mode === "game") return { black: state.black, white: state.white };
  const mine = (nodes.value.get(view.value)?.color ?? "white") === "white" ? "black" : "white";
  return mine === "black"
    ? { black: "human", white: "montego" }
    : { black: "montego", white: "human" };
}

/** The form as the game is set now. What of it is not shown here must not be wrong. */
function choicesOf(state: GameState): Choices {
  const kinds = ["preset", "level", "simulations", "seconds"] as const;
  const strength = kinds.find((kind) => (state.strength[kind] ?? null) !== null) ?? "seconds";
  const value = state.strength[strength] ?? null;
  return {
    ...lastChoices.value,
    kind: state.kind,
    size: String(state.size),
    clock: "none",
    komi: "",
    handicap: "0",
    strength,
    style: state.strength.style ?? "",
    ...(value === null ? {} : { [strength]: String(value) }),
    ...levelOf(state),
  };
}

/** How the level of the game was found. */
function levelOf({ strength: { level, even } }: GameState): Partial<Choices> {
  if (even) return { levelKind: "even" };
  if (level?.startsWith("like-")) return { levelKind: "people", people: level, level: lastChoices.value.level };
  return { levelKind: "fixed" };
}

function playersOf(state: GameState, server: Welcome | null): { value: string; label: string }[] {
  const found = [
    { value: "human", label: t("A person") },
    { value: "montego", label: "Montego" },
  ];
  if (state.kind !== "go" || server === null) return found;
  if (server.adviser !== null) {
    found.push({ value: "hybrid", label: t("Montego with {adviser}", { adviser: server.adviser }) });
  }
  if (server.engine !== null) found.push({ value: "engine", label: server.engine });
  return found;
}
