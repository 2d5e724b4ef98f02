"""The same answer at the first and at the second level of the tree, in three grades (7.4)."""

from __future__ import annotations

import json
import statistics
from typing import TYPE_CHECKING

from montego.arena.drawing import interval_plot
from montego.experiments.document_000.tsumego.problems import AVERAGE, EASY, HARD, position
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, cell_map, interleaved
from montego.experiments.figures import share_row
from montego.experiments.games import new_search
from montego.experiments.verdict import above, more
from montego.mcts.picture import to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Scale, Trial, TrialResult

ITERATIONS = (1000, 10_000)
BATCH = {"full": 10, "quick": 5}
WRONG = {EASY: "C9", AVERAGE: "A8", HARD: HARD.greedy}
"""A wrong move of Black's in each problem, which White refutes at the problem's key point alone."""
FIRST, SECOND = "level one", "level two"
LEVELS = cell_map(
    "{}, {}, {:,} iterations",
    [problem.name for problem in WRONG],
    (FIRST, SECOND),
    ITERATIONS,
)
FOUND_CELL = LEVELS[HARD.name, FIRST, 1000]
FOUND = 0.8
"""The document's share of right answers in the hard problem, asked at level one."""
FULL = 0.95
"""Right answers at both levels from which on 200 searches could hardly tell them apart."""
LEVEL_TRIALS = {"quick": 2, "full": 20}


def _level_trials(scale: Scale) -> list[Trial]:
    cells = {}
    for iterations in ITERATIONS if scale == "full" else ITERATIONS[:1]:
        for problem, wrong in WRONG.items():
            for level in (FIRST, SECOND):
                settings = problem.trial_settings(iterations, BATCH[scale], early_stop=False)
                settings |= {"level": level, "wrong": wrong, "answer": problem.correct}
                cells[LEVELS[problem.name, level, iterations]] = settings
    return interleaved(cells, LEVEL_TRIALS[scale])


def ask_at_level(trial: Trial) -> JSON:
    """Return for each search whether White's answer is right, and its visits to choose it by."""
    settings = trial.settings
    before = settings["moves"] + [settings["wrong"]] * (settings["level"] == FIRST)
    state = position(settings["diagram"], before)
    right, visits = [], []
    for number in range(settings["searches"]):
        search = new_search(settings["player"], trial.seed + number, state)
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


def _summarize_levels(results: Sequence[TrialResult]) -> Summary:
    rows, visits = {}, {}
    for cell, values in by_cell(results).items():
        right = [answer for value in values for answer in value["right"]]
        rows[cell] = share_row(cell, sum(right), len(right), FOUND if cell == FOUND_CELL else None)
        visits[cell] = statistics.fmean(count for value in values for count in value["visits"])
    checks, notes = [], []
    for iterations in ITERATIONS:
        for problem in WRONG:
            first, second = (
                rows.get(LEVELS[problem.name, level, iterations]) for level in (FIRST, SECOND)
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
    if FOUND_CELL in rows:
        checks.append(above(rows[FOUND_CELL], FOUND))
    chart = interval_plot([row.bar for row in rows.values()], "% right answers of White")
    plots = [Plot("answers", chart, "White's right answers, asked or foreseen.")]
    return Summary.of(rows.values(), checks, plots=plots, notes=notes)


TREE_LEVELS = Experiment(
    name="tree-levels",
    document="000",
    section="7.4",
    question="Is an answer found at the second level of the tree that is found at the first?",
    claim="White's answer to the greedy move is found in more than 80 % of searches that begin "
    "after it, but not two levels deep, where nodes have far fewer visits.",
    figures={FOUND_CELL: FOUND},
    trials=_level_trials,
    run=ask_at_level,
    summarize=_summarize_levels,
    cost={"quick": 0.1, "full": 5.0},
)
