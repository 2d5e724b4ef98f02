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
from montego.go.kernels.flood import FIRST_MARK, area_balance
from montego.go.kernels.layout import (
    EMPTY_COUNT,
    FIRST_EMPTY,
    KO,
    PASS,
    PASSES,
    SIZE,
    TO_PLAY,
    coordinates_of,
    empty_state,
    point_at,
    rows_of,
    state_length,
)
from montego.go.kernels.position import LEGAL, move_fault, play, position_hash
from montego.go.mcgnugo.key_positions import key_positions_room, order_by_key_positions
from montego.go.playout.knowledge import KOMI, new_knowledge
from montego.go.playout.policy import find_policy
from montego.go.playout.scratch import MOVES_PER_POINT
from montego.go.playout.uniform import is_eye, uniform
from montego.go.prediction.prediction import packed_prediction
from montego.go.vocabulary.color import BLACK, WHITE, parse_color
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.vertex import check_size, format_vertex, parse_vertex
from montego.jit import kernel, specialize
from montego.jit.index import Index
from montego.mcts.game import GameDefinition, no_experience, no_hash, no_priors

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from montego.engine.knowledge.weights import PriorWeights
    from montego.go.game import Game
    from montego.go.playout.rates import Rates
    from montego.go.vocabulary.rules import Rules
    from montego.jit import Kernel
    from montego.jit.state import Knowledge, Scratch, State

# Any numbers will do.
_WHITE_TO_PLAY = Index(0x9E3779B97F4A7C15)
_PASSED_ONCE = Index(0xC2B2AE3D27D4EB4F)
_PASSED_TWICE = Index(0x165667B19E3779F9)

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
def play_move(state: State, knowledge: Knowledge, scratch: Scratch, move: int) -> None:  # noqa: ARG001
    """Play for the player to move."""
    play(state, move, state[TO_PLAY])


@kernel
def final_score(state: State, knowledge: Knowledge, scratch: Scratch) -> float:
    """Return Black's area minus White's and komi. Everything on the board counts as alive."""
    return float(area_balance(state, scratch, FIRST_MARK)) - float(knowledge[KOMI])


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
) -> GameDefinition:
    """Return the definition of Go on a board of that size.

    *key_positions* lists the moves in an order for ``Config(move_order="game")``: see
    :mod:`montego.go.mcgnugo.key_positions`. With *experience* there is room in the knowledge for
    what is known of single positions; :func:`montego.engine.knowledge.experience.write_experience`
    fills it.

    The score is by area under every rule set; :func:`search_komi` makes up for most of what that by
    territory differs from it, and leaves a point at most, once the neutral points are filled.

    Raises:
        GoError: If there is no such size, rule set or playout policy.
    """
    size = check_size(size)
    rules = parse_rules(rules)
    komi = rules.komi if komi is None else parse_komi(komi)
    found = find_policy(playout)
    hashes = {"simple": no_hash, "positional": positional_hash, "situational": situational_hash}
    return GameDefinition(
        name=f"Go {size}x{size}",
        initial_state=lambda: empty_state(size, suicide=rules.suicide),
        legal_moves=ordered_moves if key_positions else legal_moves,
        play=play_move,
        score=final_score,
        playout=_playout_of(playout),
        priors=no_priors if priors is None else move_priors,
        experience=recall if experience else no_experience,
        hash=hashes[rules.ko],
        to_play=lambda state: int(state[TO_PLAY]) - BLACK,
        move_count=state_length(size),
        longest_game=MOVES_PER_POINT * size * size,
        knowledge=_knowledge(size, komi, rates, patterns, priors, room=ROOM if experience else 0),
        scratch_room=max(found.room(size), priors_room(size), key_positions_room(size)),
        features=go_features(size),
        format_move=lambda state, move: format_move(move, int(state[SIZE])),
        parse_move=lambda state, text: parse_move(text, int(state[SIZE])),
        format_state=lambda state: format_diagram(rows_of(state)),
    )


def _knowledge(
    size: int,
    komi: float,
    rates: Rates | None,
    patterns: str | None,
    priors: PriorWeights | None,
    *,
    room: int,
) -> Knowledge:
    if priors is None:
        return new_knowledge(komi, rates, patterns, room=room)
    prediction = None
    if priors.prediction > 0:
        prediction = packed_prediction(9 if tuned_size(size) == 9 else 19)
    return new_knowledge(komi, rates, patterns, astuple(priors), prediction, room)


@cache
def _playout_of(playout: str) -> Kernel[[State, Knowledge, Scratch], float]:
    """Return :func:`play_out` with a policy inside; the same one each time it is asked."""
    kernel = find_policy(playout).playout
    return specialize(play_out, playout.replace("-", "_"), {policy: kernel})


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


@cache
def format_move(move: int, size: int) -> str:
    """Return the vertex of a move of the search, ``"pass"`` included."""
    return "pass" if move == PASS else format_vertex(coordinates_of(move, size))


def parse_move(vertex: str, size: int) -> int:
    """Return the search's move for a vertex.

    Raises:
        InvalidVertex: If there is none.
    """
    coordinates = parse_vertex(vertex, size)
    return int(PASS) if coordinates is None else point_at(*coordinates, size)
