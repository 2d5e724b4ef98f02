"""What a search thinks of a position, as plain data that protocols print.

Values are win probabilities of the player to move, from 0 to 1. Scores are Black's points minus
White's, komi included. Nothing here needs NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass

from montego.go.errors import GoError


@dataclass(frozen=True, kw_only=True)
class MoveInfo:
    """One move at the root."""

    vertex: str
    """``"D4"`` or ``"pass"``."""
    visits: int
    value: float
    """Mean value of the simulations through it; of the prior if there were none."""
    prior: float
    """Share of the prior belief that this is the move, from 0 to 1; the moves' sum is 1."""
    lower_bound: float
    """The value less about two standard errors; never below 0."""
    rave_value: float
    rave_visits: float
    variation: tuple[str, ...]
    """The expected continuation, this move first; never empty."""
    order: int
    """0 for the move that would be played, then by visits."""
    score: float | None = None
    """Expected score after the move, or None where nobody asked for it."""
    score_deviation: float | None = None
    proof: str | None = None
    """``"win"``, ``"loss"`` or ``"draw"`` for the player to move, once proven."""
    variation_visits: tuple[int, ...] = ()
    """Visits of each move of the variation, or nothing where nobody counted them."""
    ownership: tuple[float, ...] | None = None
    """Who owns each point after the move, as in :class:`Analysis`, where somebody asked."""
    book_visits: float = 0.0
    """Visits of earlier games that the book has for it."""
    book_value: float = 0.5
    """Their mean value."""


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """A position as the search sees it at one moment."""

    to_play: str
    """``"black"`` or ``"white"``."""
    simulations: int
    """Simulations of this search; what the tree knew before is not among them."""
    visits: int
    """Visits of all moves together, those kept from earlier searches included."""
    value: float
    """Value of the best move."""
    mean_score: float
    score_deviation: float
    moves: tuple[MoveInfo, ...]
    """Best first; at least one as soon as a simulation was made."""
    seconds: float
    memory_share: float
    """How much of the tree's memory is in use, from 0 to 1."""
    ownership: tuple[float, ...] | None = None
    """Who owns each point in the end: 1 Black, -1 White; row by row from the top left."""
    ownership_deviation: tuple[float, ...] | None = None
    book_visits: float = 0.0
    """Visits of earlier games that the book has for the moves of the position."""
    points: bool = False
    """Whether moves were compared by points, since the game is decided; values are chances."""

    @property
    def best(self) -> MoveInfo | None:
        """The move that would be played, or None before anything is known."""
        return self.moves[0] if self.moves else None


@dataclass(frozen=True, kw_only=True)
class MoveLimit:
    """Vertices that one player must not play, or the only ones that player may play."""

    color: str
    """``"black"`` or ``"white"``."""
    vertices: frozenset[str]
    """As ``format_vertex`` writes them, ``"pass"`` included."""
    only: bool = False
    """Whether these are the only moves allowed; else they are avoided."""
    until_depth: int = 1
    """In how many moves from the position on, those of both players counted."""


@dataclass(frozen=True)
class Restriction:
    """What a client asked not to be considered."""

    limits: tuple[MoveLimit, ...] = ()

    def at_root(self, color: str) -> tuple[frozenset[str] | None, frozenset[str]]:
        """Return the only vertices allowed at the next move (None for all), and those avoided.

        Raises:
            GoError: If *color* is neither ``"black"`` nor ``"white"``.
        """
        if color not in ("black", "white"):
            raise GoError(f"invalid color {color!r}: say black or white")
        allowed: frozenset[str] | None = None
        avoided: frozenset[str] = frozenset()
        for limit in self.limits:
            if limit.color != color or limit.until_depth < 1:
                continue
            if limit.only:
                allowed = limit.vertices if allowed is None else allowed & limit.vertices
            else:
                avoided |= limit.vertices
        return allowed, avoided
