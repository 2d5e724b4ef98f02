"""Games in which a player may move twice, wins in one, evaluations, and whether a game is one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from mcts_checks import check_tree
from montego.games import make_game
from montego.jit import Kernel, interpreted, kernel
from montego.jit.index import Index
from montego.jit.state import MOVE_BITS, TRACE, new_scratch
from montego.mcts import Config, GameDefinition, InvalidGame, MoveLimit, Search, check_game
from montego.mcts.game import alternating
from montego.mcts.kernels import simulation

HEAP, PLAYER = 0, 1
MOST = 3


# Take one, two or three stones from a heap; who takes exactly one moves again. Who takes the last
# stone wins.


@kernel
def legal_moves(state: Any, knowledge: Any, scratch: Any, moves: Any) -> int:  # noqa: ARG001
    count = min(MOST, int(state[HEAP]))
    for move in range(count):
        moves[move] = move
    return count


@kernel
def play(state: Any, knowledge: Any, scratch: Any, move: int) -> None:  # noqa: ARG001
    state[HEAP] -= move + 1
    if move > 0 or state[HEAP] == 0:
        state[PLAYER] = 1 - state[PLAYER]


@kernel
def score(state: Any, knowledge: Any, scratch: Any) -> float:  # noqa: ARG001
    return 1.0 if state[PLAYER] == 1 else -1.0


@kernel
def turn(state: Any, knowledge: Any, scratch: Any) -> int:  # noqa: ARG001
    return int(state[PLAYER])


FUNCTIONS: list[Kernel[..., Any]] = [legal_moves, play, score, turn]
PLAIN: dict[str, Any] = {function.__name__: interpreted(function) for function in FUNCTIONS}


def heap_of(stones: int, player: int = 0, **more: Any) -> GameDefinition:
    fields: dict[str, Any] = {
        "name": "a heap",
        "initial_state": lambda: np.array([stones, player], np.int32),
        "legal_moves": legal_moves,
        "play": play,
        "score": score,
        "to_play": lambda state: int(state[PLAYER]),
        "turn": turn,
        "move_count": MOST,
        "longest_game": 20,
    }
    return GameDefinition(**fields | more)


@cache
def is_won(stones: int) -> bool:
    """Whether the player to move wins, by trying everything."""
    moves = range(1, min(MOST, stones) + 1)
    again = any(taken == 1 and stones > 1 and is_won(stones - 1) for taken in moves)
    last = any(taken == stones for taken in moves)
    return again or last or any(taken > 1 and not is_won(stones - taken) for taken in moves)


@pytest.mark.small_boards
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("stones", range(1, 13))
def test_proofs_are_right_where_a_player_moves_twice(stones: int, player: int) -> None:
    search = Search(heap_of(stones, player), Config(simulations=4000, solver=True, seed=3))
    assert search.run().proof == ("win" if is_won(stones) else "loss")


@pytest.mark.small_boards
@pytest.mark.parametrize("selection", ["ucb1", "rave-mse", "ucb1-tuned"])
@pytest.mark.parametrize("player", [0, 1])
def test_values_are_those_of_the_player_who_makes_the_move(selection: str, player: int) -> None:
    # Nobody can take all of 4, and 1 again and again is the way to win.
    config = Config(simulations=3000, selection=selection, seed=5, early_stop=False)
    search = Search(heap_of(4, player), config)
    result = search.run()
    assert result.move == 0
    assert result.value > 0.9
    assert result.variation[:2] == (0, 2)


@pytest.mark.small_boards
def test_all_moves_as_first_know_who_played_what() -> None:
    scratch = new_scratch(20, 1)
    game = heap_of(6)
    state, moves = game.initial_state(), np.zeros(MOST, np.int32)
    run: Any = interpreted(simulation.play_randomly)
    run(*PLAIN.values(), state, game.knowledge, scratch, moves, 1)
    stones, player = 6, 0
    for word in scratch[TRACE : TRACE + int(scratch[1])]:
        move, mover = int(word) & 3, int(word >> Index(MOVE_BITS))
        assert mover == player
        stones -= move + 1
        player = player if move == 0 and stones else 1 - player
    assert stones == 0


@pytest.mark.small_boards
def test_compiled_and_interpreted_trees_are_the_same_where_a_player_moves_twice() -> None:
    found = []
    for game in (heap_of(9), heap_of(9, **PLAIN)):
        search = Search(game, Config(simulations=300, selection="rave-mse", seed=2))
        result = search.run()
        check_tree(search.tree, values=False)
        found.append([(each.move, each.visits, each.amaf_value) for each in result.candidates])
    assert found[0] == found[1]


def test_limits_hold_for_the_player_and_not_for_the_turn() -> None:
    search = Search(heap_of(5), Config(simulations=400, seed=1, decisive=False))
    search.run(limits=[MoveLimit(moves=frozenset({2}), depth=9)])
    again = search.root().candidate(search.root().moves.tolist().index(0))
    assert again.visits > 0
    below = search.root().child(search.root().moves.tolist().index(0))
    assert below is not None
    assert 2 not in below.moves  # The same player moves again, and is still limited.


# --- Wins in one ---


def open_four(size: int = 15) -> GameDefinition:
    """Five in a row wins, on a large board where the player to move has four in a row."""
    cells = size * size
    start = [7 * size + column for column in range(4, 8)]

    @kernel
    def moves_of(state: Any, knowledge: Any, scratch: Any, moves: Any) -> int:  # noqa: ARG001
        last = int(state[cells + 1])
        if last >= 0 and has_five(state, last):
            return 0
        count = 0
        for cell in range(cells):
            if state[cell] == 0:
                moves[count] = cell
                count += 1
        return count

    @kernel
    def put(state: Any, knowledge: Any, scratch: Any, move: int) -> None:  # noqa: ARG001
        state[move] = 1 + state[cells]
        state[cells] = 1 - state[cells]
        state[cells + 1] = move

    @kernel
    def result(state: Any, knowledge: Any, scratch: Any) -> float:  # noqa: ARG001
        last = int(state[cells + 1])
        if last >= 0 and has_five(state, last):
            return 1.0 if state[last] == 1 else -1.0
        return 0.0

    @kernel
    def has_five(state: Any, last: int) -> bool:
        row, column = last // size, last % size
        for way in range(4):
            down, right = (0, 1, 1, 1)[way], (1, 0, 1, -1)[way]
            run = 1
            for sign in (-1, 1):
                at_row, at_column = row + sign * down, column + sign * right
                while (
                    0 <= at_row < size
                    and 0 <= at_column < size
                    and state[at_row * size + at_column] == state[last]
                ):
                    run += 1
                    at_row += sign * down
                    at_column += sign * right
            if run >= 5:
                return True
        return False

    def initial_state() -> Any:
        state = np.zeros(cells + 2, np.int32)
        state[cells + 1] = -1
        state[start] = 1
        state[[size * line for line in range(4)]] = 2
        return state

    return GameDefinition(
        name="five in a row",
        initial_state=initial_state,
        legal_moves=moves_of,
        play=put,
        score=result,
        to_play=lambda state: int(state[cells]),
        move_count=cells,
        longest_game=cells,
    )


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("selection", ["ucb1", "rave-mse"])
def test_a_move_that_wins_at_once_is_taken_when_it_is_first_tried(
    selection: str, *, solver: bool
) -> None:
    game = open_four()
    wins = 0
    for seed in range(20):
        config = Config(simulations=217, selection=selection, solver=solver, seed=seed)
        result = Search(game, config).run()
        wins += result.move in (7 * 15 + 3, 7 * 15 + 8)
    assert wins == 20


def test_a_loss_in_one_is_avoided_once_it_was_seen() -> None:
    # The other player has the open four's ends to lose: tic-tac-toe, X threatens one line.
    game = make_game("tic-tac-toe")
    for seed in range(10):
        search = Search(game, Config(simulations=400, seed=seed))
        for move in (0, 4, 1):
            search.play(move)
        assert search.run().move == 2


def test_without_decisive_moves_nothing_is_proven() -> None:
    search = Search(make_game("tic-tac-toe"), Config(simulations=400, decisive=False))
    for move in (0, 3, 1, 4):
        search.play(move)
    assert search.run().proof is None


# --- Evaluations ---


@kernel
def by_stones(
    state: Any,
    knowledge: Any,  # noqa: ARG001
    scratch: Any,  # noqa: ARG001
    moves: Any,  # noqa: ARG001
    count: int,
    chances: Any,
) -> float:
    for rank in range(count):
        chances[rank] = 1.0 / count
    return 0.75 if state[HEAP] % 2 == 0 else 0.25


@pytest.mark.small_boards
@pytest.mark.parametrize("weight", [0.25, 1.0])
def test_an_evaluation_is_backed_up_alone_or_beside_a_playout(weight: float) -> None:
    game = heap_of(8, evaluate=by_stones)
    search = Search(game, Config(simulations=1, evaluation=weight))
    search.run()
    assert search.root().is_expanded
    assert search.root().prior_values.tolist() == pytest.approx([1 / 3] * 3)
    search.run(simulations=3)
    rewards = search.root().rewards
    if weight == 1.0:
        # 7 stones and the same player again; 6 and 5 and the other one.
        means = dict(zip(search.root().moves.tolist(), rewards.tolist(), strict=True))
        assert means == pytest.approx({0: 0.25, 1: 0.25, 2: 0.75}, abs=1e-6)
    check_tree(search.tree, values=False)


@pytest.mark.small_boards
def test_an_evaluation_without_weight_changes_nothing() -> None:
    trees = [
        Search(game, Config(simulations=200, seed=4)).run().candidates
        for game in (heap_of(9), heap_of(9, evaluate=by_stones))
    ]
    assert trees[0] == trees[1]


def test_an_evaluation_in_plain_python_needs_no_compiler() -> None:

    def evaluate(
        state: Any, _knowledge: Any, _scratch: Any, _moves: Any, count: int, chances: Any
    ) -> float:
        chances[:count] = 1.0 / count
        return float(is_won(int(state[HEAP])))

    game = heap_of(5, evaluate=evaluate, **PLAIN)
    result = Search(game, Config(simulations=300, evaluation=1.0, selection="puct")).run()
    assert result.move == 0
    assert result.value > 0.8


# --- Is it a game? ---


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "hex"])
def test_the_games_that_come_along_are_games(name: str) -> None:
    check_game(make_game(name), games=10)


def test_a_game_with_turns_of_its_own_is_one() -> None:
    check_game(heap_of(9, evaluate=by_stones), games=20)


def twice(state: Any, _knowledge: Any, _scratch: Any, moves: Any) -> int:
    moves[:2] = 0
    return 2 if state[HEAP] else 0


def beyond(state: Any, _knowledge: Any, _scratch: Any, moves: Any) -> int:
    moves[0] = MOST
    return 1 if state[HEAP] else 0


def sums_to_half(
    _state: Any, _knowledge: Any, _scratch: Any, _moves: Any, count: int, chances: Any
) -> float:
    chances[:count] = 0.5 / count
    return 0.5


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"turn": alternating}, "the same player is to move again"),
        ({"to_play": lambda state: 1 - int(state[PLAYER])}, "turn says 0 and to_play 1"),
        ({"to_play": lambda _state: 2}, "to_play says 2"),
        ({"legal_moves": twice}, "lists a move twice"),
        ({"legal_moves": beyond}, "moves go from 0 to 2"),
        ({"play": lambda *_: None}, "play changes nothing"),
        ({"score": lambda *_: float("nan")}, "score is nan"),
        ({"evaluate": sums_to_half}, "add up to 0.5"),
        ({"hash": lambda *_: -1}, "hash says -1"),
        ({"parse_move": lambda _state, _text: 7}, "is read as 7"),
        ({"initial_state": lambda: np.zeros(2)}, "a flat array of int32"),
    ],
)
def test_what_is_no_game_is_told_in_a_line(wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidGame, match=complaint):
        check_game(replace(heap_of(9, **PLAIN), **wrong), games=30)
