"""Stones, chains, captures and simple ko: the kernels that every game of Go runs through.

A position is one flat array, described in :mod:`montego.go.kernels.layout`. Chains are rings of
stones that all know their head; when two chains meet, the smaller is relabeled. A chain keeps its
number of pseudo-liberties (an empty point counts once for each stone it touches; after
the program libego): 0 exactly when it has no liberty, and maintained by one addition a neighbor.

Kernels trust their arguments. Input is checked in :mod:`montego.go.board`, superko and the end of
the game belong to :mod:`montego.go.game`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from montego.go.kernels.layout import (
    AROUND,
    AROUND_EMPTY,
    BALANCE,
    BEFORE_LAST,
    CAPTURED,
    EMPTY_COUNT,
    FIRST_EMPTY,
    HASH,
    HEAD,
    HEADER,
    KO,
    LAST,
    LIBERTIES,
    LINE,
    MOVES,
    NEXT,
    ONE,
    PASS,
    PASSES,
    ROW,
    SLOT,
    STONES,
    SUICIDE,
    TO_PLAY,
    neighbors,
)
from montego.go.vocabulary.color import BLACK, EMPTY, WALL, WHITE
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from montego.jit.state import State

# Why a move may not be played.
LEGAL, OCCUPIED, BARRED_BY_KO, IS_SUICIDE = 0, 1, 2, 3

_BOTH = BLACK + WHITE
_FOUR = Index(4)
_NIBBLE = Index(0xF)

# Zobrist (1970) keys by place and color. A fixed seed: hashes are compared between processes.
_KEYS = np.random.default_rng(0x600D).integers(
    0, 1 << 64, size=(LINE * LINE, 2), dtype=np.uint64, endpoint=False
)


@kernel(inline=True)
def count_around(around: int, color: int) -> int:
    """Read from an AROUND field how many neighbors are of *color*, walls included."""
    return (Index(around) >> (Index(color - 1) * _FOUR)) & _NIBBLE


@kernel(inline=True)
def has_breath(state: State, point: int, color: int) -> bool:
    """Say whether a stone without an empty neighbor would still live: it captures, or it joins.

    It captures a neighboring chain whose pseudo-liberties are all at *point*; it joins
    a chain of its own color that has others. Each neighbor from the same chain accounts for one.
    """
    north, west, east, south = neighbors(point)
    color_n, color_w = state[north], state[west]
    color_e, color_s = state[east], state[south]
    head_n, head_w = Index(state[north + HEAD]), Index(state[west + HEAD])
    head_e, head_s = Index(state[east + HEAD]), Index(state[south + HEAD])
    nw, ne, ns = int(head_n == head_w), int(head_n == head_e), int(head_n == head_s)
    we, ws, es = int(head_w == head_e), int(head_w == head_s), int(head_e == head_s)
    # No branches: which of the terms holds is as good as random.
    breath = ((color_n == color) == (state[head_n + LIBERTIES] != 1 + nw + ne + ns)) & (
        color_n != WALL
    )
    breath |= ((color_w == color) == (state[head_w + LIBERTIES] != 1 + nw + we + ws)) & (
        color_w != WALL
    )
    breath |= ((color_e == color) == (state[head_e + LIBERTIES] != 1 + ne + we + es)) & (
        color_e != WALL
    )
    breath |= ((color_s == color) == (state[head_s + LIBERTIES] != 1 + ns + ws + es)) & (
        color_s != WALL
    )
    return bool(breath)


@kernel
def join(state: State, chain: int, other: int) -> int:
    """Make one chain of the two with these heads and return its head.

    The smaller is relabeled, so that a stone changes its head at most log2(stones) times.
    """
    if state[chain + STONES] < state[other + STONES]:
        chain, other = other, chain
    state[chain + LIBERTIES] += state[other + LIBERTIES]
    state[chain + STONES] += state[other + STONES]
    stone = other
    while True:
        state[stone + HEAD] = chain
        stone = Index(state[stone + NEXT])
        if stone == other:
            break
    after = state[chain + NEXT]
    state[chain + NEXT] = state[other + NEXT]
    state[other + NEXT] = after
    return chain


@kernel
def remove_chain(state: State, chain: int, color: int, end: int) -> int:
    """Lift a chain of *color* off the board; return the new end of the list of empty points.

    The points are appended to the list in the order of the chain's ring, and their neighbors gain a
    liberty each. The header is left alone. The removed points become their own heads again.
    """
    change = AROUND_EMPTY - (1 << ((color - 1) * 4))
    first = Index(chain)
    stone = first
    while True:
        following = Index(state[stone + NEXT])
        state[stone] = EMPTY
        state[stone + HEAD] = stone
        state[stone + SLOT] = end
        state[end] = stone
        end += ONE
        north, west, east, south = neighbors(stone)
        state[north + AROUND] += change
        state[west + AROUND] += change
        state[east + AROUND] += change
        state[south + AROUND] += change
        state[Index(state[north + HEAD]) + LIBERTIES] += 1
        state[Index(state[west + HEAD]) + LIBERTIES] += 1
        state[Index(state[east + HEAD]) + LIBERTIES] += 1
        state[Index(state[south + HEAD]) + LIBERTIES] += 1
        stone = following
        if stone == first:
            return end


@kernel(inline=True)
def is_legal(state: State, point: int, color: int, ko: int) -> bool:
    """Say whether a stone of *color* may be played on an empty point, suicide excluded."""
    return point != ko and (
        state[point + AROUND] >= AROUND_EMPTY or has_breath(state, point, color)
    )


@kernel(inline=True)
def place(state: State, point: int, color: int, end: int) -> tuple[int, int]:
    """Put a stone on an empty point, take what it captures; return the list's new end, and a ko.

    *end* is where the list of empty points ends after *point* itself was taken from it; captured
    points are appended there. The ko is the point that may not be played at once, or PASS. Neither
    the header nor the stone's own liberties are looked at: suicide leaves a chain without liberties
    on the board.
    """
    enemy = _BOTH - color
    before = end
    walled_in = count_around(state[point + AROUND], enemy) == _FOUR
    north, west, east, south = neighbors(point)

    # The neighbors learn about the stone.
    change = (1 << ((color - 1) * 4)) - AROUND_EMPTY
    liberties = state[point + AROUND] >> 8
    state[point] = color
    state[north + AROUND] += change
    state[west + AROUND] += change
    state[east + AROUND] += change
    state[south + AROUND] += change
    head_n, head_w = Index(state[north + HEAD]), Index(state[west + HEAD])
    head_e, head_s = Index(state[east + HEAD]), Index(state[south + HEAD])
    state[head_n + LIBERTIES] -= 1
    state[head_w + LIBERTIES] -= 1
    state[head_e + LIBERTIES] -= 1
    state[head_s + LIBERTIES] -= 1
    color_n, color_w = state[north], state[west]
    color_e, color_s = state[east], state[south]
    own_n, own_w, own_e, own_s = (
        color_n == color,
        color_w == color,
        color_e == color,
        color_s == color,
    )

    # The stone founds a chain, or enters one and perhaps joins it with others.
    if not (own_n | own_w | own_e | own_s):
        state[point + HEAD] = point
        state[point + NEXT] = point
        state[point + LIBERTIES] = liberties
        state[point + STONES] = 1
    else:
        chain = head_s
        chain = head_e if own_e else chain
        chain = head_w if own_w else chain
        chain = head_n if own_n else chain
        state[point + HEAD] = chain
        state[point + NEXT] = state[chain + NEXT]
        state[chain + NEXT] = point
        state[chain + LIBERTIES] += liberties
        state[chain + STONES] += 1
        if (own_w & (head_w != chain)) | (own_e & (head_e != chain)) | (own_s & (head_s != chain)):
            if own_w and head_w != chain:
                chain = join(state, chain, head_w)
            if own_e and Index(state[east + HEAD]) != chain:
                chain = join(state, chain, Index(state[east + HEAD]))
            if own_s and Index(state[south + HEAD]) != chain:
                join(state, chain, Index(state[south + HEAD]))

    # Enemy chains without liberties go. One test for all four: captures are rare.
    if (
        ((color_n == enemy) & (state[head_n + LIBERTIES] == 0))
        | ((color_w == enemy) & (state[head_w + LIBERTIES] == 0))
        | ((color_e == enemy) & (state[head_e + LIBERTIES] == 0))
        | ((color_s == enemy) & (state[head_s + LIBERTIES] == 0))
    ):
        # A color is read again each time: two neighbors may have been of one chain.
        if color_n == enemy and state[head_n + LIBERTIES] == 0:
            end = remove_chain(state, north, enemy, end)
        if state[west] == enemy and state[head_w + LIBERTIES] == 0:
            end = remove_chain(state, west, enemy, end)
        if state[east] == enemy and state[head_e + LIBERTIES] == 0:
            end = remove_chain(state, east, enemy, end)
        if state[south] == enemy and state[head_s + LIBERTIES] == 0:
            end = remove_chain(state, south, enemy, end)
    # A lone stone between four enemies took a lone stone: it may not be retaken at once.
    if walled_in and end == before + ONE:
        return end, Index(state[before])
    return end, PASS


@kernel(patient=True)
def move_fault(state: State, point: int, color: int) -> int:
    """Return LEGAL, or why a stone of *color* may not be played on *point* of the board.

    Knows occupied points, simple ko and suicide; does not know superko. A lone stone's suicide is
    never legal: it would leave the board as it was.
    """
    point = Index(point)
    if state[point] != EMPTY:
        return OCCUPIED
    if point == Index(state[KO]) and color == state[TO_PLAY]:
        return BARRED_BY_KO
    if state[point + AROUND] >= AROUND_EMPTY or has_breath(state, point, color):
        return LEGAL
    if state[SUICIDE] != 0:
        for near in neighbors(point):
            if state[near] == color:
                return LEGAL
    return IS_SUICIDE


@kernel(patient=True)
def play(state: State, point: int, color: int) -> int:
    """Play a legal move, or PASS, and return how many enemy stones it captured.

    Keeps everything: header, hash, ko. After a suicide the player's own chain is gone.
    """
    state[MOVES] += 1
    state[BEFORE_LAST] = state[LAST]
    state[LAST] = point
    state[TO_PLAY] = _BOTH - color
    if Index(point) == PASS:
        state[KO] = PASS
        state[PASSES] += 1
        return 0
    state[PASSES] = 0
    point = Index(point)
    enemy = _BOTH - color

    # Take the point from the list of empty ones: the last one moves into its slot.
    count = state[EMPTY_COUNT] - 1
    end = Index(state[FIRST_EMPTY]) + Index(count)
    slot = Index(state[point + SLOT])
    moved = Index(state[end])
    state[slot] = moved
    state[moved + SLOT] = slot

    after, ko = place(state, point, color, end)
    captured = int(after - end)
    toggle_hash(state, point, color)
    for index in range(end, after):
        toggle_hash(state, Index(state[Index(index)]), enemy)
    state[CAPTURED + Index(enemy)] += captured
    lost = 0
    if captured == 0 and state[Index(state[point + HEAD]) + LIBERTIES] == 0:
        after = remove_chain(state, point, color, end)
        lost = int(after - end)
        for index in range(end, after):
            toggle_hash(state, Index(state[Index(index)]), color)
        state[CAPTURED + Index(color)] += lost

    state[EMPTY_COUNT] = count + captured + lost
    gain = 1 + captured - lost
    state[BALANCE] += gain if color == BLACK else -gain
    state[KO] = ko
    return captured


@kernel(patient=True)
def position_hash(state: State) -> int:
    """Return the Zobrist hash of the stones, as an unsigned 64-bit integer.

    Neither the player to move nor the ko point is part of it.
    """
    value = Index(0)
    for part in range(4):
        value |= Index(state[HASH + Index(part)]) << Index(16 * part)
    return value


@kernel
def toggle_hash(state: State, point: int, color: int) -> None:
    """Add a stone to the hash, or take it out: the same operation."""
    offset = Index(point) - Index(HEADER)
    line, place_in_line = offset // Index(ROW), offset % Index(ROW)
    key = _KEYS[line * Index(LINE) + place_in_line, Index(color - 1)]
    for part in range(4):
        state[HASH + Index(part)] ^= np.int32((key >> Index(16 * part)) & Index(0xFFFF))
