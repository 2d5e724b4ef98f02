/** *Solve this*: whether stones of the position shown live or die, proven where that can be. */

import "./problems.css";
import { useEffect } from "preact/hooks";

import { send } from "../connection";
import { pin, pinned, showNoLine } from "../panels/boardView";
import { Answer } from "../panels/Answer";
import { game, view } from "../state";
import { count, t } from "../languages/language";
import { picked, solution, solving } from "./store";
import { solutionLines } from "./wording";

export function SolvePanel() {
  const state = game.value;
  const stones = picked.value;
  const node = view.value;
  // What was picked belongs to the position that is shown.
  useEffect(() => () => void (picked.value = null), [state?.id, node]);
  if (state?.kind !== "go" || (state.mode === "game" && state.phase === "playing")) return null;
  const shown = solution.value?.node === node ? solution.value : null;
  if (shown !== null) return <Solution />;
  if (solving.value > 0) {
    return <p class="panel small quiet" role="status">{t("Montego is solving it: ten seconds at most.")}</p>;
  }
  if (stones === null) {
    return (
      <button type="button" class="button" onClick={() => (picked.value = new Set())}>
        {t("Solve this")}
      </button>
    );
  }
  const ask = () => {
    solving.value = send({ type: "solve", node, target: [...stones].slice(0, MOST_STONES) });
  };
  return (
    <Answer title={t("Solve this")} onDismiss={() => (picked.value = null)}>
      <p class="small">
        {stones.size === 0
          ? t("Click the stones that are in danger, or let Montego guess.")
          : count("{n} stone is picked.|{n} stones are picked.", stones.size)}
      </p>
      <button type="button" class="button button--primary" onClick={ask}>
        {stones.size === 0 ? t("Let Montego guess") : t("Do they live?")}
      </button>
    </Answer>
  );
}

/** More the server does not take; one of each chain would do. */
const MOST_STONES = 40;

function Solution() {
  const shown = solution.value;
  if (shown === null) return null;
  const close = () => {
    solution.value = null;
    showNoLine();
  };
  const look = (moves: readonly string[]) => {
    if (pinned.value?.moves === moves) showNoLine();
    else pin({ node: shown.node, color: shown.to_move, moves });
  };
  return (
    <Answer title={t("Life and death")} onDismiss={close}>
      {solutionLines(shown).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {shown.suggestion !== null && (
        <button type="button" class="button button--quiet" onClick={() => look(shown.line)}>
          {t("Show {move}", { move: shown.suggestion })}
        </button>
      )}
      <ul class="solution-moves">
        {shown.moves.map(({ move, works, line }) => (
          <li key={move}>
            <button
              type="button"
              class={`button button--quiet solution-move${works === true ? " solution-move--works" : ""}`}
              aria-pressed={pinned.value?.moves === line}
              onClick={() => look(line)}
            >
              {works === true ? t("{move} works", { move }) : t("{move} fails", { move })}
            </button>
          </li>
        ))}
      </ul>
    </Answer>
  );
}
