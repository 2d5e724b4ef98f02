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
from montego.train.games.rating import RatingMatches
from montego.train.games.selfplay import SelfPlay, SelfPlaySettings
from montego.train.games.tables import Tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.game import GameDefinition
    from montego.train.learning.net import NetShape
    from montego.train.settings import TrainingSettings

GAMES_ON_GPU, GAMES_ON_CPU = 16384, 256
USUAL_CELLS = 81
"""Of the largest board on which so many games at a time are played on a GPU.

On a larger one a position takes longer to judge, and a game has more of them: with fewer games at
a time one takes no longer, as long as there are FEWEST_ON_GPU, so that learning does not wait.
"""
FEWEST_ON_GPU = 2048
"""Games at a time. How much of a GPU fewer would leave idle was not measured."""
TABLES = 2
"""On a GPU: two keep search and network busy, and more have games take longer."""
RATING_GAMES_ON_GPU, RATING_GAMES = 512, 64
RATING_SIMULATIONS = 16
"""Of a move in matches by which a network is rated."""
MOVES_FOR_A_RANDOM_ONE = 30
"""Of the longest game: so many more let a match begin with one more random move, 8 on 9x9."""
KOMIS = (5.5, 6.5, 7.5)
"""What games of Go are played for, one as often as the other."""


def start_selfplay(
    game: GameDefinition, settings: TrainingSettings, device: str
) -> SelfPlay | Tables:
    """Begin to play a game on a device, ``"cpu"`` or ``"gpu"``.

    Raises:
        TrainError: If it cannot be played there.
    """
    games = settings.games or games_on(device, game)
    if device == "cpu" or games < TABLES:
        return make_table(game, settings, device, games=games, seed=settings.seed)
    shares = [games // TABLES + (number < games % TABLES) for number in range(TABLES)]
    return Tables(
        [
            make_table(game, settings, device, games=share, seed=settings.seed + number)
            for number, share in enumerate(shares)
        ]
    )


def games_on(device: str, game: GameDefinition) -> int:
    """Return how many games are played at a time if nobody says it."""
    if device != "gpu":
        return GAMES_ON_CPU
    cells = USUAL_CELLS if game.features is None else max(game.features.cells, USUAL_CELLS)
    return max(GAMES_ON_GPU * USUAL_CELLS**2 // cells**2, FEWEST_ON_GPU)


def start_rating(
    boards: Sequence[GameDefinition], settings: TrainingSettings, shape: NetShape, device: str
) -> RatingMatches | None:
    """Return what rates a run by matches on a device; None if its settings want no rating.

    A match has equal shares of its games on all *boards*, two on each at least. Of moves searched
    less and of the longest searches it has none. Half of its games begin with random moves, so that
    more is asked than the openings that both have come to by themselves.

    Raises:
        TrainError: If the game cannot be played there.
    """
    if settings.rating == 0.0:
        return None
    games = settings.rating_games or (RATING_GAMES_ON_GPU if device == "gpu" else RATING_GAMES)
    share = max(games // len(boards), 2)
    plain = replace(
        settings,
        simulations=min(settings.simulations, RATING_SIMULATIONS),
        cheap_share=0.0,
        late_noise=1.0,
    )
    tables = [
        make_table(
            board,
            replace(plain, random_moves=board.longest_game // MOVES_FOR_A_RANDOM_ONE),
            device,
            games=share,
            seed=settings.seed + TABLES,
        )
        for board in boards
    ]
    where = torch.device("cuda" if device == "gpu" else "cpu")
    return RatingMatches(tables, shape, where, games=share * len(boards), every=settings.rating)


def make_table(
    game: GameDefinition, settings: TrainingSettings, device: str, *, games: int, seed: int
) -> SelfPlay:
    """Return a table of games by the settings of a run.

    Raises:
        TrainError: If the game cannot be played there.
    """
    if device == "gpu" and not all(isinstance(getattr(game, name), Kernel) for name in FUNCTIONS):
        raise TrainError(f"{game.name} is not compiled: a GPU wants all of its functions kernels")
    play = SelfPlaySettings(
        games=games,
        simulations=settings.simulations,
        considered=settings.considered,
        cheap_share=settings.cheap_share,
        cheap_simulations=settings.cheap_simulations,
        root_value=settings.root_value,
        late_noise=settings.late_noise,
        noise_moves=settings.noise_moves,
        random_moves=settings.random_moves,
        longest=settings.longest or 0,
        seed=seed,
    )
    plain = replace(game, priors=no_priors, experience=no_experience)
    given: dict[str, Any] = {"device": device}
    if game.features is not None and game.features.game == "go":
        cells = game.features.cells
        # A game repeats itself seldom, and is cut off if it does.
        play = replace(play, longest=play.longest or 2 * cells - cells // 9)
        plain = replace(plain, hash=no_hash, knowledge=game.knowledge[:RATES].copy())
        given |= {"owners": owners, "has_score": True, "variety": any_komi}
    return SelfPlay(plain, play, **given)


@kernel
def owners(state: State, knowledge: Knowledge, scratch: Scratch, owned: NDArray[Any]) -> None:  # noqa: ARG001
    """Write who owns each point when a game of Go is over and its score is known."""
    area_owners(state, scratch, FIRST_MARK + 1, owned)


def any_komi(knowledge: Tensor, games: Tensor, generator: torch.Generator) -> None:
    """Give each of the games one of KOMIS."""
    drawn = torch.randint(len(KOMIS), (len(games),), generator=generator)
    komis = torch.tensor(KOMIS, dtype=torch.float64)[drawn]
    knowledge[games, KOMI] = komis.to(knowledge.device)
