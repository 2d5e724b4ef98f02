/** What the levels are called in each game: ranks are for Go. */

import type { Choice, GameKind } from "../messages";
import { t } from "../languages/language";

/** The server's levels, weakest first; in games that have no ranks, with plain numbers and without
 * those like people. */
export function levelsOf(kind: GameKind, levels: readonly Choice[]): readonly Choice[] {
  if (kind === "go") return levels;
  const plain = levels.filter(({ value }) => !value.startsWith("like-"));
  return plain.map(({ value }, place) => ({
    value,
    label: t("Level {number}", { number: place + 1 }),
    help: t("of {total}", { total: plain.length }),
  }));
}
