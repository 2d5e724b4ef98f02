"""Majority voting on problems and in matches, and its rule F: tables 7.1 and 7.2 of 7.5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing import curve_chart
from montego.experiments.document_000.tsumego.grades import FIGURES, FULL, GRADES
from montego.experiments.document_000.tsumego.pool import POOL_NOTE, pool_trials
from montego.experiments.document_000.tsumego.problems import PROBLEMS, ask, right_rows
from montego.experiments.document_000.v_run import NOTE_RULES, v_run
from montego.experiments.experiment import Experiment, Plot, Summary, cell_map, interleaved
from montego.experiments.figures import EVEN, FigureRow, curve_of, exact_row, share_row
from montego.experiments.verdict import Check, above, agreement, below, more
from montego.experiments.win_rates import WinRates, game_experiment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from montego.experiments.experiment import JSON, Cells, Scale, Trial, TrialResult


VOTERS = 10
FEW = 10
"""Iterations a voter with which voting does not pay, in the document."""
SHARES = (10, 100, 1000)
"""Iterations of each of the ten voters; the single search has them all."""
VOTING = cell_map(f"{{}}, {VOTERS}*{{:,}}", [problem.name for problem in PROBLEMS], SHARES)
SINGLE = {key: f"{key[0]}, {VOTERS * key[1]:,}" for key in VOTING}
TABLE = (0.33, 0.80, 0.96, 0.48, 0.74, 0.77)
"""The document's shares of right moves by voting: the easy problem and the average one."""
PROBLEM_FIGURES = dict(zip(list(VOTING.values())[:6], TABLE, strict=True))
BATCH = 10
BATCHES = {"full": 50, "quick": 1}
PROBLEM_NOTE = (
    "Where both are right in 99 % there is nothing to compare. The document prints 33 % as 7 less "
    "than the single search's, whose own table says 44 %."
)


def _problem_trials(scale: Scale) -> list[Trial]:
    cells = {}
    for problem in PROBLEMS:
        for share in SHARES:
            for names, votes in ((VOTING, VOTERS), (SINGLE, 1)):
                settings = problem.trial_settings(VOTERS * share, BATCH, votes=votes)
                cells[names[problem.name, share]] = settings
    return interleaved(cells, BATCHES[scale])


def _summarize_problems(results: Sequence[TrialResult]) -> Summary:
    single = {cell: FIGURES[GRADES[name, VOTERS * share]] for (name, share), cell in SINGLE.items()}
    rows = right_rows(results, PROBLEM_FIGURES | single)
    told = [key for key, cell in VOTING.items() if cell in PROBLEM_FIGURES]
    checks = [
        _compared(rows, [key for key in told if key[1] > FEW], pays=True),
        _compared(rows, [key for key in told if key[1] <= FEW], pays=False),
    ]
    caption = "Right moves by voting and by a single search (dashed), same total of iterations."
    plots = [
        Plot("voting", _voting_chart(rows), caption),
        Plot("voting-document", _voting_chart(_told(rows)), "Table 7.2 of the document, alike."),
    ]
    return Summary.of(rows.values(), checks, plots=plots, notes=[PROBLEM_NOTE])


def _voting_chart(rows: Mapping[str, FigureRow]) -> str:
    curves = []
    for problem in PROBLEMS:
        for names, suffix in ((VOTING, ", voting"), (SINGLE, "")):
            places = {
                names[problem.name, share]: VOTERS * share / problem.choices for share in SHARES
            }
            name = f"{problem.name}{suffix}"
            curves.append(curve_of(name, rows, places, is_dashed=names is SINGLE))
    return curve_chart(curves, "iterations a move, i/m", "right moves, per cent", log_x=True)


def _told(rows: Mapping[str, FigureRow]) -> dict[str, FigureRow]:
    """Return the document's own figures as rows, where it has some."""
    return {
        cell: exact_row(cell, row.document, row.count)
        for cell, row in rows.items()
        if row.document is not None
    }


def _compared(
    rows: Mapping[str, FigureRow], keys: Sequence[tuple[str, int]], *, pays: bool
) -> Check:
    """Check over several problems and numbers of iterations together whether voting pays.

    Together, because the document's own differences of 3 and 5 points are too small for 500
    searches. Where both are always right there is nothing to compare.
    """
    pairs = {
        VOTING[key]: [rows[names[key]] for names in (VOTING, SINGLE)]
        for key in keys
        if VOTING[key] in rows and SINGLE[key] in rows
    }
    telling = {cell: pair for cell, pair in pairs.items() if min(row.ours for row in pair) < FULL}
    if len(pairs) == len(keys) and not telling:
        where = " and ".join(pairs)
        return Check(
            f"both are right nearly always, which leaves nothing to compare ({where})", None
        )
    names = (f"voting ({' and '.join(telling) or 'nowhere'})", "one search of as many")
    voting, single = (
        share_row(
            name,
            sum(pair[side].ours * pair[side].count for pair in telling.values()),
            sum(pair[side].count for pair in telling.values()),
        )
        for side, name in enumerate(names)
    )
    return more(voting, single) if pays else more(single, voting)


VOTING_ON_TSUMEGO = Experiment(
    name="voting-on-tsumego",
    document="000",
    section="7.5, table 7.2",
    question="Do ten small searches that vote solve more problems than one large one?",
    claim="With 100 or 1,000 iterations a voter they are right more often than one search of as "
    "many (by 16, 15, 5 and 3 points), with 10 less often (by 7 and 18).",
    figures=PROBLEM_FIGURES,
    trials=_problem_trials,
    run=ask,
    summarize=_summarize_problems,
    cost={"quick": 0.2, "full": 8},
)

RATIOS = (10, 17, 30, 60, 100, 167, 300)
"""Iterations a move, i/m. The document's voters lose at 17 and win at 167, in its problems of six
moves."""
BELOW, ABOVE = (10, 17), (167, 300)
POOL_VOTING = {f"{VOTERS} voters, i/m = {ratio}": ratio for ratio in RATIOS}
POOL_SINGLE = {f"one search, i/m = {ratio}": ratio for ratio in RATIOS}
POOL_ROUNDS = 4


def _crossover_trials(scale: Scale) -> list[Trial]:
    ratios = RATIOS if scale == "full" else (17, 167)
    places = POOL_VOTING | POOL_SINGLE
    cells: dict[str, dict[str, JSON]] = {
        cell: {"votes": VOTERS if cell in POOL_VOTING else 1}
        for cell, ratio in places.items()
        if ratio in ratios
    }
    return pool_trials(
        cells,
        lambda cell, problem: places[cell] * problem.choices,
        POOL_ROUNDS if scale == "full" else 1,
        problems=None if scale == "full" else 2,
    )


def _pool_share(
    rows: Mapping[str, FigureRow], name: str, cells: Mapping[str, int], ratios: Sequence[int]
) -> FigureRow:
    found = [rows[cell] for cell, ratio in cells.items() if ratio in ratios and cell in rows]
    right = sum(row.ours * row.count for row in found)
    return share_row(name, right, sum(row.count for row in found))


def _summarize_crossover(results: Sequence[TrialResult]) -> Summary:
    rows = right_rows(results)
    pools = [
        _pool_share(rows, f"{name}, i/m {' and '.join(map(str, ratios))}", cells, ratios)
        for ratios in (BELOW, ABOVE)
        for name, cells in (("voting", POOL_VOTING), ("one search", POOL_SINGLE))
    ]
    few_votes, few_single, many_votes, many_single = pools
    checks = [more(few_single, few_votes), more(many_votes, many_single)]
    curves = [
        curve_of(f"{VOTERS} voters", rows, POOL_VOTING),
        curve_of("one search", rows, POOL_SINGLE, is_dashed=True),
    ]
    chart = curve_chart(curves, "iterations a move, i/m", "right moves, per cent", log_x=True)
    plots = [Plot("crossover", chart, "Right moves in the pool, voting and one search.")]
    shown = [*rows.values(), *(pool for pool in pools if pool.count)]
    return Summary.of(shown, checks, plots=plots, notes=[_crossover_note(rows), POOL_NOTE])


def _crossover_note(rows: Mapping[str, FigureRow]) -> str:
    """Say where voting first is ahead of the single search, as far as the shares go."""
    ahead = [
        ratio
        for vote, single, ratio in zip(POOL_VOTING, POOL_SINGLE, RATIOS, strict=True)
        if vote in rows and single in rows and rows[vote].ours > rows[single].ours
    ]
    if not ahead:
        return "Nowhere is the share of the voters above that of the single search."
    places = ", ".join(map(str, ahead))
    return f"The share of the voters is above the single search's at i/m = {places}."


VOTING_CROSSOVER = Experiment(
    name="voting-crossover",
    document="000",
    section="7.5, rule F on problems",
    question="From how many iterations a move on does voting solve more problems?",
    claim="Voting is worse where iterations hardly exceed the moves and better where they do by "
    "far: in table 7.2 between 17 and 167 iterations a move.",
    trials=_crossover_trials,
    run=ask,
    summarize=_summarize_crossover,
    cost={"quick": 0.1, "full": 3},
)

MATCHES = {"10*500 against 5000": 0.02, "5*1000 against 5000": 0.0, "5*1000 against 10*500": 0.62}
"""The document's, without the matches of a search against itself, and the last one told the other
way round."""
JUDGED = list(MATCHES)[:2]
DOCUMENT_GAMES = 50
MATCH_GAMES = 50
"""Games of a match, as many as the document's."""
PLAYERS = {
    "10*500": v_run(5000, votes=10),
    "5*1000": v_run(5000, votes=5),
    "5000": v_run(5000),
}


def _match_cells(scale: Scale) -> Cells:
    cells = {}
    for cell in MATCHES if scale == "full" else JUDGED[:1]:
        first, _, second = cell.partition(" against ")
        match = {"first": PLAYERS[first], "second": PLAYERS[second]}
        cells[cell] = (match, MATCH_GAMES if scale == "full" else 2)
    return cells


def _check_matches(wins: WinRates) -> list[Check]:
    judged = wins.rows_of(JUDGED)
    # One by one: of several figures together one may differ.
    agreeing = [agreement([row], DOCUMENT_GAMES) for row in judged]
    return [*(below(row, EVEN) for row in judged), *agreeing]


VOTING_IN_MATCHES = game_experiment(
    name="voting-in-matches",
    document="000",
    section="7.5, table 7.1",
    question="Do small searches that vote beat one large one in games?",
    claim="No: ten times 500 and five times 1,000 iterations win 2 and 0 % of 50 games against one "
    "search of 5,000.",
    figures=MATCHES,
    cells=_match_cells,
    checks=_check_matches,
    caption="Games won by the first of the two.",
    notes=[NOTE_RULES],
    cost={"quick": 0.35, "full": 10},
)

RULE_ITERATIONS = 2000
RULE_VOTERS = 5
RULE_GAMES = {0: 100, 30: 100, 40: 160, 50: 160, 65: 100}
"""Games by k of rule F: vote where there are more than k iterations a move. With 2,000 that is
always, or once there are fewer than 67, 50, 40 or 31 moves; for larger k the game is decided
before."""
FAR = ("k = 40", "k = 50")
"""Where iterations exceed the moves by far, and the game is not decided yet."""
PAYS = 0.07
"""Share of games beyond one half without which a rule surely does not pay: the document's voters
gain 3 to 16 points in problems."""
RULE_NOTE = (
    "The larger k, the later in the game it votes, and the nearer it is to its opponent: at k = 0 "
    "it always votes, at k = 65 hardly before the game is decided. Judged are the two between, "
    "where a rule that pays is above one half."
)


def _rule_cells(scale: Scale) -> Cells:
    cells = {}
    for k, games in RULE_GAMES.items():
        if scale == "full" or k in (0, 40):
            match = {
                "first": v_run(RULE_ITERATIONS, votes=RULE_VOTERS, votes_threshold=k),
                "second": v_run(RULE_ITERATIONS),
                # Late in the game there are few moves, and voting should pay.
                "resign": False,
            }
            cells[f"k = {k}"] = (match, games if scale == "full" else 3)
    return cells


VOTING_RULE = game_experiment(
    name="voting-rule",
    document="000",
    section="7.5, rule F",
    question="Does it pay to vote only where there are more than k iterations a move?",
    claim="Voting should pay where iterations by far exceed the moves; the best k is left open.",
    cells=_rule_cells,
    checks=lambda wins: [
        above(wins.pooled("voting at times, k = 40 and 50", FAR), EVEN, at_least=PAYS)
    ],
    plot="rule",
    caption=f"Wins of a search with rule F, {RULE_VOTERS} voters and {RULE_ITERATIONS:,} "
    "iterations, against one that never votes.",
    axes=("k (10 stands for 0)", "wins, per cent"),
    curves=lambda wins: [wins.curve("wins", {f"k = {k}": k or 10 for k in RULE_GAMES})],
    notes=[RULE_NOTE],
    cost={"quick": 0.35, "full": 26},
)
