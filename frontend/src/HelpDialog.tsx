/** The keys, and a few words on how to play. */

import { Dialog } from "./Dialog";
import { helpOpen } from "./dialogs";
import { KEYS } from "./keyboard";
import { t } from "./languages/language";

export function HelpDialog() {
  if (!helpOpen.value) return null;
  return (
    <Dialog title={t("Help")} onClose={() => (helpOpen.value = false)}>
      <h3 class="panel__title">{t("Keys")}</h3>
      <dl class="keys">
        {KEYS.map(({ keys, label }) => (
          <div key={label}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{KEY_NAMES[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{t(label)}</dd>
          </div>
        ))}
      </dl>
      <h3 class="panel__title">{t("On the board")}</h3>
      <ul class="tips">
        <li>{t("Click or tap a point to play. A faint stone shows where it would go.")}</li>
        <li>{t("With the Tab key you reach the board: arrows choose a point there, Enter plays, Escape leaves it.")}</li>
        <li>{t("After two passes the board is counted: click stones that are dead, then accept.")}</li>
        <li>{t("Stepping back only looks; choose “Play from here” to go on from an earlier move.")}</li>
        <li>{t("Drop an SGF file anywhere on the page to open it.")}</li>
      </ul>
    </Dialog>
  );
}

const KEY_NAMES: Partial<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};
