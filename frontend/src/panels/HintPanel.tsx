/** What Montego would play, in words; the board shows it as a marked stone. */
import { hint } from "../state";
import { shownHint } from "./boardView";
import { Answer } from "./Answer";
import { t, told } from "../languages/language";

export function HintPanel() {
  const shown = shownHint.value;
  if (!shown) return null;
  return (
    <Answer title={t("Hint")} onDismiss={() => (hint.value = null)}>
      <p>{told(shown.text)}</p>
    </Answer>
  );
}
