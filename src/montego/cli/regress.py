"""``montego regress``: regression suites for any GTP engine."""

from __future__ import annotations

import argparse
import io
import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.arena.regression.regression import Case, CaseResult, Status


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``regress`` to the command line."""
    parser = commands.add_parser(
        "regress",
        help="regression suites and test positions for a GTP engine",
        usage="montego regress [options] FILE [FILE ...] -- CMD",
        description="Put the cases of .tst files, or of positions in .jsonl files, to an engine. "
        "The status is 1 if a case fails that was expected to pass.",
    )
    _add_options(parser)
    parser.add_argument("first", metavar="FILE", help="suites: .tst or .jsonl, also .jsonl.gz")
    # What follows the first file is taken apart by hand: argparse cannot tell files from a command.
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="-- CMD", help="the engine")
    parser.set_defaults(run=run)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--concurrency", type=int, default=argparse.SUPPRESS, metavar="N", help="engines at a time"
    )
    parser.add_argument(
        "--suite",
        action="append",
        default=argparse.SUPPRESS,
        metavar="NAME",
        help="only this one; may be repeated",
    )
    parser.add_argument(
        "--baseline",
        default=argparse.SUPPRESS,
        metavar="FILE",
        help="what passed before, from --output",
    )
    parser.add_argument(
        "--output", default=argparse.SUPPRESS, metavar="FILE", help="write all results as JSON"
    )
    parser.add_argument(
        "--timeout",
        type=float,
        default=argparse.SUPPRESS,
        metavar="T",
        help="the most for an answer; default 600 seconds",
    )
    parser.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="results as JSON"
    )


def run(options: argparse.Namespace) -> int:
    """Run the suites and print what came out."""
    from montego.arena.clock import check_seconds  # noqa: PLC0415
    from montego.arena.regression.regression import (  # noqa: PLC0415  # --help needs none of it.
        Status,
        iterate_cases,
        read_baseline,
        run_suites,
    )
    from montego.arena.workers import EngineSpec  # noqa: PLC0415

    files, command = _split(options)
    baseline = read_baseline(options.baseline) if "baseline" in options else None
    suites, is_independent = _read_suites(files, getattr(options, "suite", None))
    concurrency = getattr(options, "concurrency", 1)
    if concurrency < 1:
        raise GoError(f"cannot run {concurrency} engines: say a number from 1")
    timeout = getattr(options, "timeout", 600.0)
    check_seconds("--timeout", timeout)
    if "output" in options:
        _check_folder(Path(options.output))
    total = sum(1 for _ in iterate_cases(suites))
    progress = _Progress(total)
    try:
        with progress:
            results = run_suites(
                suites,
                EngineSpec(Path(command[0]).name, shlex.join(command)),
                concurrency=concurrency,
                timeout=timeout,
                is_independent=is_independent,
                baseline=baseline,
                report=progress.update,
            )
    except KeyboardInterrupt:
        _show(options, progress.results)
        raise
    _show(options, results)
    return int(any(result.status == Status.NEWLY_FAILING for result in results))


def _show(options: argparse.Namespace, results: Sequence[CaseResult]) -> None:
    """Print and write the results as the options want them."""
    from montego.arena.regression.regression import results_json  # noqa: PLC0415
    from montego.arena.store import write_whole  # noqa: PLC0415

    document = results_json(results)
    if "json" in options:
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write(_summary(results))
    if "output" in options:
        text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
        path = Path(options.output)
        if path.exists() and (path.is_symlink() or not path.is_file()):
            path.write_text(text, encoding="utf-8")  # A pipe, or a link to what is meant.
        else:
            write_whole(path, text)


def _check_folder(path: Path) -> None:
    """Refuse a file that cannot be written, before hours of work for it.

    Raises:
        GoError: If it is a folder, or in one that is not there or may not be written to.
    """
    special = path.exists() and (path.is_symlink() or not path.is_file())
    place = path if special else path.absolute().parent
    if path.is_dir() or not os.access(place, os.W_OK):
        raise GoError(f"cannot write {path}: say a file in a folder that you may write to")


def _split(options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the files and the command; options between them go into *options*."""
    rest = list(options.rest)
    files = [options.first]
    if "--" in rest:
        place = rest.index("--")
        between, rest = rest[:place], rest[place + 1 :]
        parser = argparse.ArgumentParser(prog="montego regress", add_help=False)
        _add_options(parser)
        parser.add_argument("files", nargs="*")
        more = parser.parse_args(between)
        files += more.files
        del more.files
        for name, value in vars(more).items():
            setattr(options, name, value)
    if not rest:
        raise GoError("say the engine's command after --")
    return files, rest


def _read_suites(
    files: Sequence[str], wanted: Sequence[str] | None
) -> tuple[dict[str, list[Case]], bool]:
    """Return the cases by suite, and whether each stands alone."""
    from montego.arena.regression.position_file import read_positions  # noqa: PLC0415
    from montego.arena.regression.regression import suites_of  # noqa: PLC0415
    from montego.arena.regression.tst_file import read_tst  # noqa: PLC0415

    cases: list[Case] = []
    is_positions = [name.endswith((".jsonl", ".jsonl.gz", ".json")) for name in files]
    if any(is_positions) and not all(is_positions):
        raise GoError("put .tst files and positions to the engine one after the other")
    for name in files:
        cases += read_positions(name) if is_positions[0] else read_tst(name)
    suites = suites_of(cases)
    if wanted is not None:
        for name in wanted:
            if name not in suites:
                raise GoError(f"there is no suite {name!r}: say one of {', '.join(suites)}")
        suites = {name: suites[name] for name in wanted}
    if not suites:
        raise GoError("there are no cases in these files")
    return suites, all(is_positions)


class _Progress:
    """A line on standard error that counts, if somebody watches."""

    def __init__(self, total: int) -> None:
        self.results: list[CaseResult] = []
        self._total = total

    def __enter__(self) -> _Progress:  # noqa: PYI034  # Nobody inherits from it.
        return self

    def __exit__(self, *exception: object) -> None:
        if self.results and sys.stderr.isatty():
            sys.stderr.write("\n")

    def update(self, result: CaseResult) -> None:
        """Count one more case."""
        self.results.append(result)
        if sys.stderr.isatty():
            passed = sum(done.passed for done in self.results)
            sys.stderr.write(f"\r{len(self.results)}/{self._total} cases, {passed} passed ")
            sys.stderr.flush()


def _summary(results: Sequence[CaseResult]) -> str:
    """Return a table by suite, and the cases that changed or have no answer by name."""
    from rich.console import Console  # noqa: PLC0415
    from rich.markup import escape  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    from montego.arena.regression.regression import Status, count_statuses  # noqa: PLC0415

    table = Table()
    table.add_column("suite")
    for title in ("cases", "passed", *(str(status) for status in Status if status != Status.PASS)):
        table.add_column(title, justify="right")
    counts = count_statuses(results)
    total = dict.fromkeys(Status, 0)
    for suite, found in counts.items():
        table.add_row(escape(suite), *_row(found))
        for status, count in found.items():
            total[status] += count
    if len(counts) > 1:
        table.add_section()
        table.add_row("all", *_row(total))
    stream = io.StringIO()
    console = Console(file=stream, width=120, color_system=None, force_terminal=False)
    console.print(table)
    for status in (Status.NEWLY_FAILING, Status.NEWLY_PASSING):
        found_cases = [result for result in results if result.status == status]
        if found_cases:
            stream.write(f"{status}:\n")
        for result in found_cases:
            said = f"no answer ({result.fault})" if result.fault else result.answer or "nothing"
            question = f"{result.case.key}  {result.case.question}"
            stream.write(f"  {question}: {said}, wanted {result.case.wanted}\n")
    return stream.getvalue()


def _row(counts: dict[Status, int]) -> list[str]:
    from montego.arena.regression.regression import Status  # noqa: PLC0415

    passed = counts[Status.PASS] + counts[Status.NEWLY_PASSING]
    rest = [str(counts[status] or "") for status in Status if status != Status.PASS]
    return [str(sum(counts.values())), str(passed), *rest]
