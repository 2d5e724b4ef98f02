"""``montego experiment``: the documents' tables and figures, repeated by one command each."""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.cli.cluster_option import SPREAD
from montego.cli.command import Namespace, argument, command, group, one_of
from montego.cli.output import amount, print_json, progress_bar, tell
from montego.engine.options.options import usable_cores
from montego.experiments.registry import all_experiments, find_experiment, read_experiments
from montego.experiments.report import read_runs, row_table, save_report, strangers_in
from montego.experiments.runner import LEAST_COST, read_run, run_experiment
from montego.experiments.workers import SpreadPool, WorkerPool
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from montego.experiments.experiment import Experiment, Scale, Trial
    from montego.experiments.runner import ExperimentRun
    from montego.experiments.workers import TrialPool

FOLDER = "experiments"
ALL = "all"


def _chosen(names: Sequence[str]) -> list[Experiment]:
    found: list[Experiment] = []
    for name in names:
        if name == ALL:
            found += all_experiments()
        elif name.endswith(".py"):
            found += read_experiments(name)
        else:
            found.append(find_experiment(name))
    return found


# List


@command(
    "Say which experiments there are.",
    argument("names NAME", "say everything about these", nargs="*"),
    argument("--json", "as JSON"),
)
def list_experiments(options: Namespace) -> None:
    """Print a line about each experiment, or everything about those chosen by name."""
    found = _chosen(options.names) if options.names else all_experiments()
    if options.json:
        print_json([_facts(experiment) for experiment in found])
    elif options.names:
        sys.stdout.write("\n".join(map(_description, found)))
    else:
        sys.stdout.write(_overview(found))


def _overview(found: Sequence[Experiment]) -> str:
    width = max((len(experiment.name) for experiment in found), default=0)
    lines = []
    for experiment in found:
        place = f"{experiment.document} {experiment.section}"
        minutes = minutes_text(experiment.cost["full"])
        lines.append(f"{experiment.name:{width}}  {place:24}  {minutes:>7}  {experiment.question}")
    hours = sum(experiment.cost["full"] for experiment in found) / 60
    lines.append(
        f"\n{len(found)} experiments, {hours:.1f} h of processor time with --full; "
        "'montego experiment list NAME' says more\n"
    )
    return "\n".join(lines)


def _facts(experiment: Experiment) -> dict[str, object]:
    said = ("name", "document", "section", "question", "claim")
    return {name: getattr(experiment, name) for name in said} | {
        "figures": dict(experiment.figures),
        "minutes": dict(experiment.cost),
        "trials": {scale: len(experiment.plan(scale)) for scale in ("quick", "full")},
        "needs": list(experiment.needs),
        "missing": experiment.missing,
    }


def _description(experiment: Experiment) -> str:
    lines = [
        f"{experiment.name} ({experiment.document} {experiment.section})",
        f"  question  {experiment.question}",
        f"  document  {experiment.claim}",
    ]
    scale: Scale
    for scale in ("quick", "full"):
        plan = experiment.plan(scale)
        cells = {trial.cell for trial in plan}
        extent = f"{len(plan)} trials at {amount(len(cells), 'point')}"
        minutes = experiment.cost.get(scale)
        told = f", about {minutes_text(minutes)} of processor time" if minutes else ""
        lines.append(f"  {scale:8}  {extent}{told}")
    if experiment.needs:
        lines.append(f"  needs     {', '.join(experiment.needs)}")
    lines += _settings_text(experiment)
    return "\n".join(lines) + "\n"


def _settings_text(experiment: Experiment) -> list[str]:
    """Return what all points of a full run are set to, then each point and what it has besides."""
    cells: dict[str, list[Trial]] = {}
    for trial in sorted(experiment.plan("full"), key=lambda trial: trial.place):
        experiment.digest(trial)  # Which says what is wrong with settings that are not JSON.
        cells.setdefault(trial.cell, []).append(trial)
    if not cells:
        return []
    settings = {cell: _shared(trial.settings for trial in cells[cell]) for cell in cells}
    common = _shared(settings.values())
    width = max(map(len, cells))
    in_json = partial(json.dumps, ensure_ascii=False)
    lines = [f"  settings  {in_json(common) if common else 'nothing in common'}"]
    for cell, trials in cells.items():
        own = _without(settings[cell], common)
        told = [in_json(own)] if own else []
        if any(trial.settings != settings[cell] for trial in trials):
            told.append("and more that differs by trial")
        lines.append(f"    {cell:{width}}  {' '.join(told)}".rstrip())
    return lines


def _shared(settings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what several settings have in common; of settings within them, what those have."""
    first, *others = settings
    common = {}
    for key, value in first.items():
        values = [value, *(other.get(key, ...) for other in others)]  # ... where there is none.
        if all(other == value for other in values):
            common[key] = value
        elif all(isinstance(other, dict) for other in values) and (inner := _shared(values)):
            common[key] = inner
    return common


def _without(settings: Mapping[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    """Return what *settings* have besides *common*, which is a part of them."""
    return {
        key: value if key not in common else _without(value, common[key])
        for key, value in settings.items()
        if key not in common or value != common[key]
    }


# Run


@dataclass(frozen=True)
class PendingExperiment:
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


@command(
    "Run experiments, the cheapest first, and say what became of each claim. Every trial is kept "
    "as soon as it ends: after Ctrl-C, or worse, the same command goes on where it stopped. "
    "--games and --minutes run a part of the plan, balanced over its points; what too few games "
    "cannot decide is called undecided.",
    argument("names NAME", f"experiments, FILE.py of your own, or '{ALL}'", nargs="+"),
    one_of(
        argument("--quick", "about ten seconds each (the default)"),
        argument("--full", "enough games for the claim"),
    ),
    argument("--games N", "no more than N games, or other trials, a point", type=int),
    argument(
        "--minutes M",
        "begin no trial after M minutes; experiments share them equally, and what one does not "
        "need goes to the others",
        type=float,
    ),
    argument("--output FOLDER", f"default {FOLDER}", default=FOLDER),
    argument("--processes N", "default: one a core, on each machine", type=int),
    SPREAD,
    argument("--seed N", "repeat independently with another seed", default=1),
    argument("--json", "the summaries as JSON"),
)
def run_experiments(options: Namespace) -> int:
    """Run experiments one after another, the cheapest first, their trials on all cores.

    One that fails does not keep the others from running; the exit status tells.
    """
    _check_numbers(options)
    scale: Scale = "full" if options.full else "quick"
    folder = Path(options.output)
    processes = options.processes or usable_cores()
    tasks = _tasks(folder, scale, options)
    _tell_cost(tasks, processes, options.minutes)
    runs, status = [], 0
    allowance = Allowance(options.minutes)
    with _pool(options, processes) as pool:
        for position, task in enumerate(tasks):
            if allowance.is_over and task.minutes:
                tell(f"{task.experiment.name}: not begun, the time is over")
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
                tell(f"montego: {error}")
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
        print_json([run.as_json() for run in runs])
    elif runs:
        files = "".join(f" {name}" for name in options.names if name.endswith(".py"))
        sys.stdout.write(
            f"kept in {folder}; 'montego experiment report{files} --results {folder}' makes a page "
            "of it\n"
        )
    return status


@contextmanager
def _pool(options: Namespace, processes: int) -> Iterator[TrialPool]:
    """Give what runs trials: processes of this machine, or of those of a cluster.

    Raises:
        ClusterError: If the cluster makes no sense, or Ray is not installed.
        GoError: If an experiment is in a file that other machines do not have.
    """
    if options.cluster is None:
        with WorkerPool(processes) as pool:
            yield pool
        return
    if any(name.endswith(".py") for name in options.names):
        raise GoError("experiments of a FILE.py run on this machine alone: leave out --cluster")
    from montego.cluster.cluster import spread_cluster
    from montego.cluster.spec import parse_cluster

    spec = parse_cluster(options.cluster)
    with spread_cluster(spec, "bench", tell, each=options.processes) as cluster:
        yield SpreadPool(cluster.wait, cluster.close)


def _check_numbers(options: Namespace) -> None:
    if options.processes is not None and not 1 <= options.processes <= 1024:
        raise GoError(f"invalid number of processes {options.processes}: say 1 to 1024")
    if options.seed < 1:
        raise GoError(f"invalid seed {options.seed}: say 1 or more")
    if options.games is not None and options.games < 1:
        raise GoError(f"invalid number of games {options.games}: say 1 or more")
    if options.minutes is not None and not 0 < options.minutes < float("inf"):
        raise GoError(f"invalid number of minutes {options.minutes:g}: say more than 0")


def _tasks(folder: Path, scale: Scale, options: Namespace) -> list[PendingExperiment]:
    """Return what is left of each experiment, each once, the cheapest first.

    Those whose programs are not installed are told and left out. Of one whose results cannot be
    read everything is left: running it says what is wrong.
    """
    tasks: dict[str, PendingExperiment] = {}
    for experiment in _chosen(options.names):
        if experiment.missing:
            programs = " and ".join(experiment.missing)
            tell(f"{experiment.name}: skipped, {programs} is not installed")
            continue
        try:
            run = read_run(experiment, folder, scale=scale, seed=options.seed)
            minutes = run.minutes_left(options.games)
        except GoError:
            minutes = max(experiment.cost.get(scale, 0.0), LEAST_COST)
        tasks.setdefault(experiment.name, PendingExperiment(experiment, minutes))
    return sorted(tasks.values(), key=lambda task: task.minutes)


def _tell_cost(tasks: Sequence[PendingExperiment], processes: int, minutes: float | None) -> None:
    """Say before it begins how long several experiments will take."""
    if len(tasks) < 2 and minutes is None:
        return
    left = [task for task in tasks if task.minutes]
    total = sum(task.minutes for task in left)
    limit = "" if minutes is None else f"; no trial begins after {minutes:g} min"
    tell(
        f"{len(left)} of {len(tasks)} experiments have trials left, about {minutes_text(total)} of "
        f"processor time, {minutes_text(total / processes)} on {amount(processes, 'core')}{limit}"
    )


@contextmanager
def _progress(
    tasks: Sequence[PendingExperiment], position: int
) -> Iterator[Callable[[int, int], None]]:
    """Count trials: with a bar on a terminal, elsewhere with a line at every tenth part.

    Where there are several experiments it also says which one it is, and what part of all is done.
    """
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
                tell(f"{title}: {done} of {wanted} trials{overall}")

        yield report


def _verdict_text(run: ExperimentRun) -> str:
    experiment = run.experiment
    done = f"{len(run.results)} of {len(run.plan)} trials, seed {run.seed}"
    return (
        f"{experiment.name} ({experiment.document} {experiment.section}), {run.scale}: {done}\n"
        f"  {experiment.question}\n  {experiment.claim}\n"
        f"{row_table(run.summary.rows)}\n  {run.summary.sentence}\n  ({run.coverage.sentence})\n"
    )


def minutes_text(minutes: float) -> str:
    """Return a time for people: in seconds, minutes or hours."""
    if minutes < 1:
        return f"{60 * minutes:.0f} s"
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.1f} h"


# Report


@command(
    "Write report.html, README.md and the plots from the results so far; runs nothing. Full runs "
    "go before quick ones.",
    argument("files FILE.py", "experiments of your own, to be told as well", nargs="*"),
    argument("--results FOLDER", f"where they are, default {FOLDER}", default=FOLDER),
    argument("--output FOLDER", "default: beside the results"),
)
def write_report(options: Namespace) -> None:
    """Write the report of everything that was run."""
    results = Path(options.results)
    known = all_experiments()
    for file in options.files:
        known += read_experiments(file)
    runs = read_runs(results, known)
    page = save_report(runs, Path(options.output) if options.output else results)
    for name in strangers_in(results, known):
        tell(f"{name}: left out, name the FILE.py it is in")
    sys.stdout.write(f"{amount(len(runs), 'run')}: {page}\n")


experiment = group(
    "Repeat an experiment of the documents and see whether its claim holds.",
    "commands",
    "COMMAND",
    {
        "list": ("all experiments", list_experiments),
        "run": ("run experiments, or go on with them", run_experiments),
        "report": ("one page about all that was run", write_report),
    },
)
