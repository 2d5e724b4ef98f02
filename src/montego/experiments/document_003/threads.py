"""One tree for all threads, or a tree for each: 003, "Paralelización"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot, curve_chart
from montego.engine.cores import usable_cores
from montego.experiments.document_003.go_player import go_player
from montego.experiments.experiment import Experiment, Plot, Summary, Trial, by_cell
from montego.experiments.figures import mean_row, share_row
from montego.experiments.games import contestant, play_match_trial, tally
from montego.experiments.verdict import Check, none_better
from montego.experiments.win_rates import even_row, in_proportion
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale
    from montego.experiments.figures import Row

WAYS = {"lock": "one tree, one lock", "tree": "one tree, no lock", "root": "a tree a thread"}
THREADS = (1, 2, 4)
MATCH = "a tree a thread against one tree with a lock"
FREE_MATCH = "a tree a thread against one tree without lock"
MATCH_THREADS = 4
MARGIN = 0.1  # Share of games by which a way may be better and still be as good.
FASTER = 0.05  # Part of its speed by which a way may be faster and still be as fast.


def speed_cell(way: str, threads: int) -> str:
    """Return the name of a timing."""
    return f"{WAYS[way]}, {threads} thread{'s' if threads > 1 else ''}"


def trials(scale: Scale) -> list[Trial]:
    """Return timings of each way, and games of the second way against the first."""
    quick = scale == "quick"
    cells: dict[str, tuple[dict[str, JSON], int]] = {}
    for threads in THREADS:
        for way in WAYS:
            count = 2000 if quick else 30_000
            search = go_player(count, parallel=way, threads=threads, early_stop=False)
            cells[speed_cell(way, threads)] = ({"timed": search}, 2 if quick else 10)
    for cell, way, games in ((MATCH, "lock", 160), (FREE_MATCH, "tree", 40)):
        root, one = (
            go_player(100 if quick else 1000, parallel=parallel, threads=MATCH_THREADS)
            for parallel in ("root", way)
        )
        cells[cell] = ({"first": root, "second": one}, 2 if quick else games)
    return in_proportion(cells)


def run(trial: Trial) -> JSON:
    """Play a game, or return the simulations a second of the empty board, and how many cores."""
    timed = trial.settings.get("timed")
    if timed is None:
        return play_match_trial(trial)
    player = contestant(timed)
    search = Search(player.game, replace(player.config, seed=trial.seed))
    search.run(simulations=200 * player.config.threads)  # Starts threads and loads machine code.
    result = search.run()
    return {"speed": result.simulations / result.seconds, "cores": usable_cores()}


def summarize(results: Sequence[Result]) -> Summary:
    """Check that a tree for each thread is neither faster nor stronger."""
    rows: dict[str, Row] = {}
    cores = THREADS[-1]  # As far as is known.
    for cell, found in by_cell(results).items():
        if cell in (MATCH, FREE_MATCH):
            rows[cell] = share_row(cell, *tally(found))
        else:
            speeds = [value["speed"] for value in found]
            rows[cell] = mean_row(cell, speeds, unit="simulations/s")
            cores = min(cores, *(value["cores"] for value in found))
    # With more threads than cores those that wait for the lock keep the one that holds it waiting.
    judged = max(threads for threads in THREADS if threads <= cores)
    ratio = _ratio(results, judged) if judged > 1 else None
    curves = []
    for way, name in WAYS.items():
        found = [(t, rows[speed_cell(way, t)]) for t in THREADS if speed_cell(way, t) in rows]
        dots = [Dot(t, row.ours, row.low, row.high) for t, row in found]
        curves.append(Curve(name, dots))
    plot = Plot(
        "speed",
        curve_chart(curves, "threads", "simulations a second"),
        "Speed by threads, with 95 % intervals.",
    )
    match = rows.get(MATCH)
    shared = even_row("one tree with a lock", match.count if match else 0)
    checks = [none_better(shared, [match] if match else [], MARGIN), _is_not_faster(ratio)]
    speed = "is not judged on a single core"
    if judged > 1:
        speed = f"is judged with as many threads as had a core each, {judged}"
    notes = (
        f"Speed {speed}; the document had 5 threads on 4 cores.",
        (
            "Games are of 4 threads, whatever the number of cores; both sides have the same number "
            "of simulations, so that they compare what is learned, not how fast."
        ),
        "What slightly worse is the document does not say: it is shown, and not judged.",
    )
    told = [*rows.values(), *([ratio] if ratio else [])]
    return Summary.of(told, checks, plots=[plot], notes=notes)


def _ratio(results: Sequence[Result], threads: int) -> Row | None:
    """Return how many times as fast a tree a thread is as one tree with a lock.

    By the ratios of timings that followed one another: what else the machine did slowed both.
    """
    root, one = (
        {
            result.trial.number: result.value["speed"]
            for result in results
            if result.trial.cell == speed_cell(way, threads)
        }
        for way in ("root", "lock")
    )
    ratios = [root[number] / one[number] for number in root.keys() & one.keys()]
    name = f"speed of a tree a thread over one tree with a lock, {threads} threads"
    return mean_row(name, ratios, unit="times") if len(ratios) > 1 else None


def _is_not_faster(ratio: Row | None) -> Check:
    """Check that a tree a thread is hardly faster; false if it surely is."""
    if ratio is None:
        return Check("no timings yet to compare", None)
    holds = False if ratio.low > 1 else True if ratio.high < 1 + FASTER else None
    words = {True: "is not above", False: "is above", None: "is perhaps above"}[holds]
    return Check(f"{ratio.cell} ({ratio.shown}) {words} 1", holds)


THREADS_AND_TREES = Experiment(
    name="threads-and-trees",
    document="003",
    section="Paralelización",
    question="Should threads share one tree, or have one each?",
    claim="A tree for each thread was neither faster nor stronger than one tree with a global "
    "lock, but slightly worse.",
    trials=trials,
    run=run,
    summarize=summarize,
    cost={"quick": 0.3, "full": 12},
    alone=True,
    revision=3,  # Since then timings tell the number of cores.
)
