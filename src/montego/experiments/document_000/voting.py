"""Majority voting on problems and in matches, and its rule F: tables 7.1 and 7.2 of 7.5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot, curve_chart
from montego.experiments.document_000.problems import PROBLEMS, ask, count_of
from montego.experiments.document_000.tsumego import FIGURES as SINGLE_FIGURES
from montego.experiments.document_000.tsumego import FULL
from montego.experiments.document_000.v_run import NOTE_RULES, v_run
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import Row, share_row
from montego.experiments.games import play_match_trial, tally
from montego.experiments.matches import match_plot
from montego.experiments.verdict import Check, above, agreement, below, more
from montego.experiments.win_rates import in_proportion, pooled_row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

VOTERS = 10
FEW = 10
"""Iterations a voter with which voting does not pay, in the document."""
SHARES = (10, 100, 1000)
"""Iterations of each of the ten voters; the single search has them all."""
PROBLEM_FIGURES = {
    ("easy", 10): 0.33,
    ("easy", 100): 0.80,
    ("easy", 1000): 0.96,
    ("average", 10): 0.48,
    ("average", 100): 0.74,
    ("average", 1000): 0.77,
}
MATCH_FIGURES = {
    ("10*500", "5000"): 0.02,
    ("5*1000", "5000"): 0.0,
    ("5*1000", "10*500"): 0.62,
}
"""Without the matches of a search against itself, and the last one told the other way round."""
DOCUMENT_GAMES = 50
PLAYERS = {
    "10*500": v_run(5000, votes=10),
    "5*1000": v_run(5000, votes=5),
    "5000": v_run(5000),
}
RULE_ITERATIONS = 2000
RULE_VOTERS = 5
RULE_GAMES = {0: 100, 30: 100, 40: 160, 50: 160, 65: 100}
"""By k of rule F: vote where there are more than k iterations a move. With 2,000 that is always, or
once there are fewer than 67, 50, 40 or 31 moves; for larger k the game is decided before."""
FAR = (40, 50)
"""k at which iterations exceed the moves by far, and the game is not decided yet."""
PAYS = 0.07
"""Share of games beyond one half without which a rule surely does not pay: the document's voters
gain 3 to 16 points in problems."""
BATCH = 10
BATCHES = {"full": 50, "quick": 1}
MATCH_GAMES = 50
"""As many as the document's."""


def problem_cell(problem: str, share: int, *, votes: bool) -> str:
    """Return the name of a cell of table 7.2."""
    return f"{problem}, {f'{VOTERS}*{share:,}' if votes else f'{VOTERS * share:,}'}"


def _problem_trials(scale: Scale) -> list[Trial]:
    cells: dict[str, JSON] = {}
    for problem in PROBLEMS:
        for share in SHARES:
            for votes in (True, False):
                cells[problem_cell(problem.name, share, votes=votes)] = problem.trial_settings(
                    VOTERS * share, BATCH, votes=VOTERS if votes else 1
                )
    return interleaved(cells, BATCHES[scale])


def _summarize_problems(results: Sequence[Result]) -> Summary:
    values = by_cell(results)
    rows: dict[tuple[str, int, bool], Row] = {}
    for problem in PROBLEMS:
        for share in SHARES:
            for votes in (True, False):
                cell = problem_cell(problem.name, share, votes=votes)
                if cell in values:
                    right = count_of(values[cell], problem.correct)
                    figure = (
                        PROBLEM_FIGURES.get((problem.name, share))
                        if votes
                        else SINGLE_FIGURES.get((problem.name, VOTERS * share))
                    )
                    rows[problem.name, share, votes] = share_row(cell, *right, figure)
    checks = [
        _compared(rows, [key for key in PROBLEM_FIGURES if key[1] > FEW], pays=True),
        _compared(rows, [key for key in PROBLEM_FIGURES if key[1] <= FEW], pays=False),
    ]
    curves = [
        Curve(
            f"{problem.name}{', voting' if votes else ''}",
            [
                Dot(VOTERS * share / problem.choices, 100 * row.ours, 100 * row.low, 100 * row.high)
                for share in SHARES
                if (row := rows.get((problem.name, share, votes)))
            ],
            is_dashed=not votes,
        )
        for problem in PROBLEMS
        for votes in (True, False)
    ]
    chart = curve_chart(curves, "iterations a move, i/m", "right moves, per cent", log_x=True)
    caption = "Right moves by voting and by a single search (dashed), same total of iterations."
    note = (
        "Where both are right in 99 % there is nothing to compare. The document prints 33 % as 7 "
        "less than the single search's, whose own table says 44 %."
    )
    plots = [Plot("voting", chart, caption)] if chart else []
    return Summary.of(rows.values(), checks, plots=plots, notes=[note])


def _compared(
    rows: Mapping[tuple[str, int, bool], Row], keys: Sequence[tuple[str, int]], *, pays: bool
) -> Check:
    """Check over several problems and numbers of iterations together whether voting pays.

    Together, because the document's own differences of 3 and 5 points are too small for 500
    searches. Where both are always right there is nothing to compare.
    """
    open_ = [
        key
        for key in keys
        if (*key, True) in rows
        and (*key, False) in rows
        and min(rows[*key, True].ours, rows[*key, False].ours) < FULL
    ]
    if keys and not open_ and all((*key, votes) in rows for key in keys for votes in (True, False)):
        where = " and ".join(f"{name}, {VOTERS}*{share:,}" for name, share in keys)
        return Check(
            f"both are right nearly always, which leaves nothing to compare ({where})", None
        )
    where = " and ".join(f"{name}, {VOTERS}*{share:,}" for name, share in open_)
    names = {True: f"voting ({where or 'nowhere'})", False: "one search of as many"}
    pools = {}
    for votes, name in names.items():
        found = [rows[*key, votes] for key in open_]
        right = sum(row.ours * row.count for row in found)
        pools[votes] = share_row(name, right, sum(row.count for row in found))
    return more(pools[True], pools[False]) if pays else more(pools[False], pools[True])


def match_cell(row: str, column: str) -> str:
    """Return the name of a cell of table 7.1."""
    return f"{row} against {column}"


def _match_trials(scale: Scale) -> list[Trial]:
    pairs = list(MATCH_FIGURES) if scale == "full" else [("10*500", "5000")]
    cells = {
        match_cell(*pair): {"first": PLAYERS[pair[0]], "second": PLAYERS[pair[1]]} for pair in pairs
    }
    return interleaved(cells, MATCH_GAMES if scale == "full" else 2)


def _summarize_matches(results: Sequence[Result]) -> Summary:
    values = by_cell(results)
    rows = {
        pair: share_row(match_cell(*pair), *tally(values[match_cell(*pair)]), figure)
        for pair, figure in MATCH_FIGURES.items()
        if match_cell(*pair) in values
    }
    judged = [row for pair, row in rows.items() if pair[1] == "5000"]
    checks = [below(row, 0.5) for row in judged]
    # One by one: of several figures together one may differ.
    checks += [agreement([row], DOCUMENT_GAMES) for row in judged]
    plots = [match_plot(rows.values(), "Games won by the first of the two.")] if rows else []
    return Summary.of(rows.values(), checks, plots=plots, notes=[NOTE_RULES])


def rule_cell(threshold: int) -> str:
    """Return the name of a cell: the value of k."""
    return f"k = {threshold}"


def _rule_trials(scale: Scale) -> list[Trial]:
    cells = {}
    for k, games in RULE_GAMES.items():
        if scale == "quick" and k not in (0, FAR[0]):
            continue
        match = {
            "first": v_run(RULE_ITERATIONS, votes=RULE_VOTERS, votes_threshold=k),
            "second": v_run(RULE_ITERATIONS),
            # Late in the game there are few moves, and voting should pay.
            "resign": False,
        }
        cells[rule_cell(k)] = (match, games if scale == "full" else 3)
    return in_proportion(cells)


def _summarize_rule(results: Sequence[Result]) -> Summary:
    values = by_cell(results)
    rows = {
        k: share_row(rule_cell(k), *tally(values[rule_cell(k)]))
        for k in RULE_GAMES
        if rule_cell(k) in values
    }
    far = pooled_row(
        "voting at times, k = 40 and 50", results, [rule_cell(k) for k in FAR if k in rows]
    )
    dots = [Dot(k or 10, 100 * row.ours, 100 * row.low, 100 * row.high) for k, row in rows.items()]
    chart = curve_chart([Curve("wins", dots)], "k (10 stands for 0)", "wins, per cent", log_x=True)
    caption = (
        f"Wins of a search with rule F, {RULE_VOTERS} voters and {RULE_ITERATIONS:,} iterations, "
        "against one that never votes."
    )
    note = (
        "The larger k, the later in the game it votes, and the nearer it is to its opponent: at "
        "k = 0 it always votes, at k = 65 hardly before the game is decided. Judged are the two "
        "between, where a rule that pays is above one half."
    )
    return Summary.of(
        [*rows.values(), *([far] if far.count else [])],
        [above(far, 0.5, at_least=PAYS)],
        plots=[Plot("rule", chart, caption)] if chart else (),
        notes=[note],
    )


VOTING_ON_TSUMEGO = Experiment(
    name="voting-on-tsumego",
    document="000",
    section="7.5, table 7.2",
    question="Do ten small searches that vote solve more problems than one large one?",
    claim="With 100 or 1,000 iterations a voter they are right more often than one search of as "
    "many (by 16, 15, 5 and 3 points), with 10 less often (by 7 and 18).",
    figures={problem_cell(*key, votes=True): figure for key, figure in PROBLEM_FIGURES.items()},
    trials=_problem_trials,
    run=ask,
    summarize=_summarize_problems,
    cost={"quick": 0.2, "full": 8},
)

VOTING_IN_MATCHES = Experiment(
    name="voting-in-matches",
    document="000",
    section="7.5, table 7.1",
    question="Do small searches that vote beat one large one in games?",
    claim="No: ten times 500 and five times 1,000 iterations win 2 and 0 % of 50 games against one "
    "search of 5,000.",
    figures={match_cell(*pair): figure for pair, figure in MATCH_FIGURES.items()},
    trials=_match_trials,
    run=play_match_trial,
    unit="games",
    summarize=_summarize_matches,
    cost={"quick": 0.35, "full": 10},
)

VOTING_RULE = Experiment(
    name="voting-rule",
    document="000",
    section="7.5, rule F",
    question="Does it pay to vote only where there are more than k iterations a move?",
    claim="Voting should pay where iterations by far exceed the moves; the best k is left open.",
    trials=_rule_trials,
    run=play_match_trial,
    unit="games",
    summarize=_summarize_rule,
    cost={"quick": 0.35, "full": 26},
)
