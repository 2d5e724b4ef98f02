"""Rules of the playout in an order of one's own: as 001 and 003 have them, with pictures."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from montego.go.board import Board
from montego.go.game import Game
from montego.go.kernels.layout import EMPTY_COUNT, KO, SIZE, TO_PLAY, empty_state, format_move
from montego.go.kernels.suggestion import suggest_captures_anywhere, suggest_rescues_anywhere
from montego.go.playout.explain import first_reasons
from montego.go.playout.knowledge import new_knowledge, new_scratch
from montego.go.playout.order import USUAL_ORDER, RuleOrder
from montego.go.playout.policy import find_policy
from montego.go.playout.rates import Rates
from montego.go.playout.reason import Reason
from montego.go.playout.sequence import sequence_room
from montego.go.playout.trace import trace_playout
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.go.vocabulary.errors import GoError
from montego.gtp.analyze.lines import reading_order
from montego.gtp.commands.debugging import escaping_moves
from montego.jit import interpreted
from montego.jit.index import Index
from montego.jit.state import LENGTH, room_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MOGO = RuleOrder(order="atari, pattern-last, capture-any", weights="alike")
GO_PLAYER = RuleOrder(
    order="atari-any, fill-board, pattern-last+capture-any", weights="stones", enough=17
)
RULES_ALONE = {"ko": 0.0, "self_atari": 0.0, "ladder": 0.0, "atari": 1.0, "fill_board": 1.0}


def game_of(moves: str, size: int = 9) -> Game:
    game = Game(size)
    for number, vertex in enumerate(moves.split()):
        game.play("black" if number % 2 == 0 else "white", vertex)
    return game


def openings(game: Game, order: RuleOrder, playouts: int = 60) -> Counter[tuple[str, Reason]]:
    """How playouts begin, and why."""
    knowledge = new_knowledge(rates=Rates(**RULES_ALONE), order=order)
    found: Counter[tuple[str, Reason]] = Counter()
    for seed in range(playouts):
        told = trace_playout(
            game.board.state, "sequence", seed, knowledge=knowledge, order=order, limit=1
        )
        found[told.moves[0].vertex, told.moves[0].reason] += 1
    return found


# What an order is.


def test_an_order_is_read_as_people_write_it() -> None:
    assert RuleOrder(order="Atari , pattern_last,capture-any").names == (
        "atari",
        "pattern-last",
        "capture-any",
    )
    assert RuleOrder(
        order=" capture + atari,two-liberties,eye-fix,nakade,pattern,fill-board"
    ).is_usual
    assert RuleOrder(order=USUAL_ORDER, enough=2).is_usual is False
    assert MOGO.is_usual is False


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"order": "atari, tenuki"}, "there is no rule 'tenuki'"),
        ({"order": ""}, "there is no rule ''"),
        ({"order": "atari, capture+atari"}, "named twice"),
        ({"enough": 0}, "from 1 to 10000"),
        ({"enough": True}, "whole number"),
        ({"weights": "gold"}, "one of alike, stones, rules"),
    ],
)
def test_what_is_no_order_is_refused_with_a_line(given: dict[str, object], told: str) -> None:
    with pytest.raises(GoError, match=told):
        RuleOrder(**given)  # type: ignore[arg-type]


def test_the_usual_order_is_played_by_the_usual_kernel_and_others_by_the_one_that_reads() -> None:
    assert find_policy("sequence", RuleOrder()) == find_policy("sequence")
    assert find_policy("sequence", MOGO).function == "in_order"
    assert find_policy("uniform", MOGO) == find_policy("uniform")


# Document 001: four rules, one after the other.

# White's stone at E4 is in atari, and nothing at the last move, H2, is to be done.
FAR_CAPTURE = "E5 E4 D4 A1 F4 H8 B8 H2"


def test_rule_3_captures_any_stone_however_far_from_the_last_move() -> None:
    assert set(openings(game_of(FAR_CAPTURE), MOGO)) == {("E3", Reason.CAPTURE)}
    assert ("E3", Reason.CAPTURE) not in openings(game_of(FAR_CAPTURE), RuleOrder())


def test_what_is_told_of_first_moves_knows_the_order() -> None:
    game = game_of(FAR_CAPTURE)
    assert first_reasons(game, order=MOGO)["E3"] is Reason.CAPTURE
    assert first_reasons(game)["E3"] is Reason.RANDOM


def test_rule_1_comes_before_rule_3() -> None:
    # White's last move puts E5 into atari. Black runs, or captures E4, which touches it; A1 waits.
    game = game_of("E5 E4 D4 D5 F4 A1 A2 F5")
    assert set(openings(game, MOGO)) == {("E6", Reason.ATARI), ("E3", Reason.ATARI)}
    assert first_reasons(game, order=MOGO)["B1"] is Reason.CAPTURE


def test_rule_2_comes_before_rule_3_and_looks_around_the_last_move_alone() -> None:
    # A hane at the last move, E7; the capture of E3 has to wait.
    game = game_of("D7 A1 E4 E3 D3 A2 F3 E7")
    found = openings(game, MOGO)
    assert {reason for _, reason in found} == {Reason.PATTERN}
    assert {vertex for vertex, _ in found} <= {"D6", "E6", "F6", "D8", "E8", "F8", "F7"}
    assert first_reasons(game, order=MOGO)["E2"] is Reason.CAPTURE


CORNERS = """
. O X . . . X O .
O X . . . . . X .
X . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""
"""Black captures two stones at A9, and one at J9."""


def test_captures_weigh_by_stones_or_are_alike() -> None:
    board = Board.from_diagram(CORNERS)
    assert dict(anywhere(board, captures=True)) == {"A9": 2, "J9": 1}
    shares = {}
    for weights in ("stones", "alike"):
        order = RuleOrder(order="capture-any", weights=weights)
        game = Game(9)
        game.setup(**stones_of(board))
        found = openings(game, order, playouts=300)
        shares[weights] = found["A9", Reason.CAPTURE] / found.total()
        assert set(found) == {("A9", Reason.CAPTURE), ("J9", Reason.CAPTURE)}
    assert shares["stones"] == pytest.approx(2 / 3, abs=0.08)
    assert shares["alike"] == pytest.approx(1 / 2, abs=0.08)


# Document 003: a list of escapes, captures and patterns, by their stones.

IN_ATARI = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. O O O . . . . .
. X X X O . . O .
. O O O . . . X O
. . . . . . . O .
. . . . . . . . .
. . . . . . . . .
"""
"""Black's three stones have one liberty at A5, and H4 has one at G4."""


def test_escapes_are_looked_for_on_the_whole_board_and_weigh_what_they_save() -> None:
    assert dict(anywhere(Board.from_diagram(IN_ATARI), captures=False)) == {"A5": 3, "G4": 1}
    # White's stone at E5 is in atari itself: to capture it saves three stones and takes one.
    counter = IN_ATARI.replace(". O O O . . .", ". O O O X . .", 1)
    counter = counter.replace("X X X O . . O", "X X X O X . O", 1)
    found = dict(anywhere(Board.from_diagram(counter), captures=False))
    assert found == {"A5": 3, "E4": 4, "G4": 1}


def test_few_escapes_stay_in_the_draw_with_later_rules_and_many_end_the_asking() -> None:
    game = Game(9)
    game.setup(**stones_of(Board.from_diagram(IN_ATARI)))
    both = RuleOrder(order="atari-any, fill-board", weights="stones", enough=17)
    first = RuleOrder(order="atari-any, fill-board", weights="stones", enough=1)
    assert {reason for _, reason in openings(game, first)} == {Reason.ATARI}
    assert {reason for _, reason in openings(game, both)} == {Reason.ATARI, Reason.FILL_BOARD}


def test_an_empty_area_comes_before_patterns_and_captures() -> None:
    found = openings(game_of(FAR_CAPTURE), GO_PLAYER, playouts=200)
    assert {reason for _, reason in found} == {Reason.CAPTURE, Reason.FILL_BOARD}
    for vertex, reason in found:
        assert vertex == "E3" or reason is Reason.FILL_BOARD


# Against a board that tries every move.


@pytest.mark.small_boards
@pytest.mark.parametrize("size", [3, 5])
def test_the_whole_board_rules_find_what_trying_every_move_finds(size: int) -> None:
    captured = saved = 0
    for seed in range(12):
        told = trace_playout(empty_state(size), "uniform", seed)
        game = Game(size)
        for move in told.moves:
            if game.is_over or game.fault(move.color, move.vertex) is not None:
                break
            game.play(move.color, move.vertex)
            board, color = game.board, game.to_play
            captures = {
                vertex for vertex in reading_order(size) if captured_by(board, color, vertex)
            }
            found = dict(anywhere(board, captures=True))
            assert set(found) == captures
            for vertex, weight in found.items():
                assert weight == captured_by(board, color, vertex)
            escapes = {vertex for vertex, _ in anywhere(board, captures=False)}
            wanted = set(escaping_moves(game, color)) - ko_of(board)
            assert wanted <= escapes
            assert escapes - wanted <= captures
            captured += len(found)
            saved += len(escapes)
    assert min(captured, saved) > 10


def ko_of(board: Board) -> set[str]:
    return set() if board.ko is None else {board.ko}


def captured_by(board: Board, color: str, vertex: str) -> int:
    """How many stones a move takes, by playing it."""
    if board.fault(color, vertex) is not None:
        return 0
    after = board.copy()
    after.play(color, vertex)
    return sum(after.captures) - sum(board.captures)


# The count by prisoners.


@pytest.mark.small_boards
@pytest.mark.parametrize("size", [4, 5])
def test_a_playout_by_prisoners_counts_what_a_replay_of_its_moves_counts(size: int) -> None:
    for seed in range(8):
        told = trace_playout(empty_state(size), "uniform-prisoners", seed)
        board = Board(size)
        for move in told.moves:
            if move.vertex != "pass":
                board.play(move.color, move.vertex)
        by_black, by_white = board.captures
        rows = board.rows()
        empty = 0
        for row in range(size):
            for column in range(size):
                if rows[row][column] == EMPTY:
                    near = [(row - 1, column), (row + 1, column)]
                    near += [(row, column - 1), (row, column + 1)]
                    around = {rows[r][c] for r, c in near if 0 <= r < size and 0 <= c < size}
                    empty += (around == {BLACK}) - (around == {WHITE})
        assert told.score == by_black - by_white + empty
        assert told.moves == trace_playout(empty_state(size), "uniform-enclosed", seed).moves


@pytest.mark.small_boards
@pytest.mark.parametrize("order", [MOGO, GO_PLAYER], ids=["001", "003"])
def test_compiled_and_interpreted_playouts_are_the_same_games(order: RuleOrder) -> None:
    knowledge = new_knowledge(rates=Rates(**RULES_ALONE), order=order)
    policy = find_policy("sequence", order)
    for seed in range(4):
        scratch = new_scratch(5, seed, policy.room(5))
        score = policy.playout(empty_state(5), knowledge, scratch)
        told = trace_playout(empty_state(5), "sequence", seed, knowledge=knowledge, order=order)
        assert (int(score), int(scratch[LENGTH])) == (told.score, len(told.moves))


def stones_of(board: Board) -> dict[str, Any]:
    """The stones of a board, as a game takes them."""
    found: dict[str, list[str]] = {"black": [], "white": []}
    for vertex in reading_order(board.size):
        color = board.color_at(vertex)
        if color is not None:
            found[color].append(vertex)
    return found


def anywhere(board: Board, *, captures: bool) -> Iterator[tuple[str, int]]:
    """What the rules for the whole board suggest to the player to move, with weights."""
    state = board.state.copy()
    size = int(state[SIZE])
    scratch = new_scratch(size, 0, sequence_room(size))
    color, ko, empties = int(state[TO_PLAY]), Index(state[KO]), int(state[EMPTY_COUNT])
    if captures:
        count = interpreted(suggest_captures_anywhere)(state, scratch, 0, color, ko, empties)
    else:
        count = interpreted(suggest_rescues_anywhere)(state, scratch, 0, color, ko, empties, False)
    queue = int(room_of(scratch))
    for place in range(queue, queue + 2 * count, 2):
        yield format_move(int(scratch[place]), size), int(scratch[place + 1])
