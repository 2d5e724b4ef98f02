/** Says aloud, to those who use a screen reader, what happens on the board. */
import { colorName } from "./boards/colors";
import type { Color, GameState } from "./messages";
import { moveText } from "./panels/wording";
import { stonesTaken } from "./sound";
import { count, gap, sentence, t, told } from "./languages/language";

let region: HTMLElement | null = null;
let turn = false;
let said = "";

/** Have a sentence read out, politely: after what is being read. */
export function announce(text: string): void {
  if (text === "") return;
  // The same text twice would be no change, and not be read.
  turn = !turn;
  said = turn ? text : `${text}\u00a0`;
  if (region?.isConnected) {
    region.textContent = said;
    return;
  }
  const fresh = (region = newRegion());
  // Only changes are read, so the region must have been there before.
  setTimeout(() => (fresh.textContent = said), 100);
}

/**
 * What to say when a game goes from one state to another: `"White played D4, captured 2 stones. Your
 * turn."` Empty if nothing happened that is worth a word.
 */
export function describeChange(before: GameState | null, after: GameState): string {
  if (before?.id !== after.id) return describeState(after);
  const sentences: string[] = [];
  if (before.head !== after.head) sentences.push(describeHead(before, after));
  if (after.phase === "counting" && before.phase !== "counting") {
    sentences.push(t("Both passed. Mark dead stones and accept the count."));
  }
  if (after.phase === "over" && before.phase !== "over") {
    sentences.push(`${t("The game is over.")}${gap()}${sentence(told(after.result ?? ""))}`.trim());
  } else if (after.phase === "playing" && sentences.length > 0 && isPersonsTurn(after)) {
    sentences.push(turnOf(after));
  }
  return sentences.filter((text) => text !== "").join(" ");
}

function describeState(state: GameState): string {
  if (state.phase === "over") return `${sentence(told(state.name))}${gap()}${sentence(told(state.result ?? t("The game is over.")))}`;
  return `${sentence(told(state.name))}${gap()}${isPersonsTurn(state) ? turnOf(state) : ""}`.trim();
}

function describeHead(before: GameState, after: GameState): string {
  const node = after.tree.find((one) => one.id === after.head);
  if (node === undefined) return "";
  if (node.parent === null) return t("Back at the beginning.");
  if (node.move === null || node.color === null) return t("After move {number}.", { number: node.number });
  const isNew = node.parent === before.head;
  if (!isNew) return t("At move {number}, {move}.", { number: node.number, move: node.move });
  const name = colorName(after.kind, node.color);
  if (node.move === "pass") return t("{name} passed.", { name });
  if (node.move === "swap") return t("{name} swapped sides.", { name });
  const taken = stonesTaken(before, after);
  const move = moveText(after.kind, node.move);
  if (taken === 0) return t("{name} played {move}.", { name, move });
  return count("{name} played {move}, captured {n} stone.|{name} played {move}, captured {n} stones.", taken, {
    name,
    move,
  });
}

function sideOf(state: GameState, color: Color) {
  return color === "black" ? state.black : state.white;
}

function isPersonsTurn(state: GameState): boolean {
  return state.mode === "analysis" || sideOf(state, state.position.to_play) === "human";
}

function turnOf(state: GameState): string {
  const people = [state.black, state.white].filter((side) => side === "human").length;
  const alone = state.mode === "game" && people === 1;
  return alone ? t("Your turn.") : t("{name} to play.", { name: colorName(state.kind, state.position.to_play) });
}

function newRegion(): HTMLElement {
  const element = document.createElement("div");
  element.className = "visually-hidden";
  element.setAttribute("aria-live", "polite");
  element.setAttribute("role", "status");
  document.body.append(element);
  return element;
}
