/** Keys of the game page. They mean nothing while a person types or a dialog is open. */

import { anyDialogOpen } from "./dialogs";
import { followFocus, isByKeyboard } from "./focus";
import {
  askEstimate,
  askHint,
  goBack,
  goFirst,
  goLast,
  goOn,
  pass,
  redo,
  showHelp,
  toggleAnalysis,
  toggleZen,
  undo,
  type Command,
} from "./game/commands";
import { route } from "./routes";
import { phrase } from "./languages/language";

export interface KeyBinding {
  /** As `KeyboardEvent.key` names them. */
  keys: readonly string[];
  label: string;
  command: Command;
}

export const KEYS: readonly KeyBinding[] = [
  { keys: ["ArrowLeft", "ArrowUp"], label: phrase("One move back"), command: goBack },
  { keys: ["ArrowRight", "ArrowDown"], label: phrase("One move on"), command: goOn },
  { keys: ["Home"], label: phrase("To the beginning"), command: goFirst },
  { keys: ["End"], label: phrase("To the last move"), command: goLast },
  { keys: ["p"], label: phrase("Pass"), command: pass },
  { keys: ["u"], label: phrase("Undo"), command: undo },
  { keys: ["r"], label: phrase("Redo"), command: redo },
  { keys: ["h"], label: phrase("Hint"), command: askHint },
  { keys: ["e"], label: phrase("Estimate the score"), command: askEstimate },
  { keys: ["a"], label: phrase("Analyze, or stop"), command: toggleAnalysis },
  { keys: ["z"], label: phrase("The board alone, or everything"), command: toggleZen },
  { keys: ["?"], label: phrase("This help"), command: showHelp },
];

/** Return what a key means on the game page, or null if it is not the page's to take. */
export function commandFor(event: KeyboardEvent): Command | null {
  if (route.value.page !== "game" || !isFree(event)) return null;
  return KEYS.find(({ keys }) => keys.includes(event.key))?.command ?? null;
}

/** Whether a key may mean something to the page: nobody types, no dialog is open. */
export function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return false;
  return !anyDialogOpen() && !isTyping(event.target);
}

/**
 * Whether keys belong to the element: what is typed in, and, for those who came there by keyboard,
 * sliders, rows of radio buttons and tabs. After a click on one of these, arrows step through moves.
 */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isField = target.closest("textarea, select, dialog, input:not([type=radio], [type=checkbox])");
  if (target.isContentEditable || isField !== null) return true;
  return isByKeyboard() && target.closest("input, [role=tablist], [role=menu]") !== null;
}

/** Act on keys. Returns how to stop. */
export function followKeys(): () => void {
  const press = (event: KeyboardEvent) => {
    const command = commandFor(event);
    if (command === null) return;
    // Arrow keys would scroll the page even when there is no further move.
    event.preventDefault();
    if (command.enabled()) command.run();
  };
  const leave = followFocus();
  addEventListener("keydown", press);
  return () => {
    leave();
    removeEventListener("keydown", press);
  };
}
