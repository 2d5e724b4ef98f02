"""``montego experiment``: the documents' tables and figures, repeated by one command each."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from montego.experiments.experiment import Experiment, Scale
    from montego.experiments.runner import Run

FOLDER = "experiments"
ALL = "all"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``experiment`` to the command line."""
    parser = commands.add_parser(
        "experiment",
        help="repeat the tables and figures of the documents",
        description="Repeat an experiment of the documents and see whether its claim holds.",
    )
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_list(parts)
    _add_run(parts)
    _add_report(parts)


def _add_list(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    listing = parts.add_parser(
        "list", help="all experiments", description="Say which experiments there are."
    )
    listing.add_argument("names", nargs="*", metavar="NAME", help="say everything about these")
    listing.add_argument("--json", action="store_true", help="as JSON")
    listing.set_defaults(run=list_experiments)


def _add_run(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    running = parts.add_parser(
        "run",
        help="run experiments, or go on with them",
        description="Run experiments and say what became of each claim. Every trial is kept as "
        "soon as it ends: after Ctrl-C, or worse, the same command goes on where it stopped.",
    )
    running.add_argument(
        "names", nargs="+", metavar="NAME", help=f"experiments, FILE.py of your own, or '{ALL}'"
    )
    scale = running.add_mutually_exclusive_group()
    scale.add_argument("--quick", action="store_true", help="about ten seconds each (the default)")
    scale.add_argument("--full", action="store_true", help="enough games for the claim")
    running.add_argument("--output", default=FOLDER, metavar="FOLDER", help=f"default {FOLDER}")
    running.add_argument("--processes", type=int, metavar="N", help="default: one a core")
    running.add_argument(
        "--seed", type=int, default=1, metavar="N", help="repeat independently with another seed"
    )
    running.add_argument("--json", action="store_true", help="the summaries as JSON")
    running.set_defaults(run=run_experiments)


def _add_report(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    report = parts.add_parser(
        "report",
        help="one page about all that was run",
        description="Write report.html, README.md and the plots from the results so far; runs "
        "nothing. Full runs go before quick ones.",
    )
    report.add_argument(
        "--results", default=FOLDER, metavar="FOLDER", help=f"where they are, default {FOLDER}"
    )
    report.add_argument("--output", metavar="FOLDER", help="default: beside the results")
    report.set_defaults(run=write_report)


def list_experiments(options: argparse.Namespace) -> int:
    """Print the experiments, or everything about some."""
    from montego.experiments.registry import all_experiments  # noqa: PLC0415  # Loads them all.

    found = _chosen(options.names) if options.names else all_experiments()
    if options.json:
        sys.stdout.write(json.dumps([_facts(one) for one in found], indent=2) + "\n")
    elif options.names:
        sys.stdout.write("\n".join(_description(experiment) for experiment in found))
    else:
        width = max((len(experiment.name) for experiment in found), default=0)
        for experiment in found:
            place = f"{experiment.document} {experiment.section}"
            minutes = _minutes(experiment.cost["full"])
            sys.stdout.write(
                f"{experiment.name:{width}}  {place:24}  {minutes:>7}  {experiment.question}\n"
            )
        hours = sum(experiment.cost["full"] for experiment in found) / 60
        sys.stdout.write(
            f"\n{len(found)} experiments, {hours:.1f} h of processor time with --full; "
            "'montego experiment list NAME' says more\n"
        )
    return 0


def run_experiments(options: argparse.Namespace) -> int:
    """Run experiments one after another, their trials on all cores.

    One that fails does not keep the others from running; the exit status tells.
    """
    from pathlib import Path  # noqa: PLC0415

    from montego.experiments.runner import run_experiment  # noqa: PLC0415  # --help needs none.
    from montego.experiments.workers import WorkerPool  # noqa: PLC0415
    from montego.go.errors import GoError  # noqa: PLC0415

    _check_numbers(options)
    scale: Scale = "full" if options.full else "quick"
    folder = Path(options.output)
    chosen = _chosen(options.names)
    runs, status = [], 0
    with WorkerPool(options.processes or os.cpu_count() or 1) as pool:
        for experiment in chosen:
            if experiment.missing:
                programs = " and ".join(experiment.missing)
                sys.stderr.write(f"{experiment.name}: skipped, {programs} is not installed\n")
                continue
            try:
                with _progress(experiment.name) as report:
                    run = run_experiment(
                        experiment, folder, pool, scale=scale, seed=options.seed, report=report
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
        sys.stdout.write(
            f"kept in {folder}; 'montego experiment report --results {folder}' makes a page of "
            "what comes with Montego\n"
        )
    return status


def write_report(options: argparse.Namespace) -> int:
    """Write the report of everything that was run."""
    from pathlib import Path  # noqa: PLC0415

    from montego.experiments.report import read_runs, save_report  # noqa: PLC0415

    results = Path(options.results)
    runs = read_runs(results)
    page = save_report(runs, Path(options.output) if options.output else results)
    sys.stdout.write(f"{len(runs)} runs: {page}\n")
    return 0


def _chosen(names: Sequence[str]) -> list[Experiment]:
    from montego.experiments.registry import (  # noqa: PLC0415  # --help needs none of it.
        all_experiments,
        find_experiment,
        read_experiments,
    )

    found: list[Experiment] = []
    for name in names:
        if name == ALL:
            found += all_experiments()
        elif name.endswith(".py"):
            found += read_experiments(name)
        else:
            found.append(find_experiment(name))
    return found


def _check_numbers(options: argparse.Namespace) -> None:
    from montego.go.errors import GoError  # noqa: PLC0415

    if options.processes is not None and not 1 <= options.processes <= 1024:
        raise GoError(f"invalid number of processes {options.processes}: say 1 to 1024")
    if options.seed < 1:
        raise GoError(f"invalid seed {options.seed}: say 1 or more")


@contextmanager
def _progress(name: str) -> Iterator[Callable[[int, int], None]]:
    """Count trials: with a bar on a terminal, elsewhere with a line at every tenth part."""
    from montego.cli.progress import progress_bar  # noqa: PLC0415

    tenth = -1
    with progress_bar(name) as update:

        def report(done: int, wanted: int) -> None:
            nonlocal tenth
            update(done / max(wanted, 1), f"{done} of {wanted}")
            if 10 * done // max(wanted, 1) > tenth and not sys.stderr.isatty():
                tenth = 10 * done // max(wanted, 1)
                sys.stderr.write(f"{name}: {done} of {wanted} trials\n")
                sys.stderr.flush()

        yield report


def _facts(experiment: Experiment) -> dict[str, object]:
    return {
        "name": experiment.name,
        "document": experiment.document,
        "section": experiment.section,
        "question": experiment.question,
        "claim": experiment.claim,
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
        cells = list(dict.fromkeys(trial.cell for trial in plan))
        lines.append(
            f"  {scale:8}  {len(plan)} trials, about {_minutes(experiment.cost[scale])} of "
            f"processor time: {', '.join(cells)}"
        )
    first = experiment.plan("full")[0]
    lines.append(f"  settings  {json.dumps(dict(first.settings), ensure_ascii=False)}")
    if experiment.needs:
        lines.append(f"  needs     {', '.join(experiment.needs)}")
    return "\n".join(lines) + "\n"


def _verdict_text(run: Run) -> str:
    from montego.experiments.report import row_table  # noqa: PLC0415

    experiment = run.experiment
    done = f"{run.done} of {run.wanted} trials, seed {run.seed}"
    return (
        f"{experiment.name} ({experiment.document} {experiment.section}), {run.scale}: {done}\n"
        f"  {experiment.question}\n  {experiment.claim}\n"
        f"{row_table(run.summary.rows)}\n  {run.summary.sentence}\n"
    )


def _minutes(minutes: float) -> str:
    return f"{60 * minutes:.0f} s" if minutes < 1 else f"{minutes:.0f} min"
