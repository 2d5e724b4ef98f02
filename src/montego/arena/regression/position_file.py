"""Positions with accepted or rejected moves, one JSON object a line, also compressed by gzip.

Fields: ``size``, ``to_play`` (``B`` or ``W``), ``events`` (pairs such as ``["B", "jj"]``,
``["AB", ["cc", "gc"]]``, ``["PL", "W"]``, in SGF coordinates), and ``accept`` or ``reject`` with
vertices; and, if wanted, ``suite``, ``id``, ``komi`` and ``restrict``, the vertices to choose from.
Other fields are ignored.
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.arena.regression.regression import Case
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex, parse_sgf_point

if TYPE_CHECKING:
    import os

_COLORS = {"B": "black", "W": "white", "AB": "black", "AW": "white"}


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
    commands = [f"boardsize {size}", "clear_board", f"komi {float(fields.get('komi') or 0):g}"]
    for kind, value in fields["events"]:
        if kind == "PL":
            continue
        points = value if isinstance(value, list) else [value]
        for point in points:
            vertex = format_vertex(parse_sgf_point(point, size))
            commands.append(f"play {_COLORS[kind]} {vertex}")
    accept, reject = fields.get("accept"), fields.get("reject")
    if (accept is None) == (reject is None):
        raise GoError("a position needs either accept or reject")
    return Case(
        suite=str(fields.get("suite", suite)),
        name=str(fields.get("id", number)),
        setup=tuple(commands),
        question=f"reg_genmove {_COLORS[fields['to_play']]}",
        pattern="|".join(re.escape(str(vertex)) for vertex in (accept or reject or [])),
        is_negated=accept is None,
        is_known_failure=None,
        restrict=tuple(fields.get("restrict") or ()),
    )
