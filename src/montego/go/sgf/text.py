"""From the bytes of an SGF file to trees of raw properties: character sets, grammar and places.

The trees are sgfmill's, so that its nodes and its writer serve them; the reading is done here
because a reader of other people's files needs to know where in the text a fault stands, and
because text must be decoded before it is parsed: in GB18030, Big5 and Shift-JIS the second byte of
a character may be a bracket or a backslash. What properties mean is up to ``sgf``.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from sgfmill import sgf_grammar

from montego.go.vocabulary.errors import SgfError

if TYPE_CHECKING:
    from collections.abc import Callable

_DECLARED = re.compile(rb"(?<![A-Z])CA\s*\[\s*([\w.: -]{1,40})\]")

# What files are declared in, and what they are then really in: the declared set or one that
# contains it. Only sets whose ASCII is ASCII; the codecs of Python include many that are no sets.
_CHARSETS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "big5": "cp950",
    "cp950": "cp950",
    "big5hkscs": "big5hkscs",
    "shift_jis": "cp932",
    "cp932": "cp932",
    "euc_jp": "euc_jp",
    "iso2022_jp": "iso2022_jp",
    "euc_kr": "cp949",
    "cp949": "cp949",
    "utf-8": "utf-8",
    "ascii": "utf-8",
    "koi8-r": "koi8-r",
}
_SINGLE_BYTE = re.compile(r"iso8859-\d+|cp125\d|koi8-r")
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}

_START = re.compile(r"\(\s*;")
_BLANKS = re.compile("[\\s\0\ufeff]*")
_TOKEN = re.compile(
    r"\[(?P<value>[^\\\]]*+(?:\\.[^\\\]]*+)*+)\]|(?P<name>[A-Za-z][A-Za-z0-9]*+)|(?P<mark>[;()])",
    re.DOTALL,
)
_VALUE_END = re.compile(r"(?P<value>[^\\\]]*+(?:\\.[^\\\]]*+)*+)\]", re.DOTALL)
_BRACKET = re.compile(r"\\.|\[", re.DOTALL)
_OUTSIDE = re.compile(r"[()\[]")

# Properties that people write text into, and forget that a bracket ends it.
_TEXTS = (
    *("AN", "BR", "BT", "C", "CP", "DT", "EV", "GC", "GN", "N", "ON"),
    *("OT", "PB", "PC", "PW", "RE", "RO", "RU", "SO", "US", "WR", "WT"),
)
# What follows a value: surely, or if no bracket in it is left open.
_SURE_END = re.compile(
    "[\\s\0\ufeff]*+"
    r"(?:;\s*+(?:[A-Za-z][A-Za-z0-9]*+\s*+\[|[;()]|\Z)|\(\s*+;|\)[\s)]*+(?:[(;]|\Z)|"
    r"[a-z]*[A-Z][A-Za-z0-9]*+\s*+\[|\[|\Z)"
)
_LIKELY_END = re.compile("[\\s\0\ufeff]*+" r"(?:[;)]|[a-z]++\s*+\[)")

MOST_BRACKETS = 50
"""Most brackets in a text that somebody forgot to escape; with more, it is not clear any more."""

MOST_NODES = 250_000
"""Most nodes of one game, variations included. A dictionary of joseki has a fraction of that."""

_LINE_END = re.compile(r"\r\n|\n\r|\n|\r")


def decode_sgf(data: bytes) -> tuple[str, list[str]]:
    """Return the text of a file, and warnings where its character set is not the declared one.

    A byte order mark decides. Else text that is valid UTF-8 is UTF-8, whatever is declared: by
    chance that happens to no text of a few characters, except that some pairs of bytes of the East
    Asian sets are also UTF-8, and there the declaration is believed. Else the declared set,
    GB18030, Shift-JIS and Latin-1 compete, and the one that gives the most usual characters wins.
    Bytes that make no sense become U+FFFD, with a warning.
    """
    for mark, charset in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return _decoded(data, charset)
    declared = _declared_charset(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        three_bytes = any(character > "\u07ff" for character in text)
        if declared is None or three_bytes or _SINGLE_BYTE.fullmatch(declared):
            return text, []
        as_declared, warnings = _decoded(data, declared)
        return (text, []) if warnings else (as_declared, [])
    candidates = ["utf-8", "gb18030", "cp932", "latin-1"]
    if declared is not None:
        candidates.insert(0, declared)
    best = max(candidates, key=lambda charset: _likeliness(data, charset, declared))
    text, warnings = _decoded(data, best)
    if best != declared:
        warnings.insert(0, f"no valid character set is declared: read as {best}")
    return text, warnings


def _declared_charset(data: bytes) -> str | None:
    match = _DECLARED.search(data)
    if match is None:
        return None
    written = match[1].decode("ascii").strip().lower()
    try:
        name = codecs.lookup(written.removeprefix("x-")).name
    except (LookupError, ValueError):
        return None
    return name if _SINGLE_BYTE.fullmatch(name) else _CHARSETS.get(name)


def _decoded(data: bytes, charset: str) -> tuple[str, list[str]]:
    try:
        return data.decode(charset), []
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(charset, "replace")
        place = Reader(before).place(len(before))
        warning = f"{place}: bytes that are not {charset} are shown as \ufffd"
        return data.decode(charset, "replace"), [warning]


def _likeliness(data: bytes, charset: str, declared: str | None) -> float:
    """Return the share of usual characters among those beyond ASCII."""
    foreign = [letter for letter in data.decode(charset, "replace") if letter > "\x7f"]
    is_usual: Callable[[str], bool]
    if charset == "latin-1" or _SINGLE_BYTE.fullmatch(charset):
        is_usual = str.isalpha
    elif charset in ("utf-8", declared):
        is_usual = _is_readable
    elif charset == "gb18030":
        is_usual = _is_usual_chinese
    else:
        is_usual = _is_usual_japanese
    return sum(map(is_usual, foreign)) / max(1, len(foreign))


def _is_readable(letter: str) -> bool:
    return letter != "\ufffd" and letter.isprintable()


def _is_usual_chinese(letter: str) -> bool:
    # Rows 0xB0 to 0xD7 of GB 2312 hold its 3,755 most frequent characters, 0xA1 to 0xA3 signs.
    first = letter.encode("gb2312", "replace")[0]
    return 0xA1 <= first <= 0xA3 or 0xB0 <= first <= 0xD7


def _is_usual_japanese(letter: str) -> bool:
    # Kana and signs, and the 2,965 most frequent characters of JIS X 0208.
    first = letter.encode("shift_jis", "replace")[0]
    return 0x81 <= first <= 0x83 or 0x88 <= first <= 0x97


class PropertyMap(dict[str, list[bytes]]):
    """The raw values of one node in UTF-8, and where in the text each property begins."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, int] = {}


class Reader:
    """Reads the game trees of a text one after another.

    ``warnings`` holds what was put right in the trees read so far.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.warnings: list[str] = []
        self._line_starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def place(self, position: int) -> str:
        """Return the line and column of a position, counted from one."""
        line = bisect_right(self._line_starts, position)
        return f"line {line}, column {position - self._line_starts[line - 1] + 1}"

    def fault(self, position: int, message: str) -> SgfError:
        """Return an error that says where."""
        return SgfError(f"{self.place(position)}: {message}")

    def next_tree(self) -> Any:
        """Return the next game as sgfmill's Coarse_game_tree of PropertyMaps, or None.

        What stands before its ``(;`` is skipped. Parentheses missing at the end or around the last
        of several variations are supplied, and empty variations left out.

        Raises:
            SgfError: If the text breaks the grammar in any other way.
        """
        start = _START.search(self.text, self.position)
        if start is None:
            return None
        self.position = start.start()
        root = sgf_grammar.Coarse_game_tree()
        open_trees: list[Any] = []
        node: PropertyMap | None = None
        nodes = 0
        while True:
            self._skip_blanks()
            at = self.position
            if at == len(self.text):
                count = len(open_trees)
                if not open_trees[-1].sequence:
                    open_trees[-2].children.pop()
                self.warnings.append(
                    f"{self.place(at)}: the text ends early; supplied {count} closing "
                    f"{'parenthesis' if count == 1 else 'parentheses'}"
                )
                return root
            token = self._next_token()
            kind = token["mark"] or token.lastgroup
            if kind == "name":
                if node is None:
                    raise self.fault(at, f"the property {token[0]} stands outside a node")
                self._read_property(node, token[0], at)
            elif kind == "value":
                raise self.fault(at, "a value without the name of a property before it")
            elif kind == ";":
                if open_trees[-1].children:
                    # Early files leave out the parentheses around the last of several variations.
                    self.warnings.append(f"{self.place(at)}: read as the beginning of a variation")
                    variation = sgf_grammar.Coarse_game_tree()
                    open_trees[-1].children.append(variation)
                    open_trees[-1] = variation
                node = PropertyMap()
                open_trees[-1].sequence.append(node)
                nodes += 1
                if nodes > MOST_NODES:
                    raise self.fault(at, f"the game has more than {MOST_NODES} nodes")
            elif kind == "(":
                if open_trees and not open_trees[-1].sequence:
                    raise self.fault(at, "a variation that does not begin with a node")
                open_trees.append(sgf_grammar.Coarse_game_tree() if open_trees else root)
                if len(open_trees) > 1:
                    open_trees[-2].children.append(open_trees[-1])
                node = None
            else:
                if not open_trees.pop().sequence:
                    open_trees[-1].children.pop()
                    self.warnings.append(f"{self.place(at)}: left out an empty variation")
                node = None
                if not open_trees:
                    return root

    def count_trees(self) -> int:
        """Return how many games are left to read, as far as that is seen without reading them."""
        count, depth, position = 0, 0, self.position
        while (token := _OUTSIDE.search(self.text, position)) is not None:
            position = token.end()
            if token[0] == ")":
                depth = max(depth - 1, 0)
            elif token[0] == "(":
                if depth or _START.match(self.text, token.start()):
                    count += depth == 0
                    depth += 1
            elif depth:
                value = _VALUE_END.match(self.text, position)
                if value is None:
                    break
                position = value.end()
        return count

    def _skip_blanks(self) -> None:
        blanks = _BLANKS.match(self.text, self.position)
        self.position = blanks.end() if blanks else self.position

    def _next_token(self) -> re.Match[str]:
        at = self.position
        token = _TOKEN.match(self.text, at)
        if token is None:
            if self.text[at] == "[":
                raise self.fault(at, "the value that begins here never ends; is the text cut off?")
            raise self.fault(at, f"unexpected {self.text[at]!r}")
        self.position = token.end()
        return token

    def _read_property(self, node: PropertyMap, written_name: str, at: int) -> None:
        # Earlier versions of the format write AddBlack for AB. Some programs write ab.
        short_name = re.sub("[a-z]+", "", written_name)
        name = short_name if short_name[:1].isupper() else written_name.upper()
        values = []
        self._skip_blanks()
        while self.text.startswith("[", self.position):
            begin, value = self.position, self._next_token()["value"]
            if name in _TEXTS:
                value = self._read_on(value, begin)
            values.append(value.encode())
            self._skip_blanks()
        if not values:
            ending = "; is the text cut off?" if self.position == len(self.text) else ""
            raise self.fault(at, f"the property {written_name[:20]} has no value{ending}")
        node.places.setdefault(name, at)
        node.setdefault(name, []).extend(values)

    def _read_on(self, value: str, begin: int) -> str:
        """Return a text to the bracket that ends it, although others in it are not escaped.

        *value* is what was read to the first bracket. That is all of it unless what follows cannot
        follow a value, but can at a later bracket.
        """
        parts, end = [value], self.position
        left_open = _brackets_in(value)
        while not self._ends(end, left_open):
            further = _VALUE_END.match(self.text, end)
            if further is None or len(parts) > MOST_BRACKETS:
                return value
            parts.append(further["value"])
            left_open = max(left_open - 1, 0) + _brackets_in(further["value"])
            end = further.end()
        if len(parts) > 1:
            self.position = end
            self.warnings.append(f"{self.place(begin)}: a ] in this text is not escaped")
        return "\\]".join(parts)

    def _ends(self, end: int, left_open: int) -> bool:
        """Say whether a value may end here, with so many brackets in it that are left open."""
        if _SURE_END.match(self.text, end):
            return True
        return not left_open and _LIKELY_END.match(self.text, end) is not None


def _brackets_in(text: str) -> int:
    return sum(match[0] == "[" for match in _BRACKET.finditer(text))
