"""What the games tell the trainer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from montego.go.game import Game


@dataclass(frozen=True)
class ReviewedMistake:
    """A mistake of a person's that a review found in a game."""

    game: Game
    """As it stood before."""
    played: str
    better: str | None
    name: str
    key: str
    """The same for the same mistake, and for no other."""
