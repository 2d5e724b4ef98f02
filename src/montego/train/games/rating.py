"""How strong a network is beside its earlier selves: matches on the device that trains it.

A rating is in Elo. A run begins with 0; each match, against what the network was at the last one,
adds the difference that its result stands for. Self-play exaggerates: a difference against other
programs is smaller, but it shows whether the network still gains.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from montego.train.learning.judge import NetJudge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import torch

    from montego.train.games.selfplay import SelfPlay
    from montego.train.learning.net import Net, Shape
    from montego.train.report import Row

RATING = "rating"
"""What it is called among the figures of a row."""
MOST_SHARE = 0.04
"""Of the time of a run that matches may take: a slow device plays them less often."""


class Rating:
    """Plays the matches of a run, and adds up the rating."""

    def __init__(
        self,
        table: SelfPlay,
        shape: Shape,
        device: torch.device,
        *,
        games: int,
        every: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Play at *table*, which has *games* games, a match every so many minutes of the run."""
        self._table, self._games, self._every, self._clock = table, games, every, clock
        self._player, self._rival = NetJudge(shape, device), NetJudge(shape, device)
        self._elo = 0.0
        self._minutes = -math.inf  # Of the run, at the last match.
        self._took = 0.0  # Minutes.

    def begin_with(self, net: Net, log: Sequence[Row]) -> None:
        """Go on where a run was kept: with its network and its log, which may be empty.

        The network is taken for what was rated last, which it is unless a run was killed.
        """
        self._rival.refresh(net)
        for row in log:
            if RATING in row.measured:
                self._elo = row.measured[RATING]
        self._minutes = log[-1].minutes if log else 0.0

    def __call__(self, net: Net, minutes: float, *, last: bool) -> dict[str, Any]:
        """Return the rating, if it is time for a match or the *last* chance to play one."""
        passed = minutes - self._minutes
        if passed <= 0.0 or not (last or passed >= max(self._every, self._took / MOST_SHARE)):
            return {}
        began = self._clock()
        self._player.refresh(net)
        self._elo += elo_of(self._table.match(self._player, self._rival), self._games)
        self._rival.refresh(net)
        self._minutes, self._took = minutes, (self._clock() - began) / 60.0
        return {RATING: self._elo}


def elo_of(share: float, games: int) -> float:
    """Return the difference in Elo that a share of the points stands for.

    Half a game is added to either side, so that winning all of them is no infinity.
    """
    won = (share * games + 0.5) / (games + 1.0)
    return 400.0 * math.log10(won / (1.0 - won))
