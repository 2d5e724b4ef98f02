/** What can be done in a game, as buttons. */

import { Icon, type IconName } from "../icons";
import { game } from "../state";
import {
  askEstimate,
  askHint,
  moveNow,
  pass,
  redo,
  resign,
  togglePause,
  undo,
  type Command,
} from "./commands";
import { isExhibition } from "./turn";
import { t } from "../languages/language";

export function Controls() {
  const state = game.value;
  if (state === null) return null;
  const isGo = state.kind === "go";
  const isThinking = state.thinking !== null;
  return (
    <div class="controls" role="toolbar" aria-label={t("Game")}>
      {isExhibition.value || (state.paused && state.mode === "game") ? (
        <ControlButton
          icon={state.paused ? "resume" : "pause"}
          label={state.paused ? t("Go on") : t("Pause")}
          command={togglePause}
        />
      ) : (
        isGo && <ControlButton icon="pass" label={t("Pass")} command={pass} />
      )}
      <ControlButton icon="undo" label={t("Undo")} command={undo} />
      <ControlButton icon="redo" label={t("Redo")} command={redo} />
      {isThinking && state.mode === "game" ? (
        <ControlButton icon="now" label={t("Move now")} command={moveNow} />
      ) : (
        <ControlButton icon="hint" label={t("Hint")} command={askHint} />
      )}
      {isGo && <ControlButton icon="estimate" label={t("Estimate")} command={askEstimate} />}
      {state.mode === "game" && !isExhibition.value && (
        <ControlButton icon="resign" label={t("Resign")} command={resign} />
      )}
    </div>
  );
}

interface ControlButtonProps {
  icon: IconName;
  label: string;
  command: Command;
}

function ControlButton({ icon, label, command }: ControlButtonProps) {
  return (
    <button
      type="button"
      class="button control"
      disabled={!command.enabled()}
      onClick={() => command.run()}
    >
      <Icon name={icon} />
      {label}
    </button>
  );
}
