"""What a network is shown of a game: tables that fit, symmetries that mean the same, defaults."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from montego.engine.knowledge.definition import go_game
from montego.games.connect_four import connect_four
from montego.games.hex import hex_game
from montego.games.tic_tac_toe import tic_tac_toe
from montego.jit import Kernel, interpreted
from montego.jit.state import new_scratch
from montego.mcts.features import (
    Features,
    InvalidFeatures,
    default_features,
    square_symmetries,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from montego.jit.state import State
    from montego.mcts.game import GameDefinition

GAMES = {
    "tic-tac-toe": tic_tac_toe(),
    "connect-four": connect_four(),
    "hex": hex_game(4),
    "hex without swap": hex_game(3, swap=False),
    "go": go_game(4),
}
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def features_of(game: GameDefinition) -> Features:
    assert game.features is not None
    return game.features


def scratch_of(game: GameDefinition) -> Any:
    return new_scratch(game.longest_game, 0, game.scratch_room)


def legal(game: GameDefinition, state: State) -> list[int]:
    moves = np.empty(game.move_count, np.int32)
    count = game.legal_moves(state.copy(), game.knowledge, scratch_of(game), moves)
    return [int(move) for move in moves[:count]]


def after(game: GameDefinition, state: State, move: int) -> State:
    copy = state.copy()
    game.play(copy, game.knowledge, scratch_of(game), move)
    return copy


def positions(game: GameDefinition, games: int = 3, seed: int = 0) -> Iterator[State]:
    dice = random.Random(seed)
    for _ in range(games):
        state = game.initial_state()
        for _ in range(min(game.longest_game, 30)):
            yield state
            moves = legal(game, state)
            if not moves:
                break
            state = after(game, state, dice.choice(moves))


def shown(game: GameDefinition, state: State, write: Any = None) -> tuple[int, NDArray[Any]]:
    features = features_of(game)
    planes = np.full(features.planes * features.cells, np.nan, np.float32)
    before = state.copy()
    view = (write or features.write)(state, game.knowledge, scratch_of(game), planes)
    np.testing.assert_array_equal(state, before)
    return int(view), planes.reshape(features.planes, features.cells)


@every_game
def test_all_planes_are_written_and_the_twin_writes_the_same(game: GameDefinition) -> None:
    write = features_of(game).write
    assert isinstance(write, Kernel)
    for state in positions(game):
        view, planes = shown(game, state)
        assert np.isfinite(planes).all()
        assert planes[-1].tolist() == [1.0] * planes.shape[1]
        other_view, others = shown(game, state, interpreted(write))
        assert view == other_view
        np.testing.assert_array_equal(planes, others)


@every_game
def test_players_see_their_own_stones_first(game: GameDefinition) -> None:
    """What was the opponent's before a move without a capture is the player's own after it."""
    for state in positions(game):
        for move in legal(game, state)[:3]:
            _, planes = shown(game, state)
            _, following = shown(game, after(game, state, move))
            if features_of(game).game == "hex":
                size = features_of(game).height
                following = following.reshape(-1, size, size).swapaxes(1, 2).reshape(-1, size**2)
                if move == size * size:
                    continue
            if following[:2].sum() == planes[:2].sum() + 1:
                np.testing.assert_array_equal(planes[1], following[0])
                assert (following[1] - planes[0]).sum() == 1


@every_game
def test_a_move_on_a_cell_has_that_cells_output_in_every_view_and_symmetry(
    game: GameDefinition,
) -> None:
    features = features_of(game)
    readings = features.readings()
    assert readings.shape == (len(features.views), len(features.symmetries), game.move_count)
    tried = 0
    for state in positions(game):
        view, planes = shown(game, state)
        for move in legal(game, state):
            # The cell that is the player's after the move, as the player saw the board before.
            _, following = shown(game, after(game, state, move))
            if features.game == "hex":
                size = features.height
                following = following.reshape(-1, size, size).swapaxes(1, 2).reshape(-1, size**2)
            gained = np.flatnonzero((following[1] > 0) & (planes[0] == 0) & (planes[1] == 0))
            if len(gained) != 1 or (features.game == "hex" and move == features.cells):
                continue
            for number, symmetry in enumerate(features.symmetries):
                place = int(np.flatnonzero(symmetry == gained[0])[0])  # in the image
                output = int(readings[view, number, move])
                assert output == (place if features.by_cell else place % features.width)
                tried += 1
    assert tried > 50


@every_game
def test_symmetric_positions_are_shown_as_symmetric_images(game: GameDefinition) -> None:
    """A game of moves and the game of their images show, move by move, an image of each other."""
    features = features_of(game)
    perms = features.output_permutations()
    dice = random.Random(1)
    move_of = {int(output): move for move, output in enumerate(features.outputs) if output >= 0}
    for number in range(len(features.symmetries)):
        state = mirrored = game.initial_state()
        for _ in range(min(game.longest_game, 20)):
            view, planes = shown(game, state)
            other_view, image = shown(game, mirrored)
            assert view == other_view
            np.testing.assert_array_equal(planes[:, features.symmetries[number]], image)
            moves = legal(game, state)
            if not moves:
                break
            move = dice.choice(moves)
            # Through the view and the symmetry, and back through the view.
            output = int(perms[number, features.views[view, features.outputs[move]]])
            back = int(np.flatnonzero(features.views[view] == output)[0])
            assert move_of[back] in legal(game, mirrored)
            state, mirrored = after(game, state, move), after(game, mirrored, move_of[back])


def test_a_square_has_eight_symmetries() -> None:
    for size in (2, 3, 9):
        table = square_symmetries(size)
        assert len({tuple(row) for row in table.tolist()}) == 8
        corners = {0, size - 1, size * (size - 1), size * size - 1}
        assert all(set(row[list(corners)].tolist()) == corners for row in table)


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no planes": ({"planes": 0}, "a size below 1"),
    "fewer outputs than cells": ({"policy": 8}, "9 cells, but 8 outputs"),
    "an output too many": ({"outputs": np.arange(1, 10)}, "not from -1 to 8"),
    "a cell twice": ({"symmetries": np.zeros((1, 9))}, "no order of 9 numbers"),
    "a row too short": ({"symmetries": np.arange(8)[None]}, "no order of 9 numbers"),
    "a first row that turns": ({"symmetries": np.arange(9)[None, ::-1]}, "changes something"),
    "views of another game": ({"views": np.arange(5)[None]}, "no order of 9 numbers"),
    "symmetries of cells alone": ({"by_cell": False}, "what symmetries do to its outputs"),
    "fewer symmetries of outputs": (
        {"output_symmetries": np.arange(9)[None]},
        "a symmetry for cells that outputs do not have",
    ),
}


@pytest.mark.parametrize(("change", "reason"), BROKEN.values(), ids=BROKEN)
def test_tables_that_do_not_fit_are_refused(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidFeatures, match=reason):
        replace(features_of(tic_tac_toe()), **change)


def test_default_features_show_every_value_and_whose_turn_it_is() -> None:
    game = tic_tac_toe()
    features = default_features(game, board=(3, 3))
    assert (features.planes, features.policy, len(features.symmetries)) == (4, 9, 1)
    game = replace(game, features=features)
    state = after(game, game.initial_state(), 4)
    view, planes = shown(game, state)
    middle = [0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert view == 0
    assert planes.tolist() == [[1 - cell for cell in middle], middle, [0] * 9, [1] * 9]
    assert shown(game, after(game, state, 0))[1][3].max() == 0
    assert isinstance(features.write, Kernel)
    np.testing.assert_array_equal(shown(game, state, interpreted(features.write))[1], planes)


def test_default_features_say_why_there_are_none() -> None:
    game = tic_tac_toe()
    for board, reason in (((4, 3), "no board of 4 by 3"), ((0, 3), "no board of 0 by 3")):
        with pytest.raises(InvalidFeatures, match=reason):
            default_features(game, board=board)
    with pytest.raises(InvalidFeatures, match="more than 16: write features"):
        default_features(connect_four(), board=(1, 2))
    timeless = replace(game, to_play=lambda state: int((state[0] > 0) != (state[4] > 0)))
    with pytest.raises(InvalidFeatures, match="nothing in a state of tic-tac-toe tells"):
        default_features(timeless, board=(3, 3))
