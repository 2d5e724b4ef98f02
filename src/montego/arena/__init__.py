"""Matches, ratings, regression and tuning for any engine that speaks GTP.

The names here are enough to play a match or a tournament from Python; ``docs/arena.md`` shows how.
Ratings are in :mod:`montego.arena.rating`, regression in
:mod:`montego.arena.regression.regression`, tuning in :mod:`montego.arena.tuning.bayesian` and
:mod:`montego.arena.tuning.spsa`.
"""

from montego.arena.contest import Assignment, Conditions, PlayedGame, play_game
from montego.arena.match import Match, run_match
from montego.arena.opening import Opening, read_openings
from montego.arena.record import Ending, Event, GameRecord, PlayerRecord
from montego.arena.sprt import Sprt, parse_sprt
from montego.arena.statistics import (
    Tally,
    elo_interval,
    elo_of_score,
    likelihood_of_superiority,
    score_of_elo,
    wilson_interval,
)
from montego.arena.store import read_records
from montego.arena.summary import Side, Summary, summarize
from montego.arena.tournament import Tournament, rate_tournament, run_tournament
from montego.arena.workers import EngineSpec
from montego.go.vocabulary.timing import TimeControl, parse_time_control, seconds_per_move

__all__ = [
    "Assignment",
    "Conditions",
    "Ending",
    "EngineSpec",
    "Event",
    "GameRecord",
    "Match",
    "Opening",
    "PlayedGame",
    "PlayerRecord",
    "Side",
    "Sprt",
    "Summary",
    "Tally",
    "TimeControl",
    "Tournament",
    "elo_interval",
    "elo_of_score",
    "likelihood_of_superiority",
    "parse_sprt",
    "parse_time_control",
    "play_game",
    "rate_tournament",
    "read_openings",
    "read_records",
    "run_match",
    "run_tournament",
    "score_of_elo",
    "seconds_per_move",
    "summarize",
    "wilson_interval",
]
