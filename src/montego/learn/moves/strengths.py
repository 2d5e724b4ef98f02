"""Strengths of shapes and traits, and how games change them: the compiled part.

After R. Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007): a move is a team
of features whose strengths multiply, and the move that is played has won against all others. The
logarithms of the strengths are found by stochastic gradient ascent on the likelihood, game by game,
or by minorization-maximization: a pass over all games counts how often each feature won, and how
often it should have, and the strengths go up or down by their ratio.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.go.kernels.eye import is_eye
from montego.go.kernels.layout import EMPTY_COUNT, FIRST_EMPTY, PASS, TO_PLAY
from montego.go.kernels.position import LEGAL, move_fault, play
from montego.go.prediction.shapes import RINGS, begin_shape, grow_shape
from montego.go.prediction.traits import MOST_TRAITS, TRAITS, find_traits, list_of, prepare_traits
from montego.go.vocabulary.color import BLACK, WHITE
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Scratch, State

MOST_FEATURES = MOST_TRAITS + RINGS
"""Of one move."""

# What a game adds to the tally, at these indices.
POSITIONS, FIRST, AMONG_FIVE, LOSS = 0, 1, 2, 3
TALLY = 4

_BOTH = BLACK + WHITE
_NEGLIGIBLE = 1e-4  # Errors below this teach nothing.
_SHIFT, _ONE = Index(20), Index(1)


class MoveFeatures(NamedTuple):
    """What is learned: a table from keys of shapes to features, and the features' strengths."""

    keys: NDArray[Any]
    """Slot: the key of a shape, or 0."""
    numbers: NDArray[Any]
    """Slot: its feature. Traits are the first ones."""
    strengths: NDArray[Any]
    """Feature: the logarithm of its strength."""


class Choices(NamedTuple):
    """The moves of a position while they are compared."""

    found: NDArray[Any]
    """Move times MOST_FEATURES, and up to as many more: its features."""
    counts: NDArray[Any]
    """Move: how many features it has."""
    chances: NDArray[Any]
    """Move: how likely it is to be chosen."""


def new_features(shapes: NDArray[np.uint64]) -> MoveFeatures:
    """Return features in which everything is worth the same, for traits and these shapes."""
    slots = 1 << max(3 * len(shapes), 1).bit_length()
    keys, numbers = np.zeros(slots, np.uint64), np.zeros(slots, np.int32)
    for feature, key in enumerate(shapes.tolist(), TRAITS):
        slot = (key >> int(_SHIFT)) % slots
        while keys[slot]:
            slot = (slot + 1) % slots
        keys[slot], numbers[slot] = key, feature
    return MoveFeatures(keys, numbers, np.zeros(TRAITS + len(shapes)))


def new_choices(size: int) -> Choices:
    """Return room for the moves of a position."""
    points = size * size
    return Choices(
        np.zeros(points * MOST_FEATURES, np.int64), np.zeros(points, np.int64), np.zeros(points)
    )


@kernel
def collect_keys(
    state: State, scratch: Scratch, moves: NDArray[Any], first: int, keys: NDArray[Any]
) -> int:
    """Write the keys of the shapes that were played, RINGS a move, 0 for a pass; return how many.

    Ends where a move is illegal.
    """
    color, count = first, 0
    shape = list_of(state, scratch) + Index(MOST_TRAITS)
    for number in range(len(moves)):
        point = Index(moves[number])
        if point != PASS and move_fault(state, point, color) != LEGAL:
            return count
        begin_shape(scratch, shape)
        for ring in range(RINGS):
            key = Index(0)
            if point != PASS:
                key = Index(grow_shape(state, scratch, shape, point, color, ring))
            keys[count] = key
            count += 1
        state[TO_PLAY] = color
        play(state, point, color)
        color = _BOTH - color
    return count


@kernel
def feature_of(features: MoveFeatures, key: int) -> int:
    """Return the feature with a key, or -1 if there is none."""
    mask = Index(len(features.keys) - 1)
    slot = (key >> _SHIFT) & mask
    while features.keys[slot] != key:
        if features.keys[slot] == Index(0):
            return -1
        slot = (slot + _ONE) & mask
    return int(features.numbers[slot])


@kernel
def compare_moves(
    state: State,
    scratch: Scratch,
    features: MoveFeatures,
    choices: Choices,
    color: int,
    played: int,
) -> tuple[int, int]:
    """List the moves of a position with their features and chances; return how many, and which.

    The second number is the one that was played. Own eyes are left out unless one was.
    """
    listed = list_of(state, scratch)
    shape = listed + Index(MOST_TRAITS)
    suggested = prepare_traits(state, scratch, color)
    count, chosen = 0, 0
    begin = Index(state[FIRST_EMPTY])
    for slot in range(begin, begin + Index(state[EMPTY_COUNT])):
        point = Index(state[Index(slot)])
        if point == played:
            chosen = count
        elif is_eye(state, point, color) or move_fault(state, point, color) != LEGAL:
            continue
        own = int(find_traits(state, scratch, point, color, suggested))
        row = count * MOST_FEATURES
        strength = 0.0
        for trait in range(own):
            feature = int(scratch[listed + Index(trait)])
            choices.found[row + trait] = feature
            strength += float(features.strengths[feature])
        begin_shape(scratch, shape)
        for ring in range(RINGS):
            key = Index(grow_shape(state, scratch, shape, point, color, ring))
            feature = int(feature_of(features, key))
            if feature < 0:
                break
            choices.found[row + own] = feature
            strength += float(features.strengths[feature])
            own += 1
        choices.counts[count] = own
        choices.chances[count] = strength
        count += 1
    return count, chosen


@kernel
def judge_choice(choices: Choices, count: int, chosen: int, tally: NDArray[Any]) -> None:
    """Turn strengths into chances, and add to the tally how well the move was foretold."""
    rank, total, most = 0, 0.0, float(choices.chances[chosen])
    for choice in range(count):
        # Of equals the first one listed is the favorite.
        ahead = choices.chances[choice] == choices.chances[chosen] and choice < chosen
        rank += int(ahead or choices.chances[choice] > choices.chances[chosen])
        most = max(most, float(choices.chances[choice]))
    for choice in range(count):
        choices.chances[choice] = math.exp(float(choices.chances[choice]) - most)
        total += float(choices.chances[choice])
    for choice in range(count):
        choices.chances[choice] = float(choices.chances[choice]) / total
    tally[POSITIONS] += 1.0
    tally[FIRST] += 1.0 if rank == 0 else 0.0
    tally[AMONG_FIVE] += 1.0 if rank < 5 else 0.0
    tally[LOSS] -= math.log(max(float(choices.chances[chosen]), 1e-300))


@kernel
def learn_by_gradient(
    features: MoveFeatures,
    choices: Choices,
    count: int,
    chosen: int,
    rate: float,
    squares: NDArray[Any],
) -> None:
    """Learn from a move at that rate, by Adagrad (J. Duchi and others 2011)."""
    for choice in range(count):
        error = (1.0 if choice == chosen else 0.0) - float(choices.chances[choice])
        if abs(error) > _NEGLIGIBLE:
            for place in range(int(choices.counts[choice])):
                feature = int(choices.found[choice * MOST_FEATURES + place])
                squares[feature] += error * error
                step = rate * error / math.sqrt(float(squares[feature]) + 1.0)
                features.strengths[feature] += step


@kernel
def count_wins(
    choices: Choices, count: int, chosen: int, wins: NDArray[Any], expected: NDArray[Any]
) -> None:
    """Count how often each feature won, and how often it should have."""
    for choice in range(count):
        chance = float(choices.chances[choice])
        for place in range(int(choices.counts[choice])):
            feature = int(choices.found[choice * MOST_FEATURES + place])
            expected[feature] += chance
            if choice == chosen:
                wins[feature] += 1.0


@kernel
def go_through(
    state: State,
    scratch: Scratch,
    moves: NDArray[Any],
    first: int,
    features: MoveFeatures,
    choices: Choices,
    rate: float,
    counts: bool,
    squares: NDArray[Any],
    wins: NDArray[Any],
    tally: NDArray[Any],
) -> None:
    """Go through a game and add to the tally; learn from each move at a rate, or count wins.

    At a rate of 0 nothing is learned. What is counted as expected is in *squares*. Ends where a
    move is illegal.
    """
    color = first
    for number in range(len(moves)):
        played = Index(moves[number])
        if played != PASS and move_fault(state, played, color) != LEGAL:
            return
        state[TO_PLAY] = color
        if played != PASS:
            count, chosen = compare_moves(state, scratch, features, choices, color, played)
            judge_choice(choices, count, chosen, tally)
            if counts:
                count_wins(choices, count, chosen, wins, squares)
            elif rate > 0.0:
                learn_by_gradient(features, choices, count, chosen, rate, squares)
        play(state, played, color)
        color = _BOTH - color
