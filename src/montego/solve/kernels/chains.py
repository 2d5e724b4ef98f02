"""Chains of a position, what a move does, and unconditional life.

Life is Benson's ("Life in the Game of Go", 1976), with walls: a region that touches the attacker's
walls is no eye.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.jit import kernel
from montego.solve.kernels.layout import (
    ATTACKER,
    BAN,
    BAN_KEY,
    DEFENDER,
    KEY,
    MANY,
    NEAR,
    POINTS,
    SIDE,
    SIDE_KEY,
    STONE_KEY,
    STONES,
    TARGET,
    TARGET_KEY,
    THREAT_KEY,
    THREATS,
    TOUCHES,
    WALL,
    index_of,
    lowest,
)

if TYPE_CHECKING:
    from montego.solve.kernels.types import Words

# The chains of a position: counts of either side, then two integers for each, then for each point
# the number of its chain.
COUNT = 0  # + side
CHAINS = 2  # + 2 * number: stones; + 1: liberties
CHAIN_AT = 130  # + point
REGIONS = 194  # + 3 * number: the region's points, the empty ones, and the stones around it
ENCLOSED = 386  # What the living stones enclose, after lives()
CHAINS_LENGTH = 387


@kernel
def find_chains(problem: Words, position: Words, chains: Words) -> None:
    """Find all chains: the attacker's come first."""
    attackers, defenders = int(position[STONES]), int(position[STONES + 1])
    empty = int(problem[POINTS]) & ~(attackers | defenders)
    number = 0
    for side in range(2):
        color = defenders if side else attackers
        walled = int(problem[TOUCHES + side])
        rest = color
        while rest:
            front = lowest(rest)
            stones, liberties = 0, 0
            while front:
                bit = lowest(front)
                front ^= bit
                stones |= bit
                point = index_of(problem, bit)
                near = int(problem[NEAR + point])
                front |= near & color & ~stones
                liberties |= near & empty
                chains[CHAIN_AT + point] = number
            rest &= ~stones
            if stones & walled:
                liberties |= WALL
            chains[CHAINS + 2 * number] = stones
            chains[CHAINS + 2 * number + 1] = liberties
            number += 1
        chains[COUNT + side] = number
    # The second count is that of the defender's alone.
    chains[COUNT + 1] -= chains[COUNT]


@kernel
def play(problem: Words, position: Words, chains: Words, point: int, after: Words) -> bool:
    """Write the position after a move of the side to move; say whether the move is legal.

    *chains* are those of *position*, and the point is empty. Suicide is illegal. A ko is taken back
    at once only by a side that has a threat left, which it then has not any more.
    """
    side = int(position[SIDE])
    own, other = int(position[STONES + side]), int(position[STONES + 1 - side])
    bit = 1 << point
    near = int(problem[NEAR + point])
    empty = int(problem[POINTS]) & ~(own | other)
    threats = int(position[THREATS + side])
    key = int(position[KEY])
    ban = int(position[BAN])
    if bit == ban:
        if threats == 0:
            return False
        if threats < MANY:
            key ^= int(problem[THREAT_KEY + 8 * side + threats])
            threats -= 1
            key ^= int(problem[THREAT_KEY + 8 * side + threats])
    captured = 0
    rest = near & other
    while rest:
        enemy = lowest(rest)
        chain = CHAINS + 2 * int(chains[CHAIN_AT + index_of(problem, enemy)])
        rest &= ~int(chains[chain])
        if int(chains[chain + 1]) == bit:
            captured |= int(chains[chain])
    walled = int(problem[TOUCHES + side]) & bit
    if not (near & empty) and not captured and not walled:
        breathes = False
        rest = near & own
        while rest:
            friend = lowest(rest)
            chain = CHAINS + 2 * int(chains[CHAIN_AT + index_of(problem, friend)])
            rest &= ~int(chains[chain])
            if int(chains[chain + 1]) != bit:
                breathes = True
        if not breathes:
            return False
    if ban:
        key ^= int(problem[BAN_KEY + index_of(problem, ban)])
    key ^= int(problem[STONE_KEY + 64 * side + point]) ^ int(problem[SIDE_KEY])
    target = int(position[TARGET])
    rest = captured
    while rest:
        stone = lowest(rest)
        rest ^= stone
        place = index_of(problem, stone)
        key ^= int(problem[STONE_KEY + 64 * (1 - side) + place])
        if side == ATTACKER and stone & target:
            key ^= int(problem[TARGET_KEY + place])
    ban = 0
    is_single = captured != 0 and captured & (captured - 1) == 0
    if is_single and not (near & (empty | own)) and not walled:
        ban = captured
        key ^= int(problem[BAN_KEY + index_of(problem, ban)])
    after[STONES + side] = own | bit
    after[STONES + 1 - side] = other & ~captured
    after[TARGET] = target & ~captured if side == ATTACKER else target
    after[BAN] = ban
    after[SIDE] = 1 - side
    after[THREATS + side] = threats
    after[THREATS + 1 - side] = position[THREATS + 1 - side]
    after[KEY] = key
    return True


@kernel
def play_pass(problem: Words, position: Words, after: Words) -> None:
    """Write the position after a pass, which lifts a ko's ban."""
    for field in range(KEY):
        after[field] = position[field]
    key = int(position[KEY]) ^ int(problem[SIDE_KEY])
    if position[BAN]:
        key ^= int(problem[BAN_KEY + index_of(problem, int(position[BAN]))])
    after[BAN] = 0
    after[SIDE] = 1 - int(position[SIDE])
    after[KEY] = key


@kernel
def lives(problem: Words, position: Words, chains: Words) -> bool:
    """Say whether a chain of the target is alive even if the defender always passes.

    *chains* are those of the position; the regions in it are scratch space, and in the end it has
    what the living stones enclose.
    """
    attackers, defenders = int(position[STONES]), int(position[STONES + 1])
    target = int(position[TARGET])
    first = int(chains[COUNT])
    last = first + int(chains[COUNT + DEFENDER])
    regions = 0
    rest = int(problem[POINTS]) & ~defenders
    while rest:
        front = lowest(rest)
        region, border = 0, 0
        while front:
            bit = lowest(front)
            front ^= bit
            region |= bit
            near = int(problem[NEAR + index_of(problem, bit)])
            front |= near & ~(defenders | region)
            border |= near & defenders
        rest &= ~region
        empty = region & ~attackers
        if not (region & int(problem[TOUCHES + ATTACKER])) and empty:
            chains[REGIONS + 3 * regions] = region
            chains[REGIONS + 3 * regions + 1] = empty
            chains[REGIONS + 3 * regions + 2] = border
            regions += 1
    living = 0
    for number in range(first, last):
        living |= int(chains[CHAINS + 2 * number])
    changed = True
    while changed and living & target:
        changed = False
        for number in range(first, last):
            stones = int(chains[CHAINS + 2 * number])
            liberties = int(chains[CHAINS + 2 * number + 1])
            if not (stones & living) or liberties & WALL:
                continue
            eyes = 0
            for region in range(regions):
                empty = int(chains[REGIONS + 3 * region + 1])
                border = int(chains[REGIONS + 3 * region + 2])
                if not (empty & ~liberties) and not (border & ~living):
                    eyes += 1
            if eyes < 2:
                living &= ~stones
                changed = True
    enclosed = 0
    for region in range(regions):
        if not (int(chains[REGIONS + 3 * region + 2]) & ~living):
            enclosed |= int(chains[REGIONS + 3 * region])
    chains[ENCLOSED] = enclosed
    return living & target != 0
