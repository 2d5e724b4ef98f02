"""Dynamic komi: in a lopsided game, search as if the komi were one at which it is still open.

A search that loses or wins nearly every playout cannot tell good moves from bad ones. In handicap
games White is given an imaginary bonus for each stone, which melts away as the game goes on; a
ratchet moves it with the win rate. Komi is what White gets, so a positive offset helps White.
"""

from __future__ import annotations

POINTS_PER_STONE = {"white": 8.0, "black": 12.0}  # by who thinks: Black should not play lazily
GONE_BY = {"white": 0.42, "black": 0.55}  # moves per point of the board, when nothing is left of it
TOO_GOOD, TOO_BAD = 0.85, 0.20  # chances to win that move the ratchet
STEP = 1.0  # points that it moves by
MOST = 30.0  # points that it may be off at most
RATCHET_ENDS = 0.75  # moves per point of the board; the end is played by the true komi


def handicap_bonus(handicap: int, color: str, moves_played: int, size: int) -> float:
    """Return what *color* adds to komi while it thinks, because Black has handicap stones.

    On small boards a stone is worth less, in proportion to the lines.
    """
    if handicap < 2:
        return 0.0
    gone = GONE_BY[color] * size * size
    left = max(1.0 - moves_played / gone, 0.0)
    return handicap * POINTS_PER_STONE[color] * (size / 19) * left


class DynamicKomi:
    """The komi that a player imagines on top of the true one."""

    def __init__(self) -> None:
        self._ratchet = 0.0

    @property
    def ratchet(self) -> float:
        """Points that wins and losses have moved it by."""
        return self._ratchet

    def reset(self) -> None:
        """Start a new game."""
        self._ratchet = 0.0

    @staticmethod
    def is_active(mode: str, handicap: int) -> bool:
        """Say whether komi is imagined at all: *mode* is as in :meth:`offset`."""
        return mode == "always" or (mode == "handicap" and handicap >= 2)

    def offset(self, mode: str, handicap: int, color: str, moves_played: int, size: int) -> float:
        """Return what to add to komi for the next search of *color*.

        *mode* is ``"off"``, ``"handicap"`` (in handicap games only) or ``"always"``. Whole points,
        so that a search is not disturbed by every move.
        """
        if not self.is_active(mode, handicap):
            return 0.0
        if moves_played >= RATCHET_ENDS * size * size:
            self._ratchet = 0.0
        bonus = handicap_bonus(handicap, color, moves_played, size)
        return float(round(bonus + self._ratchet))

    def learn(self, color: str, value: float) -> None:
        """Note the value that *color*'s last search found under the imagined komi."""
        against = 1.0 if color == "black" else -1.0  # the direction that makes it harder for color
        if value > TOO_GOOD:
            self._ratchet += against * STEP
        elif value < TOO_BAD:
            self._ratchet -= against * STEP
        self._ratchet = min(max(self._ratchet, -MOST), MOST)
