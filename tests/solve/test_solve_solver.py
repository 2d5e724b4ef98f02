"""Answers about shapes that every player knows, and what is said of them."""

from __future__ import annotations

from random import Random

import pytest
from conftest import to_rows

from montego.go import GoError
from montego.go.board import Board
from montego.go.sgf.record import parse_sgf
from montego.solve import Answer, NoFight, solve, solver, to_record
from montego.solve.answer import UNKNOWN, MoveAnswer, Verdict
from montego.solve.inquiry import Inquiry, ProofBudget
from montego.solve.prover import Ko
from random_fights import random_fight


def board_of(picture: str) -> Board:
    return Board.from_rows(to_rows(picture))


def answer_to(picture: str, to_move: str, **settings: object) -> Answer:
    return solve(board_of(picture), to_move, seconds=120.0, nodes=300_000, **settings)  # type: ignore[arg-type]


THREE_IN_A_ROW = """
    . . . O X . .
    O O O O X . .
    X X X X X . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""

FOUR_IN_A_ROW = """
    . . . . O X .
    O O O O O X .
    X X X X X X .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""

SQUARE = """
    . . O X . . .
    . . O X . . .
    O O O X . . .
    X X X X . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""

SIX_IN_THE_CORNER = """
    . . . O X . .
    . . . O X . .
    O O O O X . .
    {} X X {} X . .
    X X X X X . .
    . . . . . . .
    . . . . . . .
"""

SEKI = """
    . X X X . O X
    O O O O O O X
    X X X X X X X
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


def test_three_in_a_row_is_decided_by_the_middle() -> None:
    killed = answer_to(THREE_IN_A_ROW, "black")
    assert (killed.verdict.value, killed.verdict.proven) == ("dies", True)
    assert killed.correct == ("B7",)
    assert killed.other.value == "lives"
    saved = answer_to(THREE_IN_A_ROW, "white")
    assert saved.verdict.value == "lives"
    assert saved.correct == ("B7",)
    assert saved.is_success


def test_four_in_a_row_lives_and_every_attack_is_refuted() -> None:
    answer = answer_to(FOUR_IN_A_ROW, "black")
    assert (answer.verdict.value, answer.outside) == ("lives", "closed")
    assert answer.correct == ()
    assert not answer.is_success
    refutations = {move.vertex: move.line for move in answer.moves}
    assert refutations["B7"][:2] == ("B7", "C7")
    assert all(move.works is False for move in answer.moves)


def test_a_square_of_four_is_dead_as_it_stands() -> None:
    assert answer_to(SQUARE, "white").verdict.value == "dies"


def test_an_attacker_who_might_as_well_wait_is_not_told_that_every_move_works() -> None:
    rows = [". " * 13] * 9 + [
        ". X X X X . . . . . . . .",
        ". O O O . . . . . . . . .",
        ". . . . X . . . . . . . .",
        ". . . . X . . . . . . . .",
    ]
    answer = solve(board_of("\n".join(rows)), "black", seconds=60.0, nodes=30_000)
    assert (answer.verdict.value, answer.other.value) == ("dies", "dies")
    assert not answer.verdict.proven
    assert answer.moves == ()
    assert {"C2", "D2"} <= set(answer.possible)
    assert "by waiting" in answer.in_words()


@pytest.mark.parametrize(
    ("gets", "waiting", "expected"),
    [
        (Verdict("dies"), Verdict("dies"), True),
        (Verdict("dies"), Verdict("lives"), False),
        (Verdict("dies", proven=True), Verdict("dies", proven=True), False),
        (Verdict("ko", "defender"), UNKNOWN, False),
        (Verdict("lives"), Verdict("lives"), False),
    ],
)
def test_no_move_is_needed_where_waiting_is_known_to_get_as_much(
    gets: Verdict, waiting: Verdict, expected: bool
) -> None:
    answer = Answer("white", "black", ("A5",), gets, waiting)
    assert answer.needs_no_move == expected
    assert ("by waiting" in answer.in_words()) == expected


def test_words_name_a_few_of_the_moves_that_fail() -> None:
    fails = [
        MoveAnswer(f"{column}1", False, (f"{column}1", "A2")) for column in "ABCDEFGHJKLMNOPQRS"
    ]
    answer = Answer("white", "black", ("A5",), Verdict("lives", proven=True), moves=tuple(fails))
    words = answer.in_words()
    assert words.count("fails:") == 15
    assert "3 other moves fail, too." in words


@pytest.mark.parametrize(("liberties", "value"), [("XX", "dies"), (".X", "ko"), ("..", "lives")])
def test_six_points_in_the_corner_depend_on_outside_liberties(liberties: str, value: str) -> None:
    answer = answer_to(SIX_IN_THE_CORNER.format(*liberties), "black")
    assert (answer.verdict.value, answer.verdict.proven) == (value, True)
    assert (answer.verdict.threats is not None) == (value == "ko")
    assert value in answer.in_words()


@pytest.mark.parametrize("to_move", ["black", "white"])
def test_who_can_neither_be_captured_nor_make_eyes_is_in_seki(to_move: str) -> None:
    verdict = answer_to(SEKI, to_move, target="A6").verdict
    assert (verdict.value, verdict.proven) == ("seki", True)


def test_a_move_works_only_if_the_other_side_needs_as_many_threats_as_after_any() -> None:
    fight = random_fight(Random(347), 4)
    inquiry = Inquiry(fight, ProofBudget(60.0, None, None), sorted(fight.points), [])
    verdict = inquiry.verdict("defender", None, 1.0)
    assert verdict == Verdict("ko", "defender", 2, proven=True)
    works = {point for point, works, _ in inquiry.first_moves(verdict, "defender", None) if works}
    assert works == {(0, 0)}
    prover = inquiry.prover("capture")
    for threats, unharmed in [(0, {(0, 0), (3, 1), (3, 2)}), (1, {(0, 0)})]:
        replies = prover.replies(prover.place("defender", Ko(threats, 0)))
        assert {point for point, after in replies if not prover.run(after, 10_000)} == unharmed


@pytest.mark.parametrize(
    ("threats", "words"),
    [(None, "some threats"), (1, "1 threat"), (2, "2 threats"), (4, "more than 3 threats")],
)
def test_a_ko_says_how_many_threats_its_loser_needs(threats: int | None, words: str) -> None:
    verdict = Verdict("ko", "attacker", threats)
    assert str(verdict) == f"ko in favor of the attacker; the defender needs {words}"


def test_an_open_position_says_what_it_depends_on() -> None:
    answer = answer_to(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X . . . . . . . .
        . X X . . . . . .
        O O X . . . . . .
        . . O . . . . . .
        """,
        "black",
    )
    assert answer.outside in ("independent", "attacker")
    assert answer.defender == "white"


def test_too_few_nodes_are_an_answer_too() -> None:
    answer = solve(board_of(SIX_IN_THE_CORNER.format(".", ".")), "black", seconds=60.0, nodes=1)
    assert answer.verdict.value == "unknown"
    assert not answer.verdict.proven
    assert answer.moves == ()
    assert "unknown" in answer.in_words()


def test_what_takes_more_than_a_glance_is_asked_about_and_progress_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, told = [], []

    def order(board: Board, color: str) -> dict[str, float]:
        asked.append((board.size, color))
        return {"B7": 0.9, "A7": 0.1}

    def ask() -> Answer:
        return solve(
            board_of(THREE_IN_A_ROW),
            "black",
            order=order,
            progress=lambda nodes, seconds: told.append((nodes, seconds)),
        )

    ask()
    assert asked == []
    monkeypatch.setattr(solver, "FIRST_ROUND", 1)
    answer = ask()
    assert asked == [(7, "black")]
    assert told[-1][0] == answer.nodes
    assert answer.correct == ("B7",)
    assert answer.verdict.proven


def test_wrong_guesses_never_change_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "FIRST_ROUND", 1)
    answer = solve(board_of(THREE_IN_A_ROW), "black", order=lambda *_: {"A7": 1.0, "C7": 1.0})
    assert (answer.verdict.value, answer.correct) == ("dies", ("B7",))


@pytest.mark.parametrize("to_move", ["black", "white"])
def test_an_unknown_verdict_names_first_moves_that_are_not_refuted(
    to_move: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "FIRST_ROUND", 1)
    monkeypatch.setattr(Inquiry, "verdict", lambda *_, **__: UNKNOWN)
    board = board_of(THREE_IN_A_ROW)
    answer = solve(board, to_move, seconds=1.0)
    assert answer.verdict.value == "unknown"
    assert answer.possible == ("B7",)
    assert "Not refuted, if the outside is the attacker's: B7." in answer.in_words()
    assert answer.to_json()["possible"] == ["B7"]


def test_an_answer_is_a_record_with_a_variation_for_each_move() -> None:
    board = board_of(THREE_IN_A_ROW)
    answer = solve(board, "black")
    record = parse_sgf(to_record(board, answer).to_sgf())
    first = record.root.children[0]
    assert first.move == ("black", (1, 6))
    assert first.comment == "Works."
    assert record.root.to_play == "black"
    assert len(record.root.children) == len(answer.moves)
    assert "dies" in record.root.comment


def test_other_ways_to_resist_are_branches_of_the_record() -> None:
    board = board_of(SIX_IN_THE_CORNER.format("X", "X"))
    answer = answer_to(SIX_IN_THE_CORNER.format("X", "X"), "black")
    best = answer.moves[0]
    assert best.works
    assert best.variations
    assert all(line[0] == best.vertex for line in best.variations)
    assert answer.to_json()["moves"][0]["variations"] == [list(line) for line in best.variations]
    first = parse_sgf(to_record(board, answer).to_sgf()).root.children[0]
    replies = {line[1] for line in (best.line, *best.variations)}
    assert len(first.children) == len(replies) > 1
    for move in answer.moves:
        for line in (move.line, *move.variations):
            play_out(board, "black", line)


def play_out(board: Board, color: str, line: tuple[str, ...]) -> None:
    """Play a line: every move must be legal."""
    after = Board.from_rows(board.rows())
    for vertex in line:
        if vertex != "pass":
            after.play(color, vertex)
        color = "white" if color == "black" else "black"


def test_an_answer_is_json() -> None:
    document = answer_to(THREE_IN_A_ROW, "black").to_json()
    assert document["value"] == "dies"
    assert document["ifOtherMoves"]["value"] == "lives"
    assert document["moves"][0]["move"] == "B7"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"target": "A7"}, "no stone"),
        ({"target": "Z9"}, "off the"),
        ({"target": ["D7", "E7"]}, "one color"),
        ({"seconds": 0}, "limits"),
        ({"nodes": 0}, "limits"),
    ],
)
def test_what_makes_no_sense_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(GoError, match=message):
        solve(board_of(THREE_IN_A_ROW), "black", **settings)  # type: ignore[arg-type]


def test_nothing_to_solve_is_said() -> None:
    with pytest.raises(NoFight, match="both colors"):
        solve(Board(9), "black")
