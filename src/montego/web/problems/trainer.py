"""The trainer: sets of problems, what to try next, whether a move is right, and why not.

One a server; every method may be called from any thread. What cannot be written stays in memory,
and :attr:`Trainer.trouble` says so.
"""

from __future__ import annotations

import re
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from montego.engine.life_and_death import solve_or_search
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.solve.solver import solve
from montego.web.messages.replies import (
    GradeTally,
    ProblemReply,
    ProblemResult,
    ProblemSet,
    SolutionMove,
    SolutionReply,
    Standing,
)
from montego.web.problems.exercise import (
    GAMES,
    GRADE_RATINGS,
    MONTEGO,
    Exercise,
    exercise_of_mistake,
    read_exercises,
    shipped_exercises,
)
from montego.web.problems.practice import Practice, load_practice, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from montego.go.board import Board
    from montego.solve.answer import Answer
    from montego.web.messages.requests import AnswerProblem, ShowProblem
    from montego.web.problems.mistakes import ReviewedMistake

MOST_SETS = 50
MOST_IN_SET = 5_000
MOST_TOLD = 60  # Ratings of the past that a page is told.
SECONDS = 5.0
"""For what the solver is asked about a problem; the answer is kept."""

HINT_POINTS = (4, 1)  # beside the right one

NODES = 400_000
SOLVE_SECONDS = 10.0

_PRACTICE = "practice.json"
_SUFFIX = ".set.json"


@dataclass
class Trainer:
    """Problems and practice in a folder."""

    folder: Path
    trouble: str = ""
    """Why nothing can be written; empty if all is well."""
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _sets: dict[str, dict[str, Exercise]] = field(default_factory=dict)
    _practice: Practice | None = None
    _answers: dict[str, Answer] = field(default_factory=dict)

    def _load(self) -> Practice:
        """Read everything, once. Holds the lock."""
        if self._practice is None:
            self._practice = load_practice(self.folder / _PRACTICE)
            self._sets = {
                MONTEGO: {each.id: each for each in shipped_exercises()},
                GAMES: {},
            }
            for file in sorted(self.folder.glob(f"*{_SUFFIX}")):
                try:
                    found = msgspec.json.decode(file.read_bytes(), type=list[Exercise])
                    checked = {each.id: each for each in found if each.board.size > 1}
                except (OSError, ValueError, msgspec.MsgspecError):
                    self.trouble = f"The problems in {file.name} cannot be read."
                    continue
                self._sets[file.name.removesuffix(_SUFFIX)] = checked
        return self._practice

    # What pages ask

    def show(self, request: ShowProblem) -> ProblemReply:
        """Return a problem: the one that is named, or what to try next in a set.

        Raises:
            GoError: If there is no such set.
        """
        with self._lock:
            practice = self._load()
            chosen = request.set or MONTEGO
            if chosen not in self._sets:
                raise GoError("there is no such set of problems")
            exercises = list(self._sets[chosen].values())
            if request.grade:
                exercises = [each for each in exercises if each.grade == request.grade]
            found = self._sets[chosen].get(request.problem)
            if found is None:
                ratings = [self._rating(each) for each in exercises]
                found = practice.next(exercises, ratings, time.time(), request.after)
            standing = self._standing()
            if found is None:
                return ProblemReply(request.number, chosen, standing=standing)
            card = practice.cards.get(found.id)
            return ProblemReply(
                request=request.number,
                set=chosen,
                problem=found.id,
                name=found.name,
                size=len(found.rows),
                cells="".join(found.rows),
                to_move=found.to_move,
                target=self._target(found),
                value=found.value,
                grade=found.grade,
                rating=round(self._rating(found)),
                seen=0 if card is None else card.solved + card.failed,
                hints=_hints(found),
                standing=standing,
            )

    def answer(self, request: AnswerProblem) -> ProblemResult:
        """Say whether a move solves a problem, how it would go on, and note the first try.

        Raises:
            GoError: If there is no such problem, or the move is none.
        """
        with self._lock:
            self._load()
            exercise = self._find(request.problem)
        board = exercise.board
        move = request.move
        if move:
            move = format_vertex(parse_vertex(move, board.size))
            if move == "pass" or board.fault(exercise.to_move, move) is not None:
                raise GoError(f"{move} cannot be played there")
        said = self._answer(exercise)
        right = self._right_moves(exercise, said)
        is_right = move in right
        with self._lock:
            practice = self._load()
            if request.counts:
                practice.note(
                    exercise,
                    GRADE_RATINGS[exercise.grade - 1],
                    solved=is_right and not request.hints,
                    now=time.time(),
                )
                self._write(_PRACTICE, msgspec.json.encode(practice))
            standing = self._standing()
        return ProblemResult(
            request=request.number,
            problem=exercise.id,
            move=move,
            right=is_right,
            correct=sorted(right),
            line=self._line(exercise, said, move or min(right, default="")),
            proven=said.verdict.proven,
            standing=standing,
        )

    def add(self, data: bytes, collection: str, file: str) -> int:
        """Add the problems of a record to a set of the person's own; return how many they were.

        Raises:
            GoError: If there are none, or too many.
        """
        slug = re.sub(r"[^0-9a-z]+", "-", collection.lower()).strip("-")[:40] or "own"
        slug = f"own-{slug}" if slug in (MONTEGO, GAMES) else slug
        name = re.sub(r"[\x00-\x1f/\\]+", " ", file).strip()[:80] or "problem"
        found = read_exercises(data, slug, name)
        if not found:
            raise GoError(f"{name}: no problem of life and death in it")
        with self._lock:
            self._load()
            if slug not in self._sets and len(self._sets) >= MOST_SETS:
                raise GoError(f"there are {MOST_SETS} sets of problems already")
            there = self._sets.setdefault(slug, {})
            if len(there) + len(found) > MOST_IN_SET:
                raise GoError(f"a set has {MOST_IN_SET} problems at most")
            there.update({each.id: each for each in found})
            self._write_set(slug)
        return len(found)

    def learn_from(self, mistakes: Iterable[ReviewedMistake]) -> int:
        """Make problems of mistakes that were of life and death; return how many are new."""
        new = 0
        for mistake in mistakes:
            with self._lock:
                self._load()
                if f"{GAMES}/{mistake.key}" in self._sets[GAMES]:
                    continue
            found = exercise_of_mistake(
                mistake.game, mistake.played, mistake.better, mistake.name, mistake.key
            )
            if found is not None:
                new += 1
                with self._lock:
                    self._sets[GAMES][found.id] = found
                    self._write_set(GAMES)
        return new

    def standing(self) -> Standing:
        """Return how the person fares."""
        with self._lock:
            self._load()
            return self._standing()

    # What it is made of

    def _find(self, problem: str) -> Exercise:
        found = self._sets.get(problem.partition("/")[0], {}).get(problem)
        if found is None:
            raise GoError("there is no such problem")
        return found

    def _rating(self, exercise: Exercise) -> float:
        card = self._load().cards.get(exercise.id)
        if card is not None and card.rating is not None:
            return card.rating
        return GRADE_RATINGS[exercise.grade - 1]

    def _target(self, exercise: Exercise) -> list[str]:
        if not exercise.target:
            return []
        return sorted(
            {stone for vertex in exercise.target for stone in exercise.board.chain(vertex)}
        )

    def _answer(self, exercise: Exercise) -> Answer:
        """Return what the solver says of a problem; it is asked once."""
        with self._lock:
            known = self._answers.get(exercise.id)
        if known is None:
            known = solve_or_search(
                exercise.board,
                exercise.to_move,
                target=exercise.target,
                seconds=SECONDS,
                nodes=NODES,
            )
            with self._lock:
                self._answers[exercise.id] = known
        return known

    def _line(self, exercise: Exercise, said: Answer, move: str) -> list[str]:
        """Return how play goes on after a move, as far as the solver knows."""
        for known in said.moves:
            if known.vertex == move and len(known.line) > 1:
                return list(known.line)
        if said.suggestion is not None and said.suggestion.vertex == move:
            return list(said.suggestion.line)
        if not move or move in said.correct:
            return [move] if move else []
        # A move elsewhere: the other side is the first to move here.
        board = exercise.board
        board.play(exercise.to_move, move)
        opponent = "white" if exercise.to_move == "black" else "black"
        try:
            answer = solve(board, opponent, target=said.target[:1], seconds=SECONDS, nodes=NODES)
        except GoError:
            return [move]
        return [move, *next((known.line for known in answer.moves if known.works), ())]

    def _right_moves(self, exercise: Exercise, said: Answer) -> set[str]:
        right = set(exercise.correct)
        if exercise.is_complete:
            return right
        if said.verdict.proven and said.is_success:
            # A book may know fewer moves than there are.
            return right | set(said.correct)
        if not right and said.first_move is not None:
            return {said.first_move}
        return right

    def _standing(self) -> Standing:
        practice, now = self._load(), time.time()
        cards = practice.cards
        tallies = [
            GradeTally(
                grade,
                sum(card.solved for card in cards.values() if card.grade == grade),
                sum(card.failed for card in cards.values() if card.grade == grade),
            )
            for grade in range(1, len(GRADE_RATINGS) + 1)
        ]
        sets = [
            ProblemSet(
                name=name,
                total=len(there),
                tried=sum(id_ in cards for id_ in there),
                due=sum(id_ in cards and cards[id_].due <= now for id_ in there),
            )
            for name, there in self._sets.items()
        ]
        return Standing(
            rating=round(practice.rating),
            streak=practice.streak,
            history=[round(each) for each in practice.history[-MOST_TOLD:]],
            grades=tallies,
            sets=sets,
            trouble=self.trouble,
        )

    def _write_set(self, name: str) -> None:
        self._write(f"{name}{_SUFFIX}", msgspec.json.encode(list(self._sets[name].values())))

    def _write(self, name: str, data: bytes) -> None:
        try:
            write_whole(self.folder / name, data)
        except OSError as error:
            reason = error.strerror or "unknown"
            self.trouble = f"Your practice cannot be saved: {reason}."
        else:
            self.trouble = ""


def _hints(exercise: Exercise) -> list[list[str]]:
    """Return points with a right one among them, five and then two; none if none is known."""
    if not exercise.correct:
        return []
    board, right = exercise.board, exercise.correct[0]
    point = parse_vertex(right, board.size) or (0, 0)

    def distance(vertex: str) -> tuple[int, str]:
        column, row = parse_vertex(vertex, board.size) or (0, 0)
        return abs(column - point[0]) + abs(row - point[1]), vertex

    near = sorted(set(board.legal_moves(exercise.to_move)) - set(exercise.correct), key=distance)
    return [sorted([right, *near[:number]]) for number in HINT_POINTS]


def solution_of(
    game: str, node: int, board: Board, to_move: str, target: list[str]
) -> SolutionReply:
    """Return what the solver says of stones of a position, as pages are told.

    Raises:
        GoError: If there is nothing to be solved, or a vertex makes no sense.
    """
    answer = solve_or_search(board, to_move, target=target, seconds=SOLVE_SECONDS)
    suggestion = answer.suggestion
    return SolutionReply(
        game=game,
        node=node,
        defender=answer.defender,
        to_move=answer.to_move,
        target=list(answer.target),
        value=answer.verdict.value,
        proven=answer.verdict.proven,
        favors=answer.verdict.favors,
        threats=answer.verdict.threats,
        other=answer.other.value,
        outside=answer.outside,
        moves=[
            SolutionMove(move.vertex, move.works, list(move.line))
            for move in answer.moves
            if move.works is not None
        ],
        suggestion=None if suggestion is None else suggestion.vertex,
        line=[] if suggestion is None else list(suggestion.line),
        chance=None if suggestion is None else round(suggestion.value, 3),
        nodes=answer.nodes,
    )
