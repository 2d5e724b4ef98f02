"""How self-play begins: games by the settings of a run, and what is special about Go."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from montego.go.kernels.flood import FIRST_MARK, area_owners
from montego.go.playout.knowledge import KOMI, RATES
from montego.jit import Kernel, kernel
from montego.mcts.game import no_experience, no_hash, no_priors
from montego.mcts.kernels.functions import FUNCTIONS
from montego.train.errors import TrainError
from montego.train.games.selfplay import Play, SelfPlay
from montego.train.games.tables import Tables

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.game import GameDefinition
    from montego.train.settings import TrainingSettings

GAMES_ON_GPU, GAMES_ON_CPU = 16384, 256
TABLES = 2
"""On a GPU: two keep search and network busy, and more have games take longer."""
KOMIS = (5.5, 6.5, 7.5)
"""What games of Go are played for, one as often as the other."""


def start_selfplay(
    game: GameDefinition, settings: TrainingSettings, device: str
) -> SelfPlay | Tables:
    """Begin to play a game on a device, ``"cpu"`` or ``"gpu"``.

    Raises:
        TrainError: If it cannot be played there.
    """
    if device == "gpu" and not all(isinstance(getattr(game, name), Kernel) for name in FUNCTIONS):
        raise TrainError(f"{game.name} is not compiled: a GPU wants all of its functions kernels")
    play = Play(
        games=settings.games or (GAMES_ON_GPU if device == "gpu" else GAMES_ON_CPU),
        simulations=settings.simulations,
        considered=settings.considered,
        cheap_share=settings.cheap_share,
        cheap_simulations=settings.cheap_simulations,
        root_value=settings.root_value,
        random_moves=settings.random_moves,
        longest=settings.longest or 0,
        seed=settings.seed,
    )
    plain = replace(game, priors=no_priors, experience=no_experience)
    given: dict[str, Any] = {"device": device}
    if game.features is not None and game.features.game == "go":
        cells = game.features.cells
        # A game repeats itself seldom, and is cut off if it does.
        play = replace(play, longest=play.longest or 2 * cells - cells // 9)
        plain = replace(plain, hash=no_hash, knowledge=game.knowledge[:RATES].copy())
        given |= {"owners": owners, "has_score": True, "variety": any_komi}
    if device == "cpu" or play.games < TABLES:
        return SelfPlay(plain, play, **given)
    shares = [play.games // TABLES + (number < play.games % TABLES) for number in range(TABLES)]
    return Tables(
        [
            SelfPlay(plain, replace(play, games=share, seed=play.seed + number), **given)
            for number, share in enumerate(shares)
        ]
    )


@kernel
def owners(state: State, knowledge: Knowledge, scratch: Scratch, owned: NDArray[Any]) -> None:  # noqa: ARG001
    """Write who owns each point when a game of Go is over and its score is known."""
    area_owners(state, scratch, FIRST_MARK + 1, owned)


def any_komi(knowledge: Tensor, games: Tensor, generator: torch.Generator) -> None:
    """Give each of the games one of KOMIS."""
    drawn = torch.randint(len(KOMIS), (len(games),), generator=generator)
    komis = torch.tensor(KOMIS, dtype=torch.float64)[drawn]
    knowledge[games, KOMI] = komis.to(knowledge.device)
