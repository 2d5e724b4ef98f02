"""McGnuGo against GNU Go: table 5.3 and figure 5.5, the document's main result."""

from __future__ import annotations

import statistics
import sys
from typing import TYPE_CHECKING

from montego.arena.drawing import Curve, Dot, curve_chart
from montego.experiments.experiment import (
    GAMES,
    Experiment,
    Plot,
    Summary,
    by_cell,
    find_program,
    in_proportion,
)
from montego.experiments.figures import EVEN, FigureRow, mean_row, share_row
from montego.experiments.games import GNUGO, PATIENCE, tally
from montego.experiments.verdict import above, agrees, more
from montego.go.vocabulary.errors import GoError
from montego.gtp.client import Engine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Scale, Trial, TrialResult

KOMI = 6.5
SIZE = 9
MOST_MOVES = 3 * SIZE * SIZE
COLORS = {"as White": 0.6818, "as Black": 0.4545}
OVERALL, OUTCOME = "overall", "average outcome δ"
DOCUMENT = {OVERALL: 0.606, OUTCOME: 1.106, **COLORS}
DEVIATION = 24.54
DOCUMENT_GAMES = 33
"""The fewest games of which 68.18, 45.45 and 60.60 % are whole numbers: 22 and 11."""
NOTES = (
    (
        f"The document does not tell its number of games; its shares are whole numbers of "
        f"{DOCUMENT_GAMES}, 22 as White and 11 as Black. Nor does it tell the time."
    ),
    (
        "Its results are of 19x19 (4.1). Here the board is 9x9, where a game takes a small part "
        "of the time: shares may be compared, points may not."
    ),
    (
        "Here McGnuGo is the preset mcgnugo without its book and without thinking in the "
        "opponent's time, and GNU Go is the installed version, on both sides alike."
    ),
)


def _trials(scale: Scale) -> list[Trial]:
    count, level = (4000, 10) if scale == "full" else (100, 1)
    settings = {"simulations": count, "level": level}
    games = {"as White": 44, "as Black": 22} if scale == "full" else dict.fromkeys(COLORS, 2)
    return in_proportion(
        {cell: (settings | {"first_begins": cell == "as Black"}, games[cell]) for cell in COLORS}
    )


def play_hybrid(trial: Trial) -> JSON:
    """Play a game of the hybrid, a program of its own, against GNU Go; GNU Go counts it."""
    settings = trial.settings
    words = ["gtp", "--preset", "mcgnugo", "--seed", str(trial.seed), "--threads", "1"]
    changes = {"simulations": settings["simulations"], "book": "off", "ponder": "false"}
    for name, value in changes.items():
        words += ["--set", f"{name}={value}"]
    ours = [sys.executable, "-m", "montego", *words]
    seed = trial.seed % 100_000 + 1
    options = f"--mode gtp --quiet --level {settings['level']} --chinese-rules --never-resign"
    theirs = [find_program(GNUGO) or GNUGO, *options.split(), "--seed", str(seed)]
    with Engine(ours, timeout=PATIENCE) as hybrid, Engine(theirs, timeout=PATIENCE) as gnugo:
        version = gnugo.send("version")
        for engine in (hybrid, gnugo):
            for line in (f"boardsize {SIZE}", "clear_board", f"komi {KOMI:g}"):
                engine.send(line)
        begins = settings["first_begins"]
        order = [(hybrid, gnugo), (gnugo, hybrid)] if begins else [(gnugo, hybrid), (hybrid, gnugo)]
        moves = passes = 0
        while passes < 2 and moves < MOST_MOVES:
            mover, other = order[moves % 2]
            color = "black" if moves % 2 == 0 else "white"
            vertex = mover.send(f"genmove {color}").strip().lower()
            if vertex == "resign":
                return _outcome(float(mover is gnugo), begins, None, moves, version)
            other.send(f"play {color} {vertex}")
            passes = passes + 1 if vertex == "pass" else 0
            moves += 1
        score = score_of(gnugo.send("final_score"))
    delta = score if begins else -score
    result = 1.0 if delta > 0 else 0.0 if delta < 0 else 0.5
    return _outcome(result, begins, delta, moves, version)


def score_of(text: str) -> float:
    """Return Black's points of a score such as ``W+6.5``.

    Raises:
        GoError: If it is none.
    """
    if text.strip() in ("0", "Draw"):
        return 0.0
    winner, _, points = text.strip().partition("+")
    try:
        return float(points) * {"B": 1, "W": -1}[winner]
    except (ValueError, KeyError):
        raise GoError(f"GNU Go counted {text!r}, which is no score") from None


def _outcome(
    result: float, began: bool, score: float | None, moves: int, version: str
) -> dict[str, JSON]:
    return {"result": result, "began": began, "score": score, "moves": moves, "gnugo": version}


def _summarize(results: Sequence[TrialResult]) -> Summary:
    cells = by_cell(results)
    rows = {cell: share_row(cell, *tally(cells.get(cell, [])), COLORS[cell]) for cell in COLORS}
    games = [value for found in cells.values() for value in found]
    overall = share_row(OVERALL, *tally(games), DOCUMENT[OVERALL])
    deltas = [value["score"] for value in games if value["score"] is not None]
    outcome = mean_row(OUTCOME, deltas, DOCUMENT[OUTCOME], "points")
    checks = [
        above(overall, EVEN),
        agrees(overall, 0.05, widest=0.3),
        more(rows["as White"], rows["as Black"]),
    ]
    notes = list(NOTES)
    if len(deltas) > 1:
        notes.insert(
            0,
            f"The standard deviation of δ is {statistics.stdev(deltas):.1f} points in "
            f"{len(deltas)} games; the document's is {DEVIATION:g}.",
        )
    versions = sorted({value["gnugo"] for value in games})
    if versions:
        notes.append(f"GNU Go is version {' and '.join(versions)} here.")
    caption = (
        "Games by δ, after figure 5.5; dashed is a normal curve of the document's mean and spread."
    )
    plots = [Plot("outcomes", _histogram(deltas), caption)]
    shown: list[FigureRow] = [row for row in (*rows.values(), overall, outcome) if row.count]
    return Summary.of(shown, checks, plots=plots if deltas else [], notes=notes)


def _histogram(deltas: Sequence[float], width: int = 10) -> str:
    """Return how many games ended with each outcome, ten points a step."""
    if not deltas:
        return ""
    counts: dict[int, int] = {}
    for delta in deltas:
        counts[int(delta // width)] = counts.get(int(delta // width), 0) + 1
    steps = range(min(*counts, -6) - 1, max(*counts, 6) + 2)
    dots = [Dot((step + 0.5) * width, counts.get(step, 0)) for step in steps]
    document = statistics.NormalDist(DOCUMENT[OUTCOME], DEVIATION)
    told = [Dot(dot.x, len(deltas) * width * document.pdf(dot.x)) for dot in dots]
    curves = [Curve("games", dots), Curve("004, μ and spread", told, is_dashed=True)]
    return curve_chart(curves, "δ, McGnuGo's points less GNU Go's", "games")


HYBRID = Experiment(
    name="hybrid-against-gnugo",
    document="004",
    section="5.2, table 5.3, figure 5.5",
    question="Does GNU Go with Monte Carlo beat GNU Go?",
    claim="McGnuGo won 61 % against GNU Go 3.6, 68 % as White and 45 % as Black, by 1.1 points on "
    "average with a standard deviation of 24.5.",
    figures=DOCUMENT,
    trials=_trials,
    run=play_hybrid,
    summarize=_summarize,
    cost={"quick": 0.3, "full": 20},
    needs=(GNUGO,),
    unit=GAMES,
)
