/** The score as it stands, in words; the board shows whose the points are. */
import { estimate } from "../state";
import { shownEstimate } from "./boardView";
import { Answer } from "./Answer";
import { count, t, told } from "../languages/language";

export function EstimatePanel() {
  const shown = shownEstimate.value;
  if (!shown) return null;
  const dead = shown.dead.length;
  return (
    <Answer title={t("Estimate")} onDismiss={() => (estimate.value = null)}>
      <p>{told(shown.text)}</p>
      <p class="small quiet">
        {t("Shading shows whose each point is likely to be.")}
        {dead > 0 && ` ${count("{n} stone is taken for dead.|{n} stones are taken for dead.", dead)}`}
      </p>
    </Answer>
  );
}
