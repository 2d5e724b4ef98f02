"""Three grades of problems by iterations (7.3), and C against success (figure 7.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing import curve_chart
from montego.experiments.document_000.problems import HARD, PROBLEMS, Problem, ask, right_rows
from montego.experiments.document_000.v_run import C, exploration_of
from montego.experiments.experiment import Experiment, Plot, Summary, cell_map, interleaved
from montego.experiments.figures import Row, curve_of
from montego.experiments.verdict import Check, above, below, difference, if_enough, rising
from montego.experiments.win_rates import held_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import Scale, Trial, TrialResult


ITERATIONS = (100, 1000, 10000)
GRADES = cell_map("{}, {:,} iterations", [problem.name for problem in PROBLEMS], ITERATIONS)
TABLE = (0.44, 0.64, 0.81, 0.66, 0.69, 0.74, 0.07, 0.07, 0.08)
"""The document's shares of right moves: the easy, the average and the hard problem."""
FIGURES = dict(zip(GRADES.values(), TABLE, strict=True))
CONSTANTS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
TUNED_ITERATIONS = 1000
HARDLY = 0.15
"""Right moves in the hard problem that are still hardly more than the one in 19 of chance."""
GAIN = 0.08
"""Share of right moves that another C must surely gain less than for tuning to be of no help."""
FULL = 0.99
"""Right moves from which on there is no room to do better."""
BATCH = 10
BATCHES = {"full": 50, "quick": 2}
"""Trials of a cell; each searches ten times, so that a full cell is the document's 500."""


def _grade_trials(scale: Scale) -> list[Trial]:
    cells = {
        GRADES[problem.name, count]: problem.trial_settings(count, BATCH)
        for problem in PROBLEMS
        for count in ITERATIONS
    }
    return interleaved(cells, BATCHES[scale])


def _summarize_grades(results: Sequence[TrialResult]) -> Summary:
    rows = right_rows(results, FIGURES)
    checks, curves = [], []
    for problem in PROBLEMS:
        places = {GRADES[problem.name, count]: count for count in ITERATIONS}
        curves.append(curve_of(problem.name, rows, places))
        own = [rows[cell] for cell in places if cell in rows]
        if own and problem is HARD:
            checks += [below(row, HARDLY) for row in own]
        elif own:
            checks += [above(own[0], problem.chance), _rising_or_full(own)]
    chart = curve_chart(curves, "iterations", "right moves, per cent", log_x=True)
    plots = [Plot("grades", chart, "Right moves by iterations, 95 %.")]
    plots += [
        Plot(
            f"problem-{problem.name}",
            problem.picture(),
            f"The {problem.name} problem, Black to play: {problem.correct} (R) kills.",
        )
        for problem in PROBLEMS
        if chart
    ]
    chances = ", ".join(f"{problem.name} {problem.chance:.1%}" for problem in PROBLEMS)
    note = (
        f"A player at random: {chances}, as in the document. The problems are composed: the "
        "document's are pictures, and its percentages are of other positions."
    )
    return Summary.of(rows.values(), checks, plots=plots, notes=[note])


def _rising_or_full(rows: Sequence[Row]) -> Check:
    """Check that a share rises with iterations, which at 100 % it cannot."""
    if all(row.ours > FULL for row in rows):
        return Check(f"{rows[0].told} leaves no room to rise", if_enough(True, *rows))
    return rising(rows)


TSUMEGO = Experiment(
    name="tsumego-grades",
    document="000",
    section="7.3",
    question="How often does the search solve an easy, an average and a hard problem?",
    claim="More often with more iterations in the easy problem (44, 64, 81 %) and the average one "
    "(66, 69, 74 %), but hardly more than at random in the hard one (7, 7, 8 %).",
    figures=FIGURES,
    trials=_grade_trials,
    run=ask,
    summarize=_summarize_grades,
    cost={"quick": 0.1, "full": 3},
)


def _constant_places(problem: Problem) -> dict[str, float]:
    """Return the cells of a problem, and the C of each."""
    return {f"{problem.name}, C = {constant:g}": constant for constant in CONSTANTS}


def _constant_trials(scale: Scale) -> list[Trial]:
    cells = {
        cell: problem.trial_settings(TUNED_ITERATIONS, BATCH, exploration=exploration_of(constant))
        for problem in PROBLEMS
        for cell, constant in _constant_places(problem).items()
        if scale == "full" or constant in (0.25, C, 16.0)
    }
    return interleaved(cells, BATCHES[scale])


def _summarize_constants(results: Sequence[TrialResult]) -> Summary:
    rows = right_rows(results)
    curves = [curve_of(problem.name, rows, _constant_places(problem)) for problem in PROBLEMS]
    checks = [
        _no_help(problem, results)
        for problem in PROBLEMS
        if (row := rows.get(f"{problem.name}, C = {C:g}")) and row.ours < FULL
    ]
    chart = curve_chart(curves, "C", "right moves, per cent", log_x=True)
    caption = f"Right moves with {TUNED_ITERATIONS:,} iterations by the constant C, 95 %."
    note = (
        f"Where C = {C:g} is right in {FULL:.0%} there is no room to improve, and nothing judged."
    )
    plots = [Plot("constant", chart, caption)]
    return Summary.of(rows.values(), checks, plots=plots, notes=[note])


def _no_help(problem: Problem, results: Sequence[TrialResult]) -> Check:
    """Check that the best other C is no better than the usual one; false if it surely is.

    It is chosen by a part of the searches, and both are judged by the rest: judged by those it was
    chosen by, the best of seven equals would look better than it is.
    """
    choosing, judging = (right_rows(part) for part in held_out(results))
    usual = f"{problem.name}, C = {C:g}"
    others = [cell for cell in _constant_places(problem) if cell in choosing and cell != usual]
    best = max(others, key=lambda cell: choosing[cell].ours, default="")
    if best not in judging or usual not in judging:
        return Check(f"no results yet to judge another C by in the {problem.name} problem", None)
    tuned, default = judging[best], judging[usual]
    _, low, high = difference(tuned, default)
    holds = if_enough(False if low > 0 else True if high < GAIN else None, tuned, default)
    words = {
        True: f"does not gain {100 * GAIN:.0f} points over",
        False: "is better than",
        None: "may be better than",
    }
    return Check(
        f"the best other one, {tuned.told}, {words[holds]} {default.told}, by the {tuned.count} "
        "searches of each that did not choose it",
        holds,
    )


CONSTANT = Experiment(
    name="exploration-constant",
    document="000",
    section="7.5, figure 7.9",
    question="Does another C in the formula of UCT solve more problems?",
    claim="With 1,000 iterations and 500 tries each, tuning C does not improve the share of right "
    "answers significantly.",
    trials=_constant_trials,
    run=ask,
    summarize=_summarize_constants,
    cost={"quick": 0.1, "full": 3},
)
