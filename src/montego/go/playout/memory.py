"""What the playouts of a thread remember of those before them: replies, averages, criticality.

- *Last good replies with forgetting* (Drake 2009; Baier and Drake 2010, "The Power of Forgetting"):
  a reply to the last move, or to the last two, that a won playout had, until a playout with it is
  lost.
- *Averages* (the move-average sampling technique of Finnsson's CadiaPlayer): how often playouts
  were won in which a color was the first to play at a point; later playouts count for more.
- *Criticality* (Coulom 2009; Pellegrino, Hubbard and others 2009): how far who owns a point goes
  together with who wins.

All of it lies at the end of the thread's scratch space, behind what other functions use for the
moment: replies to two moves, and then a table with the layout of a position, whose seven fields of
a point are those below and whose header has counters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.eye import is_eye
from montego.go.kernels.layout import (
    AROUND,
    BEFORE_LAST,
    HEADER,
    LAST,
    LINE,
    ONE,
    PASS,
    ROW,
    SIZE,
    TO_PLAY,
    state_length,
)
from montego.go.kernels.position import count_around, is_legal
from montego.go.kernels.tactics import is_self_atari
from montego.go.playout.knowledge import (
    CRITICALITY,
    KOMI,
    RATE_AVERAGE,
    RATE_REPLY,
    RATE_REPLY_TO_TWO,
)
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import TRACE

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, Scratch, State

PAIRS = 1 << 14
"""Room for replies to two moves, a power of two; of those that meet, the later one stays."""

# Counters in the header.
_GAMES, _WINS, _STAMP = Index(0), Index(1), Index(2)

# Fields of a point, in steps of LINE.
_BOTH_BLACK = Index(0)  # playouts in which Black had the point and won
_REPLY = Index(0)  # + color * LINE: the reply to a move here
_AVERAGE = Index(2 * LINE)  # + color * LINE: see SHARE; 0 for unknown
_SEEN = Index(5 * LINE)  # the latest playout that had a move here
_OWNED = Index(6 * LINE)  # playouts in which Black had the point

_LINE, _FOUR = Index(LINE), Index(4)
_BOTH = BLACK + WHITE
_WHOLE, _HALF = Index(1 << 32), Index(1 << 31)
_SHARE = Index(7)  # A playout moves an average by this part of a power of two.
_WINDOW = 1024  # Playouts after which those counted for criticality are halved.
LEAST_GAMES = 64  # Playouts from which on criticality means something.

_MOVE_BITS, _MOVE_MASK = Index(16), Index(0xFFFF)
_PAIR_MASK = Index(PAIRS - 1)


def memory_room(size: int) -> int:
    """Return how many integers at the end of scratch space the memory takes."""
    return state_length(size) + PAIRS


@kernel(inline=True)
def remembers(knowledge: Knowledge) -> bool:
    """Say whether anything is to be remembered."""
    wanted = float(knowledge[RATE_REPLY]) + float(knowledge[RATE_AVERAGE])
    return wanted + float(knowledge[CRITICALITY]) > 0.0


@kernel(inline=True)
def _table(state: State, scratch: Scratch) -> int:
    return Index(len(scratch)) - Index(len(state))


@kernel(inline=True)
def _pair(color: int, before: int, last: int) -> int:
    return (Index(color) << Index(32)) | (before << _MOVE_BITS) | last


@kernel(inline=True)
def _place_of_pair(table: int, color: int, before: int, last: int) -> int:
    mixed = before * Index(2654435761) + last * Index(2246822519) + Index(color) * Index(3266489917)
    return table - Index(PAIRS) + ((mixed >> Index(15)) & _PAIR_MASK)


@kernel(inline=True)
def _may_be_played(state: State, move: int, color: int, ko: int) -> bool:
    return (
        move != PASS
        and state[move] == EMPTY
        and not is_eye(state, move, color)
        and is_legal(state, move, color, ko)
        and not is_self_atari(state, move, color)
    )


@kernel
def last_good_reply(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    color: int,
    last: int,
    before: int,
    ko: int,
) -> int:
    """Return the reply that was good last, to the last two moves or to the last; or PASS."""
    if last == PASS:
        return PASS
    table = _table(state, scratch)
    if float(knowledge[RATE_REPLY_TO_TWO]) > 0.0 and before != PASS:
        word = Index(scratch[_place_of_pair(table, color, before, last)])
        move = word & _MOVE_MASK
        if word >> _MOVE_BITS == _pair(color, before, last) and _may_be_played(
            state, move, color, ko
        ):
            return move
    move = Index(scratch[table + last + _REPLY + Index(color) * _LINE])
    if _may_be_played(state, move, color, ko):
        return move
    return PASS


@kernel(inline=True)
def average_of(state: State, scratch: Scratch, point: int, color: int) -> int:
    """Return the share of playouts won in which *color* began at *point*, from 0 to 2**32."""
    known = Index(scratch[_table(state, scratch) + point + _AVERAGE + Index(color) * _LINE])
    return known if known > PASS else _HALF


@kernel
def criticality(state: State, scratch: Scratch, point: int) -> float:
    """Return the covariance of having a point and winning, times 4: from -1 to 1; 0 if unknown."""
    table = _table(state, scratch)
    games = float(scratch[table + _GAMES])
    if games < LEAST_GAMES:
        return 0.0
    both = float(scratch[table + point + _BOTH_BLACK]) / games
    owned = float(scratch[table + point + _OWNED]) / games
    return 4.0 * (both - owned * (float(scratch[table + _WINS]) / games))


@kernel
def remember(
    state: State, knowledge: Knowledge, scratch: Scratch, length: int, balance: int
) -> None:
    """Learn from a playout that is over: its trace, the stones on the board, and the score."""
    table = _table(state, scratch)
    winner = BLACK if float(balance) > float(knowledge[KOMI]) else WHITE
    if float(knowledge[CRITICALITY]) > 0.0:
        _count_owners(state, scratch, table, winner)
    if float(knowledge[RATE_REPLY]) + float(knowledge[RATE_AVERAGE]) <= 0.0:
        return
    two = float(knowledge[RATE_REPLY_TO_TWO]) > 0.0
    stamp = Index(scratch[table + _STAMP]) + ONE
    scratch[table + _STAMP] = stamp
    color = int(state[TO_PLAY])
    last, before = Index(state[LAST]), Index(state[BEFORE_LAST])
    for time in range(Index(length)):
        move = Index(scratch[Index(TRACE) + Index(time)])
        won = color == winner
        if move != PASS:
            if last != PASS:
                place = table + last + _REPLY + Index(color) * _LINE
                if won:
                    scratch[place] = move
                elif Index(scratch[place]) == move:
                    scratch[place] = PASS
                if two and before != PASS:
                    place = _place_of_pair(table, color, before, last)
                    word = (_pair(color, before, last) << _MOVE_BITS) | move
                    if won:
                        scratch[place] = word
                    elif Index(scratch[place]) == word:
                        scratch[place] = PASS
            if Index(scratch[table + move + _SEEN]) != stamp:
                scratch[table + move + _SEEN] = stamp
                place = table + move + _AVERAGE + Index(color) * _LINE
                known = Index(scratch[place])
                if known == PASS:
                    known = _HALF
                if won:
                    known += (_WHOLE - known) >> _SHARE
                else:
                    known -= known >> _SHARE
                scratch[place] = known
        before, last = last, move
        color = _BOTH - color


@kernel
def _count_owners(state: State, scratch: Scratch, table: int, winner: int) -> None:
    """Count who has each point at the end."""
    won = Index(winner == BLACK)
    games = Index(scratch[table + _GAMES]) + ONE
    wins = Index(scratch[table + _WINS]) + won
    halves = Index(games >= Index(_WINDOW))
    size = Index(state[SIZE])
    for line in range(ONE, size + ONE):
        row = Index(HEADER) + Index(line) * Index(ROW)
        for column in range(ONE, size + ONE):
            point = row + Index(column)
            there = state[point]
            owned = Index(
                (there == BLACK)
                | ((there == EMPTY) & (count_around(state[point + AROUND], BLACK) == _FOUR))
            )
            place = table + point
            scratch[place + _OWNED] = (Index(scratch[place + _OWNED]) + owned) >> halves
            both = Index(scratch[place + _BOTH_BLACK]) + (owned & won)
            scratch[place + _BOTH_BLACK] = both >> halves
    scratch[table + _GAMES] = games >> halves
    scratch[table + _WINS] = wins >> halves
