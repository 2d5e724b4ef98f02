"""The vital point of a small eye space: nakade, for either side.

A space of three to six points in certain shapes is one eye if the attacker plays its vital point
and two if the defender does. The shapes are told by the number of their points and of the ways
between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.layout import AROUND, ONE, PASS, neighbors
from montego.go.vocabulary.color import BLACK, EMPTY, WALL, WHITE
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from montego.jit.state import Scratch, State

LARGEST = 6


@kernel
def vital_point(state: State, scratch: Scratch, at: int, start: int) -> int:
    """Return the vital point of the eye space that holds the empty point *start*, or PASS.

    The space must be surrounded by one color. Its points are left in *scratch* from *at*, where
    there must be room for LARGEST.
    """
    scratch[at] = start
    count, done, border = Index(1), Index(0), 0
    while done < count:
        point = Index(scratch[at + done])
        done += ONE
        for near in neighbors(point):
            there = int(state[near])
            if there == EMPTY:
                seen = False
                for other in range(count):
                    seen |= Index(scratch[at + Index(other)]) == near
                if not seen:
                    if count == Index(LARGEST):
                        return PASS
                    scratch[at + count] = near
                    count += ONE
            elif there != WALL:
                border |= there
                if border == BLACK | WHITE:
                    return PASS
    if count < Index(3):
        return PASS
    # Every empty neighbor is of the space: a point's ways are its empty neighbors.
    ways, most, vital = 0, 0, PASS
    for index in range(count):
        point = Index(scratch[at + Index(index)])
        here = int(state[point + AROUND]) >> 8
        ways += here
        if here > most:
            most, vital = here, point
    is_vital = False
    if count == Index(3):
        is_vital = True  # three in a row, bent or straight
    elif count == Index(4):
        is_vital = most == 3  # the pyramid
    elif count == Index(5):
        is_vital = most == 4 or (most == 3 and ways == 10)  # cross, bulky five
    else:
        is_vital = most == 4 and ways == 12  # the rabbity six
    return vital if is_vital else PASS
