"""What the search must be told about a game: a state and a handful of functions.

A *state* is one flat array of 32-bit integers that says everything, whose turn it is included. The
two players move in turn, unless the game says whose turn it is; a pass, where a game has one, is a
move. A *move* is an integer from 0 to
``move_count`` - 1. A *score* is the first player's: above 0 the first player has won, below 0 the
second, 0 is a draw; games without points say 1, -1 and 0.

The functions get ``(state, knowledge, scratch)``, see :mod:`montego.jit.state`. As kernels they
are called by compiled code; as plain Python functions, by the same search interpreted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from montego.jit import Kernel
from montego.jit.state import no_knowledge
from montego.mcts.errors import InvalidConfig
from montego.mcts.kernels.functions import (
    FUNCTIONS,
    alternating,
    no_evaluation,
    no_experience,
    no_hash,
    no_playout,
    no_priors,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.features import Features
    from montego.mcts.kernels.functions import (
        Evaluate,
        Experience,
        Hash,
        LegalMoves,
        Play,
        Playout,
        Priors,
        Score,
        Turn,
    )


__all__ = [
    "GameDefinition",
    "alternating",
    "no_evaluation",
    "no_experience",
    "no_hash",
    "no_playout",
    "no_priors",
]


@dataclass(frozen=True, kw_only=True)
class GameDefinition:
    """A game as the search sees it. Immutable; positions are separate arrays.

    Raises:
        InvalidConfig: If a number of it is impossible.
    """

    name: str

    initial_state: Callable[[], State]
    """Makes a new int32 array: the position at the beginning."""

    legal_moves: LegalMoves
    """``(state, knowledge, scratch, moves) -> count``: write the moves, return how many.

    0 means that the game is over. *moves* is an int32 array with room for ``move_count``.
    """

    play: Play
    """``(state, knowledge, scratch, move)``: change the state. The move is legal."""

    score: Score
    """``(state, knowledge, scratch) -> score`` of a finished game, the first player's.

    At most a million either way: beyond that the sum of very many does not fit.
    """

    to_play: Callable[[State], int]
    """Whose turn it is: 0 for the first player, 1 for the second. Called by Python only."""

    move_count: int
    """Moves are numbered below this."""

    longest_game: int
    """No playout is longer; where a game may go on forever, it is cut off here."""

    playout: Playout = no_playout
    """``(state, knowledge, scratch) -> score``: play to the end at random, in place.

    Must write the moves to ``scratch[TRACE:]`` and their number to ``scratch[LENGTH]``, and
    return the score at once if the game is over. Without one, the search plays uniformly
    random legal moves itself.
    """

    priors: Priors = no_priors
    """``(state, knowledge, scratch, moves, count, values, visits)``: judge the moves beforehand.

    Writes for each a value (win probability of the player to move) and how many visits that is
    worth (001 section 5). Both arrays are float64; the visits are 0 when it is called.
    """

    experience: Experience = no_experience
    """``(state, knowledge, scratch, moves, count, values, visits, amaf_values, amaf_visits)``: say
    what earlier searches found.

    Called when a node gets its moves. Writes for each move how often it was visited and its mean
    value (win probability of the player to move), and the same for all moves as first; the
    node then starts as if that had happened in this search (004 4.3.6.2). The arrays are
    float64; both kinds of visits are 0 when it is called.
    """

    hash: Hash = no_hash
    """``(state, knowledge, scratch) -> integer``: a 64-bit hash, not negative, of what must not
    repeat.

    With one, a move in the tree that recreates an earlier position of the path or the game's
    history is illegal (superko).
    """

    turn: Turn = alternating
    """``(state, knowledge, scratch) -> player``: whose turn it is, 0 for the first player, else 1.

    For games in which a player may move twice; it must agree with ``to_play``. A playout of such a
    game's own writes ``player << MOVE_BITS`` with every move of its trace. Without one the players
    move in turn.
    """

    evaluate: Evaluate = no_evaluation
    """``(state, knowledge, scratch, moves, count, chances) -> value``: judge a position.

    The game is not over. Writes the chance of each of the *count* moves, which add up to 1, and
    returns the win probability of the player to move. Called when a node gets its moves, by the
    thread that found it. ``Config.evaluation`` says how much it counts beside a playout.
    """

    knowledge: Knowledge = field(default_factory=no_knowledge)
    """Read-only floats for the functions above: a contiguous array of float64, else a copy of it
    that is one."""

    scratch_room: int = 0
    """Integers of scratch space of the game's own, behind the trace."""

    prepare_scratch: Callable[[Scratch], None] = lambda _scratch: None
    """Called by Python once for each thread's scratch space, before the thread's first simulation.

    What it writes behind the trace stays there: addresses and buffers of an evaluation, say.
    """

    features: Features | None = None
    """What a network is shown of the game, and how its answers are read; None if nobody said."""

    format_move: Callable[[State, int], str] = lambda _state, move: str(move)
    """The text of a move in a position."""

    parse_move: Callable[[State, str], int] = lambda _state, text: int(text)
    """The move that a text means; raises ValueError if it is none. Legality is not checked."""

    format_state: Callable[[State], str] = lambda state: str(state)  # noqa: PLW0108
    """A picture of a position for people."""

    def __post_init__(self) -> None:
        for name, least in (("move_count", 1), ("longest_game", 1), ("scratch_room", 0)):
            value = getattr(self, name)
            whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
            if not whole or value < least:
                raise InvalidConfig(
                    f"invalid {name} {value!r} of {self.name}: say a whole number from {least}"
                )

        try:
            knowledge = np.ascontiguousarray(self.knowledge, np.float64)
        except (TypeError, ValueError):
            knowledge = np.empty((0, 0))
        if knowledge.ndim != 1 or self.knowledge is None:
            raise InvalidConfig(f"invalid knowledge of {self.name}: say a flat array of floats")
        object.__setattr__(self, "knowledge", knowledge)

    @property
    def is_compiled(self) -> bool:
        """Whether all functions are kernels, so that the compiled search can run them."""
        return all(isinstance(getattr(self, name), Kernel) for name in FUNCTIONS)
