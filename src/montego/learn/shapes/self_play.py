"""Games that a player by local shape plays against itself, and learns from: the compiled part.

The value of a position is the chance that the player who has just moved wins: a logistic function
of the sum of the weights of all shapes on the board. A move is the one with the greatest value
after it, now and then any (ε). After the game each position's value goes towards what came of it,
from the last one back to the first: TD(λ), in which 0 is the value of the next position alone and 1
the result of the game alone. After a move that was not the best by intention, the best one counts.

Weights are changed by the gradient of the likelihood, as 001's followers have it (Silver, Sutton
and Müller 2012, *Temporal-difference search in computer Go*): the error, without the slope of the
logistic function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.go.kernels.eye import is_eye
from montego.go.kernels.flood import FIRST_MARK, area_balance
from montego.go.kernels.layout import (
    EMPTY_COUNT,
    FIRST_EMPTY,
    NEXT,
    PASS,
    PASSES,
    TO_PLAY,
)
from montego.go.kernels.position import LEGAL, move_fault, play
from montego.go.local_shape.value import EACH, OTHER, OWN, captives, chance
from montego.go.local_shape.windows import SHARING
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LIMIT, RANDOM, advance, draw_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.go.local_shape.windows import Windows
    from montego.jit.state import Scratch, State

_BOTH = BLACK + WHITE
_NONE = Index(0)
_TWO = Index(2)
_FRACTION = 1.0 / (1 << 53)

# What a game adds to the tally, at these indices.
GAMES, MOVES, BLACK_WINS, SQUARES = 0, 1, 2, 3
TALLY = 4


class ShapeBoard(NamedTuple):
    """What a game is played on. The first four are for each of the players, Black's first."""

    codes: NDArray[Any]
    """Window: the code of its shape."""
    worths: NDArray[Any]
    """Window: the weights of its shape."""
    totals: NDArray[Any]
    """Player: the sum of all worths."""
    state: NDArray[Any]
    found: NDArray[Any]
    """Move of the game times twice the windows, and up to as many more: weights of the shapes that
    stood there then."""
    lengths: NDArray[Any]
    """Move: how many of them."""
    times: NDArray[Any]
    """Weight: 0, but while it is counted how often a position has it."""
    best: NDArray[Any]
    """Move: the value of the best one where another was made on purpose; else -1."""


class Weights(NamedTuple):
    """What is learned, and which weight each shape has; see ``WeightSharing``."""

    values: NDArray[Any]
    located: NDArray[Any]
    free: NDArray[Any]


@kernel(inline=True)
def worth_of(windows: Windows, weights: Weights, window: int, code: int) -> float:
    """Return the weights of a shape in a window."""
    located = Index(weights.located[Index(windows.first[window]) + code])
    free = Index(weights.free[Index(windows.kind[window]) + code])
    return np.float64(weights.values[located]) + np.float64(weights.values[free])


@kernel(inline=True)
def change_codes(
    windows: Windows, codes: NDArray[Any], begin: int, point: int, added: int, removed: int
) -> None:
    """Put a digit into the codes of a point's windows, or take it out; one of them is 0."""
    place = Index(windows.number[point]) * EACH
    for number in range(SHARING):
        at = begin + Index(windows.members[place + Index(number)])
        power = Index(windows.powers[place + Index(number)])
        codes[at] = Index(codes[at]) + added * power - removed * power


@kernel
def gain_of_change(
    windows: Windows,
    weights: Weights,
    board: ShapeBoard,
    begin: int,
    point: int,
    added: int,
    removed: int,
) -> float:
    """Return what a digit more or less at a point adds to the sum. Changes nothing."""
    place = Index(windows.number[point]) * EACH
    gain = 0.0
    for number in range(SHARING):
        power = Index(windows.powers[place + Index(number)])
        if power != _NONE:
            window = Index(windows.members[place + Index(number)])
            code = Index(board.codes[begin + window]) + added * power - removed * power
            gain += worth_of(windows, weights, window, code) - float(board.worths[begin + window])
    return gain


@kernel
def change(
    windows: Windows,
    weights: Weights,
    board: ShapeBoard,
    begin: int,
    point: int,
    added: int,
    removed: int,
) -> None:
    """Put a digit at a point, or take it away, as one player sees it, and keep worths and sum."""
    change_codes(windows, board.codes, begin, point, added, removed)
    place = Index(windows.number[point]) * EACH
    player = Index(int(begin != _NONE))
    total = float(board.totals[player])
    for number in range(SHARING):
        if windows.powers[place + Index(number)] != 0:
            window = Index(windows.members[place + Index(number)])
            worth = worth_of(windows, weights, window, Index(board.codes[begin + window]))
            total += worth - float(board.worths[begin + window])
            board.worths[begin + window] = worth
    board.totals[player] = total


@kernel
def change_chain(
    windows: Windows,
    weights: Weights,
    board: ShapeBoard,
    begin: int,
    head: int,
    digit: int,
    back: bool,
) -> None:
    """Take the stones of a chain away, or put them back, as one player sees it."""
    stone = head
    while True:
        if back:
            change(windows, weights, board, begin, stone, digit, _NONE)
        else:
            change(windows, weights, board, begin, stone, _NONE, digit)
        stone = Index(board.state[stone + NEXT])
        if stone == head:
            return


@kernel
def gain_of_move(
    windows: Windows, weights: Weights, board: ShapeBoard, point: int, color: int
) -> float:
    """Return what a legal move adds to the sum as the player who makes it sees it."""
    begin = Index(color - BLACK) * Index(len(windows.first))
    taken = captives(board.state, point, _BOTH - color)
    if taken[0] == PASS and taken[1] == PASS and taken[2] == PASS and taken[3] == PASS:
        return float(gain_of_change(windows, weights, board, begin, point, OWN, _NONE))
    # Each stone that goes changes what the next one changes.
    player = Index(color - BLACK)
    before = float(board.totals[player])
    for head in taken:
        if head != PASS:
            change_chain(windows, weights, board, begin, head, OTHER, False)
    gain = float(board.totals[player]) - before
    gain += float(gain_of_change(windows, weights, board, begin, point, OWN, _NONE))
    for head in taken:
        if head != PASS:
            change_chain(windows, weights, board, begin, head, OTHER, True)
    board.totals[player] = before  # To the last bit.
    return gain


@kernel
def make_move(windows: Windows, weights: Weights, board: ShapeBoard, move: int, color: int) -> None:
    """Play a legal move, or pass, and keep codes, worths and sums of both players."""
    if move != PASS:
        both = Index(len(windows.first))
        own, other = Index(color - BLACK) * both, Index(WHITE - color) * both
        for head in captives(board.state, move, _BOTH - color):
            if head != PASS:
                change_chain(windows, weights, board, own, head, OTHER, False)
                change_chain(windows, weights, board, other, head, OWN, False)
        change(windows, weights, board, own, move, OWN, _NONE)
        change(windows, weights, board, other, move, OTHER, _NONE)
    play(board.state, move, color)


@kernel
def set_up(windows: Windows, weights: Weights, board: ShapeBoard, start: State) -> None:
    """Begin with a position."""
    both = Index(len(windows.first))
    for index in range(len(start)):
        board.state[Index(index)] = start[Index(index)]
    for index in range(len(board.codes)):
        board.codes[Index(index)] = 0
    for number in range(len(windows.points)):
        point = Index(windows.points[Index(number)])
        color = int(start[point])
        if color != EMPTY:
            for player in range(2):
                digit = OWN if color == BLACK + player else OTHER
                change_codes(windows, board.codes, Index(player) * both, point, digit, _NONE)
    for player in range(2):
        begin = Index(player) * both
        total = 0.0
        for number in range(len(windows.first) - 1):
            window = Index(number)
            worth = worth_of(windows, weights, window, Index(board.codes[begin + window]))
            board.worths[begin + window] = worth
            total += worth
        board.totals[Index(player)] = total


@kernel(inline=True)
def draw_fraction(scratch: Scratch) -> float:
    """Advance the random numbers of *scratch* and return one from 0 to below 1."""
    random = advance(Index(scratch[RANDOM]))
    scratch[RANDOM] = random
    return float(random >> Index(11)) * _FRACTION


@kernel
def choose_move(
    windows: Windows,
    weights: Weights,
    board: ShapeBoard,
    scratch: Scratch,
    color: int,
    explore: bool,
) -> tuple[int, float]:
    """Return a move, and what the best one adds to the sum: that one, or any if one is explored.

    Own eyes are not filled; without another move it is a pass.
    """
    state = board.state
    first = Index(state[FIRST_EMPTY])
    chosen, any_move, most, count = PASS, PASS, 0.0, 0
    for slot in range(first, first + Index(state[EMPTY_COUNT])):
        point = Index(state[Index(slot)])
        if is_eye(state, point, color) or move_fault(state, point, color) != LEGAL:
            continue
        gain = float(gain_of_move(windows, weights, board, point, color))
        if count == 0 or gain > most:
            chosen, most = point, gain
        count += 1
        if explore and draw_below(scratch, Index(count)) == _NONE:
            any_move = point
    return (any_move if explore else chosen), most


@kernel
def note_shapes(windows: Windows, weights: Weights, board: ShapeBoard, begin: int, at: int) -> int:
    """Write down which weights a position has, as one player sees it; return how many.

    Windows without stones are left out: what they would say is what all others say less of. So
    their weights stay 0, and the few shapes that there are learn the faster.
    """
    count = 0
    for number in range(len(windows.first) - 1):
        window = Index(number)
        code = Index(board.codes[begin + window])
        if code != _NONE:
            board.found[at] = weights.located[Index(windows.first[window]) + code]
            board.found[at + Index(1)] = weights.free[Index(windows.kind[window]) + code]
            at += _TWO
            count += 2
    return count


@kernel
def play_game(
    windows: Windows,
    weights: Weights,
    board: ShapeBoard,
    scratch: Scratch,
    start: State,
    exploration: float,
) -> int:
    """Play a game from a position to two passes, or to the limit; return how many moves it had."""
    set_up(windows, weights, board, start)
    each = _TWO * Index(len(windows.first) - 1)
    always = np.float64(weights.values[Index(len(weights.values) - 1)])
    length = 0
    while length < int(scratch[LIMIT]) and board.state[PASSES] < 2:
        color = int(board.state[TO_PLAY])
        explore = draw_fraction(scratch) < exploration
        move, gain = choose_move(windows, weights, board, scratch, color, explore)
        before = float(board.totals[Index(color - BLACK)])
        board.best[length] = chance(before + gain + always) if explore else -1.0
        make_move(windows, weights, board, move, color)
        begin = Index(color - BLACK) * Index(len(windows.first))
        board.lengths[length] = note_shapes(windows, weights, board, begin, Index(length) * each)
        length += 1
    return length


@kernel
def learn_from_game(
    weights: Weights,
    board: ShapeBoard,
    each: int,
    length: int,
    won: bool,
    rate: float,
    trace: float,
    tally: NDArray[Any],
) -> None:
    """Let the values of a game's positions go towards what came of them, the last one first.

    *won* says whether who moved last has won; *trace* is λ, *each* the room of a position. A step
    is shared by the weights of a position so that its worth changes by *rate* times the error,
    however often one of them is there.
    """
    always = Index(len(weights.values) - 1)
    target = 1.0 if won else 0.0
    for number in range(length - 1, -1, -1):
        at = Index(number) * Index(each)
        count = int(board.lengths[number])
        worth = np.float64(weights.values[always])
        for shape in range(count):
            weight = Index(board.found[at + Index(shape)])
            worth += np.float64(weights.values[weight])
            board.times[weight] += 1
        squares = 1
        for shape in range(count):
            squares += int(board.times[Index(board.found[at + Index(shape)])])
        value = chance(worth)
        error = target - value
        tally[SQUARES] += error * error
        step = rate / float(squares)
        for shape in range(count):
            weight = Index(board.found[at + Index(shape)])
            board.times[weight] = 0
            weights.values[weight] = np.float64(weights.values[weight]) + step * error
        weights.values[always] = np.float64(weights.values[always]) + step * error
        if board.best[number] >= 0.0:
            target = 1.0 - float(board.best[number])
        else:
            target = 1.0 - (value + trace * (target - value))


@kernel
def learn_games(
    windows: Windows,
    weights: Weights,
    board: ShapeBoard,
    scratch: Scratch,
    start: State,
    komi: float,
    games: int,
    before: int,
    exploration: float,
    rate: float,
    decay: float,
    trace: float,
    tally: NDArray[Any],
) -> None:
    """Play games from a position against oneself, and learn from each.

    *before* is how many were played before these: after *decay* games the rate is half of what it
    was.
    """
    each = 2 * (len(windows.first) - 1)
    for game in range(games):
        length = play_game(windows, weights, board, scratch, start, exploration)
        last = _BOTH - int(board.state[TO_PLAY])
        black_wins = float(area_balance(board.state, scratch, FIRST_MARK)) > komi
        tally[GAMES] += 1.0
        tally[MOVES] += float(length)
        tally[BLACK_WINS] += 1.0 if black_wins else 0.0
        won = (last == BLACK) == black_wins
        slowed = rate / (1.0 + float(before + game) / decay)
        learn_from_game(weights, board, each, length, won, slowed, trace, tally)
