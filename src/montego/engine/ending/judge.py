"""The player's judgement of the end, made once for each position and kept.

What a pass was based on is what ``final_status_list`` and ``final_score`` say later: a judgement
depends on the stones alone, so that it survives the passes that follow. After a cleanup has begun,
and was not taken back, no stone of the opponent's is dead: those were to be captured.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from montego.engine.ending.passing import judge
from montego.go.vocabulary.vertex import parse_vertex

if TYPE_CHECKING:
    from montego.engine.ending.passing import Judgement, Status
    from montego.go.game import Game, Move, Setup
    from montego.go.scoring import Score

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
    """Judges the positions of a game with a seed of its own."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._cleanup: Cleanup | None = None  # the latest, which may have been taken back
        self._known: OrderedDict[tuple[object, ...], Judgement] = OrderedDict()

    def judge(self, game: Game) -> Judgement:
        """Return the judgement of the position; the same one whenever the stones are the same."""
        key = (game.board.hash, game.size, game.rules, game.compensation, game.captures)
        found = self._known.pop(key, None)
        if found is None:
            found = judge(game, seed=self._seed)
        self._known[key] = found
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found

    def dead_stones(self, game: Game) -> list[str]:
        """Return the stones judged dead, in reading order."""
        dead = [v for v in self.judge(game).dead if self.status(game, v) == "dead"]

        def reading_order(vertex: str) -> tuple[int, int]:
            column, row = parse_vertex(vertex, game.size) or (0, 0)
            return -row, column

        return sorted(dead, key=reading_order)

    def status(self, game: Game, vertex: str) -> Status:
        """Return the status of a stone, by the same judgement as :meth:`dead_stones`.

        Raises:
            GoError: If there is no stone.
        """
        status = self.judge(game).status(vertex)
        cleaner = self._cleaner(game)
        spared = cleaner is not None and game.board.color_at(vertex) != cleaner
        return "alive" if status == "dead" and spared else status

    def score(self, game: Game) -> Score:
        """Count the game after taking off what :meth:`dead_stones` says."""
        judgement = self.judge(game)
        if self._cleaner(game) is None:
            return judgement.score
        return game.score(dead=self.dead_stones(game), seki=judgement.seki)

    def mark(self, game: Game) -> None:
        """Mark in a game that two passes ended what is judged dead."""
        game.mark_dead(self.dead_stones(game), seki=self.judge(game).seki)

    def begin_cleanup(self, game: Game, color: str) -> None:
        """Note that *color* has just moved in a cleanup; one that it began before goes on."""
        if self._cleaner(game) != color:
            self._cleanup = Cleanup(color, game.history)

    def _cleaner(self, game: Game) -> str | None:
        """Return the color that has begun to capture dead stones in this game, if one has."""
        cleanup = self._cleanup
        return cleanup.color if cleanup is not None and cleanup.holds_in(game) else None

    def end_cleanup(self) -> None:
        """Forget that there was one: the game is another."""
        self._cleanup = None

    def reseed(self, seed: int) -> None:
        """Judge everything anew with another seed, if it is another."""
        if seed != self._seed:
            self._seed = seed
            self.forget()

    def forget(self) -> None:
        """Judge everything anew."""
        self._known.clear()
