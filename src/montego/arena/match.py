"""A match: two engines, many games, colors in turn.

Game *i* is played with the first engine as Black if *i* is even. With openings, games 2k and 2k + 1
share one. With a handicap the first engine is White in every game, and the second takes the stones.
A match with a folder goes on where it stopped: the number of a game is all that counts.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from montego.arena.contest import Assignment, Conditions
from montego.arena.opening import Opening, handicap_opening
from montego.arena.sprt import Sprt, game_counts, pair_counts, state_of_test
from montego.arena.store import GameStore
from montego.arena.summary import Summary, summarize
from montego.arena.workers import EngineSpec, Fixture, play_fixtures
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.vertex import check_size

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from montego.arena.contest import PlayedGame
    from montego.arena.record import GameRecord


@dataclass(frozen=True, kw_only=True)
class Match:
    """What is to be played. Check it with :func:`check_match`, play it with :func:`run_match`."""

    first: EngineSpec
    second: EngineSpec
    games: int = 100
    conditions: Conditions = field(default_factory=Conditions)
    openings: tuple[Opening, ...] = ()
    handicap: int = 0
    """Stones that the second engine takes, as Black in every game; 0 for colors in turn."""
    seed: int | None = None
    referee: EngineSpec | None = None
    concurrency: int = 1
    sprt: Sprt | None = None
    """A test that ends the match when it is decided; on pairs of games where there are openings."""

    def fixture(self, number: int) -> Fixture:
        """Return game *number* of the match."""
        players = (self.first, self.second)
        black, white = players if number % 2 == 0 else players[::-1]
        opening = Opening()
        if self.handicap:
            white, black = players
            opening = handicap_opening(self.conditions.size, self.handicap)
        elif self.openings:
            opening = self.openings[number // 2 % len(self.openings)]
        return Fixture(
            black,
            white,
            Assignment(number=number, opening=opening, seed=game_seed(self.seed, number)),
        )

    def identity(self) -> dict[str, Any]:
        """Return what must not change when the match goes on later: all but speed and length."""
        conditions = self.conditions
        handicap = {"handicap": self.handicap} if self.handicap else {}
        return {
            "names": [self.first.name, self.second.name],
            "commands": [self.first.command, self.second.command],
            "size": conditions.size,
            "komi": conditions.komi,
            "rules": conditions.rules,
            "clock": str(conditions.control) if conditions.control else "none",
            "openings": [opening.name for opening in self.openings],
            "seed": self.seed,
            "referee": self.referee.command if self.referee else "",
            **handicap,
        }


def game_seed(seed: int | None, number: int) -> int | None:
    """Return the seed of one game of a match with *seed*: always the same, never a neighbor's."""
    return None if seed is None else random.Random(f"{seed}/{number}").getrandbits(31)


def check_match(match: Match) -> None:
    """Check that the match makes sense.

    Raises:
        GoError: If the names are equal, or the size, komi, rules, handicap or numbers are
            impossible.
    """
    check_size(match.conditions.size)
    parse_komi(match.conditions.komi)
    parse_rules(match.conditions.rules)
    if match.handicap:
        handicap_opening(match.conditions.size, match.handicap)
        if match.openings:
            raise GoError("an opening and a handicap do not go together: say one of them")
    if match.first.name == match.second.name:
        raise GoError(f"both engines are called {match.first.name!r}: say --names")
    if match.games < 1:
        raise GoError(f"cannot play {match.games} games: say a number from 1")
    if match.concurrency < 1:
        raise GoError(f"cannot play {match.concurrency} games at a time: say a number from 1")


def run_match(
    match: Match,
    folder: str | os.PathLike[str] | None = None,
    *,
    report: Callable[[Summary, GameRecord | None], bool] | None = None,
) -> Summary:
    """Play the games that are not in *folder* yet, and return the summary of all.

    *report* is called before the first game and after each; False ends the match early, and so does
    a decided test. Games that run then are still finished. Without a folder nothing is written.

    Raises:
        GoError: If the match makes no sense, or the folder is another match's.
        EngineError: If an engine cannot be started.
    """
    check_match(match)
    with GameStore(folder, match.identity()) as store:

        def goes_on(record: GameRecord | None) -> bool:
            summary = summarize_match(match, store.records)
            wanted = report is None or report(summary, record)
            return wanted and (summary.test is None or summary.test.decision is None)

        def keep(played: PlayedGame) -> bool:
            store.add(played)
            return goes_on(played.record)

        if goes_on(None):
            missing = [number for number in range(match.games) if number not in store.records]
            play_fixtures(
                map(match.fixture, missing),
                match.conditions,
                keep,
                concurrency=min(match.concurrency, match.games),
                referee=match.referee,
            )
        return summarize_match(match, store.records)


def summarize_match(match: Match, records: dict[int, GameRecord]) -> Summary:
    """Count the games of a match so far, and see what its test says."""
    names = (match.first.name, match.second.name)
    summary = summarize((records[number] for number in sorted(records)), names, match.games)
    if match.sprt is not None:
        if match.openings:
            counts = pair_counts(records, match.first.name)
        else:
            counts = game_counts(records.values(), match.first.name)
        summary.test = state_of_test(match.sprt, counts)
    return summary
