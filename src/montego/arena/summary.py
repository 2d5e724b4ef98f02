"""What came out of a match, counted from the records of its games."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from montego.arena.record import DISAGREEMENT, FORFEITS, REFEREE, Ending
from montego.arena.statistics import (
    Tally,
    elo_interval,
    likelihood_of_superiority,
    wilson_interval,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.arena.record import GameRecord, PlayerRecord
    from montego.arena.sprt import TestState


@dataclass
class Side:
    """One engine's share of a match."""

    name: str
    title: str = ""
    as_black: Tally = field(default_factory=Tally)
    as_white: Tally = field(default_factory=Tally)
    faults: dict[str, int] = field(default_factory=dict)
    """Time losses, illegal moves, crashes and the like."""
    moves: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    cpu_moves: int = 0
    """Moves of the games whose processor time is known; nobody knows it after a crash."""
    slowest_seconds: float = 0.0

    @property
    def tally(self) -> Tally:
        """All games."""
        return self.as_black + self.as_white


@dataclass
class Summary:
    """A match so far. Scores and Elo are those of the first engine."""

    first: Side
    second: Side
    wanted: int
    disagreements: int = 0
    referee_failures: int = 0
    move_limits: int = 0
    moves: int = 0
    test: TestState | None = None

    @property
    def tally(self) -> Tally:
        """The first engine's games."""
        return self.first.tally

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON can hold it; what is infinite or unknown is None."""
        tally = self.tally
        low, high = wilson_interval(tally.wins + tally.draws / 2, tally.games)
        elo, elo_low, elo_high = elo_interval(tally)
        return {
            "games": tally.games,
            "wanted": self.wanted,
            "wins": tally.wins,
            "losses": tally.losses,
            "draws": tally.draws,
            "score": tally.score if tally.games else None,
            "score_low": low,
            "score_high": high,
            "elo": _finite(elo) if tally.games else None,
            "elo_low": _finite(elo_low),
            "elo_high": _finite(elo_high),
            "likelihood_of_superiority": likelihood_of_superiority(tally),
            "disagreements": self.disagreements,
            "referee_failures": self.referee_failures,
            "move_limits": self.move_limits,
            "moves": self.moves,
            "sprt": None if self.test is None else _test_dict(self.test),
            "engines": [_side_dict(side) for side in (self.first, self.second)],
        }


def summarize(records: Iterable[GameRecord], names: tuple[str, str], wanted: int) -> Summary:
    """Count the games between two engines. Games of others are an error of the caller's."""
    summary = Summary(Side(names[0]), Side(names[1]), wanted)
    sides = {names[0]: summary.first, names[1]: summary.second}
    for record in records:
        add_game(summary, sides[record.black.name], sides[record.white.name], record)
    return summary


def add_game(summary: Summary, black: Side, white: Side, record: GameRecord) -> None:
    """Count one more game."""
    winner = record.winner
    black.as_black += Tally(winner == "black", winner == "white", winner is None)
    white.as_white += Tally(winner == "white", winner == "black", winner is None)
    black_moves = (len(record.moves) + (record.first == "black")) // 2
    _add_use(black, record.black, black_moves)
    _add_use(white, record.white, len(record.moves) - black_moves)
    summary.moves += len(record.moves)
    summary.move_limits += record.ending == Ending.MOVE_LIMIT
    event = record.event
    if event is not None:
        summary.disagreements += event.kind == DISAGREEMENT
        summary.referee_failures += event.kind == REFEREE
        if event.kind in FORFEITS:
            side = black if event.engine == black.name else white
            side.faults[event.kind] = side.faults.get(event.kind, 0) + 1


def _add_use(side: Side, player: PlayerRecord, moves: int) -> None:
    side.title = player.version or side.title
    side.moves += moves
    side.seconds += player.seconds
    side.slowest_seconds = max(side.slowest_seconds, player.slowest_seconds)
    if player.cpu_seconds is not None:
        side.cpu_seconds += player.cpu_seconds
        side.cpu_moves += moves


def _side_dict(side: Side) -> dict[str, Any]:
    def tally(value: Tally) -> dict[str, int]:
        return {"wins": value.wins, "losses": value.losses, "draws": value.draws}

    return {
        "name": side.name,
        "version": side.title,
        "black": tally(side.as_black),
        "white": tally(side.as_white),
        "faults": {str(ending): side.faults.get(ending, 0) for ending in FORFEITS},
        "moves": side.moves,
        "seconds": round(side.seconds, 3),
        "cpu_seconds": round(side.cpu_seconds, 3) if side.cpu_moves else None,
        "cpu_moves": side.cpu_moves,
        "slowest_seconds": side.slowest_seconds,
    }


def _test_dict(test: TestState) -> dict[str, Any]:
    lower, upper = test.sprt.bounds
    return {
        "elo0": test.sprt.elo0,
        "elo1": test.sprt.elo1,
        "alpha": test.sprt.alpha,
        "beta": test.sprt.beta,
        "model": "pentanomial" if len(test.counts) == 5 else "trinomial",
        "counts": list(test.counts),
        "log_likelihood_ratio": round(test.ratio, 4),
        "lower": round(lower, 4),
        "upper": round(upper, 4),
        "decision": test.decision,
    }


def _finite(value: float) -> float | None:
    return round(value, 2) if math.isfinite(value) else None
