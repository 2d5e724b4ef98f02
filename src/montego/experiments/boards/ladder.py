"""How much each step of the ladder of boards saves, and how the time grows (000 chapters 4, 5)."""

from __future__ import annotations

import math
import statistics
import time
from random import Random
from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot, curve_chart
from montego.experiments.boards import LADDER
from montego.experiments.boards.iteration import Node, iterate, play_out
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import Row, number_text, student
from montego.experiments.verdict import Check, above, below, more

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

COMPILED = "Montego"
BOARDS = (*LADDER, COMPILED)
PREDICTED = {name: step.exponent for name, step in LADDER.items()} | {COMPILED: 2}
SIZES: dict[Scale, tuple[int, ...]] = {
    "quick": (5, 7, 9),
    "full": (5, 7, 9, 11, 13, 15, 17, 19),
}
REPEATS: dict[Scale, int] = {"quick": 3, "full": 8}
SECONDS = 0.1  # the least that a timing lasts
SPEED_UP = 7500.0
FALLING = (("naive", "ko"), ("ko", "maintained"))
"""Steps of the ladder with which the exponent falls; within the others it is to stay."""
ROOM = 0.25
"""What an exponent may exceed the prediction by: random games are a little longer per point on
larger boards, and so are chains."""


def list_trials(scale: Scale) -> list[Trial]:
    """Return the timings: every board on every size."""
    cells = {
        f"{board}, {size}x{size}": {"board": board, "size": size}
        for size in SIZES[scale]
        for board in BOARDS
    }
    return interleaved(cells, REPEATS[scale])


def time_iteration(trial: Trial) -> JSON:
    """Return the seconds of processor time that one iteration takes from the empty board."""
    size, seed = trial.settings["size"], trial.seed
    if trial.settings["board"] == COMPILED:
        return {"seconds": _time_compiled(size, seed)}
    board = LADDER[trial.settings["board"]].board(size)
    root, random = Node(mover=0, untried=board.moves()), Random(seed)
    iterations, begin = 0, time.thread_time()
    while iterations == 0 or time.thread_time() - begin < SECONDS:
        iterate(root, board, random, play_out)
        iterations += 1
    return {"seconds": (time.thread_time() - begin) / iterations}


def _time_compiled(size: int, seed: int) -> float:
    from montego.engine.knowledge.definition import go_game  # noqa: PLC0415  # Kernels: only this step.
    from montego.mcts.config import Config  # noqa: PLC0415
    from montego.mcts.search import Search  # noqa: PLC0415

    config = Config(
        exploration=math.sqrt(2.0), early_stop=False, expansion="one", memory=50, seed=seed
    )
    search = Search(go_game(size, playout="uniform-enclosed"), config)
    search.run(simulations=10)  # Loads the machine code.
    empty = search.state
    iterations, begin = 0, time.thread_time()
    while iterations == 0 or time.thread_time() - begin < SECONDS:
        search.set_state(empty)  # A small tree, as the others have.
        iterations += search.run(simulations=2000).simulations
    return (time.thread_time() - begin) / iterations


def exponent_row(cell: str, points: Sequence[tuple[float, float]], document: float) -> Row | None:
    """Return the exponent of the power law through (x, y), with its interval; None for a few.

    The slope of a straight line through the logarithms, by least squares, with Student's interval.
    """
    logs = [(math.log(x), math.log(y)) for x, y in points]
    freedom = len(logs) - 2
    if freedom < 1 or len({x for x, _ in logs}) < 2:
        return None
    slope, intercept = statistics.linear_regression(*zip(*logs, strict=True))
    middle = statistics.fmean(x for x, _ in logs)
    spread = sum((x - middle) ** 2 for x, _ in logs)
    rest = sum((y - intercept - slope * x) ** 2 for x, y in logs)
    width = student(freedom) * math.sqrt(rest / freedom / spread)
    return Row(cell, slope, slope - width, slope + width, len(logs), document)


def ratio_row(
    cell: str, slow: Sequence[float], fast: Sequence[float], document: float | None = None
) -> Row | None:
    """Return how many times as long the slow ones take, by geometric means; None without both."""
    if len(slow) < 2 or len(fast) < 2:
        return None
    logs = [[math.log(value) for value in values] for values in (slow, fast)]
    gap = statistics.fmean(logs[0]) - statistics.fmean(logs[1])
    error = math.sqrt(sum(statistics.variance(values) / len(values) for values in logs))
    width = student(min(map(len, logs)) - 1) * error
    low, ratio, high = (math.exp(gap + step) for step in (-width, 0.0, width))
    return Row(cell, ratio, low, high, min(map(len, logs)), document, "times")


def summarize(results: Sequence[Result]) -> Summary:
    """Fit an exponent for each board, and compare the first board with the last ones."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in BOARDS}
    for result in results:
        settings = result.trial.settings
        times[settings["board"]].append((settings["size"], result.value["seconds"]))
    exponents = [
        exponent_row(f"exponent of {name}", times[name], PREDICTED[name]) for name in BOARDS
    ]
    size = max((result.trial.settings["size"] for result in results), default=0)
    largest = {
        name: [second for lines, second in points if lines == size]
        for name, points in times.items()
    }
    steps = [
        ratio_row(f"{slow} to {fast}, {size}x{size}", largest[slow], largest[fast])
        for slow, fast in (
            ("naive", "union-find"),
            ("union-find", "ko"),
            ("ko", "maintained"),
            ("maintained", "numerical"),
            ("numerical", COMPILED),
        )
    ]
    in_python, to_end = (
        ratio_row(f"naive to {last}, {size}x{size}", largest["naive"], largest[last], SPEED_UP)
        for last in ("numerical", COMPILED)
    )
    bounded = [
        below(row, PREDICTED[name] + ROOM, name)
        for name, row in zip(BOARDS, exponents, strict=True)
    ]
    by_board = dict(zip(BOARDS, exponents, strict=True))
    checks = [
        combined("the exponents are no larger than predicted", bounded),
        combined(
            "they fall from the naive board over ko to maintained moves",
            [more(by_board[slow], by_board[fast]) for slow, fast in FALLING],
        ),
        combined("every step is faster", [above(step, 1.0) for step in steps]),
        above(in_python, SPEED_UP),
        above(to_end, SPEED_UP),
    ]
    rows = [row for row in (*exponents, *steps, in_python, to_end) if row is not None]
    plots = [Plot("time-by-size", _chart(results), "Time of one iteration by board size.")]
    return Summary.of(rows, checks, plots=plots, notes=[*_times_told(times), *NOTES])


def _times_told(times: Mapping[str, Sequence[tuple[float, float]]]) -> list[str]:
    """Return a line for each board: the time of one iteration by size."""
    lines = []
    for name, points in times.items():
        told = []
        for size in sorted({size for size, _ in points}):
            median = statistics.median(second for at, second in points if at == size)
            told.append(f"{size:.0f}x{size:.0f} {number_text(1000 * median)}")
        if told:
            lines.append(f"Milliseconds of one iteration, {name}: {', '.join(told)}.")
    return lines


def combined(claim: str, checks: Sequence[Check]) -> Check:
    """Return one check for many of a kind: all must hold; those that do not are named."""
    doubtful = [check for check in checks if not check.holds]
    if not doubtful:
        return Check(claim, holds=True)
    failed = [check for check in doubtful if check.holds is False]
    which = "; ".join(check.text for check in failed or doubtful)
    return Check(f"of '{claim}': {which}", False if failed else None)


NOTES = (
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


def _chart(results: Sequence[Result]) -> str:
    means: dict[str, list[Dot]] = {name: [] for name in BOARDS}
    for values, result in _grouped(results):
        times = sorted(1000 * value["seconds"] for value in values)
        settings = result.trial.settings
        middle = statistics.median(times)
        means[settings["board"]].append(Dot(settings["size"], middle, times[0], times[-1]))
    curves = [Curve(name, sorted(dots, key=lambda dot: dot.x)) for name, dots in means.items()]
    return curve_chart(curves, "lines of the board", "ms per iteration", log_x=True, log_y=True)


def _grouped(results: Sequence[Result]) -> list[tuple[list[JSON], Result]]:
    """Return the values of each cell with one of its results."""
    one = {result.trial.cell: result for result in results}
    return [(values, one[cell]) for cell, values in by_cell(results).items()]


EXPERIMENT = Experiment(
    name="board-ladder",
    document="000",
    section="chapters 1, 4 and 5; 002 chapters 3 and 4",
    question="How does the time of one iteration grow with the board, step by step of the ladder?",
    claim=(
        "The exponent in the number of lines falls from 6 (naive, union-find) over 4 (ko) to 2 "
        "(maintained moves, numerical liberties), and the last board is more than 7,500 times as "
        "fast as the first."
    ),
    figures={f"exponent of {name}": float(value) for name, value in PREDICTED.items()},
    trials=list_trials,
    run=time_iteration,
    summarize=summarize,
    cost={"quick": 0.15, "full": 2.0},
    alone=True,
)
