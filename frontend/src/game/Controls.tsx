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

export function Controls() {
  const state = game.value;
  if (state === null) return null;
  const isGo = state.kind === "go";
  const isThinking = state.thinking !== null;
  return (
    <div class="controls" role="toolbar" aria-label="Game">
      {isExhibition.value || (state.paused && state.mode === "game") ? (
        <ControlButton
          icon={state.paused ? "resume" : "pause"}
          label={state.paused ? "Go on" : "Pause"}
          command={togglePause}
        />
      ) : (
        isGo && <ControlButton icon="pass" label="Pass" command={pass} />
      )}
      <ControlButton icon="undo" label="Undo" command={undo} />
      <ControlButton icon="redo" label="Redo" command={redo} />
      {isThinking && state.mode === "game" ? (
        <ControlButton icon="now" label="Move now" command={moveNow} />
      ) : (
        <ControlButton icon="hint" label="Hint" command={askHint} />
      )}
      {isGo && <ControlButton icon="estimate" label="Estimate" command={askEstimate} />}
      {state.mode === "game" && !isExhibition.value && (
        <ControlButton icon="resign" label="Resign" command={resign} />
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
