"""Three grades of problems by iterations (7.3), and C against success (figure 7.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot, curve_chart
from montego.experiments.document_000.problems import HARD, PROBLEMS, ask, count_of
from montego.experiments.document_000.v_run import C, exploration_of
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import Row, share_row
from montego.experiments.verdict import Check, above, below, difference, if_enough, rising
from montego.experiments.win_rates import held_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.document_000.problems import Problem
    from montego.experiments.experiment import JSON, Result, Scale, Trial

ITERATIONS = (100, 1000, 10000)
FIGURES = {
    ("easy", 100): 0.44,
    ("easy", 1000): 0.64,
    ("easy", 10000): 0.81,
    ("average", 100): 0.66,
    ("average", 1000): 0.69,
    ("average", 10000): 0.74,
    ("hard", 100): 0.07,
    ("hard", 1000): 0.07,
    ("hard", 10000): 0.08,
}
CONSTANTS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
TUNED_ITERATIONS = 1000
HARDLY = 0.15
"""Right moves in the hard problem that are still hardly more than the one in 19 of chance."""
GAIN = 0.08
"""What another C must surely win less than for tuning to be of no help."""
FULL = 0.99
"""Right moves from which on there is no room to do better."""
BATCH = 10
BATCHES = {"full": 50, "quick": 2}
"""Trials of a cell; each searches ten times, so that a full cell is the document's 500."""


def cell_of(problem: str, iterations: int) -> str:
    """Return the name of a cell of the table."""
    return f"{problem}, {iterations:,} iterations"


def trials(scale: Scale) -> list[Trial]:
    """Return the problems by iterations."""
    cells = {
        cell_of(problem.name, count): problem.trial_settings(count, BATCH)
        for problem in PROBLEMS
        for count in ITERATIONS
    }
    return interleaved(cells, BATCHES[scale])


def summarize(results: Sequence[Result]) -> Summary:
    """Ask of each grade what the document says of it."""
    values = by_cell(results)
    rows: dict[tuple[str, int], Row] = {}
    for problem in PROBLEMS:
        for count in ITERATIONS:
            cell = cell_of(problem.name, count)
            if cell in values:
                right = count_of(values[cell], problem.correct)
                rows[problem.name, count] = share_row(cell, *right, FIGURES[problem.name, count])
    checks = []
    for problem in PROBLEMS:
        own = [rows[problem.name, count] for count in ITERATIONS if (problem.name, count) in rows]
        if not own:
            continue
        if problem is HARD:
            checks += [below(row, HARDLY) for row in own]
        else:
            checks += [above(own[0], problem.chance), _rising_or_full(own)]
    chart = curve_chart(
        [
            Curve(
                problem.name,
                [
                    Dot(count, 100 * row.ours, 100 * row.low, 100 * row.high)
                    for count in ITERATIONS
                    if (row := rows.get((problem.name, count)))
                ],
            )
            for problem in PROBLEMS
        ],
        "iterations",
        "right moves, per cent",
        log_x=True,
    )
    plots = [Plot("grades", chart, "Right moves by iterations, 95 %.")] if chart else []
    plots += [
        Plot(
            f"problem-{problem.name}",
            problem.picture(),
            f"The {problem.name} problem, Black to play: {problem.correct} (R) kills.",
        )
        for problem in PROBLEMS
        if plots
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
        text = f"{rows[0].cell} ({rows[0].shown}) leaves no room to rise"
        return Check(text, if_enough(True, *rows))
    return rising(rows)


def _constant_cell(problem: str, constant: float) -> str:
    return f"{problem}, C = {constant:g}"


def _constant_trials(scale: Scale) -> list[Trial]:
    constants = CONSTANTS if scale == "full" else (0.25, C, 16.0)
    cells: dict[str, JSON] = {}
    for problem in PROBLEMS:
        for constant in constants:
            cells[_constant_cell(problem.name, constant)] = problem.trial_settings(
                TUNED_ITERATIONS, BATCH, exploration=exploration_of(constant)
            )
    return interleaved(cells, BATCHES[scale])


def _summarize_constants(results: Sequence[Result]) -> Summary:
    values = by_cell(results)
    rows, checks, curves = [], [], []
    for problem in PROBLEMS:
        own = {}
        for constant in CONSTANTS:
            cell = _constant_cell(problem.name, constant)
            if cell in values:
                own[constant] = share_row(cell, *count_of(values[cell], problem.correct))
        rows += list(own.values())
        if C in own and own[C].ours < FULL:
            checks.append(_no_help(problem, results))
        dots = [
            Dot(constant, 100 * row.ours, 100 * row.low, 100 * row.high)
            for constant, row in own.items()
        ]
        curves.append(Curve(problem.name, dots))
    chart = curve_chart(curves, "C", "right moves, per cent", log_x=True)
    caption = f"Right moves with {TUNED_ITERATIONS:,} iterations by the constant C, 95 %."
    plots = [Plot("constant", chart, caption)] if chart else []
    note = (
        f"Where C = {C:g} is right in {FULL:.0%} there is no room to improve, and nothing judged."
    )
    return Summary.of(rows, checks, plots=plots, notes=[note])


def _no_help(problem: Problem, results: Sequence[Result]) -> Check:
    """Check that the best other C is no better than the usual one; false if it surely is.

    It is chosen by a part of the searches, and both are judged by the rest: judged by those it was
    chosen by, the best of seven equals would look better than it is.
    """
    choosing, judging = (by_cell(part) for part in held_out(results))
    usual = _constant_cell(problem.name, C)
    others = [
        cell
        for constant in CONSTANTS
        if (cell := _constant_cell(problem.name, constant)) in choosing and cell != usual
    ]
    best = max(others, key=lambda cell: _share(choosing, cell, problem).ours, default=usual)
    if best == usual or best not in judging or usual not in judging:
        return Check(f"no results yet to judge another C by in the {problem.name} problem", None)
    tuned, default = (_share(judging, cell, problem) for cell in (best, usual))
    _, low, high = difference(tuned, default)
    holds = if_enough(False if low > 0 else True if high < GAIN else None, tuned, default)
    much = f"{100 * GAIN:.0f} points"
    words = {
        True: f"does not gain {much} over",
        False: "is better than",
        None: "may be better than",
    }
    return Check(
        f"the best other one, {tuned.cell} ({tuned.shown}), {words[holds]} {default.cell} "
        f"({default.shown}), by the {tuned.count} searches of each that did not choose it",
        holds,
    )


def _share(values: dict[str, list[JSON]], cell: str, problem: Problem) -> Row:
    return share_row(cell, *count_of(values[cell], problem.correct))


TSUMEGO = Experiment(
    name="tsumego-grades",
    document="000",
    section="7.3",
    question="How often does the search solve an easy, an average and a hard problem?",
    claim="More often with more iterations in the easy problem (44, 64, 81 %) and the average one "
    "(66, 69, 74 %), but hardly more than at random in the hard one (7, 7, 8 %).",
    figures={cell_of(*key): figure for key, figure in FIGURES.items()},
    trials=trials,
    run=ask,
    summarize=summarize,
    cost={"quick": 0.1, "full": 3},
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
