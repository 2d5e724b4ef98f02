/** Counting after both players passed: mark dead stones, see the score, agree. */

import { send } from "../connection";
import type { Count } from "../messages";
import { game } from "../state";
import { undo } from "./commands";
import { number, t, told } from "../languages/language";

export function CountPanel() {
  const state = game.value;
  if (state?.phase !== "counting" || state.count === null) return null;
  const { count } = state;
  return (
    <section class="panel count" aria-label={t("Counting")}>
      <h2 class="count__title">{t("Counting")}</h2>
      <p class="small quiet">
        {count.acceptable
          ? t("Click a group to mark it dead or alive. Faded stones are dead, and taken off for the score.")
          : t("Montego is still looking for dead stones.")}
      </p>
      <Score count={count} />
      <div class="count__actions">
        <button
          type="button"
          class="button button--primary"
          disabled={!count.acceptable}
          onClick={() => send({ type: "accept_count" })}
        >
          {t("Accept")}
        </button>
        <button
          type="button"
          class="button"
          disabled={count.proposed}
          onClick={() => send({ type: "propose_dead" })}
        >
          {t("Montego’s proposal")}
        </button>
        <button type="button" class="button" disabled={!undo.enabled()} onClick={() => undo.run()}>
          {t("Play on")}
        </button>
      </div>
    </section>
  );
}

function Score({ count }: { count: Count }) {
  return (
    <div class="score" aria-live="polite">
      <span class="score__side">
        <span class="stone-dot stone-dot--go-black" aria-hidden="true" />
        <span class="numbers">{t("Black")} {formatPoints(count.black)}</span>
      </span>
      <span class="score__side">
        <span class="stone-dot stone-dot--go-white" aria-hidden="true" />
        <span class="numbers">{t("White")} {formatPoints(count.white)}</span>
      </span>
      <strong>{told(count.result)}</strong>
    </div>
  );
}

function formatPoints(points: number): string {
  return number(points);
}
