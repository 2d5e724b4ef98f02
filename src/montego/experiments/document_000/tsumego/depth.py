"""How many iterations it takes to get deeper in the tree: figure 7.8."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from montego.arena.drawing import Curve, Dot, curve_chart
from montego.experiments.document_000.tsumego.hard import CURES, SHOWN_CURE
from montego.experiments.document_000.tsumego.problems import EASY, HARD, position
from montego.experiments.document_000.v_run import v_run
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import curve_of, mean_row
from montego.experiments.games import new_search
from montego.experiments.verdict import above, more
from montego.mcts.picture import to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Scale, Trial, TrialResult

DEPTHS = (1, 2, 3)
MOVES = {"easy problem": EASY.choices, "hard problem": HARD.choices, "empty board": 82}
"""Moves of the first position, the pass included."""
PLAIN, WIDENED = "plain", SHOWN_CURE
MOST = 20_000
"""Iterations after which a search is given up."""
SLACK = 0.9
"""Share of x * y that counts as it: the second move has one point less to choose from."""


def _cell(search: str, where: str, depth: int) -> str:
    return f"{search}, {where}, depth {depth}"


def _depth_trials(scale: Scale) -> list[Trial]:
    cells: dict[str, dict[str, JSON]] = {}
    for where in MOVES if scale == "full" else list(MOVES)[:2]:
        for name in (PLAIN, WIDENED):
            search = dict(CURES[name]) | {"early_stop": False}
            settings: dict[str, JSON]
            if where == "empty board":
                weights = {"priors": search.pop("priors")} if "priors" in search else {}
                settings = {"player": v_run(MOST, **search) | weights, "diagram": []}
            else:
                problem = EASY if where == "easy problem" else HARD
                settings = problem.trial_settings(MOST, 1, **search)
            # Three moves deep take more iterations on an empty board than there is time for.
            depth = 2 if where == "empty board" else max(DEPTHS)
            cells[f"{name}, {where}"] = settings | {"depth": depth}
    return interleaved(cells, 10 if scale == "full" else 2)


def count_iterations(trial: Trial) -> JSON:
    """Return for each depth after how many iterations a position there is visited twice.

    That is when the search goes on from it: by the second visit all moves beside the one that leads
    to it have been tried, unless it considers fewer.
    """
    settings = trial.settings
    state = position(settings["diagram"], []) if settings["diagram"] else None
    search = new_search(settings["player"], trial.seed, state)
    wanted = settings["depth"]
    found: dict[str, int] = {}
    done = 0
    while done < MOST and len(found) < wanted:
        step = max(1, done // 50)
        search.run(simulations=step)
        done += step
        reached = _visited_twice(json.loads(to_json(search, depth=wanted, least_visits=2)), wanted)
        for depth in range(1, reached + 1):
            found.setdefault(str(depth), done)
    return found


def _visited_twice(node: JSON, depth: int) -> int:
    """Return how deep a chain of moves leads that were all made twice or more."""
    if depth == 0:
        return 0
    deepest = 0
    for move in node["moves"]:
        below = 0 if move["child"] is None else _visited_twice(move["child"], depth - 1)
        deepest = max(deepest, 1 + below)
    return deepest


def _summarize_depths(results: Sequence[TrialResult]) -> Summary:
    rows, curves = {}, []
    for cell, values in by_cell(results).items():
        places = {}
        moves = MOVES[cell.rpartition(", ")[2]]
        for depth in DEPTHS:
            found = [value[str(depth)] for value in values if str(depth) in value]
            if found:
                name = f"{cell}, depth {depth}"
                document = float(moves * depth) if cell.startswith(PLAIN) else None
                rows[name] = mean_row(name, found, document, "iterations")
                places[name] = float(depth)
        curves.append(curve_of(cell, rows, places))
    checks = []
    for where, moves in MOVES.items():
        for depth in DEPTHS[1:]:
            plain = rows.get(_cell(PLAIN, where, depth))
            if plain is not None:
                checks.append(above(plain, SLACK * moves * depth))
                checks.append(more(plain, rows.get(_cell(WIDENED, where, depth))))
    bound = Curve("x * y, 19 moves", [Dot(d, 19 * d) for d in DEPTHS], is_dashed=True)
    chart = curve_chart([*curves, bound], "depth y", "iterations", log_y=True)
    plots = [Plot("depth", chart, "Iterations until the search goes on from a position.")]
    note = (
        "The document's figure is x * y for x moves a position and a depth of y: its example is 6 "
        "iterations for two moves deep where there are three moves, and two would do."
    )
    return Summary.of(rows.values(), checks, plots=plots, notes=[note])


DEPTH = Experiment(
    name="moves-and-depth",
    document="000",
    section="7.4, figure 7.8",
    question="How many iterations does it take to get so many moves deep?",
    claim="With x possible moves a depth of y takes at least x * y iterations, because each move "
    "of a node is tried before one is pursued; fewer moves to expand mean fewer iterations.",
    trials=_depth_trials,
    run=count_iterations,
    summarize=_summarize_depths,
    cost={"quick": 0.15, "full": 2},
)
