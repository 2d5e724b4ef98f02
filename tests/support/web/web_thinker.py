"""A thinker that does not think: for tests of everything around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.web.messages.replies import Estimation, Findings, MoveReport
from montego.web.thinking.thinker import ChosenMove, Thinker

if TYPE_CHECKING:
    from montego.go.game import Game
    from montego.web.thinking.thinker import Question

REPORT_SECONDS = 0.005
MOST_MOVES = 40


class QuickThinker(Thinker):
    """Plays the first legal move of Go, and passes in long games, which would have no end.

    An analysis reports until it is told to stop.
    """

    def choose(self, question: Question) -> ChosenMove:
        findings = self._look(question, 1)
        return ChosenMove(
            move=findings.moves[0].move, findings=findings, lines=["It is the first."]
        )

    def analyze(self, question: Question) -> Findings:
        simulations = 1
        while not question.interrupt.wait(REPORT_SECONDS):
            simulations += 1
            if simulations == (question.simulations or 100_000):
                break
            if question.report is not None:
                question.report(self._look(question, simulations))
        return self._look(question, simulations)

    def explain(self, question: Question, move: str, findings: Findings) -> list[str]:
        return [f"{question.color} {move} {findings.simulations}"]

    def estimate(self, question: Question) -> Estimation:
        game: Game = question.state
        return Estimation(score=0.5, ownership=[0.0] * game.size**2, dead=[])

    def close(self) -> None:
        pass

    def _look(self, question: Question, simulations: int) -> Findings:
        game: Game = question.state
        legal = game.legal_moves() if len(question.moves) < MOST_MOVES else []
        move = (legal or ["pass"])[0]
        report = MoveReport(
            move=move,
            visits=simulations,
            value=0.5,
            prior=1.0,
            rave=0.5,
            rave_visits=0.0,
            score=None,
            variation=[move],
        )
        return Findings(
            to_play=question.color,
            simulations=simulations,
            seconds=0.0,
            value=0.5,
            moves=[report],
        )
