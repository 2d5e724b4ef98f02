/** Which of the kept games are listed: those with the words that were typed, in the state chosen. */

import type { GameSummary } from "../messages";

export type GameStates = "all" | "going" | "over";

export function filterGames(
  games: readonly GameSummary[],
  words: string,
  states: GameStates,
): GameSummary[] {
  const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return games.filter((game) => {
    if (states !== "all" && (game.phase === "over") !== (states === "over")) return false;
    const text = `${game.name} ${game.kind} ${game.size}x${game.size} ${game.result ?? ""}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
