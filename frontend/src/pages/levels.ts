/** What the levels are called in each game: ranks are for Go. */

import type { Choice, GameKind } from "../messages";
import { t } from "../languages/language";

/** The server's levels, weakest first; in games that have no ranks, with plain numbers. */
export function levelsOf(kind: GameKind, levels: readonly Choice[]): readonly Choice[] {
  if (kind === "go") return levels;
  return levels.map(({ value }, place) => ({
    value,
    label: t("Level {number}", { number: place + 1 }),
    help: t("of {total}", { total: levels.length }),
  }));
}
