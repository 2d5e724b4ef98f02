"""Playouts of any game on a CPU or GPU, and the searches that make them in blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from montego.games.connect_four import connect_four
from montego.games.hex import hex_game
from montego.games.tic_tac_toe import tic_tac_toe
from montego.jit import interpreted
from montego.jit.errors import DeviceError
from montego.jit.gpu import device
from montego.jit.state import RANDOM, new_scratch
from montego.mcts.errors import InvalidConfig, MctsError
from montego.mcts.game import GameDefinition, alternating, no_playout
from montego.mcts.sampling.blocks import flat_search, leaf_search
from montego.mcts.sampling.playouts import Outcome, Playouts
from montego.mcts.sampling.tally import SUMS, TAKEN, tally_games

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.jit.state import State
    from montego.mcts.report import SearchResult

GAMES = {
    "tic-tac-toe": tic_tac_toe(),
    "without a playout of its own": replace(tic_tac_toe(), playout=no_playout),
    "Connect 4": connect_four(),
    "Hex": hex_game(3),
}
EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
BOTH_SEARCHES = pytest.mark.parametrize("search", [flat_search, leaf_search])


def after(game: GameDefinition, *moves: int) -> State:
    state, scratch = game.initial_state(), new_scratch(game.longest_game, 0, game.scratch_room)
    for move in moves:
        game.play(state, game.knowledge, scratch, move)
    return state


def plain(game: GameDefinition) -> GameDefinition:
    """The same game in plain Python."""
    names = ["legal_moves", "play", "score"] + ["playout"] * (game.playout is not no_playout)
    twins: dict[str, Any] = {name: interpreted(getattr(game, name)) for name in names}
    return replace(game, **twins)


@EVERY_GAME
def test_playouts_are_counted_for_each_position(game: GameDefinition) -> None:
    states = [game.initial_state(), after(game, 1)]
    outcomes = Playouts(game, threads=2).play(states, 501)

    assert [outcome.playouts for outcome in outcomes] == [501, 501]
    for outcome in outcomes:
        assert 0 < outcome.value < 1
        assert -1 <= outcome.mean_score <= 1
        assert outcome.moves >= 501


@pytest.mark.small_boards
@EVERY_GAME
def test_compiled_and_interpreted_games_are_the_same(game: GameDefinition) -> None:
    states = [game.initial_state()]
    compiled = Playouts(game, seed=2).play(states, 20)

    assert Playouts(plain(game), seed=2).play(states, 20) == compiled
    assert Playouts(game, seed=3).play(states, 20) != compiled


def test_a_finished_game_has_its_result() -> None:
    game = tic_tac_toe()
    won = after(game, 0, 3, 1, 4, 2)

    assert Playouts(game).play([won], 10) == [Outcome(10, 10.0, 10.0, 0)]


def test_what_does_not_fit_is_refused() -> None:
    game = tic_tac_toe()
    with pytest.raises(InvalidConfig, match="say at least 1"):
        Playouts(game, threads=0)
    with pytest.raises(InvalidConfig, match="is not compiled"):
        Playouts(plain(game), threads=2)
    with pytest.raises(InvalidConfig, match="invalid number of playouts 0"):
        Playouts(game).play([game.initial_state()], 0)
    with pytest.raises(MctsError, match="a position of tic-tac-toe has"):
        Playouts(game).play([np.zeros(3, np.int32)], 1)


# Searches.

# X to move wins at 2 at once; O threatens 5.
#   X X .
#   O O .
#   . . .
THREATS = (0, 3, 1, 4)


@BOTH_SEARCHES
def test_a_win_in_one_is_found(search: Callable[..., SearchResult]) -> None:
    game = tic_tac_toe()
    result = search(Playouts(game), after(game, *THREATS), simulations=3000, block=50)

    assert result.move == 2
    assert result.value > 0.9
    assert result.simulations >= 3000
    assert result.candidates[0].move == 2


def test_the_second_player_wins_for_itself() -> None:
    game = tic_tac_toe()
    state = after(game, 0, 3, 1, 4, 8)
    result = leaf_search(Playouts(game), state, simulations=10_000, block=20)

    assert game.to_play(state) == 1
    assert result.move == 5
    assert result.value > 0.9


def test_a_tree_comes_nearer_to_the_truth_than_flat_playouts() -> None:
    game = tic_tac_toe()
    given = Playouts(game), after(game, 4, 0)  # A draw.
    flat = flat_search(*given, simulations=30_000, block=10)
    tree = leaf_search(*given, simulations=30_000, block=10)

    assert abs(tree.value - 0.5) < abs(flat.value - 0.5)
    assert len(tree.variation) >= 3


@BOTH_SEARCHES
def test_a_finished_game_has_no_move(search: Callable[..., SearchResult]) -> None:
    game = tic_tac_toe()
    result = search(Playouts(game), after(game, 0, 3, 1, 4, 2), simulations=10)

    assert result.move is None
    assert result.candidates == ()


@BOTH_SEARCHES
def test_a_search_without_an_end_is_refused(search: Callable[..., SearchResult]) -> None:
    with pytest.raises(InvalidConfig, match="say when to end"):
        search(Playouts(tic_tac_toe()))


# In the simulator.


@pytest.mark.cuda_simulator
@EVERY_GAME
def test_every_game_is_the_same_in_the_simulator(game: GameDefinition) -> None:
    from montego.jit.gpu import random_starts

    states = [game.initial_state(), after(game, 1)]
    found = Playouts(game, device="gpu", games=6, seed=4).play(states, 3)

    flags = int(game.playout is not no_playout), int(game.turn is not alternating)
    starts = random_starts(4, 6)
    for number, outcome in enumerate(found):
        sums = np.zeros(SUMS)
        for start in starts[3 * number : 3 * number + 3]:
            scratch = new_scratch(game.longest_game, 0, game.scratch_room)
            scratch[RANDOM] = start
            functions: list[Any] = [getattr(game, name) for name in TAKEN]
            arguments = (
                *functions,
                np.array(states, np.int32).ravel(),
                np.array([number], np.int32),
                states[0].copy(),
                game.knowledge,
                scratch,
                np.zeros(game.move_count, np.int32),
                sums,
                1,
                *flags,
            )
            tally_games(*arguments)
        assert outcome == Outcome(3, sums[0], sums[1], int(sums[2]))


@pytest.mark.cuda_simulator
def test_more_playouts_than_places_are_made_in_rounds() -> None:
    game = tic_tac_toe()
    states = [game.initial_state()] * 3

    assert [o.playouts for o in Playouts(game, device="gpu", games=2).play(states, 2)] == [2] * 3
    assert [o.playouts for o in Playouts(game, device="gpu", games=7).play(states, 5)] == [6] * 3


@pytest.mark.cuda_simulator
def test_a_win_in_one_is_found_in_the_simulator() -> None:
    game = tic_tac_toe()
    playouts = Playouts(game, device="gpu", games=20)
    result = leaf_search(playouts, after(game, *THREATS), simulations=300, block=5, leaves=4)

    assert playouts.device == "gpu"
    assert result.move == 2


@pytest.mark.cuda_simulator
def test_a_game_in_plain_python_is_refused_on_a_gpu() -> None:
    with pytest.raises(InvalidConfig, match="is not compiled"):
        Playouts(plain(tic_tac_toe()), device="gpu")


class Gone:
    """Stands for arrays on a GPU that has none of its memory left, or that fails later."""

    has_room = True

    def __init__(self, *_arguments: object) -> None:
        if not self.has_room:
            raise DeviceError("the GPU has too little memory for so many games")

    def play(self, *_arguments: object) -> None:
        raise DeviceError("the GPU failed: it is gone")


@pytest.mark.parametrize(
    ("has_room", "line"), [(False, "too little memory .*; the CPU goes on"), (True, "it is gone")]
)
def test_a_gpu_that_fails_leaves_the_playouts_to_the_cpu(
    monkeypatch: pytest.MonkeyPatch, line: str, *, has_room: bool
) -> None:
    game = tic_tac_toe()
    states = [game.initial_state(), after(game, 1)]
    monkeypatch.setattr(device, "has_gpu", lambda: True)
    monkeypatch.setattr(device, "load_cuda", lambda: None)
    monkeypatch.setattr(Gone, "has_room", has_room)
    monkeypatch.setattr("montego.mcts.sampling.playouts._GpuPlayer", Gone)

    def played() -> tuple[str, list[Outcome]]:
        playouts = Playouts(game, device="auto", seed=7)
        outcomes = playouts.play(states, 50)
        return playouts.device, outcomes

    with pytest.warns(RuntimeWarning, match=line):
        found = played()
    assert found == ("cpu", Playouts(game, seed=7).play(states, 50))
    with pytest.raises(DeviceError):
        Playouts(game, device="gpu").play(states, 50)


def test_a_game_in_plain_python_takes_the_cpu_though_there_is_a_gpu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(device, "has_gpu", lambda: True)
    playouts = Playouts(plain(tic_tac_toe()), device="auto")

    assert playouts.device == "cpu"


# On a real GPU.


@pytest.mark.gpu
@EVERY_GAME
def test_values_on_a_gpu_are_those_of_the_cpu(game: GameDefinition) -> None:
    states = [game.initial_state(), after(game, 1)]
    on_gpu = Playouts(game, device="gpu").play(states, 200_000)
    on_cpu = Playouts(game).play(states, 200_000)

    for one, other in zip(on_gpu, on_cpu, strict=True):
        assert one.value == pytest.approx(other.value, abs=0.01)
        assert one.moves / one.playouts == pytest.approx(other.moves / other.playouts, rel=0.01)
