"""Several tables of self-play that share a GPU.

A search waits for memory and a network for arithmetic. Each table has games and a stream of its
own, so that the trees of one descend while the leaves of another are judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from montego.train.learning.positions import PlayProgress, joined_positions

if TYPE_CHECKING:
    from montego.train.games.selfplay import SelfPlay
    from montego.train.learning.positions import Judge, Positions


class Tables:
    """Tables of the same game that play side by side; at least one."""

    origin = "self-play"

    def __init__(self, tables: list[SelfPlay]) -> None:
        self._tables = tables
        self.has_ownership = tables[0].has_ownership
        self.has_score = tables[0].has_score
        self._streams = [torch.cuda.Stream() for _ in tables]

    def search_with(self, simulations: int) -> None:
        """Search every move with so many simulations from now on, at most those made room for."""
        for table in self._tables:
            table.search_with(simulations)

    def play(self, judge: Judge, seconds: float) -> tuple[Positions, PlayProgress]:
        """Play for so many seconds, or a move at least; return what games that ended leave."""
        before = torch.cuda.current_stream()
        turns = []
        for table, stream in zip(self._tables, self._streams, strict=True):
            stream.wait_stream(before)
            turns.append((table.playing(judge, seconds), stream))
        found: list[tuple[Positions, PlayProgress]] = []
        while turns:
            for turn in tuple(turns):
                playing, stream = turn
                with torch.cuda.stream(stream):
                    try:
                        next(playing)
                    except StopIteration as end:
                        found.append(end.value)
                        turns.remove(turn)
        for stream in self._streams:
            before.wait_stream(stream)
        positions, progress = zip(*found, strict=True)
        return joined_positions(list(positions)), together(list(progress))

    def state(self) -> dict[str, Any]:
        """Return what :meth:`restore` needs. Games in progress are begun anew."""
        return {"tables": [table.state() for table in self._tables]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on with the random numbers of other tables, as far as there were as many."""
        for table, found in zip(self._tables, state.get("tables", [state]), strict=False):
            table.restore(found)


def together(parts: list[PlayProgress]) -> PlayProgress:
    """Return what happened at all tables in the same stretch of time."""
    games = sum(part.games for part in parts)

    def mean(name: str) -> float:
        total: float = sum(getattr(part, name) * part.games for part in parts)
        return total / max(games, 1)

    return PlayProgress(
        games=games,
        positions=sum(part.positions for part in parts),
        evaluations=sum(part.evaluations for part in parts),
        seconds=max(part.seconds for part in parts),
        length=mean("length"),
        first_wins=mean("first_wins"),
        entropy=sum(part.entropy for part in parts) / len(parts),
        cut_off=mean("cut_off"),
    )
