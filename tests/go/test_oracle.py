"""Random games on the fast board and on the slow one, compared after every move.

First the bare positions, which know simple ko only; then whole games under every ko rule; then
Hypothesis, which shrinks what it finds. Players do not always alternate, because records and
protocols do not either.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from conftest import assert_reason, assert_same_board, to_picture, to_vertex
from hypothesis import given, settings
from hypothesis import strategies as st

from montego.go.game import Game
from montego.go.kernels.layout import (
    AROUND,
    BALANCE,
    CAPTURED,
    EMPTY_COUNT,
    FIRST_EMPTY,
    HEAD,
    KO,
    LIBERTIES,
    NEXT,
    PASS,
    SLOT,
    STONES,
    all_points,
    coordinates_of,
    empty_state,
    point_at,
)
from montego.go.kernels.position import (
    BARRED_BY_KO,
    IS_SUICIDE,
    LEGAL,
    OCCUPIED,
    move_fault,
    play,
    position_hash,
)
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.go.vocabulary.errors import IllegalMove
from montego.go.vocabulary.rules import Rules
from reference import Point, Reference, area_score, around, flood, other, points

if TYPE_CHECKING:
    from montego.jit.state import State

FAULTS = {None: LEGAL, "occupied": OCCUPIED, "ko": BARRED_BY_KO, "suicide": IS_SUICIDE}
NAMES = {BLACK: "black", WHITE: "white"}
KO_RULES = ["simple", "positional", "situational"]


def board_of(state: State, size: int) -> list[list[int]]:
    colors = state[list(all_points(size))].tolist()
    return [colors[start : start + size] for start in range(0, size * size, size)]


def choose_move(rng: random.Random, oracle: Reference, color: int) -> Point | None:
    """A legal move, mostly from two opposite corners so that large boards see fights too."""
    size = oracle.size
    edge = min(size, 5)
    for attempt in range(60):
        if rng.random() < 0.01:
            break
        column, row = rng.randrange(size), rng.randrange(size)
        if attempt < 30:
            column, row = rng.randrange(edge), rng.randrange(edge)
            if rng.random() < 0.5:
                column, row = size - 1 - column, size - 1 - row
        if oracle.fault(color, (column, row)) is None:
            return column, row
    return None


def near(point: Point | None, size: int) -> list[Point]:
    """The points at most two steps away, where a move may have changed what is legal."""
    if point is None:
        return []
    return [
        (column, row)
        for column, row in points(size)
        if abs(column - point[0]) + abs(row - point[1]) <= 2
    ]


def next_color(rng: random.Random, oracle: Reference) -> int:
    return oracle.to_play if rng.random() < 0.9 else other(oracle.to_play)


def assert_same_position(state: State, oracle: Reference) -> None:
    size = oracle.size
    assert_same_board(board_of(state, size), oracle.rows())
    assert state[CAPTURED + WHITE] == oracle.captures[BLACK]
    assert state[CAPTURED + BLACK] == oracle.captures[WHITE]
    ko = int(state[KO])
    assert (None if ko == PASS else coordinates_of(ko, size)) == (
        oracle.barred and oracle.barred[1]
    ), to_picture(oracle.rows())


def assert_consistent(state: State, oracle: Reference) -> None:
    """Recompute from the stones everything that the position keeps up to date, and compare."""
    size = oracle.size

    def at(point: Point) -> int:
        return point_at(*point, size)

    def empty_beside(point: Point) -> int:
        return sum(beside not in oracle.stones for beside in around(point, size))

    empty = [at(point) for point in points(size) if point not in oracle.stones]
    first = int(state[FIRST_EMPTY])
    listed = state[first : first + int(state[EMPTY_COUNT])].tolist()
    assert sorted(listed) == sorted(empty)
    for spot in empty:
        assert state[state[spot + SLOT]] == spot
        assert state[spot + HEAD] == spot
    for point in points(size):
        walls = 4 - len(list(around(point, size)))
        colors = [oracle.stones.get(beside, EMPTY) for beside in around(point, size)]
        packed = int(state[at(point) + AROUND])
        assert packed & 15 == colors.count(BLACK) + walls
        assert packed >> 4 & 15 == colors.count(WHITE) + walls
        assert packed >> 8 == colors.count(EMPTY)
    for point in oracle.stones:
        chain = flood(oracle.stones, point, size)[0]
        head = int(state[at(point) + HEAD])
        assert head in {at(stone) for stone in chain}
        if head != at(point):
            continue
        ring = [head]
        while (following := int(state[ring[-1] + NEXT])) != head and len(ring) <= len(chain):
            ring.append(following)
        assert sorted(ring) == sorted(at(stone) for stone in chain)
        assert {int(state[stone + HEAD]) for stone in ring} == {head}
        assert state[head + STONES] == len(chain)
        assert state[head + LIBERTIES] == sum(empty_beside(stone) for stone in chain)
    colors = list(oracle.stones.values())
    assert state[BALANCE] == colors.count(BLACK) - colors.count(WHITE)


def assert_same_faults(state: State, oracle: Reference, where: list[Point]) -> None:
    for color in (BLACK, WHITE):
        for point in where:
            fault = move_fault(state, point_at(*point, oracle.size), color)
            expected = oracle.fault(color, point)
            assert fault == FAULTS[expected], (color, to_vertex(point), to_picture(oracle.rows()))


def assert_same_hash(state: State, oracle: Reference) -> None:
    """Set the stones up on a fresh board, which never captures: the hash must be the same."""
    fresh = empty_state(oracle.size)
    for point, color in oracle.stones.items():
        play(fresh, point_at(*point, oracle.size), color)
    assert position_hash(state) == position_hash(fresh)


def play_positions(
    size: int, *, suicide: bool, moves: int, look_every: int, seed: int, hashes: dict[bytes, int]
) -> None:
    rng = random.Random(seed)
    oracle = Reference(size, "simple", suicide)
    state = empty_state(size, suicide=suicide)
    everywhere = list(points(size))
    board_points = list(all_points(size))
    for number in range(moves):
        color = next_color(rng, oracle)
        move = choose_move(rng, oracle, color)
        captured = play(state, int(PASS) if move is None else point_at(*move, size), color)
        assert captured == oracle.play(color, move)
        assert_same_position(state, oracle)
        look = number % look_every == 0
        assert_same_faults(state, oracle, everywhere if look else near(move, size))
        if look or captured:
            assert_same_hash(state, oracle)
            assert_consistent(state, oracle)
        value = int(position_hash(state))
        assert hashes.setdefault(state[board_points].tobytes(), value) == value
    assert len(set(hashes.values())) == len(hashes)


@pytest.mark.small_boards
@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_positions_on_small_boards(size: int, *, suicide: bool) -> None:
    hashes: dict[bytes, int] = {}
    for seed in range(3):
        play_positions(size, suicide=suicide, moves=60, look_every=1, seed=seed, hashes=hashes)


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("size", range(2, 26))
def test_positions_of_every_size(size: int, *, suicide: bool) -> None:
    games, moves, look_every = (6, 150, 1) if size < 6 else (1, 180, 10 if size < 14 else 40)
    hashes: dict[bytes, int] = {}
    for seed in range(games):
        play_positions(
            size,
            suicide=suicide,
            moves=moves,
            look_every=look_every,
            seed=100 * size + seed,
            hashes=hashes,
        )


def assert_same_game(game: Game, oracle: Reference) -> None:
    assert_same_board(game.board.rows(), oracle.rows())
    assert game.captures == (oracle.captures[BLACK], oracle.captures[WHITE])
    assert game.to_play == NAMES[oracle.to_play]
    assert game.is_over == oracle.is_over


def assert_same_legal_moves(game: Game, oracle: Reference) -> None:
    for color in (BLACK, WHITE):
        legal = {to_vertex(point) for point in oracle.legal(color)}
        assert set(game.legal_moves(color)) == legal, to_picture(oracle.rows())


def assert_same_reason(game: Game, oracle: Reference, color: int, point: Point) -> None:
    """Try an illegal move: it is refused for the right reason, and changes nothing."""
    reason = oracle.fault(color, point)
    with pytest.raises(IllegalMove) as caught:
        game.play(color, to_vertex(point))
    assert_reason(caught.value.reason, reason)
    assert_same_game(game, oracle)


def play_game(size: int, ko: str, *, suicide: bool, moves: int, look_every: int, seed: int) -> None:
    rng = random.Random(seed)
    oracle = Reference(size, ko, suicide)
    game = Game(size, rules=Rules(ko=ko, suicide=suicide))
    everywhere = list(points(size))
    past: list[Reference] = []
    for number in range(moves):
        color = next_color(rng, oracle)
        move = choose_move(rng, oracle, color)
        past.append(oracle.copy())
        oracle.play(color, move)
        game.play(color, to_vertex(move))
        assert_same_game(game, oracle)
        if number % look_every == 0:
            assert_same_legal_moves(game, oracle)
            for point in rng.sample(everywhere, min(len(everywhere), 6)):
                if oracle.fault(oracle.to_play, point) is not None:
                    assert_same_reason(game, oracle, oracle.to_play, point)
        if oracle.barred is not None:
            assert_same_reason(game, oracle, *oracle.barred)
        if rng.random() < 0.05:
            for _ in range(min(len(past), rng.randint(1, 4))):
                game.undo()
                oracle = past.pop()
            assert_same_game(game, oracle)
            if size < 8:
                assert_same_legal_moves(game, oracle)
    # Colors come in any order, so that a game may begin as if with a handicap.
    white_has = game.komi + game.rules.handicap_points(game.handicap)
    assert game.score().margin == area_score(oracle.stones, size) - white_has
    while past:
        game.undo()
        oracle = past.pop()
    assert_same_game(game, oracle)
    assert not game.moves


@pytest.mark.small_boards
@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_games_on_small_boards(size: int, ko: str, *, suicide: bool) -> None:
    play_game(size, ko, suicide=suicide, moves=40, look_every=1, seed=size)


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize("size", range(2, 26))
def test_games_of_every_size(size: int, ko: str, *, suicide: bool) -> None:
    games, moves, look_every = (3, 100, 2) if size < 6 else (1, 90, 20 if size < 14 else 60)
    for seed in range(games):
        play_game(
            size, ko, suicide=suicide, moves=moves, look_every=look_every, seed=100 * size + seed
        )


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from([BLACK, WHITE]), st.integers(0, 24)),
        st.tuples(st.sampled_from([BLACK, WHITE]), st.none()),
        st.just("undo"),
    ),
    min_size=5,
    max_size=80,
)


@settings(max_examples=300)
@given(size=st.integers(2, 5), ko=st.sampled_from(KO_RULES), suicide=st.booleans(), actions=ACTIONS)
def test_any_sequence_of_moves(
    size: int,
    ko: str,
    suicide: bool,
    actions: list[str | tuple[int, int | None]],
) -> None:
    oracle = Reference(size, ko, suicide)
    game = Game(size, rules=Rules(ko=ko, suicide=suicide))
    past: list[Reference] = []
    for action in actions:
        if isinstance(action, str):
            if past:
                game.undo()
                oracle = past.pop()
        else:
            color, index = action
            point = None if index is None else (index % size, index // size % size)
            if point is not None and oracle.fault(color, point) is not None:
                assert_same_reason(game, oracle, color, point)
                continue
            past.append(oracle.copy())
            oracle.play(color, point)
            game.play(color, to_vertex(point))
        assert_same_game(game, oracle)
        assert len(game.moves) == len(past)
    assert_same_legal_moves(game, oracle)
