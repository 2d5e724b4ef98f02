"""Depth-first proof-number search (df-pn) for a goal that one side, the prover, wants to reach.

After A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002). The prover
moves at OR nodes. Play that never ends is a failure of the prover's, so a position that repeats one
of the path counts as disproven. Such a disproof holds on this path only (the *graph history
interaction*): it is kept with what it rests on, and becomes lasting at the node to which all its
repetitions lead back. A proof never rests on a repetition.

The numbers of a node's other side are the largest of its children's plus one for each further open
child, not their sum (T. Ueda and others, "Weak proof-number search", 2008): positions of Go are
reached by many paths, and a sum counts them many times.

The search can be left after any number of nodes and taken up again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.jit import kernel
from montego.solve.kernels.chains import (
    CHAIN_AT,
    CHAINS,
    CHAINS_LENGTH,
    COUNT,
    ENCLOSED,
    find_chains,
    lives,
    play,
    play_pass,
)
from montego.solve.kernels.layout import (
    ATTACKER,
    BAN,
    DEFENDER,
    KEY,
    NEAR,
    PASS,
    POINTS,
    POSITION_LENGTH,
    PROVER,
    SIDE,
    STONES,
    TARGET,
    TOUCHES,
    WALL,
    index_of,
    lowest,
)
from montego.solve.kernels.table import (
    EFFORT,
    INFINITE,
    PROOF,
    SHIFT,
    UNTIED,
    VISIT,
    find_entry,
    store,
)

if TYPE_CHECKING:
    from montego.solve.kernels.types import Words

# A node on the path: a position, then
PROOF_LIMIT = POSITION_LENGTH  # The search leaves the node when a number reaches its limit.
DISPROOF_LIMIT = POSITION_LENGTH + 1
CHILDREN = POSITION_LENGTH + 2  # how many
CHOSEN = POSITION_LENGTH + 3  # the child that is being searched
VISIT_NUMBER = POSITION_LENGTH + 4
NODES_BEFORE = POSITION_LENGTH + 5
FRAME_LENGTH = POSITION_LENGTH + 6

# A child of a node on the path: a position, then
MOVE = POSITION_LENGTH
PROOF_NUMBER = POSITION_LENGTH + 1
DISPROOF_NUMBER = POSITION_LENGTH + 2
LEAST = POSITION_LENGTH + 3  # the least depth that a disproof rests on, and
DEEPEST = POSITION_LENGTH + 4  # the deepest
CHILD_LENGTH = POSITION_LENGTH + 5

LONGEST_PATH = 300
MOST_CHILDREN = 64

# Counters
DEPTH = 0
NODES = 1
VISITS = 2
STATUS = 3
COUNTERS = 4

OPEN, PROVEN, DISPROVEN, TOO_DEEP = 0, 1, 2, 3

# What is expected of moves: added to the first number of the mover's.
EYE_FILLED = 6
LATER_LENGTH = CHAINS_LENGTH + 2 * POSITION_LENGTH

SELF_ATARI = 2
NO_CONTACT = 2
PASSED = 2


@kernel
def caution(problem: Words, position: Words, chains: Words, point: int, captures: bool) -> int:
    """Return how little is expected of a legal move: 0 for a good one."""
    side = int(position[SIDE])
    own, other = int(position[STONES + side]), int(position[STONES + 1 - side])
    near = int(problem[NEAR + point])
    bit = 1 << point
    if captures:
        return 0
    if not (near & ~own) and not (bit & int(problem[TOUCHES + 1 - side])):
        return EYE_FILLED
    liberties = near & ~(own | other)
    if bit & int(problem[TOUCHES + side]):
        liberties |= WALL
    rest = near & own
    while rest:
        friend = lowest(rest)
        chain = CHAINS + 2 * int(chains[CHAIN_AT + index_of(problem, friend)])
        rest &= ~int(chains[chain])
        liberties |= int(chains[chain + 1])
    liberties &= ~bit
    if liberties < WALL and liberties & (liberties - 1) == 0:
        return SELF_ATARI
    return 0 if near & (own | other) else NO_CONTACT


@kernel
def join(
    problem: Words, position: Words, chains: Words, point: int, after: Words, later: Words
) -> bool:
    """Write what :func:`lives` needs to know after a move of the defender's that captures nothing.

    That is the stones and the target into *after*, and the defender's chains alone into *later*:
    less than :func:`play` and :func:`find_chains` find out. False if the move captures or is
    illegal, with nothing of use written.
    """
    attackers, defenders = int(position[STONES]), int(position[STONES + 1])
    bit = 1 << point
    near = int(problem[NEAR + point])
    rest = near & attackers
    while rest:
        enemy = lowest(rest)
        chain = CHAINS + 2 * int(chains[CHAIN_AT + index_of(problem, enemy)])
        rest &= ~int(chains[chain])
        if int(chains[chain + 1]) == bit:
            return False
    first = int(chains[COUNT])
    stones, liberties = bit, near & ~(attackers | defenders)
    if bit & int(problem[TOUCHES + DEFENDER]):
        liberties |= WALL
    count = 1
    for number in range(first, first + int(chains[COUNT + DEFENDER])):
        its_stones = int(chains[CHAINS + 2 * number])
        its_liberties = int(chains[CHAINS + 2 * number + 1])
        if its_stones & near:
            stones |= its_stones
            liberties |= its_liberties
        else:
            later[CHAINS + 2 * count] = its_stones
            later[CHAINS + 2 * count + 1] = its_liberties & ~bit
            count += 1
    liberties &= ~bit
    if liberties == 0:
        return False
    later[CHAINS] = stones
    later[CHAINS + 1] = liberties
    later[COUNT] = 0
    later[COUNT + DEFENDER] = count
    after[STONES] = attackers
    after[STONES + 1] = defenders | bit
    after[TARGET] = position[TARGET]
    return True


@kernel
def answers_to_life(problem: Words, position: Words, chains: Words, later: Words) -> int:
    """Return the points where the attacker may still prevent life, if the defender threatens it.

    That is, if a single move would make the target unconditionally alive; all points if none would,
    no points if it is the defender's turn. Only a move on that point, or into what the living
    stones would enclose, or one that captures can change anything. *chains* are those of the
    position, and *later* has room for chains and two positions.
    """
    defenders = int(position[STONES + DEFENDER])
    rest = int(problem[POINTS]) & ~(defenders | int(position[STONES + ATTACKER]))
    before, after = later[CHAINS_LENGTH:], later[CHAINS_LENGTH + POSITION_LENGTH :]
    for field in range(POSITION_LENGTH):
        before[field] = position[field]
    is_turn = position[SIDE] == DEFENDER
    if not is_turn:
        before[SIDE] = DEFENDER
        before[BAN] = 0
    useful = int(problem[POINTS])
    threatened = False
    while rest:
        bit = lowest(rest)
        rest ^= bit
        point = index_of(problem, bit)
        if not (int(problem[NEAR + point]) & defenders):
            continue
        if not join(problem, before, chains, point, after, later):
            if not play(problem, before, chains, point, after):
                continue
            find_chains(problem, after, later)
        if lives(problem, after, later):
            if is_turn:
                return 0
            threatened = True
            useful &= bit | int(later[ENCLOSED])
    if threatened:
        first = int(chains[COUNT])
        for number in range(first, first + int(chains[COUNT + DEFENDER])):
            liberties = int(chains[CHAINS + 2 * number + 1])
            if liberties & (liberties - 1) == 0:
                useful |= liberties
    return useful


@kernel
def enter(
    problem: Words,
    frames: Words,
    children: Words,
    table: Words,
    chains: Words,
    later: Words,
    depth: int,
) -> int:
    """Give the node at *depth*, whose position is there, its children.

    Returns PROVEN or DISPROVEN if that is clear from the position itself.
    """
    position = frames[depth]
    prover, side = int(problem[PROVER]), int(position[SIDE])
    find_chains(problem, position, chains)
    if lives(problem, position, chains):
        return PROVEN if prover == DEFENDER else DISPROVEN
    attackers, defenders = int(position[STONES]), int(position[STONES + 1])
    allowed = int(problem[POINTS]) & ~(attackers | defenders)
    may_pass = side != prover or position[BAN] != 0
    target = int(position[TARGET])
    first = CHAINS + 2 * int(chains[CHAIN_AT + index_of(problem, lowest(target))])
    liberties = int(chains[first + 1])
    if not (target & ~int(chains[first])) and liberties & (liberties - 1) == 0:
        # The whole target is one chain in atari.
        if side == ATTACKER:
            if liberties != position[BAN]:
                return PROVEN if prover == ATTACKER else DISPROVEN
        else:
            urgent = liberties
            for number in range(int(chains[COUNT])):
                last = int(chains[CHAINS + 2 * number + 1])
                if last & (last - 1) == 0:
                    urgent |= last
            allowed &= urgent
            may_pass = False
    useful = answers_to_life(problem, position, chains, later)
    if useful != problem[POINTS]:
        if side == DEFENDER:
            return PROVEN if prover == DEFENDER else DISPROVEN
        allowed &= useful
        may_pass = False
    count = 0
    rest = allowed
    while rest or may_pass:
        child = children[depth, count]
        expected = PASSED
        if rest:
            bit = lowest(rest)
            rest ^= bit
            point = index_of(problem, bit)
            if not play(problem, position, chains, point, child):
                continue
            child[MOVE] = point
            enemy = attackers if side == DEFENDER else defenders
            captures = int(child[STONES + 1 - side]) != enemy
            expected = caution(problem, position, chains, point, captures)
        else:
            may_pass = False
            play_pass(problem, position, child)
            child[MOVE] = PASS
        count += 1
        proof, disproof, least, deepest = 1, 1, UNTIED, -1
        if side == prover:
            proof += expected
        else:
            disproof += expected
        key = int(child[KEY])
        if child[TARGET] == 0:
            is_proof = prover == ATTACKER
            proof, disproof = (0, INFINITE) if is_proof else (INFINITE, 0)
        else:
            repeated = -1
            for above in range(depth - 1, -1, -2):
                if frames[above, KEY] == key:
                    repeated = above
                    break
            row = find_entry(table, key)
            if repeated >= 0:
                proof, disproof, least, deepest = INFINITE, 0, repeated, repeated
            elif row >= 0:
                visit = int(table[row, VISIT])
                numbers = int(table[row, PROOF])
                if visit == 0:
                    proof, disproof = numbers // SHIFT, numbers % SHIFT
                else:
                    ties = int(table[row, EFFORT]) % SHIFT
                    if ties // 1024 <= depth and frames[ties // 1024, VISIT_NUMBER] == visit:
                        proof, disproof = numbers // SHIFT, numbers % SHIFT
                        least, deepest = ties % 1024, ties // 1024
        child[PROOF_NUMBER] = proof
        child[DISPROOF_NUMBER] = disproof
        child[LEAST] = least
        child[DEEPEST] = deepest
        if (side == prover and proof == 0) or (side != prover and disproof == 0 and deepest < 0):
            # This one decides.
            if count > 1:
                for field in range(CHILD_LENGTH):
                    children[depth, 0, field] = child[field]
            count = 1
            break
    position[CHILDREN] = count
    if count == 0:
        # There is nothing left that could help.
        return DISPROVEN if side == prover else PROVEN
    return OPEN


@kernel
def search(
    problem: Words,
    frames: Words,
    children: Words,
    table: Words,
    chains: Words,
    later: Words,
    counters: Words,
    limit: int,
) -> int:
    """Search until the root is decided, or for *limit* nodes; return the status, OPEN if neither.

    Begins with the position of the first frame if no node was visited yet, else where it was left.
    """
    prover = int(problem[PROVER])
    until = int(counters[NODES]) + limit
    depth = int(counters[DEPTH])
    if counters[VISITS] == 0:
        counters[VISITS] = 1
        counters[NODES] = 1
        frames[0, VISIT_NUMBER] = 1
        frames[0, NODES_BEFORE] = 0
        frames[0, PROOF_LIMIT] = INFINITE
        frames[0, DISPROOF_LIMIT] = INFINITE
        counters[STATUS] = enter(problem, frames, children, table, chains, later, 0)
    while counters[STATUS] == OPEN and counters[NODES] < until:
        frame = frames[depth]
        is_or = frame[SIDE] == prover
        own = PROOF_NUMBER if is_or else DISPROOF_NUMBER
        cross = DISPROOF_NUMBER if is_or else PROOF_NUMBER
        best, lowest_own, second = 0, INFINITE + 1, INFINITE
        still_open, largest = 0, 0
        least, deepest, lasting = UNTIED, -1, -1
        for number in range(int(frame[CHILDREN])):
            child = children[depth, number]
            its_own = int(child[own])
            if its_own < lowest_own:
                second, lowest_own, best = lowest_own, its_own, number
            elif its_own < second:
                second = its_own
            if its_own < INFINITE:
                still_open += 1
                largest = max(largest, int(child[cross]))
            if is_or:
                least = min(least, int(child[LEAST]))
                deepest = max(deepest, int(child[DEEPEST]))
            elif its_own == 0 and int(child[LEAST]) > lasting:
                # One disproof is enough: that which rests on the least.
                lasting = int(child[LEAST])
                least, deepest = lasting, int(child[DEEPEST])
        mine, others = lowest_own, largest + still_open - 1
        if lowest_own == 0:
            others = INFINITE
        elif still_open == 0:
            mine, others = INFINITE, 0
        proof, disproof = (mine, others) if is_or else (others, mine)
        if proof >= frame[PROOF_LIMIT] or disproof >= frame[DISPROOF_LIMIT]:
            visit = 0
            if disproof != 0 or least >= depth:
                least, deepest = UNTIED, -1
            else:
                deepest = min(deepest, depth - 1)
                visit = int(frames[deepest, VISIT_NUMBER])
            store(
                table,
                int(frame[KEY]),
                proof,
                disproof,
                int(counters[NODES]) - int(frame[NODES_BEFORE]),
                visit,
                max(deepest, 0),
                least,
            )
            if depth == 0:
                counters[STATUS] = PROVEN if proof == 0 else DISPROVEN
                break
            depth -= 1
            child = children[depth, int(frames[depth, CHOSEN])]
            child[PROOF_NUMBER] = proof
            child[DISPROOF_NUMBER] = disproof
            child[LEAST] = least
            child[DEEPEST] = deepest
            continue
        if depth + 1 == LONGEST_PATH:
            counters[STATUS] = TOO_DEEP
            break
        frame[CHOSEN] = best
        child = children[depth, best]
        below = frames[depth + 1]
        for field in range(POSITION_LENGTH):
            below[field] = child[field]
        own_limit, cross_limit = (
            (PROOF_LIMIT, DISPROOF_LIMIT) if is_or else (DISPROOF_LIMIT, PROOF_LIMIT)
        )
        below[own_limit] = min(int(frame[own_limit]), second + second // 4 + 1)
        below[cross_limit] = int(frame[cross_limit]) - still_open + 1
        counters[NODES] += 1
        counters[VISITS] += 1
        below[VISIT_NUMBER] = counters[VISITS]
        below[NODES_BEFORE] = counters[NODES] - 1
        verdict = enter(problem, frames, children, table, chains, later, depth + 1)
        if verdict == OPEN:
            depth += 1
            continue
        proof, disproof = (0, INFINITE) if verdict == PROVEN else (INFINITE, 0)
        child[PROOF_NUMBER] = proof
        child[DISPROOF_NUMBER] = disproof
        child[LEAST] = UNTIED
        child[DEEPEST] = -1
        store(table, int(child[KEY]), proof, disproof, 1, 0, 0, UNTIED)
    counters[DEPTH] = depth
    return int(counters[STATUS])
