"""Go as the search sees it: a state and a handful of functions over :mod:`montego.go`.

Moves are points of the flat board, and 0 is a pass. A player's own eyes are not among the moves: to
fill one is legal and never good. Two passes end the game, and then the area counts; komi is in
``knowledge[KOMI]``.
"""

from __future__ import annotations

from dataclasses import astuple
from functools import cache
from typing import TYPE_CHECKING

from montego.engine.knowledge.experience import ROOM, recall
from montego.engine.knowledge.features import go_features
from montego.engine.knowledge.priors import move_priors, priors_room
from montego.engine.knowledge.tuning import tuned_size
from montego.go.diagram import format_diagram
from montego.go.kernels.eye import is_enclosed, is_eye
from montego.go.kernels.flood import FIRST_MARK, area_balance
from montego.go.kernels.key_positions import key_positions_room, order_by_key_positions
from montego.go.kernels.layout import (
    BALANCE,
    CAPTURED,
    EMPTY_COUNT,
    FIRST_EMPTY,
    KO,
    PASS,
    PASSES,
    SIZE,
    TO_PLAY,
    empty_state,
    format_move,
    parse_move,
    rows_of,
    state_length,
)
from montego.go.kernels.position import LEGAL, move_fault, play, position_hash
from montego.go.local_shape.weights import packed_shapes
from montego.go.playout.balanced.weights import packed_balance
from montego.go.playout.knowledge import KOMI, MOVES_PER_POINT, new_knowledge
from montego.go.playout.policy import find_policy
from montego.go.playout.uniform import uniform
from montego.go.prediction.prediction import packed_prediction, read_prediction
from montego.go.vocabulary.color import BLACK, WHITE, parse_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.vertex import check_size
from montego.jit import kernel, specialize
from montego.jit.index import Index
from montego.mcts.game import GameDefinition, no_experience, no_hash, no_priors

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from montego.engine.knowledge.tuning import PriorWeights
    from montego.go.game import Game
    from montego.go.playout.order import RuleOrder
    from montego.go.playout.policy import Policy
    from montego.go.playout.rates import Rates
    from montego.go.vocabulary.rules import Rules
    from montego.jit import Kernel
    from montego.jit.state import Knowledge, Scratch, State

# Any numbers will do.
_WHITE_TO_PLAY = Index(0x9E3779B97F4A7C15)
_PASSED_ONCE = Index(0xC2B2AE3D27D4EB4F)
_PASSED_TWICE = Index(0x165667B19E3779F9)

TREE_MOVES = ("usual", "enclosed")
"""Which moves a search considers: see :func:`legal_moves` and :func:`open_moves`."""

policy = uniform
"""Stands in :func:`play_out` for the playout policy that a copy will call."""


@kernel
def legal_moves(state: State, knowledge: Knowledge, scratch: Scratch, moves: NDArray[Any]) -> int:  # noqa: ARG001
    """Write the moves that make sense: legal points that are no eyes of the player's, and pass."""
    if state[PASSES] >= 2:
        return 0
    first, color = Index(state[FIRST_EMPTY]), state[TO_PLAY]
    count = 0
    for slot in range(first, first + Index(state[EMPTY_COUNT])):
        point = Index(state[Index(slot)])
        if not is_eye(state, point, color) and move_fault(state, point, color) == LEGAL:
            moves[count] = point
            count += 1
    moves[count] = PASS
    return count + 1


@kernel
def ordered_moves(state: State, knowledge: Knowledge, scratch: Scratch, moves: NDArray[Any]) -> int:
    """Write the same moves, key positions more often first and the pass last."""
    count = legal_moves(state, knowledge, scratch, moves)
    if count > 1:
        order_by_key_positions(state, scratch, moves, count - 1)
    return count


@kernel
def open_moves(state: State, knowledge: Knowledge, scratch: Scratch, moves: NDArray[Any]) -> int:
    """Write the moves of document 000: all legal points but eyes of a single chain of the player's.

    A pass is among them only where there is no point left (000 6.2.1).
    """
    count = legal_moves(state, knowledge, scratch, moves)
    return count - 1 if count > 1 else count


@kernel
def ordered_open_moves(
    state: State, knowledge: Knowledge, scratch: Scratch, moves: NDArray[Any]
) -> int:
    """Write the moves of :func:`open_moves`, key positions more often first."""
    count = open_moves(state, knowledge, scratch, moves)
    if count > 1:
        order_by_key_positions(state, scratch, moves, count)
    return count


@kernel
def play_move(state: State, knowledge: Knowledge, scratch: Scratch, move: int) -> None:  # noqa: ARG001
    """Play for the player to move."""
    play(state, move, state[TO_PLAY])


@kernel
def final_score(state: State, knowledge: Knowledge, scratch: Scratch) -> float:
    """Return Black's area minus White's and komi. Everything on the board counts as alive."""
    return float(area_balance(state, scratch, FIRST_MARK)) - float(knowledge[KOMI])


@kernel
def prisoner_score(state: State, knowledge: Knowledge, scratch: Scratch) -> float:
    """Return Black's prisoners and empty points minus White's and komi (000 2.1).

    Everything on the board counts as alive.
    """
    score = area_balance(state, scratch, FIRST_MARK) - int(state[BALANCE])
    score += int(state[CAPTURED + Index(WHITE)]) - int(state[CAPTURED + Index(BLACK)])
    return float(score) - float(knowledge[KOMI])


@kernel
def play_out(state: State, knowledge: Knowledge, scratch: Scratch) -> float:
    """Play a random game to the end and return Black's score."""
    return float(policy(state, knowledge, scratch)) - float(knowledge[KOMI])


@kernel
def positional_hash(state: State, knowledge: Knowledge, scratch: Scratch) -> int:  # noqa: ARG001
    """Return what positional superko forbids to come again: the stones.

    Passes just played are mixed in, because a pass leaves the stones as they are and is legal all
    the same. The position before it stays forbidden.
    """
    value = Index(position_hash(state))
    if state[PASSES] == 1:
        value ^= _PASSED_ONCE
    elif state[PASSES] == 2:
        value ^= _PASSED_TWICE
    return value


@kernel
def situational_hash(state: State, knowledge: Knowledge, scratch: Scratch) -> int:
    """Return what situational superko forbids to come again: the stones and whose turn it is.

    What came about by a pass within the tree is told apart, as in :func:`positional_hash`; what
    came about by a pass in the game so far is not, and stays forbidden.
    """
    value = Index(positional_hash(state, knowledge, scratch))
    return value ^ _WHITE_TO_PLAY if state[TO_PLAY] == WHITE else value


def go_game(
    size: int = 9,
    *,
    rules: str | Rules = "chinese",
    komi: float | None = None,
    playout: str = "uniform",
    rates: Rates | None = None,
    patterns: str | None = None,
    priors: PriorWeights | None = None,
    key_positions: bool = False,
    experience: bool = False,
    order: RuleOrder | None = None,
    moves: str = "usual",
    shapes: str | None = None,
    prediction: str | None = None,
    balance: str | None = None,
) -> GameDefinition:
    """Return the definition of Go on a board of that size.

    *order* is that of the rules of the sequence-like playout. *moves*, one of :data:`TREE_MOVES`,
    says which moves the search considers. *key_positions* lists them in an order for
    ``Config(move_order="game")``: see :mod:`montego.go.kernels.key_positions`. With *experience*
    there is room in the knowledge for what is known of single positions;
    :func:`montego.engine.knowledge.experience.write_experience` fills it. *shapes* is a file of
    weights of local shapes, *prediction* one of what strong players choose, for priors that ask for
    them, *balance* one of weights of balanced playouts; None for what comes along.

    The score is by area under every rule set; :func:`search_komi` makes up for most of what that by
    territory differs from it, and leaves a point at most, once the neutral points are filled.

    Raises:
        GoError: If there is no such size, rule set or playout policy, or a file cannot be read.
    """
    size = check_size(size)
    rules = parse_rules(rules)
    komi = rules.komi if komi is None else parse_komi(komi)
    found = find_policy(playout, order)
    if moves not in TREE_MOVES:
        raise GoError(f"unknown moves {moves!r}: say one of {', '.join(TREE_MOVES)}")
    predicted = None
    if priors is not None and priors.prediction > 0:
        board = 9 if tuned_size(size) == 9 else 19
        predicted = packed_prediction(board) if prediction is None else read_prediction(prediction)
    known_shapes = None
    if priors is not None and priors.shape > 0:
        known_shapes = packed_shapes(size, shapes)
    hashes = {"simple": no_hash, "positional": positional_hash, "situational": situational_hash}
    return GameDefinition(
        name=f"Go {size}x{size}",
        initial_state=lambda: empty_state(size, suicide=rules.suicide),
        legal_moves=_MOVES[moves][int(key_positions)],
        play=play_move,
        score=prisoner_score if playout == "uniform-prisoners" else final_score,
        playout=_playout_of(found),
        priors=no_priors if priors is None else move_priors,
        experience=recall if experience else no_experience,
        hash=hashes[rules.ko],
        to_play=lambda state: int(state[TO_PLAY]) - BLACK,
        move_count=state_length(size),
        longest_game=MOVES_PER_POINT * size * size,
        knowledge=new_knowledge(
            komi,
            rates,
            patterns,
            () if priors is None else astuple(priors),
            predicted,
            ROOM if experience else 0,
            order,
            known_shapes,
            packed_balance(balance) if playout == "balanced" else None,
        ),
        scratch_room=max(found.room(size), priors_room(size), key_positions_room(size)),
        features=go_features(size),
        format_move=lambda state, move: format_move(move, int(state[SIZE])),
        parse_move=lambda state, text: parse_move(text, int(state[SIZE])),
        format_state=lambda state: format_diagram(rows_of(state)),
    )


_ENCLOSED = {is_eye: is_enclosed}
_MOVES = {
    "usual": (legal_moves, ordered_moves),
    "enclosed": (
        specialize(open_moves, "enclosed", _ENCLOSED),
        specialize(ordered_open_moves, "enclosed", _ENCLOSED),
    ),
}


@cache
def _playout_of(found: Policy) -> Kernel[[State, Knowledge, Scratch], float]:
    """Return :func:`play_out` with a policy inside; the same one each time it is asked."""
    return specialize(play_out, found.function, {policy: found.playout})


def history_of(game: Game) -> list[int]:
    """Return the hashes of the positions that superko forbids to come again in *game*.

    As the definition's ``hash`` makes them; what simple ko forbids is in the state itself.
    """
    mark = int(_WHITE_TO_PLAY) if game.rules.ko == "situational" else 0
    return [value ^ mark if player == WHITE else value for value, player in game.positions]


def position_of(game: Game, color: str) -> State:
    """Return the state to search: *color* is to play, and the game is not over."""
    state: State = game.board.state.copy()
    player = parse_color(color)
    state[PASSES] = 0 if game.passes >= 2 else game.passes
    if int(state[TO_PLAY]) != player:
        state[TO_PLAY] = player
        state[KO] = PASS  # A ko bars only the player whose stone was taken.
    return state


def search_komi(game: Game, color: str) -> float:
    """Return the komi at which the search, which counts area, has the game's score in mind.

    *color* is to play. By area stones count and by territory prisoners, so the two differ by what
    one player has put on the board more than the other, handicap stones included. When White is to
    play, Black's being a stone ahead means nothing.
    """
    komi = game.compensation
    if game.rules.scoring == "territory":
        stones = [point for row in game.board.rows() for point in row]
        by_black, by_white = game.captures
        komi += stones.count(BLACK) - stones.count(WHITE) - (by_black - by_white)
        komi -= parse_color(color) == WHITE
    return komi
