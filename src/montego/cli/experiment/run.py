"""``montego experiment run``: experiments one after another, within the time there is."""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.engine.cores import usable_cores

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from montego.experiments.experiment import Experiment, Scale
    from montego.experiments.runner import Run


@dataclass(frozen=True)
class Task:
    """An experiment to run, and about how much of it is left."""

    experiment: Experiment
    minutes: float
    """Of processor time."""


class Allowance:
    """The time there is for several tasks: without a limit, all that they need.

    Each may take an equal part of what is left, the cheapest first. What one does not need goes to
    the others, so that none is left out for the sake of another.
    """

    def __init__(self, minutes: float | None, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._end = None if minutes is None else now() + 60 * minutes

    @property
    def is_over(self) -> bool:
        """Whether nothing is left."""
        return self._end is not None and self._now() >= self._end

    def part(self, tasks_left: int) -> Callable[[], bool]:
        """Return what says whether a task may begin another trial, if so many share the rest."""
        if self._end is None:
            return lambda: True
        end = self._now() + max(self._end - self._now(), 0.0) / max(tasks_left, 1)
        return lambda: self._now() < end


def run_experiments(options: argparse.Namespace, chosen: Sequence[Experiment]) -> int:
    """Run experiments one after another, the cheapest first, their trials on all cores.

    One that fails does not keep the others from running; the exit status tells.
    """
    from pathlib import Path  # noqa: PLC0415

    from montego.experiments.runner import run_experiment  # noqa: PLC0415  # --help needs none.
    from montego.experiments.workers import WorkerPool  # noqa: PLC0415
    from montego.go.vocabulary.errors import GoError  # noqa: PLC0415

    _check_numbers(options)
    scale: Scale = "full" if options.full else "quick"
    folder = Path(options.output)
    processes = options.processes or usable_cores()
    tasks = _tasks(_installed(chosen), folder, scale, options)
    _tell_cost(tasks, processes, options.minutes)
    runs, status = [], 0
    allowance = Allowance(options.minutes)
    with WorkerPool(processes) as pool:
        for position, task in enumerate(tasks):
            name = task.experiment.name
            if allowance.is_over and task.minutes:
                sys.stderr.write(f"{name}: not begun, the time is over\n")
                continue
            may_begin = allowance.part(sum(1 for other in tasks[position:] if other.minutes))
            try:
                with _progress(tasks, position) as report:
                    run = run_experiment(
                        task.experiment,
                        folder,
                        pool,
                        scale=scale,
                        seed=options.seed,
                        games=options.games,
                        may_begin=may_begin,
                        report=report,
                    )
            except GoError as error:
                sys.stderr.write(f"montego: {error}\n")
                status = 1
                continue
            except KeyboardInterrupt:
                sys.stderr.write(f"\nkept in {folder}; the same command goes on from there")
                raise
            runs.append(run)
            if not options.json:
                sys.stdout.write(_verdict_text(run) + "\n")
                sys.stdout.flush()
    if options.json:
        figures = [run.as_json() for run in runs]
        sys.stdout.write(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")
    elif runs:
        files = "".join(f" {name}" for name in options.names if name.endswith(".py"))
        sys.stdout.write(
            f"kept in {folder}; 'montego experiment report{files} --results {folder}' makes a page "
            "of it\n"
        )
    return status


def _check_numbers(options: argparse.Namespace) -> None:
    from montego.go.vocabulary.errors import GoError  # noqa: PLC0415

    if options.processes is not None and not 1 <= options.processes <= 1024:
        raise GoError(f"invalid number of processes {options.processes}: say 1 to 1024")
    if options.seed < 1:
        raise GoError(f"invalid seed {options.seed}: say 1 or more")
    if options.games is not None and options.games < 1:
        raise GoError(f"invalid number of games {options.games}: say 1 or more")
    if options.minutes is not None and not 0 < options.minutes < float("inf"):
        raise GoError(f"invalid number of minutes {options.minutes:g}: say more than 0")


def _installed(chosen: Sequence[Experiment]) -> list[Experiment]:
    """Return the experiments whose programs are here, each once; those left out are told."""
    kept: dict[str, Experiment] = {}
    for experiment in chosen:
        if experiment.missing:
            programs = " and ".join(experiment.missing)
            sys.stderr.write(f"{experiment.name}: skipped, {programs} is not installed\n")
        else:
            kept.setdefault(experiment.name, experiment)
    return list(kept.values())


def _tasks(
    chosen: Sequence[Experiment], folder: Path, scale: Scale, options: argparse.Namespace
) -> list[Task]:
    """Return what is left of each experiment, the cheapest first.

    Of one whose results cannot be read it is everything: running it says what is wrong.
    """
    from montego.experiments.runner import LEAST_COST, minutes_left  # noqa: PLC0415
    from montego.go.vocabulary.errors import GoError  # noqa: PLC0415

    tasks = []
    for experiment in chosen:
        try:
            minutes = minutes_left(
                experiment, folder, scale=scale, seed=options.seed, games=options.games
            )
        except GoError:
            minutes = max(experiment.cost.get(scale, 0.0), LEAST_COST)
        tasks.append(Task(experiment, minutes))
    return sorted(tasks, key=lambda task: task.minutes)


def _tell_cost(tasks: Sequence[Task], processes: int, minutes: float | None) -> None:
    """Say before it begins how long several experiments will take."""
    if len(tasks) < 2 and minutes is None:
        return
    left = [task for task in tasks if task.minutes]
    total = sum(task.minutes for task in left)
    limit = "" if minutes is None else f"; no trial begins after {minutes:g} min"
    sys.stderr.write(
        f"{len(left)} of {len(tasks)} experiments have trials left, about {minutes_text(total)} of "
        f"processor time, {minutes_text(total / processes)} on {processes} "
        f"core{'s' if processes > 1 else ''}{limit}\n"
    )


@contextmanager
def _progress(tasks: Sequence[Task], position: int) -> Iterator[Callable[[int, int], None]]:
    """Count trials: with a bar on a terminal, elsewhere with a line at every tenth part.

    Where there are several experiments it also says which one it is, and what part of all is done.
    """
    from montego.cli.progress import progress_bar  # noqa: PLC0415

    total = sum(task.minutes for task in tasks)
    before = sum(task.minutes for task in tasks[:position])
    task = tasks[position]
    name = task.experiment.name
    title = f"{position + 1}/{len(tasks)} {name}" if len(tasks) > 1 else name
    tenth, first = -1, None
    with progress_bar(title) as update:

        def report(done: int, wanted: int) -> None:
            nonlocal tenth, first
            first = done if first is None else first
            part = (done - first) / max(wanted - first, 1)
            whole = (before + part * task.minutes) / total if total else 1.0
            overall = f", {whole:.0%} of all" if len(tasks) > 1 else ""
            update(done / max(wanted, 1), f"{done} of {wanted}{overall}")
            if 10 * done // max(wanted, 1) > tenth and not sys.stderr.isatty():
                tenth = 10 * done // max(wanted, 1)
                sys.stderr.write(f"{title}: {done} of {wanted} trials{overall}\n")
                sys.stderr.flush()

        yield report


def _verdict_text(run: Run) -> str:
    from montego.experiments.report import row_table  # noqa: PLC0415

    experiment = run.experiment
    done = f"{run.done} of {run.wanted} trials, seed {run.seed}"
    return (
        f"{experiment.name} ({experiment.document} {experiment.section}), {run.scale}: {done}\n"
        f"  {experiment.question}\n  {experiment.claim}\n"
        f"{row_table(run.summary.rows)}\n  {run.summary.sentence}\n  ({run.effort.sentence})\n"
    )


def minutes_text(minutes: float) -> str:
    """Return a time for people: in seconds, minutes or hours."""
    if minutes < 1:
        return f"{60 * minutes:.0f} s"
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.1f} h"
