"""3x3 patterns: from pictures in a text file to a table that answers in one step.

The eight neighbors of a point, two bits each, are its *code*: a number below 65,536. The table
holds a weight for every code, with Black to move; White's is looked up with the colors
exchanged. Eight weights of six bits share one float of the game's knowledge. Most points match
nothing, so a table of single bits, small enough for the processor's first cache, comes before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from montego.go.kernels.layout import EAST, NORTH, ONE, SOUTH, WEST
from montego.go.vocabulary.color import BLACK, EMPTY, WALL, WHITE
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.number import read_number
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, State

CODES = 1 << 16
HEAVIEST = 63
FLAGS = CODES // 32  # floats of the table of bits
PACKED = FLAGS + CODES // 8  # floats that both tables take in a game's knowledge

PATTERNS = 56
"""Where the tables begin in a game's knowledge; the rest is in ``playout/knowledge.py``."""

SETS = {"mogo": "patterns_mogo.txt"}
"""Words that stand for a file that comes with Montego, beside those of its own."""

_LOW_BITS = Index(0x5555)
_BLACK, _WHITE = {BLACK}, {WHITE}
_MEANINGS = {
    ".": {EMPTY},
    "X": _BLACK,
    "O": _WHITE,
    "x": {EMPTY, WHITE, WALL},
    "o": {EMPTY, BLACK, WALL},
    "?": {EMPTY, BLACK, WHITE, WALL},
    "-": {WALL},
}
_SWAPPED = {EMPTY: EMPTY, BLACK: WHITE, WHITE: BLACK, WALL: WALL}


class PatternError(GoError):
    """A file of patterns that cannot be understood. The message names the line."""


@dataclass(frozen=True)
class Pattern:
    """A picture: what may be at the eight neighbors, from the top left, row by row."""

    name: str
    weight: float
    neighbors: tuple[str, ...]
    for_x_only: bool = False


@kernel(inline=True)
def code_of(state: State, point: int) -> int:
    """Return the code of a point's neighborhood."""
    return (
        Index(state[point - NORTH - WEST])
        | (Index(state[point - NORTH]) << Index(2))
        | (Index(state[point - NORTH + EAST]) << Index(4))
        | (Index(state[point - WEST]) << Index(6))
        | (Index(state[point + EAST]) << Index(8))
        | (Index(state[point + SOUTH - WEST]) << Index(10))
        | (Index(state[point + SOUTH]) << Index(12))
        | (Index(state[point + SOUTH + EAST]) << Index(14))
    )


@kernel(inline=True)
def swap_colors(code: int) -> int:
    """Return a code with Black and White exchanged."""
    code = Index(code)
    return ((code & _LOW_BITS) << ONE) | ((code >> ONE) & _LOW_BITS)


@kernel(inline=True)
def weight_at(state: State, knowledge: Knowledge, table: int, point: int, color: int) -> int:
    """Return the weight, 0 to HEAVIEST, of a move of *color*; the table begins at *table*."""
    code = code_of(state, point)
    if color == WHITE:
        code = swap_colors(code)
    flags = Index(knowledge[Index(table) + (code >> Index(5))])
    if (flags >> (code & Index(31))) & ONE == Index(0):
        return 0
    packed = Index(knowledge[Index(table + FLAGS) + (code >> Index(3))])
    return int((packed >> (Index(6) * (code & Index(7)))) & Index(HEAVIEST))


def read_patterns(path: str | Path | None = None) -> list[Pattern]:
    """Read patterns from a file, or a set by its word; without either, Montego's own.

    Raises:
        PatternError: If the file cannot be read or understood; the message names it.
    """
    name = "patterns.txt" if path is None else SETS.get(str(path))
    if name is not None:
        return parse_patterns((files("montego.go") / "data" / name).read_text("utf-8"))
    assert path is not None  # noqa: S101  # For the type checker.
    try:
        return parse_patterns(Path(path).read_text("utf-8"))
    except PatternError as error:
        reason = str(error)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "no text file"
    raise PatternError(f"cannot read patterns from {path}: {reason}")


def parse_patterns(text: str) -> list[Pattern]:
    """Return the patterns drawn in *text*; its format is explained in ``data/patterns.txt``.

    Raises:
        PatternError: If a line cannot be understood.
    """
    lines = [
        (number, line.split("#")[0].split()) for number, line in enumerate(text.splitlines(), 1)
    ]
    lines = [(number, words) for number, words in lines if words]
    patterns = []
    while lines:
        number, words = lines.pop(0)
        if words[0] != "pattern" or len(words) not in (2, 3):
            raise PatternError(f"line {number}: expected 'pattern NAME [WEIGHT]'")
        weight = _parse_weight(words[2], number) if len(words) == 3 else 1.0
        for_x_only = bool(lines) and lines[0][1] == ["for", "X"]
        if for_x_only:
            lines.pop(0)
        rows, lines = lines[:3], lines[3:]
        patterns.append(Pattern(words[1], weight, _parse_rows(rows, number), for_x_only))
    return patterns


def _parse_weight(word: str, number: int) -> float:
    weight = read_number(word)
    if not 0.0 <= weight <= 1.0:
        raise PatternError(f"line {number}: the weight {word!r} is no number from 0 to 1")
    return weight


def _parse_rows(rows: list[tuple[int, list[str]]], number: int) -> tuple[str, ...]:
    if len(rows) < 3:
        raise PatternError(f"line {number}: the picture should have three rows")
    for line, row in rows:
        if len(row) != 3:
            raise PatternError(f"line {line}: expected three signs with blanks between them")
    cells = [(line, sign) for line, row in rows for sign in row]
    line, middle = cells.pop(4)
    if middle != "*":
        raise PatternError(f"line {line}: the move '*' should be in the middle")
    for line, sign in cells:
        if sign not in _MEANINGS:
            raise PatternError(f"line {line}: {sign!r} is none of {' '.join(_MEANINGS)}")
    return tuple(sign for _, sign in cells)


@cache
def expand(pattern: Pattern) -> frozenset[int]:
    """Return the codes that a pattern matches with Black to move."""
    codes = set()
    for order in symmetries():
        meanings = [_MEANINGS[pattern.neighbors[place]] for place in order]
        for colors in product(*meanings):
            codes.add(_encode(colors))
            if not pattern.for_x_only:
                codes.add(_encode(tuple(_SWAPPED[color] for color in colors)))
    return frozenset(codes)


def pack(patterns: list[Pattern]) -> NDArray[np.float64]:
    """Return the tables for a game's knowledge: PACKED floats, the bits first."""
    weights = np.zeros(CODES, np.uint64)
    for pattern in patterns:
        # A pattern of any weight is a pattern.
        weight = max(round(pattern.weight * HEAVIEST), 1) if pattern.weight > 0 else 0
        for code in expand(pattern):
            weights[code] = max(int(weights[code]), weight)
    shifts = np.arange(8, dtype=np.uint64) * np.uint64(6)
    packed = (weights.reshape(-1, 8) << shifts).sum(1)
    bits = (weights > 0).astype(np.uint64).reshape(-1, 32)
    flags = (bits << np.arange(32, dtype=np.uint64)).sum(1)
    return np.concatenate([flags, packed]).astype(np.float64)


@cache
def packed_patterns(path: str | None = None) -> NDArray[np.float64]:
    """Return the packed table of a file or set, read once; see :func:`read_patterns`."""
    table = pack(read_patterns(path))
    table.setflags(write=False)
    return table


def matches(patterns: list[Pattern], code: int) -> list[Pattern]:
    """Return the patterns that match a code with Black to move."""
    return [pattern for pattern in patterns if code in expand(pattern)]


def _encode(colors: tuple[int, ...]) -> int:
    return sum(color << (2 * place) for place, color in enumerate(colors))


@cache
def symmetries() -> tuple[tuple[int, ...], ...]:
    """Return, for each of the eight symmetries, which neighbor comes to each place."""
    square = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)]
    orders = []
    for swap, flip_x, flip_y in product((False, True), repeat=3):
        order = []
        for x, y in square:
            a, b = (y, x) if swap else (x, y)
            order.append(square.index((2 - a if flip_x else a, 2 - b if flip_y else b)))
        orders.append(tuple(order))
    return tuple(orders)
