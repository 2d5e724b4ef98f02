"""``montego regress``: regression suites for any GTP engine."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from montego.arena.regression import (
    Status,
    count_statuses,
    read_baseline,
    read_positions,
    read_tst,
    results_json,
    run_suites,
    suites_of,
)
from montego.arena.store import write_whole
from montego.arena.workers import EngineSpec
from montego.cli.command import Namespace, argument, command
from montego.cli.output import plain_text, print_result, progress_bar
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.timing import check_seconds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from montego.arena.regression import Case, CaseResult

OPTIONS = (
    argument("--concurrency N", "engines at a time", default=1),
    argument("--suite NAME", "only this one; may be repeated", action="append"),
    argument("--baseline FILE", "what passed before, from --output"),
    argument("--output FILE", "write all results as JSON"),
    argument("--timeout T", "the most for an answer; default 600 seconds", default=600.0),
    argument("--json", "results as JSON"),
)


@command(
    "Put the cases of .tst files, or of positions in .jsonl files, to an engine. The status is 1 "
    "if a case fails that was expected to pass.",
    *OPTIONS,
    argument("first FILE", "suites: .tst or .jsonl, also .jsonl.gz"),
    # What follows the first file is taken apart by hand: argparse cannot tell files from a command.
    argument("rest", "the engine", nargs=argparse.REMAINDER, metavar="-- CMD"),
    usage="montego regress [options] FILE [FILE ...] -- CMD",
)
def regress(options: Namespace) -> int:
    """Run the suites and print what came out."""
    files, words = _split(options)
    baseline = None if options.baseline is None else read_baseline(options.baseline)
    suites, is_independent = _read_suites(files, options.suite)
    if options.concurrency < 1:
        raise GoError(f"cannot run {options.concurrency} engines: say a number from 1")
    check_seconds("--timeout", options.timeout)
    if options.output is not None:
        _check_folder(Path(options.output))
    total = sum(map(len, suites.values()))
    done: list[CaseResult] = []
    try:
        with progress_bar("asking") as show:

            def report(result: CaseResult) -> None:
                done.append(result)
                passed = sum(one.passed and one.status != Status.IGNORED for one in done)
                show(len(done) / total, f"{len(done)}/{total} cases, {passed} passed")

            results = run_suites(
                suites,
                EngineSpec(Path(words[0]).name, shlex.join(words)),
                concurrency=options.concurrency,
                timeout=options.timeout,
                is_independent=is_independent,
                baseline=baseline,
                report=report,
            )
    except KeyboardInterrupt:
        _show(options, done)
        raise
    _show(options, results)
    return int(any(result.status == Status.NEWLY_FAILING for result in results))


def _show(options: Namespace, results: Sequence[CaseResult]) -> None:
    """Print and write the results as the options want them."""
    document = results_json(results)
    print_result(options, document, _summary(results))
    if options.output is not None:
        text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
        path = Path(options.output)
        if _is_special(path):
            path.write_text(text, encoding="utf-8")
        else:
            write_whole(path, text)


def _check_folder(path: Path) -> None:
    """Refuse a file that cannot be written, before hours of work for it.

    Raises:
        GoError: If it is a folder, or in one that is not there or may not be written to.
    """
    place = path if _is_special(path) else path.absolute().parent
    if path.is_dir() or not os.access(place, os.W_OK):
        raise GoError(f"cannot write {path}: say a file in a folder that you may write to")


def _is_special(path: Path) -> bool:
    """Say whether it is a pipe, or a link to what is meant: not to be replaced by a file."""
    return path.exists() and (path.is_symlink() or not path.is_file())


def _split(options: Namespace) -> tuple[list[str], list[str]]:
    """Return the files and the command; options between them go into *options*."""
    files, rest = [options.first], list(options.rest)
    if "--" in rest:
        place = rest.index("--")
        between, rest = rest[:place], rest[place + 1 :]
        parser = argparse.ArgumentParser(prog="montego regress", add_help=False)
        for add in (*OPTIONS, argument("files", "", nargs="*")):
            add(parser)
        files += parser.parse_args(between, options).files
    if not rest:
        raise GoError("say the engine's command after --")
    return files, rest


def _read_suites(
    files: Sequence[str], wanted: Sequence[str] | None
) -> tuple[dict[str, list[Case]], bool]:
    """Return the cases by suite, and whether each stands alone."""
    are_positions = {name.endswith((".jsonl", ".jsonl.gz", ".json")) for name in files}
    if len(are_positions) > 1:
        raise GoError("put .tst files and positions to the engine one after the other")
    is_independent = are_positions.pop()
    read = read_positions if is_independent else read_tst
    suites = suites_of([case for name in files for case in read(name)])
    if wanted is not None:
        for name in wanted:
            if name not in suites:
                raise GoError(f"there is no suite {name!r}: say one of {', '.join(suites)}")
        suites = {name: suites[name] for name in wanted}
    if not suites:
        raise GoError("there are no cases in these files")
    return suites, is_independent


def _summary(results: Sequence[CaseResult]) -> str:
    """Return a table by suite, and the cases that changed or have no answer by name."""
    from rich.markup import escape
    from rich.table import Table

    table = Table()
    table.add_column("suite")
    others = [status for status in Status if status != Status.PASS]
    for title in ("cases", "passed", *map(str, others)):
        table.add_column(title, justify="right")

    def add_row(title: str, counts: Mapping[Status, int]) -> None:
        passed = counts[Status.PASS] + counts[Status.NEWLY_PASSING]
        rest = [str(counts[status] or "") for status in others]
        judged = sum(counts.values()) - counts[Status.IGNORED]
        table.add_row(escape(title), str(judged), str(passed), *rest)

    counts = count_statuses(results)
    for suite, found in counts.items():
        add_row(suite, found)
    if len(counts) > 1:
        table.add_section()
        add_row("all", {status: sum(one[status] for one in counts.values()) for status in Status})
    lines = []
    for status in (Status.NEWLY_FAILING, Status.NEWLY_PASSING):
        changed = [result for result in results if result.status == status]
        if changed:
            lines.append(f"{status}:\n")
        for result in changed:
            said = f"no answer ({result.fault})" if result.fault else result.answer or "nothing"
            question = f"{result.case.key}  {result.case.question}"
            lines.append(f"  {question}: {said}, wanted {result.case.wanted}\n")
    return plain_text(table) + "".join(lines)
