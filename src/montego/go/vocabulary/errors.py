"""What can go wrong with input about Go, each with a message for the person who gave it.

All are ``ValueError``. Whatever raised one has changed nothing.
"""


class GoError(ValueError):
    """Something in the input does not make sense in Go."""


class InvalidSize(GoError):  # noqa: N818  # Named for what the user did, as IllegalMove is.
    """A board size that is not a whole number from 2 to 25."""


class InvalidColor(GoError):  # noqa: N818
    """A color that is neither black nor white."""


class InvalidVertex(GoError):  # noqa: N818
    """Text that names no point of the board."""


class OffBoard(InvalidVertex):
    """A vertex that is well formed, but no point of this board."""


class InvalidKomi(GoError):  # noqa: N818
    """A komi that is not a number of sensible size."""


class InvalidRules(GoError):  # noqa: N818
    """A rule set that does not exist, or a field with an impossible value."""


class InvalidDiagram(GoError):  # noqa: N818
    """A picture of a board that cannot be read."""


class SgfError(GoError):
    """A game record that cannot be read; the message says where."""


class IllegalMove(GoError):  # noqa: N818
    """A move that the rules forbid; ``reason`` says which one."""

    def __init__(self, color: str, vertex: str, reason: str) -> None:
        super().__init__(f"illegal move {color} {vertex}: {reason}")
        self.color = color
        self.vertex = vertex
        self.reason = reason
