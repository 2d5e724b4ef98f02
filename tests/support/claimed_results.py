"""Results that nobody ran: of every experiment as its document says, or as one likes.

Successes are spread evenly, so that a share of so many trials is what it should be, and not what
chance makes of it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from montego.arena.statistics import score_of_elo
from montego.experiments.boards.timing import PREDICTED
from montego.experiments.document_000.first_moves import middle_of
from montego.experiments.document_000.tsumego.depth import MOVES as DEPTH_MOVES
from montego.experiments.document_000.tsumego.problems import PROBLEMS
from montego.experiments.document_004.random_games import SPEEDS
from montego.experiments.experiment import Trial, TrialResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from montego.experiments.experiment import Experiment


def successes(share: float, first: int, count: int) -> list[bool]:
    """Return whether each of so many trials from number *first* on succeeds."""
    # The golden ratio spreads them over every part of the trials alike.
    return [(number * 0.6180339887 + 0.5) % 1 < share for number in range(first, first + count)]


def results_of(
    trials: Iterable[Trial], value: Callable[[Trial, float], Any], share: Callable[[Trial], float]
) -> list[TrialResult]:
    """Return results of some trials with a share of successes for each."""
    return [TrialResult(trial, value(trial, share(trial)), 1.0) for trial in trials]


def value_of(trial: Trial, share: float) -> Any:
    """Return what a trial of any experiment returns; *share* is that of wins or right moves."""
    settings = trial.settings
    if "timed" in settings:
        speed = 1000.0 * (1 + trial.number % 3 / 100) * (0.9 if "root" in str(settings) else 1.0)
        return {"speed": speed, "cores": 4}
    if "diagram" in settings and "level" in settings:
        count = settings["searches"]
        right = successes(share, trial.number * count, count)
        return {"right": right, "visits": [100] * count}
    if trial.cell.startswith("tree "):
        return {"visits": 1000, "moves": []}
    if "depth" in settings:
        moves = DEPTH_MOVES[trial.cell.rpartition(", ")[2]] if "plain" in trial.cell else 1
        return {
            str(depth): depth * moves + 1 + trial.number % 2
            for depth in range(1, settings["depth"] + 1)
        }
    if "right" in settings:
        return answers(trial, share, settings["right"], "pass")
    if "diagram" in settings:
        problem = next(p for p in PROBLEMS if p.diagram.split() == settings["diagram"])
        return answers(trial, share, problem.correct, problem.greedy or "pass")
    if "searches" in settings:
        return first_moves(trial, share)
    if "result" not in settings and {"first", "opponent", "first_begins"} & settings.keys():
        (won,) = successes(share, trial.number, 1)
        game = {"result": float(won), "began": trial.number % 2 == 0, "score": None, "moves": 60}
        return game | {"simulations": 500, "depth": 6, "gnugo": "3.8"}
    if {"points", "k", "largest"} & settings.keys():
        return chance(trial)
    return timing(trial)


def answers(trial: Trial, share: float, right: str, wrong: str) -> list[str]:
    """Return moves of which so many are right."""
    count = trial.settings["searches"]
    found = successes(share, trial.number * count, count)
    return [right if is_right else wrong for is_right in found]


def chance(trial: Trial) -> Any:
    """Return estimates of π, or regrets, as theory has them."""
    settings, noise = trial.settings, 1 + (trial.number % 5 - 2) / 100
    if trial.cell == "picture":
        return [[0.0, 0.0], [0.9, 0.9]]
    if "points" in settings:
        error = noise * 1.3 / math.sqrt(settings["points"])
        return [math.pi + error, math.pi - error]
    if "largest" in settings:
        return {"not": []}
    grows_slowly = trial.cell == "UCB, k = √2"
    return {
        str(n): noise * (100 * math.log(n) if grows_slowly else 0.2 * n)
        for n in (10, 100, 1000, 10_000)
    }


def first_moves(trial: Trial, share: float) -> list[list[int]]:
    """Return first moves of which so many are in the middle."""
    size, count = trial.settings["player"]["size"], trial.settings["searches"]
    inside = sorted(middle_of(size))
    outside = [(r, c) for r in range(size) for c in range(size) if (r, c) not in set(inside)]
    moves = []
    for at, is_inside in enumerate(successes(share, trial.number * count, count)):
        points = inside if is_inside else outside
        moves.append(list(points[(trial.number * count + at) * 7 % len(points)]))
    return moves


def timing(trial: Trial) -> Any:
    """Return a time as the documents predict it, or random games as they describe them."""
    settings = trial.settings
    noise = 1 + (trial.number * 7 % 5 - 2) / 500
    if "board" in settings:
        boards = list(PREDICTED)
        factor = 10.0 ** -boards.index(settings["board"])
        return {"seconds": noise * factor * (settings["size"] / 19) ** PREDICTED[settings["board"]]}
    if "policy" in settings:
        return noise * (5.0 if settings["policy"] == "uniform" else 50.0)
    if "set" in settings:
        elements = settings["elements"]
        is_tree = settings["set"] == "balanced tree"
        return {"seconds": noise * (2 * math.log(elements) if is_tree else 1.0)}
    if "method" in settings and "position" not in settings:
        return noise * SPEEDS[settings["method"]]
    if "method" in settings:
        speed = SPEEDS.get(settings["method"], 500.0)
        moved = settings["method"] == "analyze-after"
        wave = trial.number % 3
        frequency = [100 + wave, 500 - wave, 400] if moved else [300 + wave, 500 - wave, 200]
        return {"speed": speed * noise, "moves": 100.0, "frequency": frequency, "owners": [0.0]}
    if "player" in settings:
        player = settings["player"]
        return noise * player["search"]["simulations"] * player["size"] ** 2 / 1e6
    games = settings["games"]
    frequency = [0] * (2 * 81 + 1)
    for score in (-35, 35):
        frequency[81 + score] = 5 * games
    within = {1000: 0.68, 4000: 0.95}[games]
    near = successes(within, 10 * trial.number, 10)
    return {"means": [0.5 if is_near else 1.5 for is_near in near], "frequency": frequency}


def as_told(experiment: Experiment) -> Callable[[Trial], float]:
    """Return the share of each trial's cell if the document is right to the point.

    Where it gives no figure, one that is clearly as it says.
    """
    claimed = CLAIMED.get(experiment.name)
    if claimed is not None:
        return lambda trial: claimed(trial.cell)
    return lambda trial: experiment.figures.get(trial.cell, 0.5)


def _by_word(shares: dict[str, float], other: float) -> Callable[[str], float]:
    """Return the share of a cell: that of the first word that its name holds."""
    return lambda cell: next((share for word, share in shares.items() if word in cell), other)


CLAIMED: dict[str, Callable[[str], float]] = {
    "graded-opponents": _by_word(
        {
            "5,000 against level 0": 0.9,
            "5,000 against level 5": 0.4,
            "5,000 against level 10": 0.0,
            "10,000 against level 0": 1.0,
            "10,000 against level 5": 0.8,
            "10,000 against level 10": 0.1,
        },
        0.6,
    ),
    "first-move-heat-maps": _by_word(
        {"9x9, 100 ": 25 / 81, "19x19": 121 / 361, "9x9, 1,000": 0.6}, 0.9
    ),
    "hard-tsumego": _by_word(
        {"White": 0.9, "plain, 1,000 ": 0.07, "learned order, μ = 4": 0.8}, 0.1
    ),
    "exploration-constant": lambda _cell: 0.6,
    "voting-crossover": lambda cell: crossover(cell, pays=True),
    "objective-on-problems": lambda _cell: 0.6,
    "objective-in-matches": lambda _cell: 0.55,
    "nakade-and-fill-board": lambda _cell: 0.65,
    "stronger-playouts": _by_word(
        {"urgency, alone": 0.95, "alone": 0.8, "balanced, in": 0.9, "sequence, in": 0.8}, 0.55
    ),
    "voting-on-tsumego": _by_word(
        {
            "easy, 10*1,000": 0.96,
            "easy, 10*100": 0.80,
            "easy, 10*10": 0.33,
            "average, 10*1,000": 0.77,
            "average, 10*100": 0.74,
            "average, 10*10": 0.48,
            "easy, 10,000": 0.81,
            "easy, 1,000": 0.64,
            "easy, 100": 0.40,
            "average, 10,000": 0.74,
            "average, 1,000": 0.69,
            "average, 100": 0.66,
        },
        0.07,
    ),
    "mean-or-maximum": lambda _cell: 0.6,
    "wins-or-points": lambda _cell: 0.35,
    "rave-by-subtree": lambda _cell: 0.55,
    "cut-off-or-end": lambda _cell: 0.65,
    "experience-tree": lambda _cell: 0.68,
    "moves-as-first": _by_word({"9 times": 0.55}, 0.8),
    "rave-in-hex": lambda _cell: 0.9,
    "hopeful-rewards": lambda _cell: 0.65,
    "voting-rule": lambda cell: {"k = 0": 0.3}.get(cell, 0.65),
    "score-balanced-reward": lambda _cell: 0.56,
    "tree-levels": _by_word({"level one": 0.9}, 0.3),
    "flat-or-tree": lambda _cell: score_of_elo(400),
    "rave-constant": _by_word(
        {"without": 0.24, "k = 10,000": 0.60, "k = 1,000": 0.60, "k = 100": 0.55}, 0.5
    ),
    "prior-heuristics": _by_word(
        {
            "no heuristic, GNU Go": 0.60,
            "GNU Go": 0.69,
            "local shape, M = 50": 0.64,
            "local shape": 0.62,
            "handcrafted": 0.48,
        },
        0.45,
    ),
    "local-shape": lambda _cell: 0.7,
    "elo-of-doublings": lambda _cell: score_of_elo(100),
    "rave-schedules": _by_word({"b = 0.1": score_of_elo(80)}, 0.5),
    "exploration-with-rave": _by_word({"with RAVE": 0.48}, 0.7),
    "rave-or-uct": lambda _cell: 1.0,
    "patterns-or-random": lambda _cell: 0.935,
    "exploration-coefficient": _by_word({"C = 1": 0.35}, 0.48),
    "rave-coefficient": lambda _cell: 0.48,
    "number-of-simulations": _by_word({"10,000": 0.6, "1,000": 0.2, "3,000": 0.4}, 0.1),
    "threads-and-trees": lambda _cell: 0.48,
    "ucb1-tuned": lambda _cell: 0.65,
    "first-play-urgency": lambda _cell: 0.65,
    "grandparent-knowledge": _by_word({", 9x9": 0.62, "13x13": 0.7}, 0.85),
    "key-positions": lambda _cell: 0.55,
    "uct-against-alpha-beta": lambda _cell: 0.7,
}


def crossover(cell: str, *, pays: bool) -> float:
    """Return shares by which voting pays with many iterations a move, and not with few."""
    is_far = int(cell.rpartition("= ")[2]) > 60
    return 0.7 if ("voters" in cell) == (is_far == pays) else 0.5


OPPOSITE: dict[str, Callable[[str], float]] = {
    "rave-by-subtree": lambda _cell: 0.3,
    "one-child-or-all": lambda _cell: 0.35,
    "final-move": lambda _cell: 0.3,
    "exploration-constant": _by_word({"C = 4": 0.9}, 0.4),
    "voting-crossover": lambda cell: crossover(cell, pays=False),
    "objective-on-problems": _by_word({"UCT": 0.7}, 0.4),
    "objective-in-matches": lambda _cell: 0.3,
    "first-move-heat-maps": _by_word({"9x9, 5,000": 0.3}, 0.8),
    "rave-constant": _by_word({"without": 0.6, "k = 10": 0.3}, 0.1),
    "rave-schedules": lambda _cell: 0.4,
    "rave-coefficient": _by_word({"K = 300": 0.65}, 0.4),
    "threads-and-trees": lambda _cell: 0.65,
    "stronger-playouts": _by_word({"urgency": 0.95}, 0.6),
}
"""Where it is not that every win is a loss."""


def opposite(experiment: Experiment) -> Callable[[Trial], float]:
    """Return the share of each trial's cell if the document is wrong."""
    told = as_told(experiment)
    if experiment.name in OPPOSITE:
        return lambda trial: OPPOSITE[experiment.name](trial.cell)
    return lambda trial: 1 - told(trial)
