"""Matches, ratings, regression and tuning for any engine that speaks GTP.

The names here are enough to play a match or a tournament from Python; ``docs/arena.md`` shows how.
To read the source, begin with a single game, :mod:`montego.arena.contest`; then
:mod:`~montego.arena.workers` plays many, :mod:`~montego.arena.match` and
:mod:`~montego.arena.tournament` say which. Ratings are in :mod:`montego.arena.rating`, suites of
questions in :mod:`montego.arena.regression`; tuning has a room of its own.
"""

from montego.arena.contest import Assignment, Conditions, PlayedGame, play_game
from montego.arena.match import Match, MatchSummary, Side, run_match, summarize
from montego.arena.opening import Opening, read_openings
from montego.arena.record import Ending, Event, GameRecord, PlayerRecord
from montego.arena.statistics import (
    Sprt,
    Tally,
    elo_interval,
    elo_of_score,
    likelihood_of_superiority,
    parse_sprt,
    score_of_elo,
    wilson_interval,
)
from montego.arena.store import read_records
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
    "MatchSummary",
    "Opening",
    "PlayedGame",
    "PlayerRecord",
    "Side",
    "Sprt",
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
