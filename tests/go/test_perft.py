"""Exhaustive counts: sequences of moves under each ko rule, and legal positions.

A sequence starts on the empty board with Black, passes are moves, and nothing follows two passes
in a row. The counts up to depth 5 are also other programs' figures; the deeper ones on 2x2,
where the ko rules part, were computed by the oracle and frozen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from montego.go.game import Game
from montego.go.kernels.layout import KO, PASS, PASSES, all_points, empty_state
from montego.go.kernels.position import LEGAL, move_fault, play, position_hash
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.rules import Rules
from reference import Reference, perft

if TYPE_CHECKING:
    from montego.jit.state import State

COUNTS = {
    2: [5, 21, 68, 156, 316],
    3: [10, 91, 738, 5281, 33384],
    4: [17, 273, 4112, 57984, 764016],
    5: [26, 651, 15650, 361041],
}
KO_RULES = ["simple", "positional", "situational"]

# 2x2, depths 6 to 9, by ko rule and whether suicide is allowed. Suicide makes no difference to
# positional superko here, as it makes none to the published number of complete 2x2 games.
BEYOND = {
    ("simple", False): [604, 1168, 2592, 5768],
    ("simple", True): [604, 1240, 3120, 8280],
    ("positional", False): [604, 1088, 2184, 4184],
    ("positional", True): [604, 1088, 2184, 4184],
    ("situational", False): [604, 1112, 2312, 4544],
    ("situational", True): [604, 1184, 2672, 6048],
}


def depths(deepest: dict[int, int]) -> list[tuple[int, int]]:
    return [(size, depth) for size, last in deepest.items() for depth in range(1, last + 1)]


def game_perft(game: Game, depth: int) -> int:
    """The same count, over a game that is played forward and undone."""
    if game.is_over:
        return 0
    moves = [*game.legal_moves(game.to_play), "pass"]
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        game.play(game.to_play, move)
        total += game_perft(game, depth - 1)
        game.undo()
    return total


def kernel_perft(state: State, depth: int, color: int, points: list[int]) -> int:
    """The same count, over bare positions with simple ko."""
    if state[PASSES] == 2:
        return 0
    legal = [point for point in points if move_fault(state, point, color) == LEGAL]
    if depth == 1:
        return len(legal) + 1
    total = 0
    for move in [*legal, int(PASS)]:
        after = state.copy()
        play(after, move, color)
        total += kernel_perft(after, depth - 1, BLACK + WHITE - color, points)
    return total


@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize(("size", "depth"), depths({2: 5, 3: 4, 4: 3, 5: 2}))
def test_oracle(size: int, depth: int, ko: str) -> None:
    assert perft(Reference(size, ko), depth) == COUNTS[size][depth - 1]


@pytest.mark.parametrize(("ko", "suicide"), BEYOND)
def test_oracle_where_the_ko_rules_part(ko: str, *, suicide: bool) -> None:
    game = Reference(2, ko, suicide)

    assert [perft(game, depth) for depth in range(6, 10)] == BEYOND[ko, suicide]


@pytest.mark.small_boards
@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize(("size", "depth"), depths({2: 5, 3: 3, 4: 2, 5: 1}))
def test_game(size: int, depth: int, ko: str) -> None:
    assert game_perft(Game(size, rules=Rules(ko=ko)), depth) == COUNTS[size][depth - 1]


@pytest.mark.parametrize("ko", KO_RULES)
@pytest.mark.parametrize(("size", "depth"), [(3, 4), (4, 3), (5, 2)])
def test_game_deeper(size: int, depth: int, ko: str) -> None:
    assert game_perft(Game(size, rules=Rules(ko=ko)), depth) == COUNTS[size][depth - 1]


@pytest.mark.parametrize(("ko", "suicide"), BEYOND)
def test_game_where_the_ko_rules_part(ko: str, *, suicide: bool) -> None:
    game = Game(2, rules=Rules(ko=ko, suicide=suicide))

    assert [game_perft(game, depth) for depth in range(6, 10)] == BEYOND[ko, suicide]


@pytest.mark.parametrize(("size", "depth"), depths({2: 5, 3: 5, 4: 5, 5: 4}))
def test_kernels(size: int, depth: int) -> None:
    count = kernel_perft(empty_state(size), depth, BLACK, list(all_points(size)))

    assert count == COUNTS[size][depth - 1]


@pytest.mark.parametrize("suicide", [False, True])
def test_kernels_on_2x2(*, suicide: bool) -> None:
    state = empty_state(2, suicide=suicide)
    counts = [kernel_perft(state, depth, BLACK, list(all_points(2))) for depth in range(6, 10)]

    assert counts == BEYOND["simple", suicide]


def reachable_positions(size: int) -> dict[bytes, int]:
    """Every position that play in any order of colors can reach, with its hash; ko is ignored.

    All legal positions are among them: take the stones of one away in any order, and each step
    back is a legal move without captures.
    """
    points = list(all_points(size))
    start = empty_state(size, suicide=True)
    found = {start[points].tobytes(): int(position_hash(start))}
    waiting = [start]
    while waiting:
        before = waiting.pop()
        before[KO] = PASS
        for color in (BLACK, WHITE):
            for point in points:
                if move_fault(before, point, color) != LEGAL:
                    continue
                after = before.copy()
                play(after, point, color)
                board = after[points].tobytes()
                if board not in found:
                    found[board] = int(position_hash(after))
                    waiting.append(after)
                assert found[board] == int(position_hash(after))
    return found


# Tromp and Farnebäck, "Combinatorics of Go".
@pytest.mark.parametrize(
    ("size", "count"), [pytest.param(2, 57, marks=pytest.mark.small_boards), (3, 12675)]
)
def test_kernels_reach_exactly_the_legal_positions(size: int, count: int) -> None:
    found = reachable_positions(size)

    assert len(found) == count
    assert len(set(found.values())) == count
