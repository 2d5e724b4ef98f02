/** What the levels are called in each game: ranks are for Go. */

import type { Choice, GameKind } from "../messages";
import { t } from "../languages/language";

const isLikePeople = ({ value }: Choice) => value.startsWith("like-");

/** The server's levels, weakest first; in games that have no ranks, with plain numbers. */
export function levelsOf(kind: GameKind, levels: readonly Choice[]): readonly Choice[] {
  const plain = levels.filter((level) => !isLikePeople(level));
  if (kind === "go") return plain;
  return plain.map(({ value }, place) => ({
    value,
    label: t("Level {number}", { number: place + 1 }),
    help: t("of {total}", { total: plain.length }),
  }));
}

/** The opponents like people, weakest first. */
export function peopleOf(levels: readonly Choice[]): readonly Choice[] {
  return levels.filter(isLikePeople);
}
