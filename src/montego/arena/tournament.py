"""Tournaments: several engines, who meets whom by a scheme, and ratings of all.

A *meeting* is two games with one opening, each engine Black once. Games are numbered in the order
of the schedule, two to a meeting. A Swiss round is paired from the results of the rounds before it,
so that a tournament that was stopped goes on as if it had not.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import msgspec

from montego.arena.store import GameFolder
from montego.arena.toml_file import SeriesTable, TomlTable, read_toml
from montego.arena.workers import EngineSpec, Fixture, Series, play_fixtures
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from montego.arena.contest import PlayedGame
    from montego.arena.rating import Ratings
    from montego.arena.record import GameRecord

Kind = Literal["round-robin", "gauntlet", "swiss", "ladder"]
Pair = tuple[str, str]

LADDER_REACH = 2  # Steps of a ladder that two may be apart to meet.
SEARCH_LIMIT = 100_000  # Steps after which a Swiss round has rematches rather than no end.


@dataclass(frozen=True, kw_only=True)
class Tournament(Series):
    """What is to be played."""

    name: str = "Tournament"
    kind: Kind = "round-robin"
    engines: tuple[EngineSpec, ...]
    rounds: int = 1
    """Each pair meets once a round; in a Swiss tournament each engine does."""
    challengers: tuple[str, ...] = ()
    """Of a gauntlet; by default the first engine."""
    anchors: Mapping[str, float] = field(default_factory=dict)
    """Ratings that are known."""

    def __post_init__(self) -> None:
        names = self.names
        if len(names) < 2:
            raise GoError("a tournament needs two engines or more")
        if len(set(names)) < len(names):
            raise GoError("two engines of the tournament have one name")
        if self.kind not in get_args(Kind):
            raise GoError(
                f"unknown tournament {self.kind!r}: say round-robin, gauntlet, swiss or ladder"
            )
        if self.rounds < 1:
            raise GoError(f"cannot play {self.rounds} rounds: say a number from 1")
        for name in (*self.challengers, *self.anchors):
            if name not in names:
                raise GoError(f"no engine of the tournament is called {name!r}")
        if set(self.challengers) == set(names):
            raise GoError("a gauntlet needs somebody who is no challenger")

    @property
    def names(self) -> tuple[str, ...]:
        """The engines' names, in the order they were given."""
        return tuple(engine.name for engine in self.engines)

    @property
    def wanted(self) -> int:
        """The number of games."""
        count = len(self.names) // 2 if self.kind == "swiss" else len(self._pairs())
        return 2 * count * self.rounds

    def identity(self) -> dict[str, Any]:
        """Return what must not change when it goes on later: all but rounds and speed."""
        return {
            "kind": self.kind,
            "names": list(self.names),
            "commands": [engine.command for engine in self.engines],
            "challengers": list(self.challengers),
            **super().identity(),
            "referee": self.referee.command if self.referee else "",
        }

    def round_pairs(self, number: int, records: Mapping[int, GameRecord]) -> list[Pair]:
        """Return who meets whom in a round, from 0. Swiss rounds need all games before them."""
        if self.kind != "swiss":
            return self._pairs()
        points, met, rested = dict.fromkeys(self.names, 0.0), set[frozenset[str]](), set[str]()
        pairs: list[Pair] = []
        per_round = 2 * (len(self.names) // 2)
        for past in range(number + 1):
            pairs, resting = swiss_round(self.names, points, met, rested)
            if past == number:
                break
            met.update(frozenset(pair) for pair in pairs)
            if resting is not None:
                rested.add(resting)
                points[resting] += 2
            for game in range(past * per_round, (past + 1) * per_round):
                for player in (records[game].black, records[game].white):
                    points[player.name] += records[game].points(player.name)
        return pairs

    def fixtures(self, number: int, records: Mapping[int, GameRecord]) -> list[Fixture]:
        """Return the games of a round that have not been played."""
        engines = {engine.name: engine for engine in self.engines}
        pairs = self.round_pairs(number, records)
        # Each pair twice, each player Black once.
        meetings = [seats for pair in pairs for seats in (pair, pair[::-1])]
        return [
            self.game(game, engines[black], engines[white], round=number + 1)
            for game, (black, white) in enumerate(meetings, number * len(meetings))
            if game not in records
        ]

    def _pairs(self) -> list[Pair]:
        """Return who meets whom in every round but a Swiss one.

        All; or challengers and others; or, on a ladder, those that are next to one another in the
        order they were given, or next but one.
        """
        if self.kind == "ladder":
            places = itertools.combinations(enumerate(self.names), 2)
            return [(low, high) for (i, low), (j, high) in places if j - i <= LADDER_REACH]
        if self.kind != "gauntlet":
            return list(itertools.combinations(self.names, 2))
        challengers = self.challengers or self.names[:1]
        others = [name for name in self.names if name not in challengers]
        return list(itertools.product(challengers, others))


def swiss_round(
    names: Sequence[str],
    points: Mapping[str, float],
    met: set[frozenset[str]],
    rested: set[str],
) -> tuple[list[Pair], str | None]:
    """Return the pairs of the next round, and who rests if the number is odd.

    Engines of equal points meet as far as possible, and nobody meets the same opponent twice as
    long as that can be; the one with the fewest points who has not rested yet rests. Among equals
    the order of *names* decides, so the same results always give the same round.
    """
    order = sorted(names, key=lambda name: (-points.get(name, 0.0), names.index(name)))
    resting = None
    if len(order) % 2:
        willing = [name for name in order if name not in rested] or order
        resting = willing[-1]
        order.remove(resting)
    steps = itertools.count()
    pairs = _pair_up(order, met, steps)
    if pairs is None:
        pairs = list(zip(order[::2], order[1::2], strict=True))
    return pairs, resting


def _pair_up(
    order: Sequence[str], met: set[frozenset[str]], steps: itertools.count[int]
) -> list[Pair] | None:
    """Pair the first with the nearest possible opponent, and so on; None if it cannot be."""
    if not order:
        return []
    first, others = order[0], order[1:]
    for opponent in others:
        if next(steps) > SEARCH_LIMIT:
            return None
        if frozenset((first, opponent)) in met:
            continue
        rest = _pair_up([name for name in others if name != opponent], met, steps)
        if rest is not None:
            return [(first, opponent), *rest]
    return None


def run_tournament(
    tournament: Tournament,
    folder: str | os.PathLike[str] | None = None,
    *,
    report: Callable[[list[GameRecord]], bool] | None = None,
) -> list[GameRecord]:
    """Play what is not in *folder* yet and return all games by number.

    *report* is called with the games so far before the first and after each; False ends it early.

    Raises:
        GoError: If the folder is another tournament's, or an engine has changed since.
        EngineError: If an engine cannot be started.
    """
    with GameFolder(folder, tournament.identity()) as store:
        is_wanted = report is None or report(store.games)

        def keep(played: PlayedGame) -> bool:
            nonlocal is_wanted
            store.add(played)
            is_wanted = report is None or report(store.games)
            return is_wanted

        rounds = range(tournament.rounds)
        # Only Swiss rounds must wait for one another.
        stages = [[number] for number in rounds] if tournament.kind == "swiss" else [list(rounds)]
        for stage in stages:
            if not is_wanted:
                break
            fixtures = [
                fixture
                for number in stage
                for fixture in tournament.fixtures(number, store.records)
            ]
            play_fixtures(fixtures, tournament, keep, before=store.games)
        return store.games


def rate_tournament(tournament: Tournament, records: list[GameRecord]) -> Ratings:
    """Return the ratings of all engines, those without a game included."""
    from montego.arena.rating import rate, rated_games  # noqa: PLC0415  # Needs NumPy.

    return rate(rated_games(records), names=tournament.names, anchors=tournament.anchors)


_Text = Annotated[str, msgspec.Meta(min_length=1)]


class _EngineTable(TomlTable):
    name: _Text
    command: _Text
    elo: Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)] | None = None
    timeout: float = EngineSpec.timeout
    start_timeout: float = EngineSpec.start_timeout


class _TournamentTable(SeriesTable):
    name: str = ""
    kind: str = "round-robin"
    rounds: int = 1
    challengers: tuple[str, ...] = ()


class _TournamentFile(TomlTable):
    tournament: _TournamentTable
    engine: tuple[_EngineTable, ...] = ()


def read_tournament(path: str | os.PathLike[str]) -> tuple[Tournament, Path]:
    """Return the tournament in a TOML file, and the folder for its games.

    It has a table ``[tournament]`` with the fields of :class:`Tournament` and of the conditions of
    its games, and one ``[[engine]]`` with a name and a command for each. Paths in the file are
    relative to it. Without ``output`` the folder is named after the file.

    Raises:
        GoError: If the file cannot be read, or something in it makes no sense.
    """
    path = Path(path)
    file = read_toml(path, _TournamentFile)
    table = file.tournament
    table.name = table.name or path.stem
    tournament = Tournament(
        engines=tuple(
            EngineSpec(one.name, one.command, one.timeout, one.start_timeout) for one in file.engine
        ),
        anchors={one.name: one.elo for one in file.engine if one.elo is not None},
        **table.series(path.parent),
    )
    return tournament, path.parent / (table.output or f"{path.stem}-games")
