"""Running experiments: what is left of a plan, on all cores, and what it says so far."""

from __future__ import annotations

import contextlib
import json
import math
import pickle
from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from montego.experiments.effort import Effort
from montego.experiments.results import ResultFile, read_results, save_text, stem_of
from montego.experiments.verdict import Verdict
from montego.experiments.workers import Failure, WorkerPool
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from montego.experiments.experiment import Experiment, Result, Scale, Summary, Trial

LEAST_COST = 0.01  # Minutes; an experiment that claims to cost nothing has trials all the same.
FAILURES = 5
"""So many trials may fail; then the rest would, too."""


@dataclass(frozen=True)
class Run:
    """What there is of an experiment: some or all of its trials, and their summary."""

    experiment: Experiment
    scale: Scale
    seed: int
    done: int
    wanted: int
    seconds: float
    """Wall-clock time of all trials, one after another."""
    summary: Summary
    effort: Effort
    programs: Mapping[str, int]
    """The versions that ran the trials, and how many each."""

    @property
    def stem(self) -> str:
        """The name of its files without their endings."""
        return stem_of(self.experiment.name, self.scale, self.seed)

    def as_json(self) -> dict[str, Any]:
        """Return everything but the plots, for programs."""
        experiment, summary = self.experiment, self.summary
        return {
            "name": experiment.name,
            "document": experiment.document,
            "section": experiment.section,
            "question": experiment.question,
            "claim": experiment.claim,
            "scale": self.scale,
            "seed": self.seed,
            "done": self.done,
            "wanted": self.wanted,
            "seconds": round(self.seconds, 1),
            "effort": self.effort.sentence,
            "programs": dict(self.programs),
            "verdict": str(summary.verdict),
            "sentence": summary.sentence,
            "rows": [_finite(asdict(row)) for row in summary.rows],
            "notes": list(summary.notes),
            "plots": [plot.name for plot in summary.plots],
        }


def run_experiment(
    experiment: Experiment,
    folder: Path,
    pool: WorkerPool,
    *,
    scale: Scale,
    seed: int = 1,
    games: int | None = None,
    may_begin: Callable[[], bool] = lambda: True,
    report: Callable[[int, int], None] = lambda _done, _wanted: None,
) -> Run:
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
    plan = experiment.plan(scale, seed)
    stem = stem_of(experiment.name, scale, seed)
    failures: list[Failure] = []
    with ResultFile(folder / f"{stem}.jsonl") as file:
        done = file.done(experiment, plan)
        left = _left_of(experiment, plan, done, games)
        count, wanted = len(done), len(done) + len(left)
        report(count, wanted)
        try:
            outcomes = pool.run(experiment.run, left, alone=experiment.alone, may_begin=may_begin)
            for outcome in outcomes:
                if isinstance(outcome, Failure):
                    failures.append(outcome)
                    if len(failures) >= FAILURES:
                        break
                    continue
                file.add(experiment, outcome)
                count += 1
                report(count, wanted)
        except BaseException:
            pool.close()  # Somebody may still be at a trial that nobody waits for.
            run = _summed_up(experiment, scale, seed, file.done(experiment, plan), plan)
            with contextlib.suppress(GoError):  # A full disk has been told of, say.
                _write_summary(folder, run)
            raise
        if failures:
            pool.close()
        run = _summed_up(experiment, scale, seed, file.done(experiment, plan), plan)
        _write_summary(folder, run)
    if failures:
        first = failures[0]
        raise GoError(
            f"{experiment.name}: {len(failures)} of {wanted} trials failed, the first at "
            f"{first.trial.cell} number {first.trial.number}: {first.reason}"
            + (f"\n{first.details}" if first.details else "")
        )
    return run


def read_run(experiment: Experiment, folder: Path, *, scale: Scale, seed: int = 1) -> Run | None:
    """Return what *folder* holds of an experiment; None if it holds no trial of its plan.

    Raises:
        GoError: If a file cannot be read.
    """
    path = folder / f"{stem_of(experiment.name, scale, seed)}.jsonl"
    if not path.exists():
        return None
    plan = experiment.plan(scale, seed)
    found = read_results(path, experiment, plan)
    return _summed_up(experiment, scale, seed, found, plan) if found else None


def minutes_left(
    experiment: Experiment,
    folder: Path,
    *,
    scale: Scale,
    seed: int = 1,
    games: int | None = None,
) -> float:
    """Return about how many minutes of processor time *folder* leaves to run; 0 if none.

    Raises:
        GoError: If a file cannot be read.
    """
    path = folder / f"{stem_of(experiment.name, scale, seed)}.jsonl"
    plan = experiment.plan(scale, seed)
    done = read_results(path, experiment, plan) if path.exists() else []
    left = _left_of(experiment, plan, done, games)
    minutes = max(experiment.cost.get(scale, 0.0), LEAST_COST)
    return minutes * len(left) / max(len(plan), 1)


def _check_function(experiment: Experiment) -> None:
    """Raise GoError if worker processes cannot find the function that runs a trial."""
    try:
        pickle.dumps(experiment.run)
    except (pickle.PicklingError, AttributeError, TypeError):
        raise GoError(
            f"{experiment.name}: 'run' must be a function of a module, not nested, no lambda, or "
            "other processes cannot find it"
        ) from None


def _left_of(
    experiment: Experiment, plan: Sequence[Trial], done: Sequence[Result], games: int | None
) -> list[Trial]:
    """Return what is left of a plan, in its order; no more than *games* trials of a cell."""
    known = {experiment.digest(result.trial) for result in done}
    return [
        trial
        for trial in plan
        if (games is None or trial.number < games) and experiment.digest(trial) not in known
    ]


def seeds_in(folder: Path, name: str, scale: Scale) -> list[int]:
    """Return the seeds that an experiment was run with, the first one first."""
    stem = stem_of(name, scale, 1)
    seeds = [1] if (folder / f"{stem}.jsonl").exists() else []
    for path in folder.glob(f"{stem}.seed*.jsonl"):
        number = path.name.removeprefix(f"{stem}.seed").removesuffix(".jsonl")
        if number.isdecimal():
            seeds.append(int(number))
    return sorted(seeds)


def _summed_up(
    experiment: Experiment, scale: Scale, seed: int, found: Sequence[Result], plan: Sequence[Trial]
) -> Run:
    effort = Effort.of(experiment.unit, plan, (result.trial for result in found))
    summary = experiment.summarize(found)
    unseen = [cell for cell, count in effort.done.items() if not count]
    if unseen and summary.verdict == Verdict.HOLDS:
        # A summary knows the cells it was given, and cannot miss the others.
        sentence = f"Undecided: no results yet for {', '.join(unseen)}. So far: {summary.sentence}"
        summary = replace(summary, verdict=Verdict.UNDECIDED, sentence=sentence)
    return Run(
        experiment,
        scale,
        seed,
        done=len(found),
        wanted=len(plan),
        seconds=sum(result.seconds for result in found),
        summary=summary,
        effort=effort,
        programs=Counter(result.program for result in found),
    )


def _write_summary(folder: Path, run: Run) -> None:
    text = json.dumps(run.as_json(), indent=2, ensure_ascii=False, allow_nan=False)
    save_text(folder / f"{run.stem}.json", text + "\n")
    for plot in run.summary.plots:
        save_text(folder / f"{run.stem}.{plot.name}.svg", plot.svg + "\n")


def _finite(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as JSON can hold it: without infinities."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }
