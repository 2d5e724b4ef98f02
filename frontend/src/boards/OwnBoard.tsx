/** A game of one's own, of whose board nothing is known: its picture in text, its moves as buttons. */
import type { BoardProps } from "./board";
import "./boards.css";
import { t } from "../languages/language";

export function OwnBoard({ position, playable, pending, overlay, onPoint }: BoardProps) {
  const labels = overlay.labels ?? new Map<string, string>();
  return (
    <div class="board board-own">
      <pre class="own-picture" role="img" aria-label={t("The position, as the game draws it")}>
        {position.picture}
      </pre>
      {position.last !== null && <p class="quiet small">{t("Last move: {move}", { move: position.last })}</p>}
      <div class="own-moves" role="group" aria-label={t("Moves")}>
        {position.moves.map((move) => (
          <button
            key={move}
            type="button"
            class={`chip${move === pending ? " is-pending" : ""}`}
            disabled={!playable.has(move)}
            onClick={() => onPoint(move)}
          >
            {move}
            {labels.has(move) && <span class="own-label"> {labels.get(move)}</span>}
          </button>
        ))}
      </div>
    </div>
  );
}
