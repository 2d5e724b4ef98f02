"""What the solver concludes, in games made for one question each. Interpreted, for brevity."""

from __future__ import annotations

from typing import Any

import pytest

from mcts_checks import moves_of, scripted_game
from montego.mcts import Config, GameDefinition, Search
from montego.mcts.report import Candidate, SearchResult, elect


def ring(*, preferred: bool) -> GameDefinition:
    """From 0 one goes to 1, from there to the end at 2 or back to 0, which repetition forbids."""

    def place(moves: tuple[int, ...]) -> int:
        return 2 if moves and len(moves) % 2 == 0 and moves[-1] == 0 else len(moves) % 2

    def priors(
        _state: Any, _know: Any, _scratch: Any, moves: Any, count: int, values: Any, visits: Any
    ) -> None:
        for index in range(count):
            values[index] = 0.9 if moves[index] == 0 else 0.1
            visits[index] = 5.0

    more: dict[str, Any] = {"priors": priors} if preferred else {}
    return scripted_game(
        lambda moves: 1.0 if place(moves) == 2 else None,
        move_count=2,
        longest_game=10,
        legal=lambda moves: range(1 + place(moves)),
        hash=lambda state, _knowledge, _scratch: place(moves_of(state)) + 1,
        **more,
    )


@pytest.mark.parametrize(
    ("preferred", "config"),
    [
        (False, Config(simulations=500, solver=True)),
        (True, Config(simulations=500, solver=True, widening=2.0)),
        (True, Config(simulations=500, solver=True, selection="greedy")),
    ],
)
def test_a_node_is_proven_when_its_last_open_move_turns_out_to_repeat(
    config: Config, *, preferred: bool
) -> None:
    result = Search(ring(preferred=preferred), config).run()
    assert result.proof == "win"
    assert result.simulations < 20


def haven() -> GameDefinition:
    """After the only first move the second player may draw at once, or lose after long."""

    def outcome(moves: tuple[int, ...]) -> float | None:
        if len(moves) == 2 and moves[1] == 0:
            return 0.0
        return 1.0 if len(moves) == 14 else None

    return scripted_game(
        outcome, longest_game=14, legal=lambda moves: range(min(1 + len(moves), 3))
    )


@pytest.mark.parametrize("backup_maximum", [0.0, 0.001, 0.5, 1.0])
def test_a_draw_in_hand_stands_for_a_loss_however_values_are_backed_up(
    backup_maximum: float,
) -> None:
    config = Config(
        simulations=1500,
        solver=True,
        exploration=2.0,
        backup_maximum=backup_maximum,
        early_stop=False,
    )
    result = Search(haven(), config).run()
    assert result.candidates[0].value == pytest.approx(0.5, abs=0.01)


def test_voters_do_not_elect_a_proven_loss_while_another_move_is_open() -> None:
    def candidate(move: int, visits: int, proof: str | None) -> Candidate:
        return Candidate(move, visits, 0.5, 0, 0.5, 0, 0.5, proof, (move,))

    def result(move: int, *candidates: Candidate) -> SearchResult:
        return SearchResult(move, 0.5, 10, 0.1, 0.0, candidates, None)

    one = result(0, candidate(0, 5, None), candidate(1, 3, "loss"), candidate(2, 2, None))
    other = result(1, candidate(1, 5, None), candidate(0, 3, "loss"), candidate(2, 2, None))
    chosen, votes = elect([one, other])
    assert chosen is not None
    assert chosen.move == 2
    assert sorted(votes) == [(0, 1), (1, 1)]
