"""The player's judgement of the end, made once for each position and kept.

What a pass was based on is what ``final_status_list`` and ``final_score`` say later: a judgement
depends on the stones alone, so that it survives the passes that follow.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from montego.engine.ending import judge
from montego.go.vertex import parse_vertex

if TYPE_CHECKING:
    from montego.engine.ending import Judgement, Status
    from montego.go.game import Game, Move, Setup

KEPT = 16


class Cleanup(NamedTuple):
    """A player captures dead stones, after an argument about them on KGS."""

    color: str
    history: list[Move | Setup]
    """Of the game, the first move of the cleanup included."""

    def holds_in(self, game: Game) -> bool:
        """Say whether *game* is still that one, if further on: taken back, it is as before."""
        return game.history[: len(self.history)] == self.history


class Judge:
    """Judges positions with a seed of its own."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._known: OrderedDict[tuple[object, ...], Judgement] = OrderedDict()

    def judge(self, game: Game) -> Judgement:
        """Return the judgement of the position; the same one whenever the stones are the same."""
        key = (game.board.hash, game.size, game.rules, game.komi, game.handicap, game.captures)
        found = self._known.pop(key, None)
        if found is None:
            found = judge(game, seed=self._seed)
        self._known[key] = found
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found

    def dead_stones(self, game: Game, cleaned_up: str | None = None) -> list[str]:
        """Return the stones judged dead, in reading order.

        *cleaned_up* is the player who has captured dead stones, if one has: only stones of that
        player's own are then still dead.
        """
        dead = [v for v in self.judge(game).dead if self.status(game, v, cleaned_up) == "dead"]

        def reading_order(vertex: str) -> tuple[int, int]:
            column, row = parse_vertex(vertex, game.size) or (0, 0)
            return -row, column

        return sorted(dead, key=reading_order)

    def status(self, game: Game, vertex: str, cleaned_up: str | None = None) -> Status:
        """Return the status of a stone, by the same judgement as :meth:`dead_stones`.

        Raises:
            GoError: If there is no stone.
        """
        status = self.judge(game).status(vertex)
        spared = cleaned_up is not None and game.board.color_at(vertex) != cleaned_up
        return "alive" if status == "dead" and spared else status

    def forget(self) -> None:
        """Judge everything anew."""
        self._known.clear()
