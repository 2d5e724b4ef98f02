"""Running experiments: what is left of a plan, on all cores, and what it says so far.

:class:`ExperimentRun` is an experiment with what there is of its trials; :class:`Coverage` tells
how much of the plan that is, and what so many games can tell.
"""

from __future__ import annotations

import contextlib
import json
import math
import pickle
import re
from collections import Counter
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from montego.arena.statistics import wilson_interval
from montego.experiments.experiment import GAMES, Experiment, Scale, Summary, Trial, TrialResult
from montego.experiments.results import ResultFile, match_results, read_lines, save_text, stem_of
from montego.experiments.verdict import ClaimVerdict
from montego.experiments.workers import FailedTrial
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from montego.experiments.workers import TrialPool


LEAST_COST = 0.01  # Minutes; an experiment that claims to cost nothing has trials all the same.
FAILURES = 5
"""So many trials of an experiment may fail before it is given up: the rest would, too."""
ENOUGH = 100
"""Games a point from which on nothing need be said about their number."""


@dataclass(frozen=True)
class Coverage:
    """How much of a plan was run: the trials of each cell that were, and those of the plan."""

    unit: str
    """What a trial is, in the plural."""
    done: Mapping[str, int]
    planned: Mapping[str, int]

    @property
    def is_whole(self) -> bool:
        """Whether the whole plan was run."""
        return self.done == self.planned

    @property
    def number(self) -> str:
        """How many trials a point there are, and how many the plan has if those are more."""
        done, planned = _span(self.done.values()), _span(self.planned.values())
        return f"{done if self.is_whole else f'{done} of {planned}'} {self.unit} a point"

    @property
    def sentence(self) -> str:
        """The number of trials a point, whether more were not affordable, and what games can tell.

        That is the width of their interval where a share is about one half, at the point with the
        fewest; of the whole plan it is told if it is less.
        """
        few, whole = min(self.done.values(), default=0), min(self.planned.values(), default=0)
        is_of_games = self.unit == GAMES
        too_few = not self.is_whole or (is_of_games and few < ENOUGH)
        told = f"{self.number}{' were affordable' if too_few else ''}"
        if is_of_games and few:
            told += f", which tell a share to {precision(few)} points"
        if is_of_games and not self.is_whole and (not few or precision(whole) < precision(few)):
            told += f"; the whole plan tells one to {precision(whole)}"
        return told


def precision(games: int) -> int:
    """Return how many points a share may be off, either way, at 95 %, if it is about one half."""
    low, high = wilson_interval(games / 2, games)
    return round(100 * (high - low) / 2)


def _span(counts: Iterable[int]) -> str:
    known = sorted(counts)
    if not known:
        return "0"
    return f"{known[0]}" if known[0] == known[-1] else f"{known[0]} to {known[-1]}"


@dataclass(frozen=True)
class ExperimentRun:
    """What there is of an experiment: its plan, and the results of some or all of its trials."""

    experiment: Experiment
    scale: Scale
    seed: int
    plan: Sequence[Trial]
    results: Sequence[TrialResult]

    @property
    def stem(self) -> str:
        """The name of its files without their endings."""
        return stem_of(self.experiment.name, self.scale, self.seed)

    @property
    def seconds(self) -> float:
        """Wall-clock time of all trials, one after another."""
        return sum(result.seconds for result in self.results)

    @property
    def programs(self) -> Mapping[str, int]:
        """The versions that ran the trials, and how many each."""
        return Counter(result.program for result in self.results)

    @cached_property
    def coverage(self) -> Coverage:
        """How much of the plan was run."""
        planned = Counter(trial.cell for trial in self.plan)
        counted = Counter(result.trial.cell for result in self.results)
        return Coverage(self.experiment.unit, {cell: counted[cell] for cell in planned}, planned)

    @cached_property
    def summary(self) -> Summary:
        """What the results say so far."""
        summary = self.experiment.summarize(self.results)
        unseen = [cell for cell, count in self.coverage.done.items() if not count]
        if not unseen or summary.verdict != ClaimVerdict.HOLDS:
            return summary
        # A summary knows the cells it was given, and cannot miss the others.
        sentence = f"Undecided: no results yet for {', '.join(unseen)}. So far: {summary.sentence}"
        return replace(summary, verdict=ClaimVerdict.UNDECIDED, sentence=sentence)

    def left(self, games: int | None = None) -> list[Trial]:
        """Return what is left of the plan, in its order; no more than *games* trials of a cell."""
        known = {self.experiment.digest(result.trial) for result in self.results}
        return [
            trial
            for trial in self.plan
            if (games is None or trial.number < games)
            and self.experiment.digest(trial) not in known
        ]

    def minutes_left(self, games: int | None = None) -> float:
        """Return about how many minutes of processor time :meth:`left` takes; 0 for nothing."""
        minutes = max(self.experiment.cost.get(self.scale, 0.0), LEAST_COST)
        return minutes * len(self.left(games)) / max(len(self.plan), 1)

    def as_json(self) -> dict[str, Any]:
        """Return everything but the plots, for programs."""
        summary = self.summary
        told = ("name", "document", "section", "question", "claim")
        return {field: getattr(self.experiment, field) for field in told} | {
            "scale": self.scale,
            "seed": self.seed,
            "done": len(self.results),
            "wanted": len(self.plan),
            "seconds": round(self.seconds, 1),
            "effort": self.coverage.sentence,
            "programs": dict(self.programs),
            "verdict": str(summary.verdict),
            "sentence": summary.sentence,
            "rows": [_finite(asdict(row)) for row in summary.rows],
            "notes": list(summary.notes),
            "plots": [plot.name for plot in summary.plots],
        }

    def save(self, folder: Path) -> None:
        """Write the summary and its plots.

        Raises:
            GoError: If they cannot be written.
        """
        text = json.dumps(self.as_json(), indent=2, ensure_ascii=False, allow_nan=False)
        save_text(folder / f"{self.stem}.json", text + "\n")
        for plot in self.summary.plots:
            save_text(folder / f"{self.stem}.{plot.name}.svg", plot.svg + "\n")


def run_experiment(
    experiment: Experiment,
    folder: Path,
    pool: TrialPool,
    *,
    scale: Scale,
    seed: int = 1,
    games: int | None = None,
    may_begin: Callable[[], bool] = lambda: True,
    report: Callable[[int, int], None] = lambda _done, _wanted: None,
) -> ExperimentRun:
    """Run the trials that *folder* does not hold yet, and write the summary.

    *games* is the most trials of a cell that are wanted now. No trial is begun once *may_begin*
    says no. *report* is called with the trials done and wanted. Whatever ends it, what was done is
    kept, and the summary is of that.

    Raises:
        GoError: If other processes cannot find the experiment's function, JSON cannot hold its
            settings, the results cannot be written, or trials fail: at once if many do, else when
            all others are done.
    """
    _check_function(experiment)
    run = ExperimentRun(experiment, scale, seed, experiment.plan(scale, seed), [])
    failures: list[FailedTrial] = []
    with ResultFile(folder / f"{run.stem}.jsonl") as file:
        run = replace(run, results=file.done(experiment, run.plan))
        left = run.left(games)
        count, wanted = len(run.results), len(run.results) + len(left)
        report(count, wanted)
        try:
            outcomes = pool.run(experiment.run, left, alone=experiment.alone, may_begin=may_begin)
            for outcome in outcomes:
                if isinstance(outcome, FailedTrial):
                    failures.append(outcome)
                    if len(failures) >= FAILURES:
                        break
                    continue
                file.add(experiment, outcome)
                count += 1
                report(count, wanted)
        except BaseException:
            pool.close()  # Somebody may still be at a trial that nobody waits for.
            with contextlib.suppress(GoError):  # A full disk has been told of, say.
                replace(run, results=file.done(experiment, run.plan)).save(folder)
            raise
        if failures:
            pool.close()
        run = replace(run, results=file.done(experiment, run.plan))
        run.save(folder)
    if failures:
        first = failures[0]
        raise GoError(
            f"{experiment.name}: {len(failures)} of {wanted} trials failed, the first at "
            f"{first.trial.cell} number {first.trial.number}: {first.reason}"
            + (f"\n{first.details}" if first.details else "")
        )
    return run


def read_run(experiment: Experiment, folder: Path, *, scale: Scale, seed: int = 1) -> ExperimentRun:
    """Return what *folder* holds of an experiment: no results if it holds no trial of its plan.

    Raises:
        GoError: If a file cannot be read.
    """
    run = ExperimentRun(experiment, scale, seed, experiment.plan(scale, seed), [])
    path = folder / f"{run.stem}.jsonl"
    if not path.exists():
        return run
    return replace(run, results=match_results(read_lines(path), experiment, run.plan))


def _check_function(experiment: Experiment) -> None:
    """Raise GoError if worker processes cannot find the function that runs a trial."""
    try:
        pickle.dumps(experiment.run)
    except (pickle.PicklingError, AttributeError, TypeError):
        raise GoError(
            f"{experiment.name}: 'run' must be a function of a module, not nested, no lambda, or "
            "other processes cannot find it"
        ) from None


def seeds_in(folder: Path, name: str, scale: Scale) -> list[int]:
    """Return the seeds that an experiment was run with, the first one first."""
    names = re.compile(rf"{re.escape(stem_of(name, scale, 1))}(?:\.seed([0-9]+))?\.jsonl")
    found = (names.fullmatch(path.name) for path in folder.glob(f"{name}.*"))
    return sorted(int(match[1] or 1) for match in found if match)


def _finite(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as JSON can hold it: without infinities."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }
