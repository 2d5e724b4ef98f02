"""Regression suites: cases with a right answer, what an engine says to them, and what changed.

A case brings the engine to a position with commands and asks one question. An engine that fails is
started anew, and the case it failed at has failed. Suites are read from two kinds of files.

GTP regression files, ``.tst``, as GNU Go, Fuego and GoGui write them, are GTP; a comment
``#? [pattern]`` after a command says what its answer must be:

    loadsgf games/life.sgf 42
    10 reg_genmove black
    #? [B7|C7]*

The pattern is a regular expression for the whole answer, ``!`` before it turns it around, and ``*``
behind it says that the case is known to fail; ``&`` says that nobody knows, so that it counts for
nothing. Files of ``loadsgf`` are found relative to the file itself.

Positions with accepted or rejected moves are one JSON object a line, also compressed by gzip, with
the fields ``size``, ``to_play`` (``B`` or ``W``), ``events`` (pairs such as ``["B", "jj"]``,
``["AB", ["cc", "gc"]]``, ``["PL", "W"]``, in SGF coordinates), and ``accept`` or ``reject`` with
vertices; and, if wanted, ``suite``, ``id``, ``komi`` and ``restrict``, the vertices to choose from.
Other fields are ignored.
"""

from __future__ import annotations

import enum
import gzip
import itertools
import json
import os
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.arena.opening import played_stones, setup_commands
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex, parse_sgf_point
from montego.gtp.client import Engine, EngineError, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from montego.arena.workers import EngineSpec

_RESETS = ("loadsgf", "clear_board", "boardsize")
_PLAYED = re.compile(r"^play\s+(\S+)\s*$", re.MULTILINE)
SOON = 1_000_000  # Centiseconds between reports of an analysis that is to report at its end only.

_CHECK = re.compile(r"#\?\s*\[(?P<negated>!?)(?P<pattern>.*)\](?P<marks>[*&]*)\s*(?:#.*)?")
_COMMAND = re.compile(r"(?:(?P<number>[0-9]+)\s+)?(?P<text>\S.*)")
_COLORS = {"B": "black", "W": "white", "AB": "black", "AW": "white"}


class Status(enum.StrEnum):
    """What became of a case."""

    PASS = "pass"  # noqa: S105  # As it should.
    FAIL = "fail"  # And nobody had said what to expect.
    KNOWN_FAILURE = "known failure"
    NEWLY_PASSING = "newly passing"
    NEWLY_FAILING = "newly failing"
    IGNORED = "ignored"  # Marked as one that counts for nothing.


@dataclass(frozen=True, kw_only=True)
class Case:
    """A position and a question with a right answer."""

    suite: str
    name: str
    setup: tuple[str, ...]
    """Commands since the case before, if it goes on from there, or since the beginning."""
    question: str
    """A command such as ``reg_genmove black``."""
    pattern: str
    """A regular expression for the whole answer; case does not matter."""
    is_negated: bool = False
    is_known_failure: bool | None = False
    """Whether it is expected to fail; None if there is no opinion."""
    is_ignored: bool = False
    """Whether the answer counts for nothing, whatever it is."""
    restrict: tuple[str, ...] = ()
    """Vertices to choose from; all, if empty."""

    @property
    def key(self) -> str:
        """What names the case among all."""
        return f"{self.suite}:{self.name}"

    @property
    def wanted(self) -> str:
        """The right answer for people."""
        return f"!({self.pattern})" if self.is_negated else self.pattern

    def accepts(self, answer: str) -> bool:
        """Say whether an answer is right.

        Raises:
            GoError: If the pattern is no regular expression.
        """
        try:
            found = re.fullmatch(self.pattern, answer.strip(), re.IGNORECASE) is not None
        except re.error as error:
            raise GoError(
                f"{self.key}: {self.pattern!r} is no regular expression: {error}"
            ) from None
        return found != self.is_negated


def read_tst(path: str | os.PathLike[str]) -> list[Case]:
    """Return the cases of a file, in order. Those marked with ``&`` count for nothing.

    Raises:
        GoError: If the file cannot be read, or a check follows no command.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise GoError(f"cannot read {path}: {error.strerror}") from None
    return parse_tst(text, path.stem, path.parent)


def parse_tst(text: str, suite: str, folder: Path) -> list[Case]:
    """Return the cases of the text of a file that is called *suite* and lies in *folder*.

    Raises:
        GoError: If a check follows no command, or its pattern is no regular expression.
    """
    cases: list[Case] = []
    waiting: list[str] = []  # Commands since the last question.
    latest: tuple[str, str] | None = None  # The number or line, and the text, of the last command.
    for line_number, line in enumerate(text.splitlines(), 1):
        check = _CHECK.fullmatch(line.strip())
        if check is not None:
            if latest is None:
                raise GoError(
                    f"{suite}, line {line_number}: no command comes before {line.strip()!r}"
                )
            case = Case(
                suite=suite,
                name=latest[0],
                setup=tuple(waiting[:-1]),
                question=waiting[-1],
                pattern=check["pattern"],
                is_negated=bool(check["negated"]),
                is_known_failure=None if "&" in check["marks"] else "*" in check["marks"],
                is_ignored="&" in check["marks"],
            )
            case.accepts("")
            cases.append(case)
            waiting, latest = [], None
            continue
        command = _COMMAND.fullmatch(line.partition("#")[0].strip())
        if command is not None:
            latest = (command["number"] or f"line {line_number}", command["text"])
            waiting.append(_located(command["text"], folder))
    return cases


def _located(command: str, folder: Path) -> str:
    """Return a command with the file of ``loadsgf`` as any engine will find it."""
    words = command.split()
    if words[0] != "loadsgf" or len(words) < 2:
        return " ".join(words)
    path = Path(os.path.abspath(folder / words[1]))  # noqa: PTH100  # Links stay as they are.
    name = str(path)
    if any(character.isspace() for character in name):
        name = os.path.relpath(path)  # GTP cannot quote; the way from here may do without blanks.
    return " ".join([words[0], name, *words[2:]])


def read_positions(path: str | os.PathLike[str]) -> list[Case]:
    """Return the cases of a file, in order.

    Raises:
        GoError: If the file cannot be read, or a line makes no sense; the message says which.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    except OSError as error:
        raise GoError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, EOFError):
        raise GoError(f"cannot read {path}: it is no text") from None
    suite = path.name.split(".")[0]
    return [
        parse_position(line, suite, number)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip()
    ]


def parse_position(line: str, suite: str = "positions", number: int = 1) -> Case:
    """Return the case in a line; *suite* and *number* name it if it does not name itself.

    Raises:
        GoError: If it makes no sense.
    """
    try:
        fields = json.loads(line)
        return _case(fields, suite, number)
    except KeyError as error:
        raise GoError(f"{suite}, line {number}: the field {error} is missing") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise GoError(f"{suite}, line {number}: {error}") from None


def _case(fields: dict[str, Any], suite: str, number: int) -> Case:
    size = int(fields["size"])  # What the engine cannot play it will refuse.
    stones = [
        (_COLORS[kind], format_vertex(parse_sgf_point(point, size)))
        for kind, value in fields["events"]
        if kind != "PL"
        for point in (value if isinstance(value, list) else [value])
    ]
    accept, reject = fields.get("accept"), fields.get("reject")
    if (accept is None) == (reject is None):
        raise GoError("a position needs either accept or reject")
    return Case(
        suite=str(fields.get("suite", suite)),
        name=str(fields.get("id", number)),
        setup=tuple(setup_commands(size, float(fields.get("komi") or 0), stones)),
        question=f"reg_genmove {_COLORS[fields['to_play']]}",
        pattern="|".join(re.escape(str(vertex)) for vertex in (accept or reject or [])),
        is_negated=accept is None,
        is_known_failure=None,
        restrict=tuple(fields.get("restrict") or ()),
    )


def suites_of(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """Return cases by suite, in order."""
    suites: dict[str, list[Case]] = {}
    for case in cases:
        suites.setdefault(case.suite, []).append(case)
    return suites


@dataclass(frozen=True)
class CaseResult:
    """What an engine said to a case."""

    case: Case
    answer: str
    passed: bool
    seconds: float
    fault: str = ""
    """Why there was no answer, if there was none."""
    expected: bool | None = None
    """Whether it was expected to pass."""

    @property
    def status(self) -> Status:
        """How it compares with what was expected."""
        if self.case.is_ignored:
            return Status.IGNORED
        if self.expected is None:
            return Status.PASS if self.passed else Status.FAIL
        if self.passed:
            return Status.PASS if self.expected else Status.NEWLY_PASSING
        return Status.NEWLY_FAILING if self.expected else Status.KNOWN_FAILURE


class Examiner:
    """Puts cases to one engine, started when it is needed."""

    def __init__(self, spec: EngineSpec, timeout: float = 600.0) -> None:
        self._spec = spec
        self._timeout = timeout
        self._engine: Engine | None = None
        self._trouble = ""

    def examine(self, case: Case) -> CaseResult:
        """Bring the engine to the position, ask, and judge the answer.

        Raises:
            EngineError: If the engine cannot be started.
        """
        engine = self._running()
        begin = time.monotonic()
        try:
            for command in case.setup:
                self._prepare(engine, command)
            if self._trouble:
                return CaseResult(case, "", passed=False, seconds=0.0, fault=self._trouble)
            answer = self._ask(engine, case)
        except EngineError as error:
            self._trouble = "" if error.fault == Fault.REFUSED else f"after {error.reason}"
            seconds = time.monotonic() - begin
            return CaseResult(case, "", passed=False, seconds=seconds, fault=error.reason)
        seconds = time.monotonic() - begin
        return CaseResult(case, answer, passed=case.accepts(answer), seconds=seconds)

    def abandon(self) -> None:
        """End the engine at once, from any thread."""
        if self._engine is not None:
            self._engine.abandon()

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            self._engine.close()

    def _running(self) -> Engine:
        if self._engine is None or not self._engine.is_usable:
            self.close()
            self._engine = self._spec.start()
        return self._engine

    def _prepare(self, engine: Engine, command: str) -> None:
        """Send a command that asks nothing; a refusal spoils what follows until a new position."""
        name = command.split(maxsplit=1)[0]
        try:
            if name == "loadsgf" and not engine.knows("loadsgf"):
                for replacement in commands_of_loadsgf(command):
                    engine.send(replacement, timeout=self._timeout)
            else:
                engine.send(command, timeout=self._timeout)
            if name in _RESETS:
                self._trouble = ""
        except GoError as error:
            if isinstance(error, EngineError) and error.fault != Fault.REFUSED:
                raise
            if name in (*_RESETS, "play", "fixed_handicap", "set_free_handicap"):
                self._trouble = str(error)

    def _ask(self, engine: Engine, case: Case) -> str:
        name, *arguments = case.question.split()
        color = arguments[0] if arguments else "black"
        if case.restrict:
            return self._ask_restricted(engine, color, case.restrict)
        if name == "reg_genmove" and not engine.knows(name):
            answer = engine.send(f"genmove {color}", timeout=self._timeout)
            if answer.lower() != "resign":
                engine.send("undo")
            return answer
        return engine.send(case.question, timeout=self._timeout)

    def _ask_restricted(self, engine: Engine, color: str, allowed: Sequence[str]) -> str:
        if engine.knows("restricted_genmove"):
            command = f"restricted_genmove {color} {' '.join(allowed)}"
            return engine.send(command, timeout=self._timeout)
        if not engine.knows("lz-genmove_analyze"):
            message = "cannot choose among some moves only"
            raise EngineError(engine.name, Fault.REFUSED, message)
        command = f"lz-genmove_analyze {color} {SOON} allow {color} {','.join(allowed)} 1"
        played = _PLAYED.findall(engine.send(command, timeout=self._timeout))
        return str(played[-1]) if played else ""


def commands_of_loadsgf(command: str) -> list[str]:
    """Return commands every engine knows that do what ``loadsgf FILE [MOVE]`` does.

    Raises:
        GoError: If the file cannot be read, or the move number is none.
    """
    from montego.go.game import Game, Move, Setup  # noqa: PLC0415  # Needs NumPy.

    words = command.split()
    if len(words) not in (2, 3) or (len(words) == 3 and not words[2].isdigit()):
        raise GoError(f"cannot understand {command!r}")
    game = Game.from_sgf_file(words[1])
    most = int(words[2]) - 1 if len(words) == 3 else len(game.moves)
    moves = itertools.accumulate(isinstance(step, Move) for step in game.history)
    history = [step for step, number in zip(game.history, moves, strict=True) if number <= most]
    if any(isinstance(step, Setup) and step.empty for step in history):
        raise GoError(f"{words[1]} takes stones off the board")
    return setup_commands(game.size, game.komi, played_stones(history))


def run_suites(
    suites: Mapping[str, Sequence[Case]],
    spec: EngineSpec,
    *,
    concurrency: int = 1,
    timeout: float = 600.0,
    is_independent: bool = False,
    baseline: Mapping[str, bool] | None = None,
    report: Callable[[CaseResult], None] | None = None,
) -> list[CaseResult]:
    """Put all suites to an engine and return the results in the order of the cases.

    Every suite has an engine of its own; *concurrency* of them run at a time. Cases that are
    *independent* are dealt out among that many engines instead. *baseline* says by key whether a
    case passed before, which goes above what the suite itself expects. *report* hears of every case
    as it is done; after Ctrl-C that is all there is.

    Raises:
        EngineError: If the engine cannot be started.
    """
    groups = list(suites.values())
    if is_independent:
        cases = [case for group in groups for case in group]
        groups = [cases[start::concurrency] for start in range(concurrency)]
    results: dict[int, CaseResult] = {}
    examiners: list[Examiner] = []
    is_stopping = threading.Event()
    lock = threading.Lock()

    def run_group(group: Sequence[Case]) -> None:
        examiner = Examiner(spec, timeout)
        examiners.append(examiner)
        try:
            for case in group:
                if is_stopping.is_set():
                    break
                result = with_expectation(examiner.examine(case), baseline)
                with lock:
                    if is_stopping.is_set():
                        break  # It may have been cut short.
                    results[id(case)] = result
                    if report is not None:
                        report(result)
        finally:
            examiner.close()

    with ThreadPoolExecutor(max_workers=max(1, concurrency)) as pool:
        try:
            for _ in pool.map(run_group, groups):
                pass
        except BaseException:
            with lock:
                is_stopping.set()
            for examiner in examiners:
                examiner.abandon()
            raise
    return [results[id(case)] for group in suites.values() for case in group]


def with_expectation(result: CaseResult, baseline: Mapping[str, bool] | None) -> CaseResult:
    """Return the result with what was expected: by the baseline, else by the suite."""
    known = result.case.is_known_failure
    expected = None if known is None else not known
    if baseline is not None:
        expected = baseline.get(result.case.key, expected)
    return replace(result, expected=expected)


def count_statuses(results: Iterable[CaseResult]) -> dict[str, dict[Status, int]]:
    """Return how many cases of each suite have each status."""
    counts: dict[str, dict[Status, int]] = {}
    for result in results:
        suite = counts.setdefault(result.case.suite, dict.fromkeys(Status, 0))
        suite[result.status] += 1
    return counts


def results_json(results: Sequence[CaseResult]) -> dict[str, Any]:
    """Return the results as JSON can hold them; :func:`read_baseline` reads a file of it."""
    return {
        "cases": {
            result.case.key: {
                "passed": result.passed,
                "status": str(result.status),
                "question": result.case.question,
                "wanted": result.case.wanted,
                "answer": result.answer,
                "fault": result.fault,
                "seconds": round(result.seconds, 3),
            }
            for result in results
        },
        "suites": {
            suite: {str(status): count for status, count in counts.items()}
            for suite, counts in count_statuses(results).items()
        },
    }


def read_baseline(path: str | os.PathLike[str]) -> dict[str, bool]:
    """Return which cases passed in an earlier run, by key.

    Raises:
        GoError: If the file cannot be read, or is no such file.
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        return {key: bool(case["passed"]) for key, case in document["cases"].items()}
    except OSError as error:
        raise GoError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise GoError(f"{path} holds no results of a regression") from None
