"""What a search is given by its user: refused in one line, or understood as it was meant."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from montego.games import make_game
from montego.games.hex import hex_game
from montego.jit import compile_off, kernel
from montego.mcts import Config, GameDefinition, Search
from montego.mcts.errors import InvalidConfig, MctsError


def legal_moves(state: Any, _knowledge: Any, _scratch: Any, moves: Any) -> int:
    if state[1] >= 1:
        return 0
    for move in range(2):
        moves[move] = move
    return 2


def play(state: Any, _knowledge: Any, _scratch: Any, move: int) -> None:
    state[0] = move
    state[1] += 1


def heavier_wins(state: Any, knowledge: Any, _scratch: Any) -> float:
    return 1.0 if knowledge[state[0]] >= 5.0 else -1.0


def choice(*, compiled: bool = True) -> GameDefinition:
    """A game of one move; what each is worth is in the knowledge."""
    ready = kernel if compiled else (lambda function: function)
    return GameDefinition(
        name="choice",
        initial_state=lambda: np.zeros(2, np.int32),
        legal_moves=ready(legal_moves),
        play=ready(play),
        score=ready(heavier_wins),
        to_play=lambda state: int(state[1]) % 2,
        move_count=2,
        longest_game=1,
        knowledge=np.array([1.0, 9.0]),
    )


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    "knowledge",
    [
        np.array([1.0, 9.0]),
        np.array([1, 9]),
        np.array([1.0, 0.0, 9.0, 0.0])[::2],
        np.array([1, 9], np.float32),
        [1, 9.0],
    ],
    ids=["float64", "int64", "strided", "float32", "list"],
)
def test_knowledge_of_any_shape_means_the_same_compiled(knowledge: Any, *, compiled: bool) -> None:
    game = replace(choice(compiled=compiled), knowledge=knowledge)
    assert Search(game, Config(simulations=100, solver=True)).run().proof == "win"


def test_knowledge_that_fits_is_not_copied() -> None:
    knowledge = np.array([1.0, 9.0])
    assert replace(choice(), knowledge=knowledge).knowledge is knowledge


@pytest.mark.parametrize("knowledge", [["a"], None, [[1.0], [1.0, 2.0]]])
def test_knowledge_that_is_none_is_refused(knowledge: Any) -> None:
    with pytest.raises(InvalidConfig, match="invalid knowledge of choice: say a flat array"):
        replace(choice(), knowledge=knowledge)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ([0], "a position of choice has 2 numbers"),
        ([[0, 0]], "a position of choice has 2 numbers"),
        ([[0], [0, 0]], "a position of choice has 2 numbers"),
        ([1.7, 0], "whole numbers of 32 bits"),
        ([2**32 + 1, 0], "whole numbers of 32 bits"),
        (["a", "b"], "whole numbers of 32 bits"),
        (None, "a flat array of numbers"),
    ],
)
def test_what_is_no_position_is_refused(state: Any, message: str) -> None:
    game = choice()
    if state is not None:
        with pytest.raises(MctsError, match=message):
            Search(game, state=state)
        search = Search(game)
        with pytest.raises(MctsError, match=message):
            search.set_state(state)
        assert search.state.tolist() == [0, 0]
    else:
        beginning: Any = lambda: state  # noqa: E731
        with pytest.raises(MctsError, match=message):
            Search(replace(game, initial_state=beginning))


def test_a_list_is_a_position() -> None:
    beginning: Any = lambda: [0, 0]  # noqa: E731
    state: Any = [1, 0]
    assert Search(choice(), state=np.array([1.0, 0.0])).state.tolist() == [1, 0]
    search = Search(replace(choice(), initial_state=beginning), state=state)
    assert search.state.dtype == np.int32
    assert search.legal_moves() == [0, 1]


@pytest.mark.parametrize("value", [-1, 2**64, 1.5, "a"])
def test_what_is_no_hash_is_refused(value: Any) -> None:
    with pytest.raises(MctsError, match="is no hash: say a whole number from 0"):
        Search(choice(), history=[value])


@pytest.mark.skipif(compile_off(), reason="nothing is compiled")
def test_functions_that_cannot_be_compiled_are_told_in_a_line() -> None:
    @kernel
    def no_such(state: Any, _knowledge: Any, _scratch: Any, _moves: Any) -> int:
        return len(state.no_such_thing)

    @kernel
    def too_few(_state: Any, _knowledge: Any) -> float:
        return 0.0

    search = Search(replace(choice(), legal_moves=no_such))
    for call in (search.legal_moves, lambda: search.play(1), lambda: search.run(simulations=1)):
        with pytest.raises(InvalidConfig, match="cannot compile this search") as refused:
            call()
        assert "\n" not in str(refused.value)
    strange: Any = too_few
    with pytest.raises(InvalidConfig, match="cannot compile this search: Signature mismatch"):
        Search(replace(choice(), score=strange)).run(simulations=1)


@pytest.mark.parametrize("size", ["5", 5.5, [5]])
def test_a_size_that_is_no_number_is_refused(size: Any) -> None:
    with pytest.raises(ValueError, match="invalid size"):
        hex_game(size)
    with pytest.raises(ValueError, match="invalid size"):
        make_game("hex", size=size)


@pytest.mark.parametrize("score", [0.05, 0.99, -3.3])
def test_the_mean_of_any_score_is_told(score: float) -> None:
    game = replace(choice(compiled=False), score=lambda *_: score)
    assert Search(game, Config(simulations=50)).run().mean_score == pytest.approx(score, abs=1e-3)
