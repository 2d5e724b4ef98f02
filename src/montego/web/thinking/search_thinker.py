"""Montego as a player of Hex, Connect 4 and tic-tac-toe: the tree search, for a session.

The search is the one that plays Go, with the same selection formula, so that what is compiled
for one game serves the others but for the rules. Until that is done moves come from the same search
interpreted, which looks at far fewer games.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import replace
from random import SystemRandom
from typing import TYPE_CHECKING

import numpy as np

from montego.engine.clock import Clock, TimeSettings
from montego.engine.options.levels import LEVELS, WEAKEST
from montego.jit import Kernel, interpreted
from montego.mcts.config import Config
from montego.mcts.report import choose
from montego.mcts.search import Search
from montego.web.messages.replies import MoveReport, Progress
from montego.web.thinking.search_compilation import compilation_of
from montego.web.thinking.search_explanation import SearchFindings, explain_choice
from montego.web.thinking.thinker import READY, Answer, Findings

if TYPE_CHECKING:
    from montego.mcts.game import GameDefinition
    from montego.mcts.report import Candidate
    from montego.web.game.search_referee import SearchReferee, SearchState
    from montego.web.messages.requests import Strength
    from montego.web.thinking.thinker import Estimation, Question

BEST_SECONDS = 3.0  # For a move, when no strength was chosen.
MEMORY = 96.0  # Megabytes of a tree; touched only as far as it grows.
MOST_MOVES = 30  # In a report.
MOST_VARIATION = 12  # Moves of a variation.
FEWEST, MOST = 20, 20_000  # Simulations of the weakest and the strongest level.
PATIENCE = 4.0  # Seconds after which a compiler is at work for long, and moves do without it.
COLD_SECONDS = 1.5  # For that move,
COLD_SIMULATIONS = 400  # and not more than these.

_LOOK = 0.02  # Seconds between two looks at an interrupt.
_PROVEN = {"win": 1.0, "loss": 0.0, "draw": 0.5}


class SearchThinker:
    """Thinks about one game with a tree; see :class:`montego.web.thinking.thinker.Thinker`."""

    def __init__(self, referee: SearchReferee, *, seed: int | None = None) -> None:
        """Get ready to play the referee's game. Compiles nothing yet.

        Without a *seed* no two games are alike.
        """
        self._referee = referee
        self._game: GameDefinition = referee.definition
        drawn = SystemRandom().getrandbits(31) if seed is None else seed
        self._config = Config(
            simulations=None,
            selection="rave-mse",  # Go's, and in these games as good as any.
            exploration=0.0,
            solver=True,
            memory=MEMORY,
            seed=drawn,
        )
        self._compilation = compilation_of(self._game, self._config)
        self._search: Search | None = None
        self._path: tuple[str, ...] | None = None  # the moves to the root of the tree
        self._closed = threading.Event()

    def preparation(self) -> Progress:
        """Start the compiler, unless that was done, and say whether it is still at work."""
        self._compilation.start()
        if self._compilation.is_done:
            return READY
        name = self._referee.words.name
        return Progress(text=f"Compiling the search for {name}. This happens once; play on.")

    def choose(self, question: Question) -> Answer:
        """Decide what to play."""
        simulations, seconds = self._limits(question)
        note = ""
        if self._is_ready(question.interrupt, patience=PATIENCE):
            search = self._follow(question)
        else:
            note = "The search is still being compiled, so this one looked at few games."
            search = Search(_slow(self._game), self._config, state=question.state.cells)
            simulations = min(simulations or COLD_SIMULATIONS, COLD_SIMULATIONS)
            seconds = min(seconds or COLD_SECONDS, COLD_SECONDS)
        found = self._run(search, question, simulations, seconds)
        if not found.moves:
            # Interrupted before the first simulation: any move is better than none.
            move = self._game.format_move(search.state, search.legal_moves()[0])
            return Answer(move=move, lines=["There was no time to think."])
        move = found.moves[0].move
        lines = self.explain(question, move, found)
        return Answer(move=move, findings=found, lines=[*lines, note] if note else lines)

    def analyze(self, question: Question) -> Findings:
        """Search until interrupted, for the question's limits, or until everything is proven."""
        if not self._is_ready(question.interrupt):
            return Findings(to_play=question.color, simulations=0, seconds=0.0, value=0.5)
        return self._run(self._follow(question), question, question.simulations, question.seconds)

    def explain(self, question: Question, move: str, findings: Findings) -> list[str]:
        """Say in words what was found about a move."""
        return explain_choice(self._referee, question.color, move, findings)

    def estimate(self, question: Question) -> Estimation:  # noqa: ARG002
        """Refuse: these games have no points.

        Raises:
            ValueError: Always.
        """
        raise ValueError(f"{self._referee.words.name} has no score to estimate")

    def learn(self) -> str:
        """Keep nothing: the book is Montego's own, and about Go."""
        return ""

    def close(self) -> None:
        """End what is under way, and forget the tree."""
        self._closed.set()
        search, self._search = self._search, None
        if search is not None:
            search.stop()

    # Limits

    def _limits(self, question: Question) -> tuple[int | None, float | None]:
        """Return the most simulations and seconds for a move."""
        strength = question.strength
        simulations, seconds = strength.simulations, strength.seconds
        if strength.level is not None:
            simulations = level_simulations(strength)
        left = time_for_move(question, self._referee.width * self._referee.height)
        if left is not None:
            seconds = left if seconds is None else min(seconds, left)
        elif simulations is None and seconds is None:
            seconds = BEST_SECONDS
        return simulations, seconds

    # Searching

    def _is_ready(self, interrupt: threading.Event, *, patience: float = math.inf) -> bool:
        """Wait for the compiler, until it was at work for so long; say whether it is done."""
        self._compilation.start()
        while not self._compilation.wait(_LOOK):
            if interrupt.is_set() or self._closed.is_set():
                break
            if self._compilation.seconds >= patience:
                break
        return self._compilation.is_usable

    def _follow(self, question: Question) -> Search:
        """Return the search at the question's position; the tree is kept if it leads there."""
        state: SearchState = question.state
        path = tuple(move for _, move in question.moves)
        search, known = self._search, self._path
        if search is None:
            search = self._search = Search(self._game, self._config, state=state.cells)
        elif known is not None and path[: len(known)] == known:
            for move in path[len(known) :]:
                search.play(self._game.parse_move(search.state, move))
        else:
            search.set_state(state.cells)
        self._path = path
        return search

    def _run(
        self, search: Search, question: Question, simulations: int | None, seconds: float | None
    ) -> Findings:
        begin = reported = time.perf_counter()
        before = search.counted()[0]

        def progress(_search: Search, _part: float) -> None:
            nonlocal reported
            if question.interrupt.is_set() or self._closed.is_set():
                search.stop()
                return
            now = time.perf_counter()
            if question.report is not None and now - reported >= question.every:
                made = search.counted()[0] - before
                question.report(self._findings(search, question, made, now - begin))
                # Counted from the end of the report: a slow one must not take all the time.
                reported = time.perf_counter()

        if question.interrupt.is_set() or self._closed.is_set():
            return self._findings(search, question, 0, 0.0)
        result = search.run(simulations=simulations, seconds=seconds, progress=progress)
        return self._findings(search, question, result.simulations, result.seconds)

    def _findings(
        self, search: Search, question: Question, simulations: int, seconds: float
    ) -> SearchFindings:
        """Return what is known now. Called by the thread that searches."""
        root = search.root()
        # Not all of them: a report of a hundred moves, twenty times a second, would slow us down.
        candidates = root.candidates(MOST_MOVES)
        best = choose(candidates, self._config.final_move)
        candidates.sort(key=lambda candidate: candidate is not best)
        is_black = question.color == "black"
        state = search.state
        # Without priors of its own the game believes the same of all moves.
        prior = 1.0 / max(len(root.moves), 1)
        reports = []
        proofs = {}
        for candidate in candidates:
            # What a move is called does not depend on the position.
            moves = candidate.variation[:MOST_VARIATION]
            variation = [self._game.format_move(state, move) for move in moves]
            value = _chance(candidate)
            rave = candidate.amaf_value
            if candidate.proof is not None:
                proofs[variation[0]] = candidate.proof
            reports.append(
                MoveReport(
                    move=variation[0],
                    visits=candidate.visits,
                    value=value if is_black else 1.0 - value,
                    prior=prior,
                    rave=rave if is_black else 1.0 - rave,
                    rave_visits=candidate.amaf_visits,
                    score=None,
                    variation=variation,
                )
            )
        return SearchFindings(
            to_play=question.color,
            simulations=simulations,
            seconds=seconds,
            value=reports[0].value if reports else 0.5,
            moves=reports,
            visits=int(root.move_visits.sum()),
            tried=int(np.count_nonzero(root.move_visits)),
            proofs=proofs,
        )


def level_simulations(strength: Strength) -> int:
    """Return how many simulations a level of Go stands for here, in twenty equal steps.

    Raises:
        ValueError: If there is no such level.
    """
    kyu = LEVELS.get(strength.level or "")
    if kyu is None:
        raise ValueError(f"there is no level {strength.level!r}")
    part = (WEAKEST - kyu) / (WEAKEST - 1)
    return round(FEWEST * float((MOST / FEWEST) ** part))


def time_for_move(question: Question, cells: int) -> float | None:
    """Return the seconds that the clock allows on a board of so many cells; None without one."""
    settings, faces = question.clock, question.clocks
    if settings.kind == "none" or faces is None:
        return None
    is_fischer = settings.kind == "fischer"
    clock = Clock(
        TimeSettings(
            kind=settings.kind,
            main=settings.main,
            period=0.0 if is_fischer else settings.period,
            periods=settings.periods,
            increment=settings.period if is_fischer else 0.0,
        )
    )
    face = faces[0 if question.color == "black" else 1]
    clock.time_left(question.color, face.seconds, face.periods)
    budget = clock.budget(question.color, len(question.moves), round(cells**0.5))
    return None if budget is None else budget.target


def _chance(candidate: Candidate) -> float:
    """Return the mover's chance: what is proven, or else the mean and two even games.

    The first playouts of a move are luck, and nobody should read of a certain win.
    """
    if candidate.proof is not None:
        return _PROVEN[candidate.proof]
    return (candidate.visits * candidate.value + 1.0) / (candidate.visits + 2.0)


def _slow(game: GameDefinition) -> GameDefinition:
    """Return the game as a search runs it without a compiler: one plain function is enough."""
    moves = game.legal_moves
    return replace(game, legal_moves=interpreted(moves) if isinstance(moves, Kernel) else moves)
