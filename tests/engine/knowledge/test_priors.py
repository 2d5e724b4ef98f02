"""Prior knowledge: a picture for every source, alone and switched off."""

from __future__ import annotations

from dataclasses import astuple, fields, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from go_positions import random_games, swapped, to_index, to_name, to_state
from montego.engine.knowledge import priors
from montego.engine.knowledge.definition import go_game, legal_moves
from montego.engine.knowledge.priors import is_lonely, line_of, move_priors, priors_room
from montego.engine.knowledge.tuning import PriorWeights
from montego.go.game import Game
from montego.go.kernels.layout import SIZE
from montego.go.kernels.patterns import PATTERNS
from montego.go.local_shape.value import pack_shapes
from montego.go.local_shape.weights import ShapeWeights, write_shapes_file
from montego.go.local_shape.windows import expand, sharing_of, windows_of
from montego.go.playout.explain import matching_patterns, suggestions
from montego.go.playout.knowledge import WEIGHTS, new_knowledge, new_scratch
from montego.go.prediction.prediction import packed_prediction
from montego.go.vocabulary.errors import GoError
from montego.jit import interpreted
from montego.mcts import Config, Search
from predicted import chances_of
from reference import BLACK, WHITE

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from montego.jit.state import State

NOTHING = PriorWeights(**dict.fromkeys((field.name for field in fields(PriorWeights)), 0.0))
BOTH_COLORS = pytest.mark.parametrize("color", [BLACK, WHITE])


def judged(
    state: State,
    weights: PriorWeights,
    *,
    prediction: NDArray[np.float64] | None = None,
    shapes: NDArray[np.float64] | None = None,
    slow: bool = False,
) -> dict[str, tuple[float, float]]:
    """The value and the visits of every move of a position."""
    size = int(state[SIZE])
    knowledge = new_knowledge(weights=astuple(weights), prediction=prediction, shapes=shapes)
    scratch = new_scratch(size, 0, priors_room(size))
    moves = np.zeros(len(state), np.int32)
    count = int(legal_moves(state, knowledge, scratch, moves))
    values, visits = np.zeros(count), np.zeros(count)
    before = state.copy()
    judge = interpreted(move_priors) if slow else move_priors
    judge(state, knowledge, scratch, moves, count, values, visits)
    assert (state == before).all()
    return {
        to_name(int(moves[rank]), size): (float(values[rank]), float(visits[rank]))
        for rank in range(count)
    }


def spoken_of(state: State, source: str, weight: float = 8.0) -> dict[str, tuple[float, float]]:
    """The moves about which one source alone has something to say."""
    weights = replace(NOTHING, **{source: weight})
    return {
        vertex: judgment
        for vertex, judgment in judged(state, weights).items()
        if judgment[1] > 0 and vertex != "pass"
    }


# Black to move; a source worth 8 visits; what it says about which move.

FOR, TWICE, AGAINST = (1.0, 8.0), (1.0, 16.0), (0.0, 8.0)
SOURCES = [
    (
        "a capture",
        "capture",
        ". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .",
        "pass",
        {"C3": FOR},
    ),
    (
        "a capture of two",
        "capture",
        ". . . . .\n. X X . .\nX O O . .\n. X X . .\n. . . . .",
        "pass",
        {"D3": TWICE},
    ),
    (
        "an escape",
        "escape",
        ". . . . .\n. . O . .\n. O X . .\n. . O . .\n. . . . .",
        "pass",
        {"D3": FOR},
    ),
    (
        "an escape of two",
        "escape",
        ". . . . .\n. O O . .\nO X X . .\n. O O . .\n. . . . .",
        "pass",
        {"D3": TWICE},
    ),
    (
        "no escape into atari",
        "escape",
        ". . . . .\n. . . . .\n. . . . .\nO O O . .\nO X . O .",
        "pass",
        {},
    ),
    (
        "no escape in a ladder",
        "escape",
        """
        . . . . . . .
        . . . . . . .
        . O . . . . .
        . O X O . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        """,
        "pass",
        {},
    ),
    (
        "an escape from a broken ladder",
        "escape",
        """
        . . . . . . .
        . . . . X . .
        . O . . . . .
        . O X O . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        """,
        "pass",
        {"C5": FOR},
    ),
    (
        "an atari",
        "atari",
        ". . . . .\n. X . . .\nX O . . .\n. . . . .\n. . . . .",
        "pass",
        {"C3": FOR, "B2": FOR},
    ),
    (
        "no atari that is self-atari",
        "atari",
        ". . . . .\nX . . . .\nO . . . .\n. O . . .\nO . . . .",
        "pass",
        {"B3": FOR},
    ),
    (
        "a self-atari",
        "self_atari",
        ". . . .\n. . . .\nO . . .\n. . . .",
        "pass",
        {"A1": AGAINST},
    ),
    (
        "a false eye",
        "eye",
        ". . . . .\n. O X O .\n. X . X .\n. . X . .\n. . . . .",
        "pass",
        {"C3": AGAINST},
    ),
    (
        "distance 1",
        "distance_1",
        ". . . . .\n. . . . .\n. . O . .\n. . . . .\n. . . . .",
        "C3",
        {"C4": FOR, "B3": FOR, "D3": FOR, "C2": FOR},
    ),
    (
        "distance 2 through a chain",
        "distance_2",
        ". . . . .\n. . . . .\n. . . . .\nO X X X .\n. . . . .",
        "A2",
        {"A4": FOR, "B3": FOR, "C3": FOR, "D3": FOR, "E2": FOR, "B1": FOR, "C1": FOR, "D1": FOR},
    ),
    (
        "distance 3",
        "distance_3",
        ". . . .\n. . . .\n. . . .\nO . . .",
        "A1",
        {"A4": FOR, "B3": FOR, "C2": FOR, "D1": FOR},
    ),
    (
        "no distance without a last move",
        "distance_1",
        ". . . .\n. . . .\n. . . .\nO . . .",
        "pass",
        {},
    ),
    (
        "no policy without a last move",
        "policy",
        ". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .",
        "pass",
        {},
    ),
]


@pytest.mark.small_boards
@BOTH_COLORS
@pytest.mark.parametrize(
    ("source", "picture", "last", "expected"),
    [pytest.param(*case, id=name) for name, *case in SOURCES],
)
def test_sources(
    source: str, picture: str, last: str, expected: dict[str, tuple[float, float]], color: int
) -> None:
    state = to_state(swapped(picture, color), to_play=color, last=last)
    assert spoken_of(state, source) == expected


@pytest.mark.small_boards
def test_patterns_and_the_policy_speak_for_their_moves() -> None:
    game = Game(5)
    for vertex in ["B4", "pass", "A3", "pass", "B2", "B3"]:
        game.play(game.to_play, vertex)
    state = game.board.state

    patterns = {vertex for vertex, _ in matching_patterns(game)}
    assert patterns
    assert spoken_of(state, "pattern") == dict.fromkeys(patterns, FOR)
    policy = spoken_of(state, "policy")
    assert set(policy) == {suggestion.vertex for suggestion in suggestions(game)}
    assert all(value == 1.0 and visits % 8.0 == 0.0 for value, visits in policy.values())
    # The capture is a pattern as well.
    assert policy["C3"][1] > 8.0


@pytest.mark.small_boards
def test_all_start_at_one_half_and_a_pass_below() -> None:
    found = judged(to_state(". . . .\n. . . .\n. . . .\n. . . ."), replace(NOTHING, even=6.0))
    assert found.pop("pass") == (0.25, 12.0)
    assert set(found.values()) == {(0.5, 6.0)}
    assert len(found) == 16


def test_lines_matter_where_nothing_is_near() -> None:
    rows = [". . . . . . . . ."] * 9
    found = spoken_of(to_state("\n".join(rows)), "line")
    for vertex, judgment in found.items():
        column, row = "ABCDEFGHJ".index(vertex[0]), int(vertex[1]) - 1
        line = 1 + min(column, row, 8 - column, 8 - row)
        assert judgment == (FOR if line == 3 else AGAINST)
        assert line <= 3
    # All but the nine points in the middle.
    assert len(found) == 72

    near = [list(row) for row in rows]
    near[4][0] = "O"
    picture = "\n".join("".join(row) for row in near)
    beside = spoken_of(to_state(picture), "line")
    assert {"A4", "A6", "B5"}.isdisjoint(beside)
    assert beside["A1"] == AGAINST


@pytest.mark.small_boards
def test_lines_are_counted_from_the_edge() -> None:
    state = to_state("\n".join([". . . . . . . . ."] * 9))
    for vertex, line in [("A1", 1), ("E1", 1), ("B5", 2), ("H8", 2), ("C3", 3), ("G5", 3)]:
        assert line_of(state, to_index(vertex, 9)) == line
    assert line_of(state, to_index("E5", 9)) == 0
    assert is_lonely(state, to_index("E5", 9))


@pytest.mark.small_boards
def test_weights_of_nothing_say_nothing() -> None:
    state = to_state(". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .", last="B3")
    assert set(judged(state, NOTHING).values()) == {(0.5, 0.0)}


def test_sources_add_up() -> None:
    state = to_state(". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .", last="B3")
    weights = replace(NOTHING, even=10.0, capture=15.0, distance_1=24.0)
    value, visits = judged(state, weights)["C3"]
    assert visits == 10.0 + 15.0 + 24.0
    assert value == pytest.approx((5.0 + 39.0) / 49.0)


@pytest.mark.small_boards
def test_the_interpreted_judge_says_the_same() -> None:
    state = to_state(". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .", last="B3")
    assert judged(state, PriorWeights()) == judged(state, PriorWeights(), slow=True)


def test_judgments_in_random_games_are_chances_with_visits() -> None:
    for state, _ in random_games(6, 3, 50, seed=1):
        for value, visits in judged(state, PriorWeights()).values():
            assert 0.0 <= value <= 1.0
            assert visits >= PriorWeights().even


@pytest.mark.small_boards
def test_a_prediction_counts_by_the_root_of_its_chance() -> None:
    state = to_state(". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .", last="B3")
    weights = replace(NOTHING, even=10.0, prediction=60.0)
    prediction = packed_prediction(9)
    chances = chances_of(state, prediction)
    found = judged(state, weights, prediction=prediction)
    assert found.keys() == chances.keys()
    for vertex, (value, visits) in found.items():
        good = 60 * chances[vertex] ** 0.5
        against = 10.0 if vertex == "pass" else 0.0
        assert visits == pytest.approx(10 + good + against)
        assert value == pytest.approx((5 + good) / visits)
    slowly = judged(state, weights, prediction=prediction, slow=True)
    for vertex, judgment in slowly.items():
        assert judgment == pytest.approx(found[vertex])


# The knowledge that the judge reads.


def test_weights_lie_in_the_order_of_their_fields() -> None:
    names = [field.name for field in fields(PriorWeights)]
    for number, name in enumerate(names):
        if name.startswith("distance_"):
            index = int(priors.DISTANCE) + int(name[-1])
        else:
            index = int(getattr(priors, name.upper()))
        assert index == WEIGHTS + number, name
    assert WEIGHTS + len(names) <= PATTERNS


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf"), True, "10", None])
def test_weights_are_checked(bad: object) -> None:
    with pytest.raises(GoError, match="invalid weight capture"):
        PriorWeights(capture=bad)  # type: ignore[arg-type]


def test_a_search_starts_where_priors_point() -> None:
    # Black captures ten stones with E1; fifty simulations alone would hardly tell.
    state = to_state(
        """
        . . . . .
        X X X X X
        O O O O O
        X X X X O
        . . . X .
        """
    )
    game = go_game(5, priors=PriorWeights())
    search = Search(game, Config(simulations=30, seed=1), state=state)
    best = search.run().candidates[0]
    assert game.format_move(state, best.move) == "E1"


@pytest.mark.small_boards
def test_with_local_shape_moves_begin_at_the_chance_to_win_after_them() -> None:
    size = 5
    values = np.zeros(sharing_of(size).weights, np.float32)
    values[-1] = 0.5
    # A stone of one's own in the middle is worth 1, one of the other's anywhere -0.25.
    middle = windows_of(size).first[12]
    values[sharing_of(size).located[middle + 1]] = 1.0
    values[sharing_of(size).free[2]] = -0.25
    shapes = pack_shapes(size, expand(size, values), 0.5)
    state = to_state(". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .")
    found = judged(state, replace(NOTHING, shape=50.0), shapes=shapes)
    slow = judged(state, replace(NOTHING, shape=50.0), shapes=shapes, slow=True)
    assert found == slow
    assert {visits for _, visits in found.values()} == {50.0}
    assert found["A1"][0] == found["pass"][0] == pytest.approx(1 / (1 + np.exp(-0.25)))
    # C3 captures the stone, and is the middle.
    assert found["C3"][0] == pytest.approx(1 / (1 + np.exp(-1.5)))
    halved = judged(state, replace(NOTHING, shape=50.0, even=50.0), shapes=shapes)
    assert halved["A1"][0] == pytest.approx((found["A1"][0] + 0.5) / 2)
    assert halved["A1"][1] == 100.0


def test_weights_of_shapes_in_a_file_are_the_players_too(tmp_path: Path) -> None:
    path = tmp_path / "shapes.npz"
    values = np.zeros(sharing_of(5).weights, np.float32)
    values[-1] = 2.0
    write_shapes_file(path, ShapeWeights(5, values, {}))
    weights = replace(NOTHING, shape=10.0)
    game = go_game(5, priors=weights, shapes=str(path))
    search = Search(game, Config(simulations=1, expand_after=0))
    search.run()
    assert search.root().candidate(0).prior_value == pytest.approx(1 / (1 + np.exp(-2.0)))
    with pytest.raises(GoError, match="cannot read"):
        go_game(5, priors=weights, shapes=str(tmp_path / "none.npz"))
    # Who does not ask for them does not read them.
    go_game(5, priors=NOTHING, shapes=str(tmp_path / "none.npz"))
