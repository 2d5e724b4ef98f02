"""A network that knows which moves people of each rank choose.

It is shown what other networks are shown, and one plane more, which is the rank of the player to
move on every cell. So one network plays like all of them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.network.errors import NetworkError
from montego.network.network import Network, find_network

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.features import Features
    from montego.mcts.game import GameDefinition

PEOPLE = Path(__file__).parent / "people"
"""Where the networks are that come with Montego; apart from those that judge for a search."""

BANDS = {"29k-20k": (-29, -20), "19k-6k": (-19, -6), "5k-1k": (-5, -1), "dan": (0, 8)}
"""Ranks that are told apart where something is measured: the weakest and the strongest of each."""

_MIDDLE, _SCALE = -15.0, 15.0
_STRONGEST = 8  # Servers have players of twelve dan, who are as rare as bots are frequent there.


def shown_rank(rank: int) -> float:
    """Return what is shown of a rank: -1 for 30 kyu, 1 for 1 dan; above 9 dan no more."""
    return (min(rank, _STRONGEST) - _MIDDLE) / _SCALE


def ranked_features(features: Features, rank: int = 0) -> Features:
    """Return what such a network is shown and says, of what others are shown of the same game.

    What writes the planes shows a player to move of that *rank*; it is no kernel.
    """
    cells, shown = features.cells, shown_rank(rank)

    def write(state: State, knowledge: Knowledge, scratch: Scratch, planes: NDArray[Any]) -> int:
        view = features.write(state, knowledge, scratch, planes[:-cells])
        planes[-cells:] = shown
        return view

    game = f"{features.game} by rank"
    return replace(features, game=game, planes=features.planes + 1, write=write)


def people_network(game: str, size: tuple[int, int]) -> Network | None:
    """Return the network that comes with Montego and knows people who play a game on such boards.

    *size* is rows and columns. None if there is none.
    """
    path = find_network(f"{game} by rank", size, PEOPLE)
    return None if path is None else _opened(path)


@cache
def _opened(path: Path) -> Network:
    return Network.open(path)


def people_chances(
    network: Network, game: GameDefinition, state: State, rank: int
) -> dict[int, float]:
    """Return how likely people of a rank are to choose each legal move; the mean of all symmetries.

    Raises:
        NetworkError: If the network is not for the game, or cannot be run.
    """
    from montego.network.opinion import opinion_of  # noqa: PLC0415  # Loads NumPy.

    if game.features is None:
        raise NetworkError(f"nothing says what a network is shown of {game.name}")
    shown = replace(game, features=ranked_features(game.features, rank))
    symmetries = range(len(game.features.symmetries))
    found = [opinion_of(network, shown, state, symmetry).chances for symmetry in symmetries]
    return {move: sum(one[move] for one in found) / len(found) for move in found[0]}
