"""Go with a network that judges it, for the player."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

from montego.engine.knowledge.features import within_komi
from montego.network.errors import NoRuntime
from montego.network.judge import Judge
from montego.network.network import Network

if TYPE_CHECKING:
    from montego.mcts.game import GameDefinition


def judged(game: GameDefinition, path: str, memory: float) -> GameDefinition:
    """Return a game that the network in a file judges; *memory* is in megabytes.

    Without onnxruntime it is the game as it was, and people are told so once.

    Raises:
        NetworkError: If the file is no network for the game.
    """
    network = open_network(path)
    try:
        judge = Judge(network, within_komi(game, network.description.komi), memory=memory)
        return judge.judged_game()
    except NoRuntime as error:
        _tell(str(error))
        return game


@cache
def open_network(path: str) -> Network:
    """Return the network in a file, read once.

    Raises:
        NetworkError: If it is none.
    """
    return Network.open(path)


@cache
def _tell(reason: str) -> None:
    sys.stderr.write(f"montego: playing without a network: {reason}\n")
