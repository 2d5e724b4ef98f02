"""Tournaments: several engines, who meets whom by a scheme, and ratings of all.

Games are numbered in the order of the schedule, two to a meeting. A Swiss round is paired from the
results of the rounds before it, so that a tournament that was stopped goes on as if it had not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from montego.arena.contest import Assignment, Conditions
from montego.arena.match import game_seed
from montego.arena.opening import Opening
from montego.arena.pairing import Pair, gauntlet, round_robin, swiss_round
from montego.arena.store import GameStore
from montego.arena.workers import EngineSpec, Fixture, play_fixtures
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from montego.arena.contest import PlayedGame
    from montego.arena.rating import Ratings
    from montego.arena.record import GameRecord

Kind = Literal["round-robin", "gauntlet", "swiss"]


@dataclass(frozen=True, kw_only=True)
class Tournament:
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
    conditions: Conditions = field(default_factory=Conditions)
    openings: tuple[Opening, ...] = ()
    seed: int | None = None
    referee: EngineSpec | None = None
    concurrency: int = 1

    def __post_init__(self) -> None:
        names = self.names
        if len(names) < 2:
            raise GoError("a tournament needs two engines or more")
        if len(set(names)) < len(names):
            raise GoError("two engines of the tournament have one name")
        if self.kind not in ("round-robin", "gauntlet", "swiss"):
            raise GoError(f"unknown tournament {self.kind!r}: say round-robin, gauntlet or swiss")
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
        conditions = self.conditions
        return {
            "kind": self.kind,
            "names": list(self.names),
            "commands": [engine.command for engine in self.engines],
            "challengers": list(self.challengers),
            "size": conditions.size,
            "komi": conditions.komi,
            "rules": conditions.rules,
            "clock": str(conditions.control) if conditions.control else "none",
            "openings": [opening.name for opening in self.openings],
            "seed": self.seed,
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
                for name, won in game_points(records[game]).items():
                    points[name] += won
        return pairs

    def fixtures(self, number: int, records: Mapping[int, GameRecord]) -> list[Fixture]:
        """Return the games of a round that have not been played."""
        engines = {engine.name: engine for engine in self.engines}
        pairs = self.round_pairs(number, records)
        found = []
        for place, pair in enumerate(pairs):
            meeting = number * len(pairs) + place
            for turn in range(2):
                game = 2 * meeting + turn
                if game in records:
                    continue
                black, white = pair if turn == 0 else pair[::-1]
                opening = (
                    self.openings[meeting % len(self.openings)] if self.openings else Opening()
                )
                assignment = Assignment(
                    number=game,
                    opening=opening,
                    seed=game_seed(self.seed, game),
                    extra={"round": number + 1},
                )
                found.append(Fixture(engines[black], engines[white], assignment))
        return found

    def _pairs(self) -> list[Pair]:
        if self.kind == "gauntlet":
            return gauntlet(self.challengers or self.names[:1], self.names)
        return round_robin(self.names)


def game_points(record: GameRecord) -> dict[str, float]:
    """Return what a game gave to each player: 1, ½ or 0 points."""
    winner = record.winner_name
    return {
        player.name: 0.5 if winner is None else float(winner == player.name)
        for player in (record.black, record.white)
    }


def run_tournament(
    tournament: Tournament,
    folder: str | os.PathLike[str] | None = None,
    *,
    report: Callable[[list[GameRecord]], bool] | None = None,
) -> list[GameRecord]:
    """Play what is not in *folder* yet and return all games by number.

    *report* is called with the games so far before the first and after each; False ends it early.

    Raises:
        GoError: If the folder is another tournament's.
        EngineError: If an engine cannot be started.
    """
    with GameStore(folder, tournament.identity()) as store:
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
            fixtures = [
                fixture
                for number in stage
                if is_wanted
                for fixture in tournament.fixtures(number, store.records)
            ]
            if fixtures:
                play_fixtures(
                    fixtures,
                    tournament.conditions,
                    keep,
                    concurrency=min(tournament.concurrency, len(fixtures)),
                    referee=tournament.referee,
                )
        return store.games


def rate_tournament(tournament: Tournament, records: list[GameRecord]) -> Ratings:
    """Return the ratings of all engines, those without a game included."""
    from montego.arena.rating import outcomes_of, rate  # noqa: PLC0415  # Needs NumPy.

    return rate(outcomes_of(records), names=tournament.names, anchors=tournament.anchors)
