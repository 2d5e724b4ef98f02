"""Game records: the whole tree of an SGF file, read with tolerance and written back without loss.

A record keeps every node, property and variation, known or not; what this module understands of
them it hands out in Montego's terms: colors, (column, row) coordinates, plain text. What it could
not understand stays in the tree and is told in ``Record.warnings``. Text is UTF-8 inside and
outside, so the only properties that change are CA, an SZ such as ``9:9``, and the long property
names of early versions of the format, which become short. Nothing here plays: ``game`` does.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, Any

from sgfmill import sgf, sgf_grammar, sgf_properties

from montego.go.sgf.node import Node
from montego.go.sgf.text import Reader, decode_sgf
from montego.go.vocabulary.errors import InvalidKomi, InvalidRules, SgfError
from montego.go.vocabulary.rules import Rules, parse_komi, parse_rules, rules_name
from montego.go.vocabulary.vertex import MAX_SIZE, MIN_SIZE, check_size
from montego.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

APPLICATION = f"Montego:{__version__}"
"""How Montego signs its records; numbers in these mean what they say."""

MOST_BYTES = 64 * 2**20
"""Most bytes of a file that are read. A thousand games have one or two million."""

_BINARY = getattr(os, "O_BINARY", 0)  # Windows would change line ends.

_SIZE = re.compile(r"\s*([0-9]{1,4})\s*(?::\s*([0-9]{1,4})\s*)?")
_KOMI = re.compile(r"\s*([+-]?[0-9]++(?:[.,][0-9]*+)?+)(?!\s*[0-9/¼½¾])")
_MIXED_KOMI = re.compile(
    r"\s*(?P<sign>[+-]?)(?:(?P<whole>[0-9]{1,4})(?:\s+and\s+|\s*又\s*|\s+|(?=[¼½¾])))?"
    r"(?:(?P<part>[0-9]{1,4})\s*/\s*(?P<parts>[0-9]{1,4})|(?P<sign_of_parts>[¼½¾]))"
)
_FRACTIONS = {"¼": 0.25, "½": 0.5, "¾": 0.75}
_COUNTRIES = {"chinese": "中国|中國|중국", "japanese": "日本|일본", "korean": "韓国|韩国|韓國|한국"}


class Record:
    """A game tree with what its root says about the game."""

    def __init__(self, game: Any, warnings: list[str]) -> None:
        self._game = game
        self.warnings = warnings
        """What could not be understood or was put right in reading, each with its place."""
        self.games = 1
        """How many games the text had that this one was read from, as far as that was seen."""

    @property
    def root(self) -> Node:
        """The first node."""
        return Node(self._game.root)

    @property
    def size(self) -> int:
        """The size of the board."""
        return int(self._game.size)

    @property
    def komi(self) -> float | None:
        """The komi in points; None if there is none, an empty one, or one that is no number.

        Fractions such as ``3 3/4`` and ``6½`` are understood. Chinese sites count komi in stones,
        of two points each, and in hundredths: ``3.75`` and ``375`` are 7.5 points, ``650`` is 6.5.
        So a number from 100 is divided by 100, and what then ends in a quarter of a point is
        doubled. Montego's own records mean what they say.
        """
        try:
            return self._read_komi()
        except InvalidKomi:
            return None

    def _read_komi(self) -> float | None:
        text = self.info("KM")
        if not text.strip():
            return None
        if self.info("AP").startswith("Montego"):
            return parse_komi(text)
        mixed, match = _MIXED_KOMI.match(text), _KOMI.match(text)
        if mixed is not None and int(mixed["parts"] or 1):
            komi = parse_komi(_value_of(mixed))
        else:
            komi = parse_komi((match[1] if match else text).replace(",", "."))
        if abs(komi) >= 100:
            komi /= 100
        return komi * 2 if komi % 0.5 == 0.25 else komi

    @property
    def rules_text(self) -> str:
        """What the record calls the rules, empty if nothing."""
        return self.info("RU")

    @property
    def rules(self) -> Rules | None:
        """The rules of that name; None if there is no name, or none that Montego knows."""
        text = re.sub(r"\brules?(et)?\b", "", self.rules_text, flags=re.IGNORECASE)
        try:
            return parse_rules(text)
        except (InvalidRules, InvalidKomi):
            pass
        names = [name for name, words in _COUNTRIES.items() if re.search(words, text)]
        return parse_rules(names[0]) if len(names) == 1 else None

    @property
    def handicap(self) -> int:
        """The number of handicap stones, 0 if nothing is said.

        The stones themselves are in the set-up of the root, or Black's first moves, or nowhere
        (:attr:`handicap_to_place`).
        """
        text = self.info("HA").strip()
        return int(text) if re.fullmatch("[0-9]{1,3}", text) else 0

    @property
    def handicap_to_place(self) -> int:
        """Handicap stones that the record counts and does not place; 0 if it does, or has none.

        Some servers leave them out where their places follow from the number. Where Black moves
        first, however, those moves are the stones.
        """
        for node in self.main_line():
            if any(node.setup) or (node.move is not None and node.move[0] == "black"):
                return 0
            if node.move is not None:
                break
        return self.handicap if self.handicap >= 2 else 0

    @property
    def player_names(self) -> tuple[str, str]:
        """The names of Black and White, empty if unknown."""
        return self.info("PB"), self.info("PW")

    @property
    def result(self) -> str:
        """The result as written, such as ``B+3.5`` or ``W+R``; empty if unknown."""
        return self.info("RE")

    def info(self, name: str) -> str:
        """Return a property of the game as one line, from the first node of the main line with it.

        It belongs into the root, but some programs write a result into the last node.
        """
        node = self._info_node(name)
        return " ".join(node.text(name).splitlines()) if node else ""

    def _info_node(self, name: str) -> Node | None:
        return next((node for node in self.main_line() if node.raw(name)), None)

    def main_line(self) -> list[Node]:
        """Return the nodes from the root to the end, by first children."""
        return [Node(node) for node in self._game.get_main_sequence()]

    def nodes(self) -> Iterator[Node]:
        """Yield every node, parents before children, the main line first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def faults(self) -> Iterator[tuple[Node, str, str]]:
        """Yield the node and name of each property that cannot be used as it stands, and why."""
        node = self._info_node("KM")
        if node and self.info("KM").strip():
            try:
                self._read_komi()
            except InvalidKomi as error:
                yield node, "KM", str(error)
        node = self._info_node("RU")
        if node and self.rules_text.strip() and self.rules is None:
            yield node, "RU", f"unknown rules {self.rules_text[:40]!r}"
        node = self._info_node("HA")
        if node and self.info("HA").strip("0 ") and not self.handicap:
            yield node, "HA", f"invalid handicap {self.info('HA')[:40]!r}"
        for node in self.nodes():
            for name, message in node.faults():
                yield node, name, message

    def to_sgf(self) -> str:
        """Return the text of the record, which is to be written as UTF-8."""
        return str(self._game.serialise().decode())


def _value_of(mixed: re.Match[str]) -> float:
    """Return the number that a match of ``_MIXED_KOMI`` stands for."""
    fraction = _FRACTIONS.get(mixed["sign_of_parts"] or "")
    if fraction is None:
        fraction = int(mixed["part"]) / int(mixed["parts"])
    value = int(mixed["whole"] or 0) + fraction
    return -value if mixed["sign"] == "-" else value


def new_record(
    size: int = 19,
    *,
    komi: float | None = None,
    rules: Rules | str | None = None,
    handicap: int = 0,
    player_names: tuple[str, str] = ("", ""),
) -> Record:
    """Return a record with a root that says this, and no moves. It places no handicap stones.

    Raises:
        InvalidSize: If the size is not from 2 to 25.
        InvalidKomi: If the komi is no sensible number.
        InvalidRules: If there are no such rules.
    """
    record = Record(sgf.Sgf_game(check_size(size)), [])
    texts = {
        "AP": APPLICATION,
        "RU": "" if rules is None else rules_name(parse_rules(rules)),
        "KM": "" if komi is None else sgf_properties.serialise_real(parse_komi(komi)).decode(),
        "HA": str(handicap) if handicap >= 2 else "",
        "PB": player_names[0],
        "PW": player_names[1],
    }
    for name, text in texts.items():
        record.root.set_text(name, text)
    return record


def parse_sgf(data: str | bytes, number: int = 1) -> Record:
    """Return a game of a text, or of a file's bytes in whatever character set.

    Of a collection it is the first, or the one of that *number*, from one; a warning says that
    there are others.

    Raises:
        SgfError: If there is none, it is not of Go, or it is broken; the message says where.
    """
    reader = _reader(data)
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise SgfError(f"there is no game {number!r}: say a whole number from 1")
    tree = None
    for before in range(number):
        tree = reader.next_tree()
        if tree is None and before:
            has = "1 game" if before == 1 else f"{before} games"
            raise SgfError(f"there is no game {number}: the text has {has}")
    record = _make_record(tree, reader)
    record.games = number + reader.count_trees()
    if record.games > 1:
        which = "the first" if number == 1 else f"game {number}"
        record.warnings.append(f"the text has {record.games} games; this is {which}")
    return record


def parse_sgf_collection(data: str | bytes) -> list[Record]:
    """Return all games of a text or of a file's bytes, at least one. Raises as ``parse_sgf``."""
    reader = _reader(data)
    records = [_make_record(reader.next_tree(), reader)]
    while (tree := reader.next_tree()) is not None:
        records.append(_make_record(tree, reader))
    return records


def read_sgf_file(path: str | os.PathLike[str], number: int = 1) -> Record:
    """Return a game of a file, the first unless another *number* is given.

    Raises:
        SgfError: If the file cannot be read or understood; the message begins with the path.
    """
    data = read_sgf_bytes(path)
    try:
        return parse_sgf(data, number)
    except SgfError as error:
        raise SgfError(f"{os.fspath(path)}: {error}") from None


def read_sgf_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return what is in a file. Devices, pipes and files of more than 64 MB are refused unread.

    Raises:
        SgfError: If the file cannot be read; the message begins with the path.
    """
    try:
        # A pipe that nobody writes to would be waited for, if only to open it.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
        with os.fdopen(descriptor, "rb") as file:
            is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
            data = file.read(MOST_BYTES + 1) if is_file else None
    except TypeError:
        raise SgfError(f"{path!r} is not the path of a file") from None
    except OSError as error:
        raise SgfError(f"{os.fspath(path)}: {error.strerror or error}") from None
    except ValueError as error:  # A path that no file can have.
        raise SgfError(f"{os.fspath(path)}: {error}") from None
    if data is None:
        raise SgfError(f"{os.fspath(path)}: a device or a pipe, and no file")
    if len(data) > MOST_BYTES:
        raise SgfError(f"{os.fspath(path)}: larger than {MOST_BYTES // 2**20} MB")
    return data


def _reader(data: str | bytes) -> Reader:
    if isinstance(data, str):
        text = data
        warnings: list[str] = []
    elif isinstance(data, bytes):
        text, warnings = decode_sgf(data)
    else:
        raise SgfError(f"a game record is text or bytes, not {type(data).__name__}")
    # Half of a surrogate pair is a character to Python and to nobody else.
    reader = Reader(text.encode("utf-8", "replace").decode())
    reader.warnings += warnings
    return reader


def _make_record(tree: Any, reader: Reader) -> Record:
    if tree is None:
        raise SgfError("no game record found: one begins with (;")
    root = tree.sequence[0]
    game_number = root.get("GM", [b"1"])[0].decode().strip()
    if game_number not in ("1", ""):
        place = root.places["GM"]
        raise reader.fault(place, f"GM[{game_number[:20]}]: not a record of Go, which is GM[1]")
    for node in sgf_grammar.main_sequence_iter(tree):
        if "SZ" in node:
            size = _parse_size(node["SZ"][0].decode(), reader, node.places["SZ"])
            root["SZ"] = [str(size).encode()]
            break
    record = Record(sgf.Sgf_game.from_coarse_game_tree(tree, "utf-8"), reader.warnings)
    reader.warnings = []
    for node, name, message in record.faults():
        record.warnings.append(f"{reader.place(node.position(name))}: {name}: {message}")
    return record


def _parse_size(text: str, reader: Reader, place: int) -> int:
    match = _SIZE.fullmatch(text)
    if not text.strip():
        return 19
    if match is None:
        raise reader.fault(place, f"SZ[{text[:20]}]: not a board size")
    width, height = int(match[1]), int(match[2] or match[1])
    if width != height:
        raise reader.fault(place, f"SZ[{text[:20]}]: only square boards can be played on")
    if not MIN_SIZE <= width <= MAX_SIZE:
        raise reader.fault(place, f"SZ[{text[:20]}]: boards have from 2x2 to 25x25 points")
    return width
