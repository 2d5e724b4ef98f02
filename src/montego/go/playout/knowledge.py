"""What playouts of Go are given: knowledge to read, and scratch space to write.

Knowledge is komi, rates of playout rules, weights and patterns; what was learned about moves in
general, local shape and playouts follows, and what is known of single positions. One array of
floats, laid out here; compiled code takes the indices as constants. The layout of scratch space is
:mod:`montego.jit.state`'s.
"""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING

import numpy as np

from montego.go.kernels.patterns import PACKED, PATTERNS, packed_patterns
from montego.go.playout.order import WEIGHTS as ORDER_WORDS
from montego.go.playout.order import RuleOrder
from montego.go.playout.rates import Rates
from montego.jit import state as scratch
from montego.jit.index import Index

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch

KOMI = 0  # what White is given, handicap compensation included

# The rates, in the order of their fields.
RATES = 1
RATE_KO = Index(1)
RATE_CAPTURE = Index(2)
RATE_ATARI = Index(3)
RATE_TWO_LIBERTIES = Index(4)
RATE_EYE_FIX = Index(5)
RATE_NAKADE = Index(6)
RATE_PATTERN = Index(7)
RATE_FILL_BOARD = Index(8)
RATE_SELF_ATARI = Index(9)
RATE_LADDER = Index(10)

# How an order of rules that is not the usual one is read (``playout/order.py``).
ORDER_ENOUGH = Index(11)
ORDER_WEIGHTS = Index(12)  # how moves are weighed: a place among WEIGHTS
ORDER_FILL_BOARD = Index(13)  # the rate of that name, where the order says when it is tried

SHAPES = Index(14)  # where what is known of local shape begins; 0 for nowhere
EXPERIENCE = Index(15)  # the same of what is known of single positions

WEIGHTS = 16  # what priors are worth; their order is that of the engine's weights
LEAST_SHOWN = Index(32)  # the komi that a network is shown at least,
MOST_SHOWN = Index(33)  # and at most
ORDER = Index(34)  # the rules in their order, as ``RuleOrder.steps`` has them, and 0 at the end
BALANCED = Index(50)  # where weights of playouts begin; 0 for nowhere
# Then PATTERNS, and
LEARNED = PATTERNS + PACKED  # what was learned about moves, where that is wanted

MOVES_PER_POINT = 3  # The usual limit: games longer than this are cycling.


def new_knowledge(
    komi: float = 0.0,
    rates: Rates | None = None,
    patterns: str | None = None,
    weights: Sequence[float] = (),
    prediction: NDArray[np.float64] | None = None,
    room: int = 0,
    order: RuleOrder | None = None,
    shapes: NDArray[np.float64] | None = None,
    balanced: NDArray[np.float64] | None = None,
) -> Knowledge:
    """Return the knowledge of a game; *patterns* is the path of a file, or None for our own.

    *prediction* is as :func:`montego.go.prediction.prediction.packed_prediction` makes it. *room*
    is how many numbers of experience there shall be room for; nothing is known at first. *order* is
    that of the rules; knowledge with another than the usual one is for the playout that reads it.
    *shapes* is as :func:`montego.go.local_shape.weights.packed_shapes` makes it, *balanced* as
    :func:`montego.go.playout.balanced.weights.packed_balance`.

    Raises:
        GoError: If the file cannot be read or understood.
    """
    learned = 0 if prediction is None else len(prediction)
    of_shapes = 0 if shapes is None else len(shapes)
    of_playouts = 0 if balanced is None else len(balanced)
    behind = LEARNED + learned + of_shapes
    knowledge = np.zeros(behind + of_playouts + room, np.float64)
    knowledge[KOMI] = komi
    values = astuple(Rates() if rates is None else rates)
    knowledge[RATES : RATES + len(values)] = values
    order = RuleOrder() if order is None else order
    steps = order.steps()
    knowledge[ORDER : int(ORDER) + len(steps)] = steps
    knowledge[ORDER_ENOUGH] = order.enough
    knowledge[ORDER_WEIGHTS] = ORDER_WORDS.index(order.weights)
    knowledge[ORDER_FILL_BOARD] = knowledge[RATE_FILL_BOARD]
    if not order.is_usual:
        knowledge[RATE_FILL_BOARD] = 0.0  # The order says when it is tried.
    knowledge[WEIGHTS : WEIGHTS + len(weights)] = weights
    knowledge[PATTERNS:LEARNED] = packed_patterns(patterns)
    if prediction is not None:
        knowledge[LEARNED : LEARNED + learned] = prediction
    if shapes is not None:
        knowledge[SHAPES] = LEARNED + learned
        knowledge[LEARNED + learned : behind] = shapes
    if balanced is not None:
        knowledge[BALANCED] = behind
        knowledge[behind : behind + of_playouts] = balanced
    if room > 0:
        knowledge[EXPERIENCE] = behind + of_playouts
    return knowledge


def new_scratch(size: int, seed: int, room: int = 0) -> Scratch:
    """Return scratch space for playouts on boards of this size, its random numbers by *seed*.

    *room* integers of a policy's own follow the trace.
    """
    return scratch.new_scratch(MOVES_PER_POINT * size * size, seed, room)
