"""The problems that come along: as many as promised, and proven again."""

from __future__ import annotations

from collections import Counter

import pytest

from montego.go import GoError
from montego.solve import solve
from montego.solve.problems import GRADES, Problem, grade_of, read_problems, shipped_problems


def test_there_are_problems_of_every_grade_the_easiest_first() -> None:
    problems = shipped_problems()
    counts = Counter(problem.grade for problem in problems)
    assert set(counts) == set(GRADES)
    assert len({problem.name for problem in problems}) == len(problems)
    assert len({(problem.black, problem.white) for problem in problems}) == len(problems)
    assert [problem.grade for problem in problems] == sorted(p.grade for p in problems)
    assert all(problem.grade == grade_of(problem.nodes) for problem in problems)


@pytest.mark.parametrize("problem", shipped_problems()[::25], ids=lambda problem: problem.name)
def test_a_problem_has_the_one_answer_that_it_says(problem: Problem) -> None:
    board = problem.board()
    color = board.color_at(problem.target)
    stones = problem.black if color == "black" else problem.white
    answer = solve(board, problem.to_move, target=stones, seconds=600.0, nodes=400_000)
    assert answer.verdict.proven
    assert answer.verdict.value == problem.value
    assert answer.correct == (problem.correct,)
    assert answer.is_success


def test_a_task_is_said_in_words() -> None:
    said = {problem.value: problem.task for problem in shipped_problems()}
    assert said["dies"] == "Black to kill white"
    assert said["lives"] == "Black to live"


def test_lines_are_read_back_and_nonsense_is_named() -> None:
    first = shipped_problems()[0]
    assert read_problems([first.to_line()]) == [first]
    with pytest.raises(GoError, match="line 2 is no problem"):
        read_problems([first.to_line(), "{}"])
