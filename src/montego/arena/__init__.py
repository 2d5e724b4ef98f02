"""Matches, ratings, regression and tuning for any engine that speaks GTP.

The names here are enough to play a match or a tournament from Python; ``docs/arena.md`` shows how.
To read the source, begin with a single game, :mod:`montego.arena.contest`; then
:mod:`~montego.arena.workers` plays many, :mod:`~montego.arena.match` and
:mod:`~montego.arena.tournament` say which. Ratings are in :mod:`montego.arena.rating`, suites of
questions in :mod:`montego.arena.regression`; tuning has a room of its own.
They are loaded when first used: ratings and intervals need neither engines nor their records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.vocabulary.timing import TimeControl as TimeControl
from montego.go.vocabulary.timing import parse_time_control as parse_time_control
from montego.go.vocabulary.timing import seconds_per_move as seconds_per_move
from montego.lazy import lazy_names

if TYPE_CHECKING:
    from montego.arena.contest import Assignment as Assignment
    from montego.arena.contest import Conditions as Conditions
    from montego.arena.contest import PlayedGame as PlayedGame
    from montego.arena.contest import play_game as play_game
    from montego.arena.match import Match as Match
    from montego.arena.match import MatchSummary as MatchSummary
    from montego.arena.match import Side as Side
    from montego.arena.match import run_match as run_match
    from montego.arena.match import summarize as summarize
    from montego.arena.opening import Opening as Opening
    from montego.arena.opening import read_openings as read_openings
    from montego.arena.record import Ending as Ending
    from montego.arena.record import Event as Event
    from montego.arena.record import GameRecord as GameRecord
    from montego.arena.record import PlayerRecord as PlayerRecord
    from montego.arena.statistics import Sprt as Sprt
    from montego.arena.statistics import Tally as Tally
    from montego.arena.statistics import elo_interval as elo_interval
    from montego.arena.statistics import elo_of_score as elo_of_score
    from montego.arena.statistics import likelihood_of_superiority as likelihood_of_superiority
    from montego.arena.statistics import parse_sprt as parse_sprt
    from montego.arena.statistics import score_of_elo as score_of_elo
    from montego.arena.statistics import wilson_interval as wilson_interval
    from montego.arena.store import read_records as read_records
    from montego.arena.tournament import Tournament as Tournament
    from montego.arena.tournament import rate_tournament as rate_tournament
    from montego.arena.tournament import run_tournament as run_tournament
    from montego.arena.workers import EngineSpec as EngineSpec
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "contest": "Assignment Conditions PlayedGame play_game",
            "match": "Match MatchSummary Side run_match summarize",
            "opening": "Opening read_openings",
            "record": "Ending Event GameRecord PlayerRecord",
            "statistics": "Sprt Tally elo_interval elo_of_score likelihood_of_superiority "
            "parse_sprt score_of_elo wilson_interval",
            "store": "read_records",
            "tournament": "Tournament rate_tournament run_tournament",
            "workers": "EngineSpec",
        },
    )
    __all__ += ["TimeControl", "parse_time_control", "seconds_per_move"]
    __all__.sort()
