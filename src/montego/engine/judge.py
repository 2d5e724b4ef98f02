"""The player's judgement of the end, made once for each position and kept.

What a pass was based on is what ``final_status_list`` and ``final_score`` say later: a judgement
depends on the stones alone, so that it survives the passes that follow.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from montego.engine.ending import judge
from montego.go.vertex import parse_vertex

if TYPE_CHECKING:
    from montego.engine.ending import Judgement
    from montego.go.game import Game

KEPT = 16


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
        dead = self.judge(game).dead
        if cleaned_up is not None:
            dead = frozenset(v for v in dead if game.board.color_at(v) == cleaned_up)

        def reading_order(vertex: str) -> tuple[int, int]:
            column, row = parse_vertex(vertex, game.size) or (0, 0)
            return -row, column

        return sorted(dead, key=reading_order)

    def forget(self) -> None:
        """Judge everything anew."""
        self._known.clear()
