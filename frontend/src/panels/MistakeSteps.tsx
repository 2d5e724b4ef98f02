/** From mistake to mistake. */
import { Icon } from "../icons";
import { mistakeTo, showMistake } from "./review";
import { t } from "../languages/language";

export function MistakeSteps() {
  const previous = mistakeTo(-1);
  const next = mistakeTo(1);
  return (
    <div class="review__steps">
      <button
        type="button"
        class="button"
        disabled={!previous}
        onClick={() => previous && showMistake(previous)}
      >
        <Icon name="previous" />
        {t("Previous mistake")}
      </button>
      <button
        type="button"
        class="button"
        disabled={!next}
        onClick={() => next && showMistake(next)}
      >
        {t("Next mistake")}
        <Icon name="next" />
      </button>
    </div>
  );
}
