"""The same answer at the first and at the second level of the tree, in three grades of problems."""

from __future__ import annotations

import json
import statistics
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.arena.drawing.plot import Bar, interval_plot
from montego.experiments.document_000.problems import AVERAGE, EASY, HARD, position
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import share_row
from montego.experiments.games import contestant
from montego.experiments.verdict import above, more
from montego.mcts.picture import to_json
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

WRONG = {EASY: "C9", AVERAGE: "A8", HARD: HARD.greedy}
"""A wrong move of Black's in each problem, which White refutes at the problem's key point alone."""
ITERATIONS: dict[Scale, tuple[int, ...]] = {"quick": (1000,), "full": (1000, 10_000)}
FIRST, SECOND = "level one", "level two"
FOUND = 0.8
"""The document's share of right answers in the hard problem, asked at level one."""
FULL = 0.95
"""Right answers at both levels from which on 200 searches could hardly tell them apart."""
SEARCHES: dict[Scale, int] = {"quick": 5, "full": 10}
TRIALS: dict[Scale, int] = {"quick": 2, "full": 20}


def _cell(problem: str, level: str, iterations: int) -> str:
    return f"{problem}, {level}, {iterations:,} iterations"


def list_trials(scale: Scale) -> list[Trial]:
    """Return searches with the wrong move played already, and searches that must foresee it."""
    cells = {}
    for iterations in ITERATIONS[scale]:
        for problem, wrong in WRONG.items():
            for level in (FIRST, SECOND):
                settings = problem.trial_settings(iterations, SEARCHES[scale], early_stop=False)
                cells[_cell(problem.name, level, iterations)] = settings | {
                    "level": level,
                    "wrong": wrong,
                    "answer": problem.correct,
                }
    return interleaved(cells, TRIALS[scale])


def ask(trial: Trial) -> JSON:
    """Return for each search whether White's answer is right, and its visits to choose it by."""
    settings = trial.settings
    player = contestant(settings["player"])
    before = settings["moves"] + [settings["wrong"]] * (settings["level"] == FIRST)
    state = position(settings["diagram"], before)
    right, visits = [], []
    for number in range(settings["searches"]):
        search = Search(player.game, replace(player.config, seed=trial.seed + number), state=state)
        search.run()
        node = json.loads(to_json(search, depth=2))
        if settings["level"] == SECOND:
            moves = (move for move in node["moves"] if move["text"] == settings["wrong"])
            node = next(moves)["child"]
        answers = [] if node is None else node["moves"]
        best = max(answers, key=lambda move: move["visits"], default=None)
        right.append(best is not None and best["text"] == settings["answer"])
        visits.append(sum(move["visits"] for move in answers))
    return {"right": right, "visits": visits}


def summarize(results: Sequence[Result]) -> Summary:
    """Check that White's answer is found more often at level one, and how often in the hard one."""
    cells = by_cell(results)
    rows, visits = {}, {}
    for cell, values in cells.items():
        right = [answer for value in values for answer in value["right"]]
        figure = FIGURES.get(cell)
        rows[cell] = share_row(cell, sum(right), len(right), figure)
        visits[cell] = statistics.fmean(count for value in values for count in value["visits"])
    checks, notes = [], []
    for iterations in ITERATIONS["full"]:
        for problem in WRONG:
            first, second = (
                rows.get(_cell(problem.name, level, iterations)) for level in (FIRST, SECOND)
            )
            if first is None or second is None:
                continue
            # Where both nearly always find it there is nothing to see.
            if min(first.ours, second.ours) < FULL:
                checks.append(more(first, second))
            notes.append(
                f"{problem.name.capitalize()}, {iterations:,} iterations: White's answer was "
                f"chosen by {visits[first.cell]:,.0f} visits at level one and by "
                f"{visits[second.cell]:,.0f} at level two."
            )
    hard = rows.get(_cell(HARD.name, FIRST, ITERATIONS["full"][0]))
    if hard is not None:
        checks.append(above(hard, FOUND))
    bars = [Bar(row.cell, 100 * row.ours, 100 * row.low, 100 * row.high) for row in rows.values()]
    chart = interval_plot(bars, "% right answers of White")
    plots = [Plot("answers", chart, "White's right answers, asked or foreseen.")]
    return Summary.of(rows.values(), checks, plots=plots, notes=notes)


FIGURES = {_cell(HARD.name, FIRST, 1000): FOUND}

EXPERIMENT = Experiment(
    name="tree-levels",
    document="000",
    section="7.4",
    question="Is an answer found at the second level of the tree that is found at the first?",
    claim=(
        "White's answer to the greedy move is found in more than 80 % of searches that begin after "
        "it, but not two levels deep, where nodes have far fewer visits."
    ),
    figures=FIGURES,
    trials=list_trials,
    run=ask,
    summarize=summarize,
    cost={"quick": 0.1, "full": 5.0},
)
