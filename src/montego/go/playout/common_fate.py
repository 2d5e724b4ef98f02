"""The playout on a common fate graph: a worm is one node, and joining worms is merging nodes.

Section 4.3.1.2 of Florin Chelaru, "Artificial Intelligence in Computer Go" (2008), after the graph
of Graepel, Goutrié, Krüger and Herbrich (2001). Nodes are worms (chains) and empty points; an edge
says that two of them touch. The stones of a worm cannot be told from the graph, so a captured
worm is not emptied: it is *taken*, becomes its captor's territory, and nobody plays there. When the
player to move has no other move, the board is restored from the graph with
those points empty, the graph is built anew, and the game goes on; RESTORATIONS times at most.

A node is named by one of its points. Its fields lie in the state, where the position had others:

- PARENT leads from a point to the node that it melted into; a node is its own parent;
- LABEL, OPEN (how many neighbors are empty or taken), DEGREE (how many neighbors there are) and
  COUNT (stones) are valid at nodes; NUMBER is the row of a point in the arrays below.

The adjacency matrix (a bit for each two points) and the adjacency lists (a row of nodes each) lie
in the room of the scratch space. The matrix tells whether two nodes touch already, and says
nothing about points that are no longer nodes.

Moves are selected as in :mod:`montego.go.playout.naive`, with the same choices: a refused
point is gone for both players, though here until the next restoration. Where the section leaves
a choice: a taken worm is an open neighbor, that is, a liberty, to the worms around it, all
of which are its captor's; so those cannot be captured before the next restoration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.eye import is_surrounded
from montego.go.kernels.flood import FIRST_MARK, area_balance
from montego.go.kernels.layout import (
    AROUND,
    FIRST_EMPTY,
    HEADER,
    KO,
    LIBERTIES,
    NEXT,
    NORTH,
    ONE,
    PASS,
    PASSES,
    ROW,
    SIZE,
    SLOT,
    STONES,
    TO_PLAY,
    WEST,
    diagonals,
    neighbors,
)
from montego.go.playout.analyze_after import PARENT, root_of
from montego.go.playout.reason import Reason, record
from montego.go.vocabulary.color import BLACK, EMPTY, WALL, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, LIMIT, RANDOM, advance, draw, room_of

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, Scratch, State

RESTORATIONS = 2
"""How often a game may be restored. From two on, the scores' distribution hardly changes."""

TAKEN = 4  # the label of a captured worm; the others are EMPTY, BLACK and WHITE

LABEL, OPEN, DEGREE, NUMBER, COUNT = NEXT, LIBERTIES, AROUND, SLOT, STONES

_BOTH = BLACK + WHITE
_NONE = Index(0)
_PASS, _RANDOM = int(Reason.PASS), int(Reason.RANDOM)
_WORD = Index(6)  # log2 of the bits in a word
_BITS = Index(63)


def common_fate_room(size: int) -> int:
    """Return how many integers of scratch :func:`common_fate` needs behind the trace."""
    points = size * size
    return points * ((points + 63) // 64) + points * points


@kernel(inline=True)
def _lists(size: int) -> int:
    """Return where in the room the adjacency lists begin, behind the matrix."""
    points = size * size
    return points * ((points + _BITS) >> _WORD)


@kernel(inline=True)
def _list_of(state: State, node: int) -> int:
    """Return where in the room the adjacency list of *node* begins."""
    size = Index(state[SIZE])
    return _lists(size) + Index(state[node + NUMBER]) * size * size


@kernel(inline=True)
def _word_of(state: State, node: int, other: int) -> int:
    """Return where in the room the matrix has its word for these two."""
    size = Index(state[SIZE])
    words = (size * size + _BITS) >> _WORD
    return Index(state[node + NUMBER]) * words + (Index(state[other + NUMBER]) >> _WORD)


@kernel(inline=True)
def _touches(state: State, scratch: Scratch, node: int, other: int) -> bool:
    """Look up in the matrix whether two nodes touch."""
    word = Index(scratch[room_of(scratch) + _word_of(state, node, other)])
    return (word >> (Index(state[other + NUMBER]) & _BITS)) & ONE != _NONE


@kernel(inline=True)
def _note(state: State, scratch: Scratch, node: int, other: int) -> None:
    """Enter into the matrix that *node* touches *other*, one way."""
    place = room_of(scratch) + _word_of(state, node, other)
    scratch[place] |= ONE << (Index(state[other + NUMBER]) & _BITS)


@kernel(inline=True)
def _is_open(state: State, node: int) -> bool:
    """Say whether a node is a liberty: EMPTY or TAKEN, which have no bit of the colors."""
    return (int(state[node + LABEL]) & _BOTH) == 0


@kernel(inline=True)
def _append(state: State, scratch: Scratch, node: int, other: int) -> None:
    """Add *other* to the neighbors of *node*: list, matrix and number of open ones."""
    degree = Index(state[node + DEGREE])
    scratch[room_of(scratch) + _list_of(state, node) + degree] = other
    state[node + DEGREE] = degree + ONE
    if _is_open(state, other):
        state[node + OPEN] += 1
    _note(state, scratch, node, other)


@kernel(inline=True)
def _find_in_list(state: State, scratch: Scratch, node: int, other: int) -> int:
    """Return where in *scratch* the list of *node* has *other*, which must be there."""
    place = room_of(scratch) + _list_of(state, node)
    while Index(scratch[place]) != other:
        place += ONE
    return place


@kernel(inline=True)
def _remove(state: State, scratch: Scratch, node: int, other: int) -> None:
    """Take *other* from the list of *node*; the last neighbor moves into its place."""
    last = Index(state[node + DEGREE]) - ONE
    place = _find_in_list(state, scratch, node, other)
    scratch[place] = scratch[room_of(scratch) + _list_of(state, node) + last]
    state[node + DEGREE] = last


@kernel
def _melt(state: State, scratch: Scratch, node: int, other: int) -> None:
    """Make one node of two that touch and have the same label: the one with more neighbors."""
    if state[node + DEGREE] < state[other + DEGREE]:
        node, other = other, node
    _remove(state, scratch, node, other)
    begin = room_of(scratch) + _list_of(state, other)
    for index in range(begin, begin + Index(state[other + DEGREE])):
        near = Index(scratch[Index(index)])
        if near == node:
            continue
        if _touches(state, scratch, node, near):
            _remove(state, scratch, near, other)
        else:
            _append(state, scratch, node, near)
            scratch[_find_in_list(state, scratch, near, other)] = node
            _note(state, scratch, near, node)
    state[node + COUNT] += state[other + COUNT]
    state[other + PARENT] = node


@kernel(inline=True)
def _unite(state: State, node: int, point: int) -> int:
    """Make one node of *node* and that of *point*, both without edges, and return it."""
    other = root_of(state, point)
    if node == other:
        return node
    if node < other:
        node, other = other, node
    state[node + PARENT] = other
    state[other + COUNT] += state[node + COUNT]
    return other


@kernel
def _build(state: State, scratch: Scratch) -> int:
    """Build the graph of the stones on the board; list the empty points, return the list's end."""
    size = Index(state[SIZE])
    room = room_of(scratch)
    for index in range(room, room + _lists(size)):
        scratch[Index(index)] = _NONE
    # Nodes. Stones melt into the worm's first stone before there is an edge to be moved.
    end = Index(state[FIRST_EMPTY])
    number = _NONE
    for line in range(ONE, size + ONE):
        row = Index(HEADER) + Index(line) * Index(ROW)
        for column in range(ONE, size + ONE):
            point = row + Index(column)
            color = state[point]
            state[point + PARENT] = point
            state[point + LABEL] = color
            state[point + OPEN] = 0
            state[point + DEGREE] = 0
            state[point + NUMBER] = number
            state[point + COUNT] = 1
            number += ONE
            if color == EMPTY:
                state[end] = point
                end += ONE
            else:
                node = point
                if state[point - WEST] == color:
                    node = _unite(state, point, point - WEST)
                if state[point - NORTH] == color:
                    _unite(state, node, point - NORTH)
    # Edges, from either side.
    for line in range(ONE, size + ONE):
        row = Index(HEADER) + Index(line) * Index(ROW)
        for column in range(ONE, size + ONE):
            point = row + Index(column)
            node = root_of(state, point)
            for near in neighbors(point):
                if state[near] != WALL:
                    other = root_of(state, near)
                    if node != other and not _touches(state, scratch, node, other):
                        _append(state, scratch, node, other)
    return end


@kernel(inline=True)
def _melt_alike(state: State, scratch: Scratch, stone: int, near: int) -> None:
    """Make one worm of the stone's and the neighbor's if they have the same color."""
    if state[near] == state[stone]:
        node, other = root_of(state, stone), root_of(state, near)
        if node != other:
            _melt(state, scratch, node, other)


@kernel
def _empty_taken(state: State) -> None:
    """Lift the stones of taken worms off the board, the graph staying as it is."""
    size = Index(state[SIZE])
    for line in range(ONE, size + ONE):
        row = Index(HEADER) + Index(line) * Index(ROW)
        for column in range(ONE, size + ONE):
            point = row + Index(column)
            if state[root_of(state, point) + LABEL] == TAKEN:
                state[point] = EMPTY


@kernel(inline=True)
def _holds(state: State, point: int, color: int) -> bool:
    """Say whether a stone of *color* stands on *point* and is not taken."""
    return bool(state[point] == color and state[root_of(state, point) + LABEL] == color)


@kernel
def _fills_eye(state: State, point: int, color: int) -> bool:
    """As :func:`montego.go.kernels.eye.is_eye`, with taken stones on diagonals as empty."""
    # No neighbor of an empty point is taken: it would have had a liberty.
    if not is_surrounded(state, point, color):
        return False
    held, edge = 0, 0
    for near in diagonals(point):
        held += int(_holds(state, near, _BOTH - color))
        edge |= int(state[near] == WALL)
    return held + edge < 2


@kernel
def _is_playable(state: State, scratch: Scratch, point: int, color: int, ko: int) -> bool:
    """Say whether the section would play here; as in the naive playout, asked of the graph."""
    enemy = _BOTH - color
    room = room_of(scratch)
    begin = room + _list_of(state, point)
    end = begin + Index(state[point + DEGREE])
    alone = True
    for index in range(begin, end):
        node = Index(scratch[Index(index)])
        if state[node + LABEL] == enemy and state[node + OPEN] == 1:
            return point != ko
        alone &= state[node + LABEL] == EMPTY
    if alone:
        return True
    if _fills_eye(state, point, color):
        return False

    # Are there two liberties, of the stone or of the worms it joins?
    if state[point + OPEN] > 1:
        return True
    liberty = PASS
    for index in range(begin, end):
        node = Index(scratch[Index(index)])
        if state[node + LABEL] == EMPTY:
            liberty = node
    for index in range(begin, end):
        worm = Index(scratch[Index(index)])
        if state[worm + LABEL] != color:
            continue
        if state[worm + OPEN] > 2:
            return True
        first = room + _list_of(state, worm)
        for place in range(first, first + Index(state[worm + DEGREE])):
            node = Index(scratch[Index(place)])
            if node != point and node != liberty and _is_open(state, node):  # noqa: PLR1714
                if liberty != PASS:
                    return True
                liberty = node
    return False


@kernel
def _play(state: State, scratch: Scratch, point: int, color: int) -> tuple[int, int]:
    """Play a stone; return how many stones it captured, and the point then barred by ko."""
    enemy = _BOTH - color
    room = room_of(scratch)
    state[point] = color
    state[point + LABEL] = color
    begin = room + _list_of(state, point)
    captured = 0
    ko = PASS
    joins = False
    for index in range(begin, begin + Index(state[point + DEGREE])):
        node = Index(scratch[Index(index)])
        state[node + OPEN] -= 1
        joins |= state[node + LABEL] == color
        if state[node + LABEL] == enemy and state[node + OPEN] == 0:
            state[node + LABEL] = TAKEN
            captured += int(state[node + COUNT])
            ko = node
            first = room + _list_of(state, node)
            for place in range(first, first + Index(state[node + DEGREE])):
                state[Index(scratch[Index(place)]) + OPEN] += 1
    # A lone stone in atari that took a lone stone may not be retaken at once.
    if captured != 1 or joins or state[point + OPEN] != 1:
        ko = PASS
    for near in neighbors(point):
        _melt_alike(state, scratch, point, near)
    return captured, ko


@kernel
def common_fate(state: State, knowledge: Knowledge, scratch: Scratch) -> int:  # noqa: ARG001
    """Play a random game on the graph; return Black's area minus White's, without komi.

    Ends when no move is left and nothing may be restored, after two passes, or after
    ``scratch[LIMIT]`` moves. Worms taken by then count as their captor's. Afterwards only the
    stones of *state* and the trace in *scratch* are meaningful. Needs :func:`common_fate_room`
    integers of scratch. Superko is not known.
    """
    random = Index(scratch[RANDOM])
    limit = Index(scratch[LIMIT])
    first = Index(state[FIRST_EMPTY])
    ko = Index(state[KO])
    passes = int(state[PASSES])
    color = int(state[TO_PLAY])
    length = _NONE
    restorations = 0
    restorable = False  # whether something was taken, and may be restored
    end = _build(state, scratch)

    while (end > first or restorable) and passes < 2 and length < limit:
        move = PASS
        while move == PASS and (end > first or restorable):
            if end == first:
                _empty_taken(state)
                end = _build(state, scratch)
                restorable = False
                restorations += 1
            random = advance(random)
            slot = first + draw(random, end - first)
            point = Index(state[slot])
            end -= ONE
            state[slot] = state[end]
            if _is_playable(state, scratch, point, color, ko):
                move = point

        record(scratch, length, move, _RANDOM if move != PASS else _PASS)
        length += ONE
        ko = PASS
        if move == PASS:
            passes += 1
        else:
            passes = 0
            captured, ko = _play(state, scratch, move, color)
            restorable |= captured > 0 and restorations < RESTORATIONS
        color = _BOTH - color

    scratch[RANDOM] = random
    scratch[LENGTH] = length
    _empty_taken(state)
    return area_balance(state, scratch, FIRST_MARK)
