/** Asks what must not happen by accident. */

import { Dialog } from "./Dialog";
import { question } from "./dialogs";
import { t } from "./languages/language";

export function QuestionDialog() {
  const asked = question.value;
  if (asked === null) return null;
  return (
    <Dialog small title={asked.title} onClose={() => asked.answer(false)}>
      <p>{asked.text}</p>
      <div class="dialog__actions">
        <button type="button" class="button" onClick={() => asked.answer(false)}>
          {t("Cancel")}
        </button>
        <button
          type="button"
          class={`button ${asked.danger ? "button--alarm" : "button--primary"}`}
          onClick={() => asked.answer(true)}
        >
          {asked.action}
        </button>
      </div>
    </Dialog>
  );
}
