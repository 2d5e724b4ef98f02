"""What every playout of Go must do, checked move by move against the oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conftest import to_picture

from montego.go.kernels.layout import SIZE, TO_PLAY, all_points, coordinates_of
from montego.go.playout.knowledge import new_knowledge, new_scratch
from montego.go.playout.policy import find_policy
from montego.jit import interpreted
from montego.jit.state import LENGTH, LIMIT, TRACE
from reference import BLACK, WHITE, Reference, area_score, around, liberties, other, points

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, State
    from reference import Point, Stones


class Finished(NamedTuple):
    score: int
    stones: Stones
    trace: list[Point | None]
    limit: int


def stones_of(state: State) -> Stones:
    size = int(state[SIZE])
    return {
        coordinates_of(point, size): int(state[point])
        for point in all_points(size)
        if state[point] != 0
    }


def finish(
    policy: str,
    base: State,
    seed: int,
    *,
    knowledge: Knowledge | None = None,
    limit: int | None = None,
    slow: bool = False,
) -> Finished:
    """Play *base* to the end; *slow* interprets every kernel."""
    size = int(base[SIZE])
    found = find_policy(policy)
    scratch = new_scratch(size, seed, found.room(size))
    if limit is not None:
        scratch[LIMIT] = limit
    state = base.copy()
    playout = interpreted(found.playout) if slow else found.playout
    if knowledge is None:
        knowledge = new_knowledge(balanced=found.weights())
    score = playout(state, knowledge, scratch)
    moves = scratch[TRACE : TRACE + int(scratch[LENGTH])].tolist()
    trace = [coordinates_of(move, size) if move else None for move in moves]
    return Finished(int(score), stones_of(state), trace, int(scratch[LIMIT]))


def is_eye(stones: Stones, size: int, point: Point, color: int) -> bool:
    """Whether a point is an eye by its diagonals."""
    if any(stones.get(near) != color for near in around(point, size)):
        return False
    corners = [(point[0] + x, point[1] + y) for x in (-1, 1) for y in (-1, 1)]
    inside = [corner for corner in corners if min(corner) >= 0 and max(corner) < size]
    held = sum(stones.get(corner) == other(color) for corner in inside)
    return held <= (1 if len(inside) == 4 else 0)


def count_slowly(stones: Stones, size: int) -> int:
    """Black's stones and single points minus White's: what a playout counts."""
    colors = list(stones.values())
    score = colors.count(BLACK) - colors.count(WHITE)
    for point in points(size):
        if point not in stones:
            owners = {stones.get(near) for near in around(point, size)}
            score += (owners == {BLACK}) - (owners == {WHITE})
    return score


def assert_sound(game: Finished, base: State) -> Reference:
    """Replay a playout on the oracle: legal moves, no eyes filled, the right end and count.

    What looks like an eye may be filled to save a chain in atari.
    """
    size = int(base[SIZE])
    oracle = Reference(size, ko="simple", stones=stones_of(base), to_play=int(base[TO_PLAY]))
    for number, move in enumerate(game.trace):
        color = oracle.to_play
        assert not oracle.is_over
        if move is not None:
            assert oracle.fault(color, move) is None, (number, move)
            saves = any(
                len(liberties(oracle.stones, near, size)) == 1
                for near in around(move, size)
                if oracle.stones.get(near) == color
            )
            assert saves or not is_eye(oracle.stones, size, move, color), (number, move)
        oracle.play(color, move)
    assert oracle.stones == game.stones, to_picture(oracle.rows())
    assert oracle.is_over or len(game.trace) == game.limit
    assert game.score == count_slowly(game.stones, size)
    # The exact area differs by points that nobody alone surrounds, or that are next to others.
    loose = [
        point
        for point in points(size)
        if point not in game.stones and any(near not in game.stones for near in around(point, size))
    ]
    if oracle.is_over:
        assert abs(game.score - area_score(game.stones, size)) <= len(loose)
    return oracle
