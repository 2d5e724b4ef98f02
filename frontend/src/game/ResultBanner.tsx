/** How a game ended, and what one may do next. */

import { newGameOpen } from "../dialogs";
import { game } from "../state";
import { recordAddress } from "../upload/record";
import { setMode } from "./commands";

export function ResultBanner({ onReview }: { onReview: () => void }) {
  const state = game.value;
  if (state?.phase !== "over" || state.mode !== "game") return null;
  return (
    <section class="panel result" aria-label="Result">
      <h2 class="result__text">{state.result ?? "The game is over"}</h2>
      <div class="count__actions">
        <button type="button" class="button button--primary" onClick={onReview}>
          Review the game
        </button>
        <button type="button" class="button" onClick={() => (newGameOpen.value = state.kind)}>
          New game
        </button>
        {state.kind === "go" && (
          <a class="button" href={recordAddress(state.id)} download>
            Save SGF
          </a>
        )}
        <button type="button" class="button" onClick={() => setMode("analysis")}>
          Analyze
        </button>
      </div>
    </section>
  );
}
