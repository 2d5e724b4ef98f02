"""One tree for all threads, or a tree for each: 003, "Paralelización"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing import curve_chart
from montego.engine.options.options import usable_cores
from montego.experiments.document_003.go_player import go_player
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, in_proportion
from montego.experiments.figures import FigureRow, curve_of, mean_row, share_row
from montego.experiments.games import new_search, play_match_trial, tally
from montego.experiments.verdict import Check, none_beats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Scale, Trial, TrialResult


WAYS = {"lock": "one tree, one lock", "tree": "one tree, no lock", "root": "a tree a thread"}
THREADS = (1, 2, 4)
MATCH = "a tree a thread against one tree with a lock"
FREE_MATCH = "a tree a thread against one tree without lock"
MATCH_THREADS = 4
MARGIN = 0.1  # Share of games by which a way may be better and still be as good.
FASTER = 0.05  # Part of its speed by which a way may be faster and still be as fast.


def _speed_cell(way: str, threads: int) -> str:
    return f"{WAYS[way]}, {threads} thread{'s' if threads > 1 else ''}"


def _trials(scale: Scale) -> list[Trial]:
    quick = scale == "quick"
    cells: dict[str, tuple[dict[str, JSON], int]] = {}
    for threads in THREADS:
        for way in WAYS:
            count = 2000 if quick else 30_000
            search = go_player(count, parallel=way, threads=threads, early_stop=False)
            cells[_speed_cell(way, threads)] = ({"timed": search}, 2 if quick else 10)
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
    search = new_search(timed, trial.seed)
    search.run(simulations=200 * timed["search"]["threads"])  # Starts them, loads machine code.
    result = search.run()
    return {"speed": result.simulations / result.seconds, "cores": usable_cores()}


def _summarize(results: Sequence[TrialResult]) -> Summary:
    """Check that a tree for each thread is neither faster nor stronger."""
    rows: dict[str, FigureRow] = {}
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
    curves = [
        curve_of(name, rows, {_speed_cell(way, count): count for count in THREADS})
        for way, name in WAYS.items()
    ]
    chart = curve_chart(curves, "threads", "simulations a second")
    match = [rows[MATCH]] if MATCH in rows else []
    checks = [none_beats("one tree with a lock", match, MARGIN), _is_not_faster(ratio)]
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
    plots = [Plot("speed", chart, "Speed by threads, with 95 % intervals.")]
    return Summary.of(told, checks, plots=plots, notes=notes)


def _ratio(results: Sequence[TrialResult], threads: int) -> FigureRow | None:
    """Return how many times as fast a tree a thread is as one tree with a lock.

    By the ratios of timings that followed one another: what else the machine did slowed both.
    """
    root, one = (
        {
            result.trial.number: result.value["speed"]
            for result in results
            if result.trial.cell == _speed_cell(way, threads)
        }
        for way in ("root", "lock")
    )
    ratios = [root[number] / one[number] for number in root.keys() & one.keys()]
    name = f"speed of a tree a thread over one tree with a lock, {threads} threads"
    return mean_row(name, ratios, unit="times") if len(ratios) > 1 else None


def _is_not_faster(ratio: FigureRow | None) -> Check:
    """Check that a tree a thread is hardly faster; false if it surely is."""
    if ratio is None:
        return Check("no timings yet to compare", None)
    holds = False if ratio.low > 1 else True if ratio.high < 1 + FASTER else None
    words = {True: "is not above", False: "is above", None: "is perhaps above"}[holds]
    return Check(f"{ratio.told} {words} 1", holds)


THREADS_AND_TREES = Experiment(
    name="threads-and-trees",
    document="003",
    section="Paralelización",
    question="Should threads share one tree, or have one each?",
    claim="A tree for each thread was neither faster nor stronger than one tree with a global "
    "lock, but slightly worse.",
    trials=_trials,
    run=run,
    summarize=_summarize,
    cost={"quick": 0.3, "full": 12},
    alone=True,
    revision=3,  # Since then timings tell the number of cores.
)
