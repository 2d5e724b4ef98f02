"""Games of the arena on the machines of a cluster: tables elsewhere, and the venue they make.

On the machine itself a table is the arena's own: see :func:`montego.cluster.host.make`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.workers import Series, TableLost
from montego.cluster.errors import MachineLost

if TYPE_CHECKING:
    from montego.arena.contest import PlayedGame
    from montego.arena.workers import Fixture, Table
    from montego.cluster.cluster import Cluster
    from montego.cluster.crew import Link


class FarTable:
    """A table on a machine of a cluster."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def play(self, fixture: Fixture, series: Series) -> PlayedGame:
        """Have a game played.

        Raises:
            TableLost: If the machine, or its process, is gone.
            GoError: As of a table that is here.
        """
        try:
            # Who plays whom, and where, is not the table's business.
            told = Series(conditions=series.conditions, referee=series.referee)
            played: PlayedGame = self._link.ask("play", fixture, told).result()
        except MachineLost as error:
            raise TableLost(f"{self._link.name}: {error}") from None
        return played

    def close(self) -> None:
        """End its engines, sooner or later."""
        self._link.ask("close")


class ClusterVenue:
    """All tables of a cluster. See ``montego.arena.workers.Venue``."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def tables(self) -> list[Table]:
        """Return a table for everybody who has joined; waits for them.

        Raises:
            ClusterError: If nobody has.
        """
        return [FarTable(link) for link in self._cluster.wait()]

    def abort(self) -> None:
        """End all games at once."""
        self._cluster.close()
