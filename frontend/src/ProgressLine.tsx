/** What Montego prepares on its first start. It takes no room of its own, so that nothing moves. */

import { progress } from "./state";
import { t, told } from "./languages/language";

export function ProgressLine() {
  const under = progress.value;
  return (
    <div class="progress-line" role="status">
      {under !== null && (
        <>
          {under.part === null ? (
            <span class="spinner" aria-hidden="true" />
          ) : (
            <progress max={1} value={under.part} aria-label={t("Preparation")} />
          )}
          <span class="progress-line__text">{told(under.text)}</span>
        </>
      )}
    </div>
  );
}
