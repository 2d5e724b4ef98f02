"""What self-play and learning hand one another: positions, figures, and who judges for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    Judge = Callable[[Tensor], tuple[Tensor, Tensor]]
    """From planes [n, planes, height, width], logits of the outputs [n, outputs] and the win
    probability of the player to move [n], both float32. Valid until it is called again."""


class Positions(NamedTuple):
    """Positions to learn from, in the order they were played: tensors on one device.

    Everything is said from the view of the player to move, and outputs are numbered as the network
    numbers them for the planes that are shown.
    """

    planes: Tensor  # float16 [n, planes, height, width], as Features.write makes them
    policy: Tensor  # float16 [n, outputs]: the improved policy, adds up to 1; 0 if illegal
    value: Tensor  # float32 [n]: 1 win, 0.5 draw, 0 loss; may be mixed with a search's value
    score: Tensor  # float32 [n]: the final score
    ownership: Tensor  # int8 [n, height * width]: 1 own, -1 the other's, 0 neither; or [n, 0]
    weight: Tensor  # float32 [n]: of the policy; 0 where a move was searched too little


def joined_positions(parts: list[Positions]) -> Positions:
    """Return the positions of all parts, one part after another. There must be one at least."""
    import torch  # noqa: PLC0415  # Everything else here is types.

    return Positions(*(torch.cat(columns) for columns in zip(*parts, strict=True)))


class PlayProgress(NamedTuple):
    """What happened in a stretch of self-play."""

    games: int  # ended in it
    positions: int
    evaluations: int
    seconds: float
    length: float  # moves of a game that ended in it, on average; 0 without games
    first_wins: float  # share of the games that ended in it; a draw is half a win
    entropy: float  # of the improved policies, on average
    cut_off: float = 0.0  # share of the games that ended because they were too long


class GameSource(Protocol):
    """Games of a network against itself, which go on from call to call."""

    has_ownership: bool
    """Whether positions tell who owns which cell."""
    has_score: bool
    """Whether the score says more than who has won."""
    origin: str
    """What the positions are from, as a network's file will say."""

    def search_with(self, simulations: int) -> None:
        """Search with so many simulations a move from now on, where moves are searched."""
        ...

    def play(self, judge: Judge, seconds: float) -> tuple[Positions, PlayProgress]:
        """Play for about that long, and return the positions of what was finished."""
        ...

    def state(self) -> dict[str, Any]:
        """Return what :meth:`restore` needs to go on: numbers, texts, tensors, lists of those.

        Not necessarily the games themselves, which may be begun anew.
        """
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where another was."""
        ...
