"""When to give up: only after several hopeless moves in a row, and never early in the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from montego.engine.options.options import Options


class Resignation:
    """Counts a player's hopeless moves, for each color on its own."""

    def __init__(self) -> None:
        self._hopeless: dict[str, list[int]] = {}  # by color, the moves in a row

    def reset(self) -> None:
        """Start a new game."""
        self._hopeless.clear()

    def should_resign(
        self, options: Options, color: str, value: float, moves_played: int, size: int
    ) -> bool:
        """Note the value of the move that *color* is about to make; say whether to resign instead.

        Asked twice about the same move it counts once. *value* is the chance to win by the rules,
        not by a komi that is only imagined.
        """
        threshold = options.resign
        if threshold is None or value >= threshold:
            self._hopeless.pop(color, None)
            return False
        counted = self._hopeless.setdefault(color, [])
        # Moves were taken back, or this one is decided again.
        counted[:] = [move for move in counted if move < moves_played]
        counted.append(moves_played)
        early = moves_played < options.resign_after * size * size
        return not early and len(counted) >= options.resign_moves
