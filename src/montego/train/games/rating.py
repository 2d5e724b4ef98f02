"""How strong a network is beside its earlier selves: matches on the device that trains it.

A rating is in Elo. A run begins with 0; a match, against what the network once was, says how far
above that one it is. The rival stays until it is beaten clearly, and then the network takes its
place. Who changed rivals at every match would add up small differences, and a network that forgets
what it knew while it learns the answer to its last self would rise for ever: two stretches of Go
9x9 rose by 1,009 and by 342 Elo in that way, and were no stronger in matches between their ends.
Matches that all begin with the empty board mislead, too: a third stretch won 72% of such games, and
about half of those from other openings. So half of the games begin with random moves.
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
    from montego.train.learning.net import Net, NetShape
    from montego.train.report import Row

RATING = "rating"
"""What it is called among the figures of a row."""
BEATEN = 0.75
"""Share of the points from which on a rival is beaten clearly."""
MOST_SHARE = 0.04
"""Of the time of a run that matches may take: a slow device plays them less often."""


class RatingMatches:
    """Plays the matches of a run, and adds up the rating."""

    def __init__(
        self,
        tables: Sequence[SelfPlay],
        shape: NetShape,
        device: torch.device,
        *,
        games: int,
        every: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Play at *tables*, *games* games together, a match every so many minutes of the run.

        There is a table for each board, and all count the same.
        """
        self._tables, self._games, self._every, self._clock = tables, games, every, clock
        self._player, self._rival = NetJudge(shape, device), NetJudge(shape, device)
        self._rival_elo = 0.0
        self._minutes = -math.inf  # Of the run, at the last match.
        self._took = 0.0  # Minutes.

    def begin_with(self, net: Net, log: Sequence[Row]) -> None:
        """Go on where a run was kept: with its network and its log, which may be empty.

        The network is taken for what was rated last, which it is unless a run was killed.
        """
        self._rival.refresh(net)
        for row in log:
            if RATING in row.measured:
                self._rival_elo = row.measured[RATING]
        self._minutes = log[-1].minutes if log else 0.0

    def __call__(self, net: Net, minutes: float, *, last: bool) -> dict[str, Any]:
        """Return the rating, if it is time for a match or the *last* chance to play one."""
        passed = minutes - self._minutes
        if passed <= 0.0 or not (last or passed >= max(self._every, self._took / MOST_SHARE)):
            return {}
        began = self._clock()
        self._player.refresh(net)
        shares = [table.match(self._player, self._rival) for table in self._tables]
        share = sum(shares) / len(shares)
        elo = self._rival_elo + elo_of(share, self._games)
        if share >= BEATEN:
            self._rival.refresh(net)
            self._rival_elo = elo
        self._minutes, self._took = minutes, (self._clock() - began) / 60.0
        return {RATING: elo}


def elo_of(share: float, games: int) -> float:
    """Return the difference in Elo that a share of the points stands for.

    Half a game is added to either side, so that winning all of them is no infinity.
    """
    won = (share * games + 0.5) / (games + 1.0)
    return 400.0 * math.log10(won / (1.0 - won))
