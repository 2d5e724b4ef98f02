"""What a session asks of the rules of a game, whichever it is.

A *state* is a position with whatever of its past the rules need. Sessions keep states and never
look into them: they are opaque, and no method changes one. All methods are quick (a few
milliseconds) and may be called from any thread, one at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection

    from montego.web.game.tree import StonesSetUp
    from montego.web.messages.replies import Count, Position
    from montego.web.messages.requests import Color, GameKind

State: TypeAlias = Any
"""A position and its past; what it is the referee knows."""

TITLES: dict[GameKind, str] = {
    "go": "Go",
    "hex": "Hex",
    "connect-four": "Connect 4",
    "tic-tac-toe": "Tic-tac-toe",
    "own": "A game of your own",
}
"""What people call each kind of game."""


class Referee(ABC):
    """The rules of one game, with its board, komi and whatever else was agreed on.

    A game without a count need not speak of it.
    """

    kind: GameKind
    size: int
    """Of the board, as summaries say it."""
    names: dict[Color, str]
    """What people call the colors in this game: ``"Black"``, in Hex ``"Red"``."""

    @property
    def title(self) -> str:
        """What people call the game."""
        return TITLES[self.kind]

    @abstractmethod
    def start(self) -> State:
        """Return the position at the root, handicap and set-up stones included."""

    @abstractmethod
    def move_name(self, state: State, move: str) -> str:
        """Return the one way of writing a move: ``"d4"`` is ``"D4"``. It may be illegal.

        Raises:
            ValueError: If it is no move at all; the message is a sentence for people.
        """

    @abstractmethod
    def play(self, state: State, color: Color, move: str) -> State:
        """Return the position after a move.

        Raises:
            ValueError: If it is illegal, or the game is over; the message says why.
        """

    def set_up(self, state: State, stones: StonesSetUp) -> State:  # noqa: ARG002
        """Return the position with stones put on the board or taken off. Go only.

        Raises:
            ValueError: If there can be no such position.
        """
        raise ValueError(f"stones are not set up in {TITLES[self.kind]}")

    @abstractmethod
    def to_play(self, state: State) -> Color:
        """Return whose turn it is; Black is the first player."""

    @abstractmethod
    def position(self, state: State, *, game: str, node: int) -> Position:
        """Return the position as pages show it, for that game and node."""

    @abstractmethod
    def result(self, state: State) -> str | None:
        """Return how the game ended, in words, where the position alone decides that.

        ``"White wins: the sides are connected"``; None while it goes on, or has to be counted.
        """

    def winner(self, state: State) -> Color | None:  # noqa: ARG002
        """Return who has won where the position alone decides that; None for a draw."""
        return None

    def is_to_count(self, state: State) -> bool:  # noqa: ARG002
        """Say whether play has ended and the board has to be counted. Go only."""
        return False

    def count(self, state: State, dead: Collection[str], *, proposed: bool) -> Count:  # noqa: ARG002
        """Return the count with these stones taken off.

        Raises:
            ValueError: If a stone cannot be dead, or the game knows no count.
        """
        raise ValueError(f"{self.title} has no count")

    def group(self, state: State, vertex: str, dead: Collection[str]) -> frozenset[str]:  # noqa: ARG002
        """Return the stones that live or die with the one at *vertex*, given those dead already.

        Raises:
            ValueError: If there is no stone, or stones do not die in this game.
        """
        raise ValueError(f"there are no dead stones in {self.title}")
