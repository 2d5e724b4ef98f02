/** The title of the page, which the browser's tab shows. */

import { resultText } from "./game/result";
import { sideOf } from "./game/turn";
import type { GameState } from "./messages";
import { t, told } from "./languages/language";

/** `"Your turn – Go 9x9 against Montego (12k)"`; `"Montego"` where no game is shown. */
export function titleOf(state: GameState | null): string {
  if (state === null) return "Montego";
  const news = newsOf(state);
  return news === "" ? `${told(state.name)} – Montego` : `${news} – ${told(state.name)}`;
}

function newsOf(state: GameState): string {
  if (state.mode !== "game") return "";
  if (state.phase === "over") return resultText(state).headline;
  const isAlone = (state.black === "human") !== (state.white === "human");
  const isPersons = sideOf(state, state.position.to_play) === "human";
  return isAlone && isPersons && state.phase === "playing" ? t("Your turn") : "";
}
