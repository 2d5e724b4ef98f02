/** The score as it stands, in words; the board shows whose the points are. */
import { estimate } from "../state";
import { shownEstimate } from "./boardView";
import { Answer } from "./Answer";

export function EstimatePanel() {
  const shown = shownEstimate.value;
  if (!shown) return null;
  const dead = shown.dead.length;
  return (
    <Answer title="Estimate" onDismiss={() => (estimate.value = null)}>
      <p>{shown.text}</p>
      <p class="small quiet">
        {dead > 0
          ? `Shading shows whose each point is likely to be; ${dead} ${dead === 1 ? "stone is" : "stones are"} taken for dead.`
          : "Shading shows whose each point is likely to be."}
      </p>
    </Answer>
  );
}
