"""Two sets from which a random move can be drawn: 000's array with a map, and 003's tree."""

from __future__ import annotations

import math
import statistics
import time
from random import Random
from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot, curve_chart
from montego.experiments.boards.indexed_set import IndexedSet
from montego.experiments.boards.ladder import exponent_row, ratio_row
from montego.experiments.boards.order_statistic_tree import OrderStatisticTree
from montego.experiments.experiment import Experiment, Plot, Summary, interleaved
from montego.experiments.verdict import above, agrees, below

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from montego.experiments.boards.maintained import MoveSet
    from montego.experiments.experiment import JSON, Result, Scale, Trial

SETS: dict[str, Callable[[list[int]], MoveSet]] = {
    "array with map": IndexedSet,
    "balanced tree": OrderStatisticTree,
}
SIZES = (25, 81, 169, 361, 1444, 5776, 23104)
"""Elements: the points of boards of 5, 9, 13, 19, 38, 76 and 152 lines."""
REPEATS: dict[Scale, int] = {"quick": 3, "full": 20}
SECONDS = 0.1
BATCH = 200
ROOM = 0.15  # Constant time would be 0, but memory is slower where there is more of it.


def list_trials(scale: Scale) -> list[Trial]:
    """Return the timings: both sets with every number of elements."""
    cells = {
        f"{name}, {elements} elements": {"set": name, "elements": elements}
        for elements in SIZES
        for name in SETS
    }
    return interleaved(cells, REPEATS[scale])


def time_operations(trial: Trial) -> JSON:
    """Return the seconds that it takes to draw a random element, remove it, and insert it again."""
    random = Random(trial.seed)
    elements = list(range(trial.settings["elements"]))
    random.shuffle(elements)
    moves = SETS[trial.settings["set"]](elements)
    rounds, begin = 0, time.thread_time()
    while time.thread_time() - begin < SECONDS:
        for _ in range(BATCH):
            element = moves.draw(random)
            moves.remove(element)
            moves.add(element)
        rounds += BATCH
    return {"seconds": (time.thread_time() - begin) / rounds}


def summarize(results: Sequence[Result]) -> Summary:
    """Compare how the times grow: not at all, and with the logarithm."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in SETS}
    for result in results:
        settings = result.trial.settings
        times[settings["set"]].append((settings["elements"], result.value["seconds"]))
    array, tree = times.values()
    flat = exponent_row("exponent of array with map", array, 0.0)
    # c log n is a power law of the logarithm: exponent 1 if nothing else costs time.
    logarithmic = exponent_row(
        "exponent of balanced tree, in log n", [(math.log(x), y) for x, y in tree], 1.0
    )
    slow, fast = ([y for x, y in points if x == 361] for points in (tree, array))
    ratio = ratio_row("tree to array, 361 elements", slow, fast)
    checks = [
        below(flat, ROOM),
        agrees(logarithmic, 0.25, widest=0.5),
        above(ratio, 1.0),
    ]
    curves = []
    for name, points in times.items():
        dots = [
            Dot(size, 1e6 * statistics.median(y for x, y in points if x == size))
            for size in sorted({x for x, _ in points})
        ]
        curves.append(Curve(name, dots))
    chart = curve_chart(curves, "elements", "µs to draw, remove and insert", log_x=True)
    rows = [row for row in (flat, logarithmic, ratio) if row is not None]
    plots = [Plot("time-by-elements", chart, "Time of drawing, removing and inserting one move.")]
    return Summary.of(rows, checks, plots=plots)


EXPERIMENT = Experiment(
    name="move-sets",
    document="003",
    section="the record of available moves; 000 5.3",
    question="What does drawing a random move cost from an array with a map, and from a tree?",
    claim=(
        "Drawing, removing and inserting take constant time with an array and a hash map (000), "
        "and time in proportion to log n with a balanced tree that counts its elements (003)."
    ),
    figures={"exponent of array with map": 0.0, "exponent of balanced tree, in log n": 1.0},
    trials=list_trials,
    run=time_operations,
    summarize=summarize,
    cost={"quick": 0.1, "full": 0.6},
    alone=True,
)
