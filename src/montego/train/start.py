"""How self-play begins: the games of :mod:`montego.train.positions`, by the settings of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.train.errors import TrainError

if TYPE_CHECKING:
    from montego.mcts.game import GameDefinition
    from montego.train.positions import SelfPlay
    from montego.train.settings import Settings


def start_selfplay(game: GameDefinition, settings: Settings, device: str) -> SelfPlay:  # noqa: ARG001
    """Begin to play a game on a device, ``"cpu"`` or ``"gpu"``.

    Raises:
        TrainError: If it cannot be played there.
    """
    raise TrainError(f"{game.name} cannot be played by this version")
