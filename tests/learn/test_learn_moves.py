"""Learning moves from games: lessons, strengths by either method, the file, and what it means."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from montego.go.game import Game
from montego.go.kernels.layout import PASS, parse_move
from montego.go.prediction.prediction import read_prediction
from montego.go.prediction.traits import CAPTURE, TRAITS
from montego.go.vocabulary.color import BLACK, WHITE
from montego.learn.errors import LearnError
from montego.learn.moves import meaning
from montego.learn.moves.learner import MoveLearner, elo_of
from montego.learn.moves.lessons import LessonGame, Lessons, read_lessons
from montego.learn.settings import MoveSettings

if TYPE_CHECKING:
    from pathlib import Path

# White puts a stone where Black takes it, in one of four corners, and Black always does.
GAME = "C3 C2 D2 E5 B2 A5 C1 A4 E4 B4 D4 C4 B3"
SYMMETRIES = 4
SETTINGS = MoveSettings(size=5, least=2, passes=3)


def turned(vertex: str, symmetry: int) -> str:
    column, row = "ABCDE".index(vertex[0]), int(vertex[1:]) - 1
    for _ in range(symmetry):
        column, row = row, 4 - column
    return f"{'ABCDE'[column]}{row + 1}"


def lesson(symmetry: int, text: str = GAME) -> LessonGame:
    moves = [parse_move(turned(vertex, symmetry), 5) for vertex in text.split()]
    return LessonGame(BLACK, np.array(moves, np.int64))


def lessons(count: int = 12) -> Lessons:
    games = [lesson(number % SYMMETRIES) for number in range(count)]
    return Lessons(games[2:], games[:2])


def line(moves: str, **more: object) -> str:
    letters = "".join(
        "--"
        if vertex == "pass"
        else "abcdefghi"["ABCDEFGHJ".index(vertex[0])] + "ihgfedcba"[int(vertex[1:]) - 1]
        for vertex in moves.split()
    )
    return json.dumps({"size": 9, "first": "B", "moves": letters} | more) + "\n"


LONG = " ".join(f"{column}{row}" for row in (3, 5, 7) for column in "ABCDEFGHJ")


def test_lessons_come_from_records_folders_and_lines(tmp_path: Path) -> None:
    game = Game(9)
    for vertex in ("E5", "C3", "pass", "G7"):
        game.play(game.to_play, vertex)
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.sgf").write_text(game.to_sgf(), encoding="utf-8")
    packed = tmp_path / "games.jsonl.gz"
    with gzip.open(packed, "wt", encoding="utf-8") as file:
        file.write(line(LONG) + line(LONG, first="W") + line(LONG, ab=["aa"]) + line(LONG, size=19))
    found = read_lessons([folder, packed], 9)
    assert [len(some) for some in found] == [3, 2]
    assert found.learned[0].moves.tolist() == [
        *(parse_move(vertex, 9) for vertex in ("E5", "C3")),
        int(PASS),
        parse_move("G7", 9),
    ]
    assert [each.first for each in found.learned] == [BLACK, BLACK, WHITE]
    assert len(read_lessons([folder, packed], 9, most=2).learned) == 2
    assert found.digest != read_lessons([folder], 9).digest


def test_files_of_no_use_are_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(LearnError, match=r"cannot read .*No such file"):
        read_lessons([tmp_path / "none.jsonl"], 9)
    for name, content in (("a.sgf", "no record"), ("b.jsonl", "[1]"), ("c.jsonl.gz", "plain")):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        with pytest.raises(LearnError, match=name):
            read_lessons([path], 9)
    with pytest.raises(LearnError) as refused:
        read_lessons([tmp_path / "none.sgf"], 9)
    assert str(refused.value) == f"{tmp_path / 'none.sgf'}: No such file or directory"
    path.with_name("d.jsonl").write_text(line(LONG, size=19), encoding="utf-8")
    with pytest.raises(LearnError, match="there is no game on 9x9"):
        read_lessons([path.with_name("d.jsonl")], 9)


@pytest.mark.parametrize("method", ["gradient", "mm"])
def test_what_always_wins_becomes_strong_and_moves_are_foretold(method: str) -> None:
    passes = 3 if method == "gradient" else 30
    settings = MoveSettings(size=5, least=2, passes=passes, method=method)
    learner = MoveLearner(settings, lessons())
    before = learner.judge(learner.lessons.held_back)
    assert learner.learn()
    after = learner.judge(learner.lessons.held_back)
    assert after.first > max(before.first, 0.5)
    assert after.loss < before.loss
    assert learner.features.strengths[CAPTURE] > 0.1


def test_minorization_never_makes_what_was_learned_from_less_likely() -> None:
    learner = MoveLearner(MoveSettings(size=5, least=2, passes=1, method="mm"), lessons())
    losses = [learner.judge(learner.lessons.learned).loss]
    for _ in range(5):
        learner.done = 0
        learner.learn()
        losses.append(learner.judge(learner.lessons.learned).loss)
    assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize("method", ["gradient", "mm"])
def test_who_is_interrupted_comes_to_the_same_strengths(method: str, tmp_path: Path) -> None:
    settings = MoveSettings(size=5, least=2, passes=3, method=method)
    whole = MoveLearner(settings, lessons())
    whole.learn()
    path = tmp_path / "moves.npz"
    first = MoveLearner(settings, lessons())
    first.go_on(path)
    assert not first.learn(is_over=lambda: first.done == 14)
    first.save(path)
    second = MoveLearner(settings, lessons())
    second.go_on(path)
    assert second.done == 14
    assert second.learn()
    assert np.array_equal(whole.features.strengths, second.features.strengths)
    assert len(read_prediction(str(path))) > TRAITS
    more = MoveLearner(MoveSettings(size=5, least=2, passes=4, method=method), lessons())
    second.save(path)
    more.go_on(path)
    assert (more.done, more.total) == (30, 40)


def test_other_games_or_settings_do_not_go_on_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "moves.npz"
    MoveLearner(SETTINGS, lessons()).save(path)
    with pytest.raises(LearnError, match="was learned with other games"):
        MoveLearner(SETTINGS, lessons(16)).go_on(path)
    with pytest.raises(LearnError, match=r"was learned with rate 0.1: say the same to go on"):
        MoveLearner(MoveSettings(size=5, least=2, rate=0.2), lessons()).go_on(path)
    path.write_text("dear diary", encoding="utf-8")
    with pytest.raises(LearnError, match="was not written by 'montego learn moves'"):
        MoveLearner(SETTINGS, lessons()).go_on(path)
    with pytest.raises(LearnError, match="invalid method 'magic': say one of gradient, mm"):
        MoveSettings(method="magic")


def test_too_many_shapes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("montego.learn.moves.learner.MOST_SHAPES", 3)
    with pytest.raises(LearnError, match="a player has room for 3: say a greater --least"):
        MoveLearner(SETTINGS, lessons())


def test_strengths_are_told_in_words_and_pictures() -> None:
    learner = MoveLearner(SETTINGS, lessons())
    learner.learn()
    traits = meaning.strongest_traits(learner, 3)
    assert traits == sorted(traits, key=lambda trait: -trait[1])
    shapes = meaning.strongest_shapes(learner, 2)
    assert len(shapes) == 4
    assert all("*" in "".join(shape.rows) for shape in shapes)
    told = meaning.in_words(learner)
    assert "Traits, and what each is worth in Elo:" in told
    assert "Shapes for a move (*) of X:" in told
    assert elo_of(np.log(10.0)) == pytest.approx(400.0)


def test_a_shape_is_cut_out_as_who_moves_sees_it() -> None:
    rows = [[0, 2, 0], [1, 0, 0], [0, 0, 0]]
    assert meaning.cut_out(rows, (0, 2), WHITE, 0) == ["# # #", "# * X", "# O ."]
    assert meaning.cut_out(rows, (1, 1), BLACK, 0) == [". O .", "X * .", ". . ."]


def test_every_trait_that_a_move_can_have_has_words() -> None:
    unused = {14, 16, 17, 32, 33}  # Distances that there are not.
    assert set(meaning.WORDS) | unused == set(range(TRAITS))
