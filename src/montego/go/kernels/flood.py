"""Walking over connected points: regions, and the area of a whole board, for kernels.

Works on the colors of a state alone, however the other fields are used, except for one: a walk
leaves its mark where a chain keeps its number of stones. Afterwards a state is good for its colors.
:mod:`montego.go.area` does the same for people, slowly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.layout import HEADER, ONE, ROW, SIZE, STONES, neighbors
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.go.vocabulary.vertex import MAX_SIZE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import room_of

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from montego.jit.state import Scratch, State

MARK = STONES  # the number of the last walk that came by
FIRST_MARK = MAX_SIZE * MAX_SIZE + 1  # No chain has so many stones: no point bears it at first.


@kernel
def flood(state: State, scratch: Scratch, start: int, mark: int) -> tuple[int, int, int]:
    """Walk over the points connected to *start* that are of its color.

    Return how many there are, how many empty points touch them, and the colors that do, one bit
    each. The points themselves are left in the room of *scratch*, and *mark* at all of both
    kinds. *mark* must be new: larger than every mark before.
    """
    color = state[start]
    queue = room_of(scratch)
    done, end = queue, queue + ONE
    scratch[queue] = start
    state[start + MARK] = mark
    liberties = 0
    touched = 0
    while done < end:
        point = Index(scratch[done])
        done += ONE
        for near in neighbors(point):
            there = state[near]
            if there == color:
                if state[near + MARK] != mark:
                    state[near + MARK] = mark
                    scratch[end] = near
                    end += ONE
            else:
                touched |= 1 << int(there)
                if there == EMPTY and state[near + MARK] != mark:
                    state[near + MARK] = mark
                    liberties += 1
    return end - queue, liberties, touched


@kernel
def area_balance(state: State, scratch: Scratch, mark: int) -> int:
    """Return Black's area minus White's: stones, and empty regions that touch one color only.

    Uses the room of *scratch* and *mark*, which must be new.
    """
    size = Index(state[SIZE])
    balance = 0
    for line in range(ONE, size + ONE):
        row = Index(HEADER) + Index(line) * Index(ROW)
        for column in range(ONE, size + ONE):
            point = row + Index(column)
            if state[point] == BLACK:
                balance += 1
            elif state[point] == WHITE:
                balance -= 1
            elif state[point + MARK] != mark:
                # One mark for all regions: they do not touch each other.
                count, _, touched = flood(state, scratch, point, mark)
                touches_black = (touched >> BLACK) & 1
                touches_white = (touched >> WHITE) & 1
                balance += int(count) * (touches_black - touches_white)
    return balance


@kernel
def area_owners(state: State, scratch: Scratch, mark: int, owned: NDArray[Any]) -> None:
    """Write who owns each point, row by row from the top: 1 for Black, -1 for White, 0 for nobody.

    Uses the room of *scratch* and *mark*, which must be new.
    """
    size = Index(state[SIZE])
    first = Index(HEADER) + Index(ROW) + ONE
    for line in range(size):
        for column in range(size):
            point = first + Index(line) * Index(ROW) + Index(column)
            cell = Index(line) * size + Index(column)
            if state[point] == BLACK:
                owned[cell] = 1
            elif state[point] == WHITE:
                owned[cell] = -1
            elif state[point + MARK] != mark:
                count, _, touched = flood(state, scratch, point, mark)
                owner = int((touched >> BLACK) & 1) - int((touched >> WHITE) & 1)
                queue = room_of(scratch)
                for place in range(queue, queue + Index(count)):
                    offset = Index(scratch[place]) - first
                    owned[offset // Index(ROW) * size + offset % Index(ROW)] = owner
