"""Keys of positions: the same for all eight ways a board can lie, different for all else."""

from __future__ import annotations

import functools
import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.book.position import (
    GameSettings,
    Pose,
    canonical_move,
    half_points,
    move_at,
    pose_of_game,
    pose_of_state,
    real_moves,
    rules_text,
    settings_of,
    vertex_of,
)
from montego.go.game import Game
from montego.go.kernels.layout import KO, PASS, PASSES, TO_PLAY, all_points
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.errors import InvalidVertex
from montego.go.vocabulary.rules import PRESETS, parse_rules

SYMMETRIES = [(turns, flip) for turns in range(4) for flip in (False, True)]

Grid = list[list[int]]


@functools.cache
def sources(size: int, turns: int, flip: bool) -> list[int]:
    """The eight symmetries once more, by NumPy: which move comes to lie at each place."""
    grid = np.rot90(np.arange(size * size).reshape(size, size), turns)
    found: list[int] = (np.fliplr(grid) if flip else grid).reshape(-1).tolist()
    return [*found, size * size]


def turned(rows: Grid, turns: int, flip: bool) -> Grid:
    size = len(rows)
    line = list(itertools.chain(*rows))
    moved = [line[source] for source in sources(size, turns, flip)[:-1]]
    return [moved[size * row : size * (row + 1)] for row in range(size)]


def turned_move(move: int, size: int, turns: int, flip: bool) -> int:
    return sources(size, turns, flip).index(move)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Any stones, with or without liberties; sparse ones are often symmetric."""
    size = draw(st.integers(2, 6))
    line = st.lists(
        st.sampled_from([0, 0, 0, BLACK, WHITE]), min_size=size * size, max_size=size * size
    )
    stones = draw(st.one_of(line, st.just([0] * size * size)))
    return [stones[size * row : size * (row + 1)] for row in range(size)]


players = st.sampled_from([BLACK, WHITE])


def pose_of(rows: Grid, to_play: int, ko: int | None = None, *, passes: int = 0) -> Pose:
    """The pose of any stones, whether or not a game leads there; *ko* is a move."""
    state = Game(len(rows)).board.state.copy()
    points = list(all_points(len(rows)))
    state[points] = list(itertools.chain(*rows))
    state[TO_PLAY], state[PASSES] = to_play, passes
    state[KO] = PASS if ko is None else points[ko]
    return pose_of_state(state)


@given(grids(), players, st.integers(0, 2), st.data())
def test_all_eight_symmetries_have_one_key_and_agree_about_moves(
    rows: Grid, to_play: int, passes: int, data: st.DataObject
) -> None:
    size = len(rows)
    ko = data.draw(st.none() | st.integers(0, size * size - 1))
    move = data.draw(st.integers(0, size * size))
    pose = pose_of(rows, to_play, ko, passes=passes)
    canonical = canonical_move(pose, size, move)
    for turns, flip in SYMMETRIES:
        other_ko = None if ko is None else turned_move(ko, size, turns, flip)
        other = pose_of(turned(rows, turns, flip), to_play, other_ko, passes=passes)
        assert other.key == pose.key
        assert other.stabilizer == pose.stabilizer
        image = turned_move(move, size, turns, flip)
        assert canonical_move(other, size, image) == canonical
        assert image in real_moves(other, size, canonical)


@given(grids(), players, st.data())
def test_equivalent_moves_are_those_that_a_symmetry_of_the_position_exchanges(
    rows: Grid, to_play: int, data: st.DataObject
) -> None:
    size = len(rows)
    ko = data.draw(st.none() | st.integers(0, size * size - 1))
    own = [
        (turns, flip)
        for turns, flip in SYMMETRIES
        if turned(rows, turns, flip) == rows
        and (ko is None or turned_move(ko, size, turns, flip) == ko)
    ]
    pose = pose_of(rows, to_play, ko)
    assert len(pose.stabilizer) == len(own)
    assert 0 in pose.stabilizer
    for move in range(size * size + 1):
        expected = sorted({turned_move(move, size, turns, flip) for turns, flip in own})
        assert list(real_moves(pose, size, canonical_move(pose, size, move))) == expected


def test_the_empty_board_has_fifteen_moves_and_the_pass() -> None:
    pose = pose_of_game(Game(9))
    assert pose.stabilizer == tuple(range(8))
    assert len({canonical_move(pose, 9, move) for move in range(82)}) == 16
    assert real_moves(pose, 9, 81) == (81,)
    assert real_moves(pose, 9, canonical_move(pose, 9, move_at("E5", 9))) == (40,)


@given(grids(), players, st.data())
def test_another_stone_player_ko_or_pass_makes_another_key(
    rows: Grid, to_play: int, data: st.DataObject
) -> None:
    size = len(rows)
    point = data.draw(st.integers(0, size * size - 1))
    base = pose_of(rows, to_play).key
    row, column = divmod(point, size)
    changed = [list(line) for line in rows]
    changed[row][column] = (rows[row][column] + data.draw(st.sampled_from([1, 2]))) % 3
    others = {
        pose_of(rows, BLACK + WHITE - to_play).key,
        pose_of(rows, to_play, point).key,
        pose_of(rows, to_play, passes=1).key,
        pose_of(rows, to_play, passes=2).key,
    }
    assert len(others | {base}) == 5
    smaller = [line[1:] for line in rows[1:]]
    if size > 2:
        assert pose_of(smaller, to_play).key != base
    if sorted(itertools.chain(*changed)) != sorted(itertools.chain(*rows)):
        assert pose_of(changed, to_play).key != base


def test_random_games_collide_nowhere() -> None:
    chance = random.Random(5)
    seen: dict[int, set[str]] = {}
    for _ in range(20):
        game = Game(5)
        while len(game.history) < 40 and not game.is_over:
            game.play(game.to_play, chance.choice([*game.legal_moves(), "pass"]))
            rows = game.board.rows()
            ko = None if game.ko is None else move_at(game.ko, 5)
            images = {
                f"{turned(rows, *symmetry)} {game.to_play} "
                f"{None if ko is None else turned_move(ko, 5, *symmetry)} {game.is_over} "
                f"{game.moves[-1].vertex == 'pass' and not game.is_over}"
                for symmetry in SYMMETRIES
            }
            pose = pose_of_game(game)
            assert seen.setdefault(pose.key, images) == images
            assert -(1 << 63) <= pose.key < 1 << 63
            assert pose.key != 0


def test_ko_and_passes_of_a_game_are_part_of_its_pose() -> None:
    game = Game(5)
    for vertex in ("B3", "C3", "C4", "D4", "C2", "D2", "A1", "E3", "D3"):
        game.play(game.to_play, vertex)
    assert game.ko == "C3"
    expected = pose_of(game.board.rows(), WHITE, move_at("C3", 5))
    assert pose_of_state(game.board.state) == expected
    game.play("white", "pass")
    assert pose_of_game(game) == pose_of(game.board.rows(), BLACK, passes=1)


def test_keys_in_files_stay_what_they_are() -> None:
    game = Game(9)
    assert pose_of_game(game).key == -1713943701390213028
    for vertex in ("E5", "C3", "G7", "C7", "G3"):
        game.play(game.to_play, vertex)
    assert pose_of_game(game).key == 263047355582861716
    game.play("white", "pass")
    assert pose_of_game(game).key == -9039259545915850658
    assert pose_of([[0, 2], [1, 1]], BLACK, ko=0).key == 661852200429015260


@pytest.mark.parametrize(
    ("komi", "half"),
    [(7.5, 15), (7.0, 14), (0.0, 0), (6.3, 13), (6.7, 13), (-0.5, -1), (-3.0, -6), (-2.7, -5)],
)
def test_komi_counts_in_half_points(komi: float, half: int) -> None:
    assert half_points(komi) == half
    assert GameSettings(9, "", komi) == GameSettings(9, "", half / 2)


@pytest.mark.parametrize("name", PRESETS)
def test_rules_text_keeps_what_values_depend_on(name: str) -> None:
    rules = PRESETS[name]
    text = rules_text(rules)
    back = parse_rules(text)
    assert (back.scoring, back.ko, back.suicide, back.tax) == (
        rules.scoring,
        rules.ko,
        rules.suicide,
        rules.tax,
    )
    assert rules_text(back) == text


def test_settings_of_a_game_have_the_points_for_handicap_stones() -> None:
    game = Game(9, rules="chinese", komi=0.5)
    assert settings_of(game).komi == 0.5
    game.fixed_handicap(3)
    assert settings_of(game).komi == 3.5
    assert str(settings_of(game)) == "9x9, area scoring, simple ko, komi 3.5"
    assert "suicide allowed" in str(settings_of(Game(9, rules="tromp-taylor")))


@pytest.mark.parametrize("size", [2, 9, 25])
def test_vertices_and_moves_correspond(size: int) -> None:
    for move in range(size * size + 1):
        assert move_at(vertex_of(move, size), size) == move
    assert vertex_of(0, size) == f"A{size}"
    assert vertex_of(size * size, size) == "pass"
    with pytest.raises(InvalidVertex):
        move_at("Z99", size)
