"""What another program thinks of a position, and three ways to combine it with a search.

An *adviser* is a program of another kind, such as GNU Go, that values single moves; the search
knows chances to win. Document 004 (section 4.4) multiplies the two, and proposes a temperature that
says which side decides more; the third way makes the values prior knowledge of the search.

Pure functions over plain data: nothing here starts a program, and nothing here needs NumPy. Values
of an adviser are in its own units, so only their ratios count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future

    from montego.go.game import Game

DOUBT = 10.0  # Lost games that are added to a move's own, so that luck in a few is not believed.
UNNAMED = 0.1  # Share of the best value for moves that the adviser does not name.
COOL, HOT = 0.1, 0.6  # The adviser's say in a game that is even, and in one that is decided.
ADAPTS = 0.5  # Part of the way to where it should be that the temperature goes at each move.
SHARPNESS = 4.0  # Power of a value that makes it a chance to be the right move.
VISITS = 100.0  # Won visits that a move is worth of which the adviser is certain.


class AdviserError(GoError):
    """An adviser said something that makes no sense; the message says what, to people."""


@dataclass(frozen=True, kw_only=True)
class Advice:
    """What an adviser says about a position."""

    adviser: str
    """Its own name, with its version."""
    move: str | None
    """What it would play: a vertex, ``"pass"`` or ``"resign"``; None if it did not say."""
    values: Mapping[str, float]
    """What moves are worth to it, by vertex; all above 0, and none that the rules forbid."""
    seconds: float
    """How long it thought."""


class Adviser(Protocol):
    """Another program that can be asked about positions, one after another."""

    def ask(self, game: Game, color: str) -> Future[Advice]:
        """Ask what *color* should play; does not wait. *game* may change afterwards.

        The future raises ``GoError`` if the adviser failed, after which it must be closed. Only the
        latest question is sure to be answered: one that has not begun is cancelled by the next.
        """

    def cancel(self) -> None:
        """Say that nobody wants the answer any more; a question under way may still be finished."""

    def close(self) -> None:
        """End it, whatever it is doing. It may be closed twice."""


if TYPE_CHECKING:
    Hire = Callable[[str, float], Adviser]
    """Makes the adviser that a command line stands for; the number is its patience in seconds."""


class Opinion(NamedTuple):
    """What the search thinks of a move."""

    vertex: str
    visits: int
    value: float
    """Mean chance to win of the player to move."""

    @property
    def chance(self) -> float:
        """The chance to win, with :data:`DOUBT` about few visits."""
        return self.visits * self.value / (self.visits + DOUBT)


def product(
    opinions: Sequence[Opinion], values: Mapping[str, float], weight: float = 1.0
) -> dict[str, float]:
    """Return value × chance to win for every move that has both (004 4.4.2).

    *weight* is a power of the value: 0 leaves the chance, 1 is the document's product.
    """
    best = max(values.values(), default=1.0)
    return {
        opinion.vertex: (values[opinion.vertex] / best) ** weight * opinion.chance
        for opinion in opinions
        if opinion.vertex in values
    }


def by_temperature(
    opinions: Sequence[Opinion],
    values: Mapping[str, float],
    temperature: float,
    weight: float = 1.0,
) -> dict[str, float]:
    """Return chance^(1-t) × share^(t · weight) for every move, t the adviser's part of the say.

    The share is that of the best value. Moves that the adviser does not name count too, with a
    small one. At one half, and for moves that it names, the order is that of the product.
    """
    best = max(values.values(), default=1.0)
    return {
        opinion.vertex: opinion.chance ** (1.0 - temperature)
        * max(values.get(opinion.vertex, 0.0) / best, UNNAMED) ** (temperature * weight)
        for opinion in opinions
    }


def next_temperature(previous: float, chance: float) -> float:
    """Return the adviser's part of the say for a game that stands at this chance to win.

    It begins at :data:`COOL`. In an even game the search decides; the more it is won or lost, the
    less playouts tell moves apart, and the more the adviser has to say. Games do not turn within a
    move, so the temperature follows by halves.
    """
    target = COOL + (HOT - COOL) * abs(2.0 * chance - 1.0)
    return previous + ADAPTS * (target - previous)


def equivalent_visits(values: Mapping[str, float], weight: float = 1.0) -> dict[str, float]:
    """Return how many won visits each value is worth as prior knowledge.

    As with what was learned from games: 100 times the root of the chance that it is the move. The
    chance is taken to be the value to a power, divided by the sum over all moves.
    """
    if not values:
        return {}
    best = max(values.values())
    strengths = {vertex: (value / best) ** SHARPNESS for vertex, value in values.items()}
    total = sum(strengths.values())
    return {
        vertex: weight * VISITS * math.sqrt(strength / total)
        for vertex, strength in strengths.items()
    }
