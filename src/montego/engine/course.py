"""The course of a game as the player sees it: far ahead, far behind, hopeless."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from montego.engine.dynamic_komi import DynamicKomi
from montego.engine.resignation import Resignation

if TYPE_CHECKING:
    from montego.engine.options.options import Options
    from montego.engine.searching.analysis import Analysis
    from montego.go.game import Game, Move, Setup
    from montego.go.vocabulary.rules import Rules

DECIDED = 0.95  # A chance to win beyond this, or its opposite, makes the player count points;
OPEN = 0.85  # and one within this makes it stop.
ENOUGH_VISITS = 50  # Of the move to play, below which its chance to win is a guess.


def is_decided(chance: float, visits: int) -> bool:
    """Say whether a move's chance to win leaves so little open that points alone differ."""
    return visits >= ENOUGH_VISITS and not 1 - DECIDED <= chance <= DECIDED


def is_open(chance: float, visits: int) -> bool:
    """Say whether a game that seemed decided is not."""
    return visits >= ENOUGH_VISITS and 1 - OPEN <= chance <= OPEN


class Finding(NamedTuple):
    """What a search said, and of which game."""

    decided: bool
    history: list[Move | Setup]
    komi: float
    rules: Rules

    def holds_in(self, game: Game) -> bool:
        """Say whether *game* is still that one, if further on."""
        same = (self.komi, self.rules) == (game.komi, game.rules)
        return same and game.history[: len(self.history)] == self.history


class Course:
    """What the searches of one game have found so far, as far as later ones depend on it."""

    def __init__(self) -> None:
        self._resignation = Resignation()
        self._komi = DynamicKomi()
        self._findings: dict[str, Finding] = {}  # of the last search of each color

    def reset(self) -> None:
        """Start a new game."""
        self._resignation.reset()
        self._komi.reset()
        self._findings.clear()

    def komi_offset(self, options: Options, game: Game, color: str) -> float:
        """Return what *color* should add to komi while it thinks."""
        return self._komi.offset(
            options.dynamic_komi, game.handicap, color, len(game.moves), game.size
        )

    def counts_points(self, options: Options, game: Game, color: str) -> bool | None:
        """Say whether *color* should count points, because winning alone tells nothing.

        None if nothing was learned on the way to this position. An imagined komi does the same in
        another way, and a level is not to know what its search cannot see.
        """
        imagines = DynamicKomi.is_active(options.dynamic_komi, game.handicap)
        if imagines or options.level is not None:
            return False
        found = {
            whose: finding.decided
            for whose, finding in self._findings.items()
            if finding.holds_in(game)
        }
        # What one color's search says is true for the other, too: they may share a tree.
        return True if any(found.values()) else found.get(color)

    def learn(self, game: Game, color: str, found: Analysis | None) -> None:
        """Note what the search for a move of *color* found in *game*."""
        if found is None or found.best is None or not found.simulations:
            return
        self._komi.learn(color, found.value)
        if found.best.visits < ENOUGH_VISITS:
            return
        decided = is_decided(found.value, found.best.visits)
        if found.points:
            decided |= not is_open(found.value, found.best.visits)  # Not to and fro.
        self._findings[color] = Finding(decided, game.history, game.komi, game.rules)

    def is_hopeless(self, options: Options, game: Game, color: str, found: Analysis | None) -> bool:
        """Say whether *color* should resign, given what its search found.

        A komi that was imagined against oneself proves nothing.
        """
        if found is None or not found.simulations:
            return False
        if (found.imagined if color == "black" else -found.imagined) > 0:
            return False
        chance = found.value
        if found.points:
            # What is best for points need not be what is best for the win.
            known = [move.value for move in found.moves if move.visits >= ENOUGH_VISITS]
            chance = max([chance, *known])
        return self._resignation.should_resign(options, color, chance, len(game.moves), game.size)
