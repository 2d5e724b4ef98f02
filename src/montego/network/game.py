"""Any game with a network that judges it, as a search takes it.

from montego.games.hex import hex_game
from montego.mcts import Search
from montego.network.game import BY_NETWORK, judged_game

search = Search(judged_game(hex_game()), BY_NETWORK)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.mcts.config import Config
from montego.network.errors import NetworkError
from montego.network.judge import MEMORY, Judge
from montego.network.network import Network, find_network

if TYPE_CHECKING:
    from pathlib import Path

    from montego.mcts.game import GameDefinition

BY_NETWORK = Config(selection="puct", evaluation=1.0, exploration=0.7, first_play_reduction=0.2)
"""How a search uses a network that alone judges; ``replace`` gives it other limits."""


def judged_game(
    game: GameDefinition, file: str | Path | None = None, *, memory: float = MEMORY
) -> GameDefinition:
    """Return a game whose positions a network judges: the one in a file, or that comes along.

    *memory* is for what was judged before, in megabytes.

    Raises:
        NetworkError: If none comes along for the game on that board, the file is no network for it,
            or onnxruntime is missing.
    """
    if file is None:
        shown = game.features
        file = None if shown is None else find_network(shown.game, (shown.height, shown.width))
        if file is None:
            raise NetworkError(f"no network comes along for {game.name} on this board")
    return Judge(Network.open(file), game, memory=memory).judged_game()
