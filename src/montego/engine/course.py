"""The course of a game as the player sees it: far ahead, far behind, hopeless."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.engine.dynamic_komi import DynamicKomi
from montego.engine.resignation import Resignation

if TYPE_CHECKING:
    from montego.engine.analysis import Analysis
    from montego.engine.options import Options
    from montego.go.game import Game

DECIDED = 0.92  # A chance to win beyond this, or its opposite, makes the player look at points;
OPEN = 0.85  # and one within this makes it stop.


class Course:
    """What the searches of one game have found so far, as far as later ones depend on it."""

    def __init__(self) -> None:
        self._resignation = Resignation()
        self._komi = DynamicKomi()
        self._decided: set[str] = set()  # the colors whose last search said so

    def reset(self) -> None:
        """Start a new game."""
        self._resignation.reset()
        self._komi.reset()
        self._decided.clear()

    def komi_offset(self, options: Options, game: Game, color: str) -> float:
        """Return what *color* should add to komi while it thinks."""
        return self._komi.offset(
            options.dynamic_komi, game.handicap, color, len(game.moves), game.size
        )

    def counts_points(self, options: Options, game: Game, color: str) -> bool:
        """Say whether *color* should look at points, because winning alone tells nothing.

        An imagined komi does the same in another way; one of them is enough.
        """
        imagines = DynamicKomi.is_active(options.dynamic_komi, game.handicap)
        return color in self._decided and not imagines

    def learn(self, color: str, found: Analysis | None) -> None:
        """Note what the search for a move of *color* found."""
        if found is None or not found.simulations:
            return
        self._komi.learn(color, found.value)
        if not 1 - DECIDED <= found.value <= DECIDED:
            self._decided.add(color)
        elif 1 - OPEN <= found.value <= OPEN:
            self._decided.discard(color)

    def is_hopeless(
        self, options: Options, game: Game, color: str, found: Analysis | None, offset: float
    ) -> bool:
        """Say whether *color* should resign, given what its search found.

        A komi that was imagined against oneself proves nothing.
        """
        against = offset if color == "black" else -offset
        if found is None or not found.simulations or against > 0:
            return False
        return self._resignation.should_resign(
            options, color, found.value, len(game.moves), game.size
        )
