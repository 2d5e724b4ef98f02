"""Three grades of problems by iterations (7.3), and C against success (figure 7.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing import curve_chart
from montego.experiments.document_000.tsumego.pool import POOL_NOTE, pool_trials, split_pool
from montego.experiments.document_000.tsumego.problems import HARD, PROBLEMS, ask, right_rows
from montego.experiments.document_000.v_run import C, exploration_of
from montego.experiments.experiment import (
    Experiment,
    Plot,
    Summary,
    Trial,
    cell_map,
    interleaved,
)
from montego.experiments.figures import FigureRow, curve_of, told_curve
from montego.experiments.verdict import (
    Check,
    above,
    below,
    difference,
    gap_row,
    if_enough,
    rising,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.arena.drawing import Curve
    from montego.experiments.experiment import Scale, TrialResult


ITERATIONS = (100, 1000, 10000)
GRADES = cell_map("{}, {:,} iterations", [problem.name for problem in PROBLEMS], ITERATIONS)
TABLE = (0.44, 0.64, 0.81, 0.66, 0.69, 0.74, 0.07, 0.07, 0.08)
"""The document's shares of right moves: the easy, the average and the hard problem."""
FIGURES = dict(zip(GRADES.values(), TABLE, strict=True))
SOLVER = {problem.name: f"{problem.name}, the solver" for problem in PROBLEMS}
NODES = 300_000
CONSTANTS = {f"C = {c:g}": c for c in (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)}
USUAL = f"C = {C:g}"
PER_CENT = "right moves, per cent"
POOL_ROUNDS = 8
"""How often each problem of the pool is asked, ten searches a time."""
HARDLY = 0.15
"""Right moves in the hard problem that are still hardly more than the one in 19 of chance."""
GAIN = 0.08
"""Share of right moves that another C must gain for tuning to be of help."""
CONSTANT_NOTE = (
    "The problems were chosen by the share of C = 2, so that it has room; another C may be better "
    "at them in part because they were chosen to be neither easy nor out of reach for that one."
)
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
    # The solver is asked once, and first: it is no matter of chance.
    proofs = [
        Trial(SOLVER[problem.name], 0, problem.solver_settings(NODES), place=len(cells) + number)
        for number, problem in enumerate(PROBLEMS)
    ]
    return [*proofs, *interleaved(cells, BATCHES[scale])]


def _summarize_grades(results: Sequence[TrialResult]) -> Summary:
    rows = right_rows(results, FIGURES)
    checks, curves = [], []
    told: list[Curve] = []
    for problem in PROBLEMS:
        places = {GRADES[problem.name, count]: count for count in ITERATIONS}
        curves.append(curve_of(problem.name, rows, places))
        told.append(told_curve(f"{problem.name}, 000", rows, places, len(told)))
        own = [rows[cell] for cell in places if cell in rows]
        if own and problem is HARD:
            checks += [below(row, HARDLY) for row in own]
        elif own:
            checks += [above(own[0], problem.chance), _rising_or_full(own)]
    chart = curve_chart([*curves, *told], "iterations", PER_CENT, log_x=True)
    caption = "Right moves by iterations, 95 %; the document's in its own problems are dashed."
    plots = [Plot("grades", chart, caption)]
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
    proven = "The solver, which the document does not have, is asked once: what it says is proven."
    return Summary.of(rows.values(), checks, plots=plots, notes=[note, proven])


def _rising_or_full(rows: Sequence[FigureRow]) -> Check:
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


def _constant_trials(scale: Scale) -> list[Trial]:
    constants = CONSTANTS if scale == "full" else {f"C = {c:g}": c for c in (0.25, C, 16.0)}
    searches = {cell: {"exploration": exploration_of(c)} for cell, c in constants.items()}
    rounds = POOL_ROUNDS if scale == "full" else 1
    return pool_trials(searches, None, rounds, problems=None if scale == "full" else 3)


def _summarize_constants(results: Sequence[TrialResult]) -> Summary:
    rows = right_rows(results)
    chart = curve_chart([curve_of("the pool", rows, CONSTANTS)], "C", PER_CENT, log_x=True)
    caption = "Right moves in the pool by the constant C, 95 %."
    plots = [Plot("constant", chart, caption)]
    notes = [CONSTANT_NOTE, POOL_NOTE]
    return Summary.of(rows.values(), [_no_help(results)], plots=plots, notes=notes)


def _no_help(results: Sequence[TrialResult]) -> Check:
    """Check that the best other C gains no more than :data:`GAIN`; false if it surely gains that.

    It is chosen by a part of the searches, and both are judged by the rest: judged by those it was
    chosen by, the best of seven equals would look better than it is.
    """
    choosing, judging = (right_rows(part) for part in split_pool(results))
    others = [cell for cell in CONSTANTS if cell in choosing and cell != USUAL]
    best = max(others, key=lambda cell: choosing[cell].ours, default="")
    if best not in judging or USUAL not in judging:
        return Check("no results yet to judge another C by", None)
    tuned, default = judging[best], judging[USUAL]
    _, low, high = difference(tuned, default)
    holds = if_enough(False if low > GAIN else True if high < GAIN else None, tuned, default)
    bound = f"{100 * GAIN:.0f} points"
    words = {
        True: f"does not gain {bound} over",
        False: f"gains more than {bound} over",
        None: f"may gain {bound} over",
    }
    return Check(
        f"the best other one, {tuned.told}, {words[holds]} {default.told}, by the {tuned.count} "
        "searches of each that did not choose it",
        holds,
        gap_row(tuned, default),
        f"another C that surely gains more than {bound}",
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
    cost={"quick": 0.1, "full": 2},
)
