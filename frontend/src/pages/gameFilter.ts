/** Which of the kept games are listed: those with the words that were typed, in the state chosen. */

import type { GameSummary } from "../messages";
import { told } from "../languages/language";

export type GameStates = "all" | "going" | "over" | "archived";

export function filterGames(
  games: readonly GameSummary[],
  words: string,
  states: GameStates,
): GameSummary[] {
  const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return games.filter((game) => {
    if (game.archived !== (states === "archived")) return false;
    if (states === "over" && game.phase !== "over") return false;
    if (states === "going" && game.phase === "over") return false;
    const text = `${game.name} ${told(game.name)} ${game.kind} ${game.size}x${game.size} ${game.result ?? ""}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
