"""Problems of life and death: the solver's word, and the search's where there is no proof.

The search is the player's own by playouts, in a frame (:mod:`montego.solve.frame`): a network,
which has seen no such boards, finds a tenth of the moves that playouts find there.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.go.vocabulary.vertex import parse_vertex
from montego.solve.answer import Answer, Suggestion
from montego.solve.frame import framed
from montego.solve.solver import SECONDS, solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.go.board import Board
    from montego.solve.solver import Order, Progress

SIMULATIONS = 15_000
"""Of the search: at ten times as many it found no more of 60 problems of books."""

SHARE = 0.15
"""The part of the time that is left to the search."""

SPEED = 5_000
"""Simulations a second that are counted on."""


def solve_or_search(
    board: Board,
    to_move: str,
    *,
    target: Sequence[str] | str = (),
    seconds: float = SECONDS,
    nodes: int | None = None,
    order: Order | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Solve a problem as :func:`montego.solve.solve` does; suggest a move where none is proven.

    What is suggested is never called proven. Nothing is suggested where it is proven that the side
    to move gets no more by moving than by waiting. A problem that is too large for the solver is
    left to the search.

    Raises:
        NoFight: If there is nothing to be solved.
        GoError: If a vertex, a color or a limit makes no sense.
    """
    begin = time.monotonic()
    answer = solve(
        board,
        to_move,
        target=target,
        seconds=seconds * (1.0 - SHARE) if seconds > 0 else seconds,
        nodes=nodes,
        order=order,
        progress=progress,
    )
    if answer.verdict.proven and (answer.correct or not answer.is_success):
        return answer
    left = max(seconds - (time.monotonic() - begin), 0.0)
    suggestion = _suggest(board, answer, min(SIMULATIONS, max(500, int(left * SPEED))))
    return replace(answer, suggestion=suggestion, seconds=time.monotonic() - begin)


def _suggest(board: Board, answer: Answer, simulations: int) -> Suggestion | None:
    """Return the move that a search of the framed problem likes best; None if it would pass."""
    points = [parse_vertex(vertex, board.size) for vertex in answer.target]
    frame = framed(board, answer.to_move, [point for point in points if point is not None])
    options = Options(
        simulations=simulations, threads=1, seed=1, mode="strict", resign=None, network=None
    )
    player = Player(options)
    try:
        player.load(frame.game)
        decision = player.choose(answer.to_move, never_resigns=True)
    finally:
        player.close()
    if decision.analysis is None:
        return None
    refuted = {move.vertex for move in answer.moves if move.works is False}
    for info in decision.analysis.moves:
        if info.vertex == "pass" or frame.in_game(frame.on_board(info.vertex)) is None:
            continue
        vertex = frame.on_board(info.vertex)
        # With all the outside the attacker's, and its stones safe, what fails for it fails.
        if vertex == board.ko or (answer.mover == "attacker" and vertex in refuted):
            continue
        line = tuple(frame.on_board(step) for step in info.variation)
        return Suggestion(vertex, info.value, line, decision.analysis.simulations)
    return None
