/** Records of games: in by a file, out by a download. */

import { navigate } from "../routes";
import { fail, welcome } from "../state";
import { t, told } from "../languages/language";

/** Send an SGF file to the server and open the game in it. What goes wrong is told in words. */
export async function openRecord(file: File): Promise<void> {
  const most = welcome.value?.most_upload ?? Infinity;
  if (file.size > most) {
    fail(t("{file} is too large: a record may have {most} KB.", { file: file.name, most: Math.floor(most / 1000) }));
    return;
  }
  if (file.size === 0) {
    fail(t("{file} is empty.", { file: file.name }));
    return;
  }
  let answer: { game?: string; error?: string };
  try {
    const response = await fetch("/upload", {
      method: "POST",
      body: await file.arrayBuffer(),
      headers: { "Content-Type": "application/x-go-sgf" },
    });
    answer = (await response.json()) as typeof answer;
  } catch {
    fail(t("{file} could not be sent to Montego; please try again.", { file: file.name }));
    return;
  }
  if (answer.game !== undefined) navigate({ page: "game", game: answer.game });
  else fail(`${file.name}: ${told(answer.error ?? "") || t("this is not a record that Montego can read.")}`);
}

/** The address of a game's record. */
export function recordAddress(game: string): string {
  return `/games/${game}.sgf`;
}
