/** Stepping through the moves, and the way back to where the game stands. */

import { opponentOpen } from "../dialogs";
import { Icon, type IconName } from "../icons";
import { game, line, lookAtHead, nodes, view } from "../state";
import {
  goBack,
  goFirst,
  goLast,
  goOn,
  playFromHere,
  type Command,
} from "./commands";
import { atHead, canPlayFromHere } from "./turn";
import { phrase, t } from "../languages/language";

export function Navigation() {
  const state = game.value;
  if (state === null) return null;
  const shown = nodes.value.get(view.value)?.number ?? 0;
  const last = line.value.at(-1)?.number ?? 0;
  const isElsewhere = !atHead.value && state.mode === "game";
  return (
    <nav class={`navigation${isElsewhere ? " navigation--elsewhere" : ""}${state.mode === "analysis" ? " navigation--ways" : ""}`} aria-label={t("Moves")}>
      <NavigationButton icon="first" label={t("To the beginning")} command={goFirst} />
      <NavigationButton icon="previous" label={t("One move back")} command={goBack} />
      <span class="navigation__place numbers">
        {t(isElsewhere ? phrase("Viewing move {shown} of {last}") : phrase("move {shown} of {last}"), { shown, last })}
      </span>
      <NavigationButton icon="next" label={t("One move on")} command={goOn} />
      <NavigationButton icon="last" label={t("To the last move")} command={goLast} />
      {state.mode === "analysis" && (
        <span class="navigation__ways">
          <button type="button" class="link" onClick={() => (opponentOpen.value = true)}>
            {t("Play from here")}
          </button>
        </span>
      )}
      {isElsewhere && (
        <span class="navigation__ways">
          {canPlayFromHere.value && (
            <button type="button" class="link" onClick={() => void playFromHere(null)}>
              {t("Play from here")}
            </button>
          )}
          <button type="button" class="link" onClick={lookAtHead}>
            {t("Back to the game")}
          </button>
        </span>
      )}
    </nav>
  );
}

interface NavigationButtonProps {
  icon: IconName;
  label: string;
  command: Command;
}

function NavigationButton({ icon, label, command }: NavigationButtonProps) {
  return (
    <button
      type="button"
      class="button button--quiet button--icon"
      aria-label={label}
      disabled={!command.enabled()}
      onClick={() => command.run()}
    >
      <Icon name={icon} />
    </button>
  );
}
