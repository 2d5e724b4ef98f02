"""A match: two engines, many games, colors in turn, and what came out of it.

Game *i* is played with the first engine as Black if *i* is even. With openings, games 2k and 2k + 1
share one. With a handicap the first engine is White in every game, and the second takes the stones.
A match with a folder goes on where it stopped: the number of a game is all that counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from montego.arena.opening import handicap_opening
from montego.arena.record import DISAGREEMENT, FORFEITS, REFEREE, Ending
from montego.arena.statistics import (
    Sprt,
    Tally,
    TestState,
    elo_interval,
    likelihood_of_superiority,
    state_of_test,
    wilson_interval,
)
from montego.arena.store import GameFolder
from montego.arena.workers import EngineSpec, Fixture, Series, play_fixtures
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.vertex import check_size

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from montego.arena.contest import PlayedGame
    from montego.arena.record import GameRecord, PlayerRecord


@dataclass(frozen=True, kw_only=True)
class Match(Series):
    """What is to be played; :func:`run_match` plays it.

    Raises:
        GoError: If the names are equal, or the size, komi, rules, handicap or numbers are
            impossible.
    """

    first: EngineSpec
    second: EngineSpec
    games: int = 100
    handicap: int = 0
    """Stones that the second engine takes, as Black in every game; 0 for colors in turn."""
    sprt: Sprt | None = None
    """A test that ends the match when it is decided; on pairs of games where there are openings."""

    def __post_init__(self) -> None:
        check_size(self.conditions.size)
        parse_komi(self.conditions.komi)
        parse_rules(self.conditions.rules)
        if self.handicap:
            handicap_opening(self.conditions.size, self.handicap)
            if self.openings:
                raise GoError("an opening and a handicap do not go together: say one of them")
        if self.first.name == self.second.name:
            raise GoError(f"both engines are called {self.first.name!r}: say --names")
        if self.games < 1:
            raise GoError(f"cannot play {self.games} games: say a number from 1")
        if self.concurrency < 1:
            raise GoError(f"cannot play {self.concurrency} games at a time: say a number from 1")

    def fixture(self, number: int) -> Fixture:
        """Return game *number* of the match."""
        if self.handicap:
            opening = handicap_opening(self.conditions.size, self.handicap)
            return self.game(number, self.second, self.first, opening)
        players = (self.first, self.second)
        return self.game(number, players[number % 2], players[1 - number % 2])

    def identity(self) -> dict[str, Any]:
        """Return what must not change when the match goes on later: all but speed and length."""
        return {
            "names": [self.first.name, self.second.name],
            "commands": [self.first.command, self.second.command],
            **super().identity(),
            "referee": self.referee.command if self.referee else "",
            **({"handicap": self.handicap} if self.handicap else {}),
        }


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
class MatchSummary:
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
            **vars(tally),
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


def summarize(records: Iterable[GameRecord], names: tuple[str, str], wanted: int) -> MatchSummary:
    """Count the games between two engines. Games of others are an error of the caller's."""
    summary = MatchSummary(Side(names[0]), Side(names[1]), wanted)
    sides = {names[0]: summary.first, names[1]: summary.second}
    for record in records:
        summary.moves += len(record.moves)
        summary.move_limits += record.ending == Ending.MOVE_LIMIT
        kind = "" if record.event is None else record.event.kind
        summary.disagreements += kind == DISAGREEMENT
        summary.referee_failures += kind == REFEREE
        if record.event is not None and kind in FORFEITS:
            faults = sides[record.event.engine].faults
            faults[kind] = faults.get(kind, 0) + 1
        winner = record.winner
        black, white = sides[record.black.name], sides[record.white.name]
        black.as_black += Tally(winner == "black", winner == "white", winner is None)
        white.as_white += Tally(winner == "white", winner == "black", winner is None)
        black_moves = (len(record.moves) + (record.first == "black")) // 2
        _add_use(black, record.black, black_moves)
        _add_use(white, record.white, len(record.moves) - black_moves)
    return summary


def _add_use(side: Side, player: PlayerRecord, moves: int) -> None:
    side.title = player.version or side.title
    side.moves += moves
    side.seconds += player.seconds
    side.slowest_seconds = max(side.slowest_seconds, player.slowest_seconds)
    if player.cpu_seconds is not None:
        side.cpu_seconds += player.cpu_seconds
        side.cpu_moves += moves


def _side_dict(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "version": side.title,
        "black": vars(side.as_black),
        "white": vars(side.as_white),
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
        **vars(test.sprt),
        "model": "pentanomial" if len(test.counts) == 5 else "trinomial",
        "counts": list(test.counts),
        "log_likelihood_ratio": round(test.ratio, 4),
        "lower": round(lower, 4),
        "upper": round(upper, 4),
        "decision": test.decision,
    }


def _finite(value: float) -> float | None:
    return round(value, 2) if math.isfinite(value) else None


def run_match(
    match: Match,
    folder: str | os.PathLike[str] | None = None,
    *,
    report: Callable[[MatchSummary, GameRecord | None], bool] | None = None,
) -> MatchSummary:
    """Play the games that are not in *folder* yet, and return the summary of all.

    *report* is called before the first game and after each; False ends the match early, and so does
    a decided test. Games that run then are still finished. Without a folder nothing is written.

    Raises:
        GoError: If the folder is another match's, in use, or cannot be written; if an engine is
            not the version that played the games in it.
        EngineError: If an engine cannot be started.
    """
    with GameFolder(folder, match.identity()) as store:

        def goes_on(record: GameRecord | None) -> bool:
            summary = summarize_match(match, store.records)
            wanted = report is None or report(summary, record)
            return wanted and (summary.test is None or summary.test.decision is None)

        def keep(played: PlayedGame) -> bool:
            store.add(played)
            return goes_on(played.record)

        if goes_on(None):
            missing = [number for number in range(match.games) if number not in store.records]
            before = list(store.records.values())
            play_fixtures(map(match.fixture, missing), match, keep, before=before)
        return summarize_match(match, store.records)


def summarize_match(match: Match, records: Mapping[int, GameRecord]) -> MatchSummary:
    """Count the games of a match so far, and see what its test says."""
    names = (match.first.name, match.second.name)
    summary = summarize((records[number] for number in sorted(records)), names, match.games)
    if match.sprt is not None:
        counts = _result_counts(records, match.first.name, 2 if match.openings else 1)
        summary.test = state_of_test(match.sprt, counts)
    return summary


def _result_counts(records: Mapping[int, GameRecord], name: str, size: int) -> list[int]:
    """Return how many groups of games gave *name* 0, 1, 2 and so on half points.

    A group is one game, or with a *size* of 2 a pair of games 2k and 2k + 1.
    """
    counts = [0] * (2 * size + 1)
    for number in range(0, max(records, default=-1) + 1, size):
        group = [records[game] for game in range(number, number + size) if game in records]
        if len(group) == size:
            counts[round(2 * sum(record.points(name) for record in group))] += 1
    return counts
