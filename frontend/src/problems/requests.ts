/** What the page asks about problems. */

import { send } from "../connection";
import { route } from "../routes";
import { fail } from "../state";
import { t, told } from "../languages/language";
import { found, problem, result, waiting } from "./store";

/** Ask for the next problem of a set; without one, of the set shown. */
export function nextProblem(set: string, grade: number): void {
  waiting.value = send({
    type: "show_problem",
    set,
    grade,
    after: problem.value?.problem ?? "",
  });
}

/** Try a move, or give up with an empty one. Only the first try counts. */
export function tryMove(move: string, hints: number): void {
  const shown = problem.value;
  if (shown === null || waiting.value > 0) return;
  const counts = result.value === null;
  waiting.value = send({ type: "answer_problem", problem: shown.problem, move, hints, counts });
}

/** Have Montego look through the games for mistakes of life and death. */
export function searchGames(): void {
  found.value = null;
  waiting.value = send({ type: "find_problems" });
}

/** Send the records of a folder; returns how many problems were in them. */
export async function addFolder(files: readonly File[]): Promise<number> {
  const records = files.filter(({ name }) => /\.sgf$/i.test(name));
  if (records.length === 0) fail(t("There are no SGF files in that folder."));
  let added = 0;
  for (const file of records) {
    const folder = file.webkitRelativePath.split("/").at(-2) ?? "";
    const query = new URLSearchParams({ set: folder, name: file.name.replace(/\.sgf$/i, "") });
    try {
      const response = await fetch(`/problems?${query.toString()}`, {
        method: "POST",
        body: await file.arrayBuffer(),
        headers: { "Content-Type": "application/x-go-sgf" },
      });
      const answer = (await response.json()) as { added?: number; error?: string };
      added += answer.added ?? 0;
      if (answer.error !== undefined) fail(told(answer.error));
    } catch {
      fail(t("{file} could not be sent to Montego; please try again.", { file: file.name }));
      break;
    }
    if (route.value.page !== "problems") break;
  }
  return added;
}
