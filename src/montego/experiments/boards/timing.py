"""How much each step of the ladder saves, how the time grows, and what two sets of moves cost.

000 chapters 4 and 5; 003, the record of available moves.
"""

from __future__ import annotations

import math
import statistics
import time
from random import Random
from typing import TYPE_CHECKING

from montego.arena.drawing import Curve, Dot, curve_chart
from montego.engine.knowledge.definition import go_game
from montego.experiments.boards.iteration import PlainNode, iterate, play_out
from montego.experiments.boards.ladder import LADDER
from montego.experiments.boards.move_sets import IndexedSet, MoveSet, OrderStatisticTree
from montego.experiments.experiment import Experiment, Plot, Summary, interleaved
from montego.experiments.figures import exponent_row, number_text, ratio_row
from montego.experiments.verdict import above, agrees, below, combined, more
from montego.mcts.config import Config
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from montego.experiments.experiment import JSON, Scale, Trial, TrialResult


SECONDS = 0.1  # the least that a timing lasts
Times = dict[str, list[tuple[float, float]]]
"""Timings by what was timed: how large it was, and the seconds that it took."""


def _seconds_each(work: Callable[[], int]) -> float:
    """Return the processor time of one piece of work; *work* says how many it did."""
    done, begin = 0, time.thread_time()
    while done == 0 or time.thread_time() - begin < SECONDS:
        done += work()
    return (time.thread_time() - begin) / done


def _times(results: Sequence[TrialResult], names: Iterable[str], setting: str, size: str) -> Times:
    """Return the times of each of the *names*, by two settings: which it is, and how large."""
    times: Times = {name: [] for name in names}
    for result in results:
        settings = result.trial.settings
        times[settings[setting]].append((settings[size], result.value["seconds"]))
    return times


def _by_size(points: Iterable[tuple[float, float]]) -> dict[float, list[float]]:
    """Return the seconds of each size in ascending order, smallest size first."""
    sizes: dict[float, list[float]] = {}
    for size, seconds in sorted(points):
        sizes.setdefault(size, []).append(seconds)
    return sizes


COMPILED = "Montego"
BOARDS = (*LADDER, COMPILED)
PREDICTED = {name: step.exponent for name, step in LADDER.items()} | {COMPILED: 2}
SIZES: dict[Scale, tuple[int, ...]] = {
    "quick": (5, 7, 9),
    "full": (5, 7, 9, 11, 13, 15, 17, 19),
}
LADDER_REPEATS: dict[Scale, int] = {"quick": 3, "full": 8}
SPEED_UP = 7500.0
STEPS = (
    ("naive", "union-find"),
    ("union-find", "ko"),
    ("ko", "maintained"),
    ("maintained", "numerical"),
    ("numerical", COMPILED),
)
FALLING = (("naive", "ko"), ("ko", "maintained"))
"""Steps of the ladder with which the exponent falls; within the others it is to stay."""
ROOM = 0.25
"""What an exponent may exceed the prediction by: random games are a little longer per point on
larger boards, and so are chains."""
LADDER_NOTES = (
    "The predicted exponents leave out the factor l, the length of a chain, and are upper bounds.",
    (
        "A copy of a board, and the comparison of two, are single calls into compiled code even in "
        "plain Python, so that the n² of copying for each point hardly shows in the first two."
    ),
    (
        "The document says neither on which board it gained its factor, nor how its first board "
        "copied positions."
    ),
)


def _ladder_trials(scale: Scale) -> list[Trial]:
    cells = {
        f"{board}, {size}x{size}": {"board": board, "size": size}
        for size in SIZES[scale]
        for board in BOARDS
    }
    return interleaved(cells, LADDER_REPEATS[scale])


def time_iteration(trial: Trial) -> JSON:
    """Return the seconds of processor time that one iteration takes from the empty board."""
    size, random = trial.settings["size"], Random(trial.seed)
    if trial.settings["board"] == COMPILED:
        return {"seconds": _time_compiled(size, trial.seed)}
    board = LADDER[trial.settings["board"]].board(size)
    root = PlainNode(mover=0, untried=board.moves())

    def work() -> int:
        iterate(root, board, random, play_out)
        return 1

    return {"seconds": _seconds_each(work)}


def _time_compiled(size: int, seed: int) -> float:
    config = Config(
        selection="ucb1",
        exploration=math.sqrt(2.0),
        early_stop=False,
        expansion="one",
        memory=50,
        seed=seed,
    )
    search = Search(go_game(size, playout="uniform-enclosed"), config)
    search.run(simulations=10)  # Loads the machine code.
    empty = search.state

    def work() -> int:
        search.set_state(empty)  # A small tree, as the others have.
        return search.run(simulations=2000).simulations

    return _seconds_each(work)


def _summarize_ladder(results: Sequence[TrialResult]) -> Summary:
    times = _times(results, BOARDS, "board", "size")
    exponents = {
        name: exponent_row(f"exponent of {name}", points, PREDICTED[name])
        for name, points in times.items()
    }
    size = max((result.trial.settings["size"] for result in results), default=0)
    largest = {
        name: [seconds for lines, seconds in points if lines == size]
        for name, points in times.items()
    }
    steps = [
        ratio_row(f"{slow} to {fast}, {size}x{size}", largest[slow], largest[fast])
        for slow, fast in STEPS
    ]
    in_python, to_end = (
        ratio_row(f"naive to {last}, {size}x{size}", largest["naive"], largest[last], SPEED_UP)
        for last in ("numerical", COMPILED)
    )
    checks = [
        combined(
            "the exponents are no larger than predicted",
            [below(row, PREDICTED[name] + ROOM, name) for name, row in exponents.items()],
        ),
        combined(
            "they fall from the naive board over ko to maintained moves",
            [more(exponents[slow], exponents[fast]) for slow, fast in FALLING],
        ),
        combined("every step is faster", [above(step, 1.0) for step in steps]),
        above(in_python, SPEED_UP),
        above(to_end, SPEED_UP),
    ]
    curves, told = [], []
    for name, points in times.items():
        sizes = _by_size((lines, 1000 * seconds) for lines, seconds in points)
        medians = {lines: statistics.median(found) for lines, found in sizes.items()}
        dots = [Dot(x, y, sizes[x][0], sizes[x][-1]) for x, y in medians.items()]
        curves.append(Curve(name, dots))
        shown = ", ".join(f"{x:.0f}x{x:.0f} {number_text(y)}" for x, y in medians.items())
        if shown:
            told.append(f"Milliseconds of one iteration, {name}: {shown}.")
    labels = ("lines of the board", "ms per iteration")
    chart = curve_chart(curves, *labels, log_x=True, log_y=True)
    rows = [row for row in (*exponents.values(), *steps, in_python, to_end) if row is not None]
    plots = [Plot("time-by-size", chart, "Time of one iteration by board size.")]
    return Summary.of(rows, checks, plots=plots, notes=[*told, *LADDER_NOTES])


BOARD_LADDER = Experiment(
    name="board-ladder",
    document="000",
    section="chapters 1, 4 and 5; 002 chapters 3 and 4",
    question="How does the time of one iteration grow with the board, step by step of the ladder?",
    claim="The exponent in the number of lines falls from 6 (naive, union-find) over 4 (ko) to 2 "
    "(maintained moves, numerical liberties), and the last board is more than 7,500 times as "
    "fast as the first.",
    figures={f"exponent of {name}": float(value) for name, value in PREDICTED.items()},
    trials=_ladder_trials,
    run=time_iteration,
    summarize=_summarize_ladder,
    cost={"quick": 0.15, "full": 2.0},
    alone=True,
)

SETS: dict[str, Callable[[list[int]], MoveSet]] = {
    "array with map": IndexedSet,
    "balanced tree": OrderStatisticTree,
}
ELEMENTS = (25, 81, 169, 361, 1444, 5776, 23104)
"""The points of boards of 5, 9, 13, 19, 38, 76 and 152 lines."""
SET_REPEATS: dict[Scale, int] = {"quick": 3, "full": 20}
BATCH = 200
FLAT = 0.15  # Constant time would be 0, but memory is slower where there is more of it.


def _set_trials(scale: Scale) -> list[Trial]:
    cells = {
        f"{name}, {elements} elements": {"set": name, "elements": elements}
        for elements in ELEMENTS
        for name in SETS
    }
    return interleaved(cells, SET_REPEATS[scale])


def time_operations(trial: Trial) -> JSON:
    """Return the seconds that it takes to draw a random element, remove it, and insert it again."""
    random = Random(trial.seed)
    elements = list(range(trial.settings["elements"]))
    random.shuffle(elements)
    moves = SETS[trial.settings["set"]](elements)

    def work() -> int:
        for _ in range(BATCH):
            element = moves.draw(random)
            moves.remove(element)
            moves.add(element)
        return BATCH

    return {"seconds": _seconds_each(work)}


def _summarize_sets(results: Sequence[TrialResult]) -> Summary:
    times = _times(results, SETS, "set", "elements")
    array, tree = times.values()
    flat = exponent_row("exponent of array with map", array, 0.0)
    # c log n is a power law of the logarithm: exponent 1 if nothing else costs time.
    logarithmic = exponent_row(
        "exponent of balanced tree, in log n", [(math.log(x), y) for x, y in tree], 1.0
    )
    slow, fast = ([y for x, y in points if x == 361] for points in (tree, array))
    ratio = ratio_row("tree to array, 361 elements", slow, fast)
    checks = [below(flat, FLAT), agrees(logarithmic, 0.25, widest=0.5), above(ratio, 1.0)]
    curves = [
        Curve(name, [Dot(x, 1e6 * statistics.median(y)) for x, y in _by_size(points).items()])
        for name, points in times.items()
    ]
    chart = curve_chart(curves, "elements", "µs to draw, remove and insert", log_x=True)
    rows = [row for row in (flat, logarithmic, ratio) if row is not None]
    plots = [Plot("time-by-elements", chart, "Time of drawing, removing and inserting one move.")]
    return Summary.of(rows, checks, plots=plots)


MOVE_SETS = Experiment(
    name="move-sets",
    document="003",
    section="the record of available moves; 000 5.3",
    question="What does drawing a random move cost from an array with a map, and from a tree?",
    claim="Drawing, removing and inserting take constant time with an array and a hash map (000), "
    "and time in proportion to log n with a balanced tree that counts its elements (003).",
    figures={"exponent of array with map": 0.0, "exponent of balanced tree, in log n": 1.0},
    trials=_set_trials,
    run=time_operations,
    summarize=_summarize_sets,
    cost={"quick": 0.1, "full": 0.6},
    alone=True,
)
