"""One node of a game record in Montego's terms: moves, set-up stones, whose turn, comments.

Underneath is a node of sgfmill with raw UTF-8 values; a property that is not understood is left as
it stands, and ``faults`` tells of it. ``sgf`` holds the record around the nodes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sgfmill import sgf_grammar

from montego.go.vocabulary.color import Color, format_color, parse_color
from montego.go.vocabulary.errors import InvalidColor, InvalidVertex, SgfError
from montego.go.vocabulary.vertex import format_sgf_point, parse_sgf_point, parse_vertex

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_MOVES: dict[str, Color] = {"B": "black", "W": "white"}
_SETUP = ("AB", "AW", "AE")
_NUMBERED = re.compile("[A-Z][A-Z]*[0-9][A-Z0-9]*")


class Node:
    """One node of a record. Two of these are equal if they stand for the same node."""

    __slots__ = ("_tree_node",)

    def __init__(self, tree_node: Any) -> None:
        self._tree_node = tree_node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._tree_node is other._tree_node

    def __hash__(self) -> int:
        return hash(self._tree_node)

    def __repr__(self) -> str:
        return f"<Node {' '.join(str(self._tree_node).split())}>"

    @property
    def parent(self) -> Node | None:
        """The node before this one; the root has none."""
        parent = self._tree_node.parent
        return None if parent is None else Node(parent)

    @property
    def children(self) -> list[Node]:
        """The nodes after this one; the first continues the main line."""
        return [Node(child) for child in self._tree_node]

    @property
    def properties(self) -> list[str]:
        """The names of all properties here."""
        return sorted(self._tree_node.properties())

    @property
    def move(self) -> tuple[Color, tuple[int, int] | None] | None:
        """The color and coordinates of the move made here, coordinates None for a pass.

        None if there is no move, or one that names no point of the board. Whether it is legal is
        not looked at.
        """
        for name, color in _MOVES.items():
            values = self.raw(name)
            if values:
                try:
                    return color, _parse_move(values[0], self._tree_node.owner.size)
                except InvalidVertex:
                    return None
        return None

    @property
    def sets_stones(self) -> bool:
        """Whether there are set-up properties, if only with points off the board."""
        return any(map(self._tree_node.has_property, _SETUP))

    @property
    def setup(self) -> tuple[set[tuple[int, int]], set[tuple[int, int]], set[tuple[int, int]]]:
        """The points made black, white and empty here, without those off the board.

        A point named for two colors has the first of them.
        """
        if not self.sets_stones:
            return set(), set(), set()
        black, white, empty = (self._points(name)[0] for name in _SETUP)
        return black, white - black, empty - white - black

    @setup.setter
    def setup(
        self,
        points: tuple[
            Collection[tuple[int, int]], Collection[tuple[int, int]], Collection[tuple[int, int]]
        ],
    ) -> None:
        size = self._tree_node.owner.size
        for name, stones in zip(_SETUP, points, strict=True):
            self.set_raw(name, sorted(format_sgf_point(stone, size) for stone in stones))

    @property
    def to_play(self) -> Color | None:
        """The player who is said to move next; None if nothing is said."""
        try:
            return format_color(parse_color(self.text("PL")))
        except InvalidColor:
            return None

    @to_play.setter
    def to_play(self, color: Color | None) -> None:
        self.set_text("PL", "" if color is None else color[0].upper())

    @property
    def comment(self) -> str:
        """The comment, empty if there is none."""
        return self.text("C")

    @comment.setter
    def comment(self, comment: str) -> None:
        self.set_text("C", comment)

    def raw(self, name: str) -> list[str]:
        """Return the values of a property as the file has them, escapes and all."""
        if not self._tree_node.has_property(name):
            return []
        return [value.decode() for value in self._tree_node.get_raw_list(name)]

    def set_raw(self, name: str, values: list[str]) -> None:
        """Set a property to values already escaped; an empty list removes it.

        Raises:
            SgfError: If SGF has no such property name or the values are not escaped.
        """
        if not values:
            if self._tree_node.has_property(name):
                self._tree_node.unset(name)
            return
        written = [value.encode("utf-8", "replace") for value in values]
        if _NUMBERED.fullmatch(name) and all(map(sgf_grammar.is_valid_property_value, written)):
            # The library below knows names of letters alone, but some programs have others.
            self._tree_node.get_raw_property_map()[name] = written
            return
        try:
            self._tree_node.set_raw_list(name, written)
        except ValueError as error:
            raise SgfError(f"cannot set the property {name}: {error}") from None

    def text(self, name: str) -> str:
        """Return the value of a property as plain text, empty if there is none.

        Several values become lines.
        """
        return "\n".join(
            sgf_grammar.text_value(value.encode()).decode() for value in self.raw(name)
        )

    def set_text(self, name: str, text: str) -> None:
        """Set a property to plain text; empty text removes it."""
        escaped = sgf_grammar.escape_text(text.encode("utf-8", "replace")).decode()
        self.set_raw(name, [escaped] if text else [])

    def position(self, name: str) -> int:
        """Return where a property began in the text that this node was read from."""
        return int(self._tree_node.get_raw_property_map().places[name])

    def add_node(self) -> Node:
        """Return a new, empty last child."""
        return Node(self._tree_node.new_child())

    def remove_children(self) -> None:
        """Take everything that follows out of the record."""
        for child in list(self._tree_node):
            child.delete()

    def make_first(self) -> None:
        """Put this node before its siblings, so that it continues the main line."""
        parent = self._tree_node.parent
        if parent is not None and parent[0] is not self._tree_node:
            self._tree_node.reparent(parent, 0)

    def add_move(self, color: Color, coordinates: tuple[int, int] | None) -> Node:
        """Return the child that makes this move, a new last one if there is none yet.

        Coordinates are trusted to be on the board.
        """
        for child in self.children:
            if child.move == (color, coordinates):
                return child
        child = self.add_node()
        point = format_sgf_point(coordinates, self._tree_node.owner.size)
        child.set_raw(color[0].upper(), [point])
        return child

    def _points(self, name: str) -> tuple[set[tuple[int, int]], list[str]]:
        """Return the points of a list, rectangles spread out, and the values that name none."""
        size = self._tree_node.owner.size
        lines = [0] * size  # A bit for each column: rectangles may be many, and one on another.
        faulty = []
        for value in filter(str.strip, self.raw(name)):
            try:
                corners = [_parse_point(corner, size) for corner in value.split(":", 1)]
            except InvalidVertex:
                faulty.append(value)
                continue
            columns, rows = zip(*corners, strict=True)
            covered = (2 << max(columns)) - (1 << min(columns))
            for row in range(min(rows), max(rows) + 1):
                lines[row] |= covered
        points = {
            (column, row)
            for row, line in enumerate(lines)
            for column in range(size)
            if line >> column & 1
        }
        return points, faulty

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each property that cannot be used as it stands, and why."""
        size = self._tree_node.owner.size
        for name in _MOVES:
            for value in self.raw(name)[:1]:
                try:
                    _parse_move(value, size)
                except InvalidVertex as error:
                    yield name, f"no playable move: {error}"
            if len(self.raw(name)) > 1:
                yield name, "several moves in one node: only the first counts"
        if self.raw("B") and self.raw("W"):
            yield "W", "moves of both colors in one node: only Black's counts"
        for name in _SETUP if self.sets_stones else ():
            for value in self._points(name)[1]:
                yield name, f"{value[:40]!r} is no point of the {size}x{size} board"
        if self.raw("PL") and self.to_play is None:
            yield "PL", f"{self.text('PL')[:40]!r} is no color"


def _parse_move(text: str, size: int) -> tuple[int, int] | None:
    """Return the coordinates of an SGF point, or of a vertex such as R16 in its place."""
    text = text.strip()
    if len(text) == 2 and text.isalpha():
        return parse_sgf_point(text, size)
    return parse_vertex(text, size) if text else None


def _parse_point(text: str, size: int) -> tuple[int, int]:
    coordinates = _parse_move(text, size)
    if coordinates is None:
        raise InvalidVertex("a pass is no point")
    return coordinates
