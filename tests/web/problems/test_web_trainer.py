"""The trainer: problems of all three kinds, tried, refuted, and kept."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from montego.go.game import Game
from montego.go.vocabulary.errors import GoError
from montego.web.game.tree import Reviewed
from montego.web.messages.replies import Failure, ProblemsFound, SolutionReply
from montego.web.messages.requests import AnswerProblem, NewGame, Play, ShowProblem, Solve
from montego.web.problems.coach import Coach
from montego.web.problems.exercise import exercise_of_mistake, read_exercises
from montego.web.problems.mistakes import ReviewedMistake
from montego.web.problems.trainer import Trainer
from montego.web.server.library import Library
from montego.web.server.store import GameFiles
from montego.web.thinking.thinker import Programs
from web_thinker import QuickThinker

if TYPE_CHECKING:
    from pathlib import Path

    from montego.web.messages.replies import Reply

BLACK = "AB[ea][eb][ac][bc][cc][dc][ec]"
WHITE = "AW[da][ab][bb][cb][db]"
SGF = f"(;SZ[7]{BLACK}{WHITE}PL[B](;B[aa]C[Wrong];W[ba])(;B[ba]C[Correct.]))".encode()
"""Three points in a row: B7 kills, and lives."""
PATIENCE = 120.0


@pytest.fixture
def trainer(tmp_path: Path) -> Trainer:
    return Trainer(tmp_path / "problems")


def three_in_a_row() -> Game:
    game = Game(7)
    game.setup(
        black=["E7", "E6", "A5", "B5", "C5", "D5", "E5"],
        white=["D7", "A6", "B6", "C6", "D6"],
        to_play="black",
    )
    return game


def test_a_shipped_problem_is_shown_tried_and_rated(trainer: Trainer) -> None:
    shown = trainer.show(ShowProblem(grade=1, request=3))
    assert (shown.request, shown.set, shown.grade) == (3, "montego", 1)
    assert len(shown.cells) == shown.size**2
    assert [len(points) for points in shown.hints] == [5, 2]
    assert shown.standing is not None
    assert shown.standing.sets[0].total >= 300

    (right,) = trainer.answer(AnswerProblem(problem=shown.problem, counts=False)).correct
    assert all(right in points for points in shown.hints)
    wrong = next(point for point in shown.hints[0] if point != right)
    failed = trainer.answer(AnswerProblem(problem=shown.problem, move=wrong))
    assert not failed.right
    assert failed.line[0] == wrong
    assert len(failed.line) > 1, "the refutation"
    assert failed.standing.rating < shown.standing.rating
    again = trainer.answer(AnswerProblem(problem=shown.problem, move=right, counts=False))
    assert (again.right, again.proven) == (True, True)
    assert again.standing.rating == failed.standing.rating
    following = trainer.show(ShowProblem(grade=1, after=shown.problem))
    assert following.problem != shown.problem


def test_what_was_practised_is_there_after_a_restart(trainer: Trainer) -> None:
    trainer.add(SGF, "My Problems!", "first")
    shown = trainer.show(ShowProblem(set="my-problems"))
    result = trainer.answer(AnswerProblem(problem=shown.problem, move="B7", hints=1))
    assert result.right
    other = Trainer(trainer.folder)
    standing = other.standing()
    assert standing.rating == result.standing.rating < 1200, "with a hint it is not solved"
    assert [(each.name, each.tried) for each in standing.sets] == [
        ("montego", 0),
        ("games", 0),
        ("my-problems", 1),
    ]


def test_a_record_says_what_is_right() -> None:
    (problem,) = read_exercises(SGF, "own", "file")
    assert (problem.to_move, problem.correct, problem.rows[0]) == ("black", ("B7",), "...OX..")
    plain = SGF.replace(b"C[Correct.]", b"").replace(b"C[Wrong]", b"")
    assert read_exercises(plain, "own", "file")[0].correct == ("A7",)


def test_a_record_without_an_answer_is_left_to_the_solver(trainer: Trainer) -> None:
    data = f"(;SZ[7]{BLACK}{WHITE}PL[W])".encode()
    assert trainer.add(data, "bare", "one") == 1
    result = trainer.answer(AnswerProblem(problem="bare/one", move="B7"))
    assert (result.right, result.correct) == (True, ["B7"])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"(;SZ[9];B[ee])", "no problem of life and death"),
        (b"(;SZ[9]AB[ee])", "no problem of life and death"),
        (b"nonsense", "SGF|record"),
    ],
)
def test_records_without_problems_are_refused_in_a_sentence(
    trainer: Trainer, data: bytes, words: str
) -> None:
    with pytest.raises(GoError, match=words):
        trainer.add(data, "own", "file")
    assert len(trainer.standing().sets) == 2


def test_what_is_not_there_is_told(trainer: Trainer) -> None:
    with pytest.raises(GoError, match="there is no such set"):
        trainer.show(ShowProblem(set="nowhere"))
    with pytest.raises(GoError, match="there is no such problem"):
        trainer.answer(AnswerProblem(problem="montego/nothing"))


def test_no_stone_is_played_on_another(trainer: Trainer) -> None:
    trainer.add(SGF, "own", "one")
    with pytest.raises(GoError, match="cannot be played"):
        trainer.answer(AnswerProblem(problem="own/one", move="E7"))


def test_a_folder_that_cannot_be_written_loses_nothing_now(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    trainer = Trainer(tmp_path / "file" / "problems")
    trainer.add(SGF, "own", "one")
    result = trainer.answer(AnswerProblem(problem="own/one", move="B7"))
    assert result.standing.rating > 1200
    assert "cannot be saved" in result.standing.trouble


def test_a_mistake_of_life_and_death_becomes_a_problem_and_others_do_not(
    trainer: Trainer,
) -> None:
    game = three_in_a_row()
    found = exercise_of_mistake(game, "A7", "B7", "a game, 12", "abc-12")
    assert found is not None
    assert (found.id, found.correct, found.value) == ("games/abc-12", ("B7",), "dies")
    assert exercise_of_mistake(game, "B7", "B7", "a game, 12", "abc-12") is None
    assert exercise_of_mistake(game, "F2", "G2", "a game, 12", "abc-12") is None

    mistakes = [ReviewedMistake(game, "A7", "B7", "a game, 12", "abc-12")]
    assert trainer.learn_from(mistakes) == 1
    assert trainer.learn_from(mistakes) == 0
    assert Trainer(trainer.folder).show(ShowProblem(set="games")).problem == "games/abc-12"


def test_a_position_of_a_game_is_solved_beside_everything_else(tmp_path: Path) -> None:
    store = GameFiles(tmp_path / "games")
    store.open()
    library = Library(store, programs=Programs(montego=QuickThinker))
    coach, heard = Coach(tmp_path / "problems"), threading.Event()
    told: list[Reply] = []

    def tell(reply: Reply) -> None:
        told.append(reply)
        heard.set()

    game = library.upload(SGF)
    session, leave = library.watch(game, lambda _reply: None)
    coach.solve(session, Solve(node=0, target=["A6"]), tell)
    assert heard.wait(PATIENCE)
    (solution,) = told
    assert isinstance(solution, SolutionReply)
    assert (solution.value, solution.proven, solution.to_move) == ("dies", True, "black")
    assert [move.move for move in solution.moves if move.works] == ["B7"]

    told.clear()
    heard.clear()
    coach.solve(session, Solve(node=0, target=["G1"]), tell)
    assert heard.wait(PATIENCE)
    assert isinstance(told[0], Failure)

    told.clear()
    heard.clear()
    coach.find_problems(library.mistakes(), tell, 1)
    assert heard.wait(PATIENCE)
    assert isinstance(told[0], ProblemsFound)
    assert (told[0].found, told[0].looked) == (0, 0)
    leave()

    hex_session, leave = library.watch(
        library.new(NewGame(kind="hex", size=3)), lambda _reply: None
    )
    with pytest.raises(GoError, match="only Go"):
        coach.solve(hex_session, Solve(node=0), tell)
    leave()
    library.close()


def test_reviews_tell_the_trainer_of_peoples_mistakes(tmp_path: Path) -> None:
    store = GameFiles(tmp_path / "games")
    store.open()
    library = Library(store, programs=Programs(montego=QuickThinker))
    id_ = library.upload(SGF)
    session, leave = library.watch(id_, lambda _reply: None)
    session.handle(Play(node=0, move="A7"))
    with session.lock:
        tree = session.game.tree
        tree[0].judged = Reviewed(0.9, best="B7", variation=("B7",), simulations=800)
        tree[session.game.head].judged = Reviewed(0.1, simulations=800)
        session.on_change()
    leave()
    (mistake,) = library.mistakes()
    assert (mistake.played, mistake.better, mistake.key[:16]) == ("A7", "B7", id_)
    assert Trainer(tmp_path / "problems").learn_from([mistake]) == 1
    library.close()
