"""Problems of life and death: the solver's word, and the search's where there is no proof.

The search is the player's own by playouts, in a frame (:mod:`montego.solve.frame`): a network,
which has seen no such boards, finds a sixth of the moves that playouts find there.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.go.vocabulary.vertex import parse_vertex
from montego.solve.answer import Answer, Suggestion
from montego.solve.fight import find_target
from montego.solve.frame import framed
from montego.solve.solver import SECONDS, prepare, solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.go.board import Board
    from montego.solve.inquiry import Clock, Progress
    from montego.solve.solver import Order

SIMULATIONS = 15_000
"""Of the search: at ten times as many it found no more of 60 problems of books."""

SHARE = 0.25
"""The part of the time that is left to the search."""

SPEED = 10_000
"""Simulations a second that are counted on."""

LEAST_SIMULATIONS = 500

LONGEST_PREPARATION = 600.0
"""Seconds; what takes longer to compile is waited for while the clock runs."""


def solve_or_search(
    board: Board,
    to_move: str,
    *,
    target: Sequence[str] | str = (),
    seconds: float = SECONDS,
    nodes: int | None = None,
    order: Order | None = None,
    progress: Progress | None = None,
    clock: Clock = time.monotonic,
) -> Answer:
    """Solve a problem as :func:`montego.solve.solve` does; suggest a move where none is proven.

    The search is asked when a glance does not solve the problem, and the solver then tries first
    what the search likes, unless *order* says what to try. What is suggested is never called
    proven. Nothing is suggested where it is proven that the side to move gets no more by moving
    than by waiting. A problem that is too large for the solver is left to the search. The time that
    the search takes to be compiled, when it is first asked, does not count.

    Raises:
        NoFight: If there is nothing to be solved.
        GoError: If a vertex, a color or a limit makes no sense.
    """
    prepare()
    begin = clock()
    names = [target] if isinstance(target, str) else list(target)
    search = _FramedSearch(board, to_move, names, seconds, clock)
    answer = solve(
        board,
        to_move,
        target=names,
        seconds=seconds,
        nodes=nodes,
        order=order or (lambda *_: search.shares()),
        progress=progress,
        clock=lambda: clock() - search.delay,
    )
    if answer.verdict.proven and (answer.correct or not answer.is_success):
        return answer
    suggestion = search.suggestion(answer)
    return replace(answer, suggestion=suggestion, seconds=clock() - begin - search.delay)


class _FramedSearch:
    """A search of a problem in a frame, made when it is first asked for."""

    def __init__(
        self, board: Board, to_move: str, target: Sequence[str], seconds: float, clock: Clock
    ) -> None:
        self._board = board
        self._to_move = to_move
        self._target = target
        self._clock = clock
        self.delay = 0.0
        """How long the search was compiled or loaded, which is to count against no limit."""
        self._simulations = int(min(SIMULATIONS, max(LEAST_SIMULATIONS, seconds * SHARE * SPEED)))

    @cached_property
    def _found(self) -> tuple[list[Suggestion], list[float]]:
        """The moves in the box that were looked at, the best first, and their parts of visits."""
        board = self._board
        points = {parse_vertex(vertex, board.size) for vertex in self._target}
        frame = framed(
            board,
            self._to_move,
            [point for point in points if point is not None] or find_target(board.rows()),
        )
        options = Options(
            simulations=self._simulations,
            threads=1,
            seed=1,
            mode="strict",
            resign=None,
            network=None,
        )
        player = Player(options)
        try:
            player.load(frame.game)
            begin = self._clock()
            player.prepare(LONGEST_PREPARATION)
            self.delay = self._clock() - begin
            analysis = player.choose(self._to_move, never_resigns=True).analysis
        finally:
            player.close()
        found: list[Suggestion] = []
        parts: list[float] = []
        if analysis is None:
            return found, parts
        for info in analysis.moves:
            if info.vertex == "pass" or frame.in_game(frame.on_board(info.vertex)) is None:
                continue
            vertex = frame.on_board(info.vertex)
            if vertex != board.ko:
                line = tuple(frame.on_board(step) for step in info.variation)
                found.append(Suggestion(vertex, info.value, line, analysis.simulations))
                parts.append(info.visits / max(analysis.simulations, 1))
        return found, parts

    def shares(self) -> dict[str, float]:
        """Return the parts of the simulations that moves of this problem had."""
        found, parts = self._found
        return {move.vertex: part for move, part in zip(found, parts, strict=True)}

    def suggestion(self, answer: Answer) -> Suggestion | None:
        """Return the move that the search likes best, of those that may work; None for none."""
        found, _ = self._found
        works = {move.vertex for move in answer.moves if move.works} or set(answer.possible)
        if answer.mover == "attacker":
            # With all the outside the attacker's, and its stones safe, what fails for it fails; but
            # near walls make more moves work than do.
            fails = {move.vertex for move in answer.moves if move.works is False}
            works |= {move.vertex for move in answer.moves} - fails
        return next((move for move in found if move.vertex in works), found[0] if found else None)
