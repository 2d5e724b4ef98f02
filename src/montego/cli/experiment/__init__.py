"""``montego experiment``: the documents' tables and figures, repeated by one command each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from montego.experiments.experiment import Experiment

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
    listing.set_defaults(run=list_chosen)


def _add_run(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    running = parts.add_parser(
        "run",
        help="run experiments, or go on with them",
        description="Run experiments, the cheapest first, and say what became of each claim. Every "
        "trial is kept as soon as it ends: after Ctrl-C, or worse, the same command goes on where "
        "it stopped. --games and --minutes run a part of the plan, balanced over its points; what "
        "too few games cannot decide is called undecided.",
    )
    running.add_argument(
        "names", nargs="+", metavar="NAME", help=f"experiments, FILE.py of your own, or '{ALL}'"
    )
    scale = running.add_mutually_exclusive_group()
    scale.add_argument("--quick", action="store_true", help="about ten seconds each (the default)")
    scale.add_argument("--full", action="store_true", help="enough games for the claim")
    running.add_argument(
        "--games", type=int, metavar="N", help="no more than N games, or other trials, a point"
    )
    running.add_argument(
        "--minutes",
        type=float,
        metavar="M",
        help="begin no trial after M minutes; experiments share them equally, and what one does "
        "not need goes to the others",
    )
    running.add_argument("--output", default=FOLDER, metavar="FOLDER", help=f"default {FOLDER}")
    running.add_argument("--processes", type=int, metavar="N", help="default: one a core")
    running.add_argument(
        "--seed", type=int, default=1, metavar="N", help="repeat independently with another seed"
    )
    running.add_argument("--json", action="store_true", help="the summaries as JSON")
    running.set_defaults(run=run_chosen)


def _add_report(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    report = parts.add_parser(
        "report",
        help="one page about all that was run",
        description="Write report.html, README.md and the plots from the results so far; runs "
        "nothing. Full runs go before quick ones.",
    )
    report.add_argument(
        "files", nargs="*", metavar="FILE.py", help="experiments of your own, to be told as well"
    )
    report.add_argument(
        "--results", default=FOLDER, metavar="FOLDER", help=f"where they are, default {FOLDER}"
    )
    report.add_argument("--output", metavar="FOLDER", help="default: beside the results")
    report.set_defaults(run=write_report)


def list_chosen(options: argparse.Namespace) -> int:
    """Print the experiments, or everything about some."""
    from montego.cli.experiment.list import list_experiments  # noqa: PLC0415  # --help needs none.
    from montego.experiments.registry import all_experiments  # noqa: PLC0415  # Loads them all.

    found = _chosen(options.names) if options.names else all_experiments()
    return list_experiments(options, found)


def run_chosen(options: argparse.Namespace) -> int:
    """Run experiments, or go on with them."""
    from montego.cli.experiment.run import run_experiments  # noqa: PLC0415  # --help needs none.

    return run_experiments(options, _chosen(options.names))


def write_report(options: argparse.Namespace) -> int:
    """Write the report of everything that was run."""
    from pathlib import Path  # noqa: PLC0415

    from montego.experiments.registry import all_experiments, read_experiments  # noqa: PLC0415
    from montego.experiments.report import read_runs, save_report, strangers_in  # noqa: PLC0415

    results = Path(options.results)
    known = all_experiments()
    for file in options.files:
        known += read_experiments(file)
    runs = read_runs(results, known)
    page = save_report(runs, Path(options.output) if options.output else results)
    for name in strangers_in(results, known):
        sys.stderr.write(f"{name}: left out, name the FILE.py it is in\n")
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
