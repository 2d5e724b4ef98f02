"""Compile every kernel, in groups that a progress bar can name.

Each group is compiled by calling it on the smallest board: the types are then right by
construction. What is in the cache already is only loaded.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from montego.engine.knowledge.definition import go_game
from montego.engine.knowledge.experience import key_of
from montego.engine.knowledge.judged import open_network
from montego.engine.options.options import DEFAULT_BOOK, DEFAULT_NETWORK, FEW, Options
from montego.engine.player import Player
from montego.games import GAMES
from montego.go.kernels.layout import empty_state, point_at
from montego.go.kernels.position import move_fault, play, position_hash
from montego.go.playout.policy import POLICIES
from montego.go.sampling.run import sample_playouts
from montego.go.vocabulary.color import BLACK
from montego.go.vocabulary.vertex import MAX_SIZE
from montego.mcts.config import WITHOUT_EVALUATION, Config
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.mcts.game import GameDefinition

SMALL = 3
PLAYED = 5  # A board on which a move is worth thinking about.


def compile_kernels(progress: Callable[[float, str], None]) -> int:
    """Compile all kernels and return the number of groups.

    *progress* is told the part done and what comes next.
    """
    steps: list[tuple[str, Callable[[], object]]] = [
        ("player", partial(compile_player, Options(network=None))),
        ("board", _compile_board),
        ("experience", _compile_experience),
        ("network", partial(compile_player, Options(network=DEFAULT_NETWORK))),
    ]
    steps += [
        (f"{name} playouts", partial(sample_playouts, empty_state(SMALL), name, count=1))
        for name in POLICIES
    ]
    for selection in WITHOUT_EVALUATION:
        steps.append((f"{selection} search", partial(_compile_search, go_game(SMALL), selection)))
    for rules in ("tromp-taylor", "aga"):
        steps.append((f"{rules} Go", partial(_compile_search, go_game(SMALL, rules=rules), "ucb1")))
    for name, game in GAMES.items():
        steps.append((name, partial(_compile_search, game.make(), "rave-mse")))
    for number, (label, compile_group) in enumerate(steps):
        progress(number / len(steps), label)
        compile_group()
    progress(1.0, "done")
    return len(steps)


def compile_player(options: Options) -> None:
    """Let a player with these options make a move and count, on a small board.

    With a network two moves: it chooses moves in another way where simulations are few.
    """
    quick = options.replace(
        simulations=10, seconds=None, threads=1, memory=50.0, ponder=False, level=None
    )
    player = Player(quick)
    try:
        player.new_game(_small_board(quick))
        player.genmove("black")
        if quick.network is not None:
            player.configure(quick.replace(simulations=FEW + 1))
            player.genmove("white")
        player.final_score()
    finally:
        player.close()


def _small_board(options: Options) -> int:
    """Return the smallest board on which the network of the options judges; a small one if none."""
    for size in range(PLAYED, MAX_SIZE + 1):
        path = options.network_path(size)
        if path is not None and open_network(path).description.has_size((size, size)):
            return size
    return PLAYED


def _compile_board() -> None:
    state = empty_state(SMALL)
    point = point_at(1, 1, SMALL)
    # By their dispatchers: called in the usual way these run interpreted at first.
    move_fault.dispatcher(state, point, BLACK)
    play.dispatcher(state, point, BLACK)
    position_hash.dispatcher(state)


def _compile_experience() -> None:
    """Compile what a player with a book needs more than one without; the browser's has one."""
    key_of(empty_state(SMALL))
    options = Options(book=DEFAULT_BOOK)
    _compile_search(options.game_definition(SMALL), str(options.search_config(SMALL).selection))


def _compile_search(game: GameDefinition, selection: str) -> None:
    search = Search(game, Config(simulations=2, selection=selection, memory=10.0))
    search.play(search.run().candidates[0].move)
