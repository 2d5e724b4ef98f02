/** How a game ended, and what one may do next. */

import { newGameOpen } from "../dialogs";
import { game } from "../state";
import { recordAddress } from "../upload/record";
import { setMode } from "./commands";
import { rematch, resultText } from "./result";
import { t } from "../languages/language";

export function ResultBanner({ onReview }: { onReview: () => void }) {
  const state = game.value;
  if (state?.phase !== "over" || state.mode !== "game") return null;
  const { headline, detail } = resultText(state);
  return (
    <section class="panel result" aria-label={t("Result")}>
      <div>
        <h2 class="result__text">{headline}</h2>
        {detail !== "" && <p class="quiet small">{detail}</p>}
      </div>
      <div class="count__actions">
        <button type="button" class="button button--primary" onClick={onReview}>
          {t("Review the game")}
        </button>
        <button type="button" class="button" onClick={() => rematch(state)}>
          {t("Rematch")}
        </button>
        <button type="button" class="button" onClick={() => (newGameOpen.value = state.kind)}>
          {t("New game")}
        </button>
        <button type="button" class="button" onClick={() => setMode("analysis")}>
          {t("Analyze")}
        </button>
        {state.kind === "go" && (
          <a class="button" href={recordAddress(state.id)} download>
            {t("Save SGF")}
          </a>
        )}
      </div>
    </section>
  );
}
