/** Says aloud, to those who use a screen reader, what happens on the board. */
import { colorName } from "./boards/colors";
import type { Color, GameState } from "./messages";
import { stonesTaken } from "./sound";

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
    sentences.push("Both passed. Mark dead stones and accept the count.");
  }
  if (after.phase === "over" && before.phase !== "over") {
    sentences.push(`The game is over. ${sentence(after.result ?? "")}`);
  } else if (after.phase === "playing" && sentences.length > 0 && isPersonsTurn(after)) {
    sentences.push(turnOf(after));
  }
  return sentences.filter((text) => text !== "").join(" ");
}

function describeState(state: GameState): string {
  if (state.phase === "over") return `${state.name}. ${sentence(state.result ?? "The game is over")}`;
  return `${state.name}. ${isPersonsTurn(state) ? turnOf(state) : ""}`.trim();
}

function describeHead(before: GameState, after: GameState): string {
  const node = after.tree.find((one) => one.id === after.head);
  if (node === undefined) return "";
  if (node.parent === null) return "Back at the beginning.";
  if (node.move === null || node.color === null) return `After move ${node.number}.`;
  const isNew = node.parent === before.head;
  if (!isNew) return `At move ${node.number}, ${node.move}.`;
  const name = colorName(after.kind, node.color);
  if (node.move === "pass") return `${name} passed.`;
  if (node.move === "swap") return `${name} swapped.`;
  const taken = stonesTaken(before, after);
  const capture = taken === 0 ? "" : `, captured ${taken} ${taken === 1 ? "stone" : "stones"}`;
  const place = after.kind === "connect-four" ? `column ${node.move}` : node.move;
  return `${name} played ${place}${capture}.`;
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
  return alone ? "Your turn." : `${colorName(state.kind, state.position.to_play)} to play.`;
}

function sentence(text: string): string {
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}

function newRegion(): HTMLElement {
  const element = document.createElement("div");
  element.className = "visually-hidden";
  element.setAttribute("aria-live", "polite");
  element.setAttribute("role", "status");
  document.body.append(element);
  return element;
}
