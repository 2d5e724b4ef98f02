"""GTP regression files, ``.tst``, as GNU Go, Fuego and GoGui write them.

A file is GTP; a comment ``#? [pattern]`` after a command says what its answer must be:

    loadsgf games/life.sgf 42
    10 reg_genmove black
    #? [B7|C7]*

The pattern is a regular expression for the whole answer, ``!`` before it turns it around, and ``*``
behind it says that the case is known to fail; ``&`` says that nobody knows, so that it counts for
nothing. Files of ``loadsgf`` are found relative to the file itself.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from montego.arena.regression.regression import Case
from montego.go.vocabulary.errors import GoError

_CHECK = re.compile(r"#\?\s*\[(?P<negated>!?)(?P<pattern>.*)\](?P<marks>[*&]*)\s*(?:#.*)?")
_COMMAND = re.compile(r"(?:(?P<number>[0-9]+)\s+)?(?P<text>\S.*)")


def read_tst(path: str | os.PathLike[str]) -> list[Case]:
    """Return the cases of a file, in order. Those marked with ``&`` have no expectation.

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
