"""Montego as a player of all games but Go: the tree search, for a session.

The search is the one that plays Go. Where a network comes along for the game on that board, it
judges whatever is searched at full strength; levels play without. The other search has the same
selection formula as Go's, so that what is compiled for one game serves the others but for the
rules. Until that is done moves come from the same search interpreted, which looks at far fewer
games.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from dataclasses import replace
from random import SystemRandom
from typing import TYPE_CHECKING, cast

import numpy as np
from msgspec import field

from montego.engine.clock import Clock
from montego.engine.options.levels import LEVELS
from montego.engine.player import to_standard_error
from montego.go.vocabulary.errors import GoError
from montego.jit import compile_off
from montego.ladder.scale import STRONGEST, WEAKEST
from montego.mcts.config import Config
from montego.mcts.final_move import final_choice
from montego.mcts.search import Search
from montego.network.errors import NetworkError
from montego.network.game import BY_NETWORK, judged_game
from montego.web.game.search_referee import plain
from montego.web.messages.limits import MOST_MOVES
from montego.web.messages.replies import Findings, MoveReport, Progress
from montego.web.thinking.thinker import (
    READY,
    ChosenMove,
    Thinker,
    chance_for,
    set_clock,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.mcts.game import GameDefinition
    from montego.mcts.report import Candidate
    from montego.web.game.search_referee import SearchReferee, SearchState
    from montego.web.messages.replies import Estimation
    from montego.web.messages.requests import Color, Strength
    from montego.web.thinking.thinker import Question

BEST_SECONDS = 3.0  # For a move, when no strength was chosen.
MEMORY = 96.0  # Megabytes of a tree; touched only as far as it grows.
MOST_VARIATION = 12  # Moves of a variation.
FEWEST, MOST = 20, 20_000  # Simulations of the weakest and the strongest level.
PATIENCE = 4.0  # Seconds after which a compiler is at work for long, and moves do without it.
COLD_SECONDS = 1.5  # For that move,
COLD_SIMULATIONS = 400  # and not more than these.
SMALLEST_MEMORY = 4.0  # Megabytes of the tree of a search that only compiles.
ALTERNATIVES = 3  # Moves that an explanation compares.
CONTINUATION = 8  # Moves that an explanation expects.
CLOSE = 0.02  # Difference of values that means nothing.

_LOOK = 0.02  # Seconds between two looks at an interrupt.
_PROVEN = {"win": 1.0, "loss": 0.0, "draw": 0.5}
_PROVEN_IN_WORDS = {
    "win": "it wins against any defense",
    "loss": "it loses if the opponent answers well, as does everything else",
    "draw": "it leads to a draw if nobody errs",
}


class SearchFindings(Findings, frozen=True, kw_only=True):
    """What the tree search found: more than there is room for in a list of the best moves."""

    tried: int = 0
    """How many moves were visited at all."""
    proofs: dict[str, str] = field(default_factory=dict)
    """By move: ``"win"``, ``"loss"`` or ``"draw"`` for the player to move."""


class GameSearcher:
    """A way of searching a game, and the tree that it has grown."""

    def __init__(self, game: GameDefinition, config: Config) -> None:
        self.game = game
        self.config = config
        self._search: Search | None = None
        self._path: tuple[str, ...] | None = None  # the moves to the root of the tree

    @property
    def is_judged(self) -> bool:
        """Whether a network judges."""
        return self.config.evaluation > 0.0

    def compilation(self) -> Compilation:
        """Return the compilation of what it needs, which begins with the first call."""
        return compilation_of(self.game, self.config)

    def follow(self, question: Question) -> Search:
        """Return the search at the question's position; the tree is kept if it leads there."""
        state: SearchState = question.state
        path = tuple(move for _, move in question.moves)
        search, known = self._search, self._path
        if search is None:
            search = self._search = Search(self.game, self.config, state=state.cells)
        elif known is not None and path[: len(known)] == known:
            for move in path[len(known) :]:
                search.play(self.game.parse_move(search.state, move))
        else:
            search.set_state(state.cells)
        self._path = path
        return search

    def forget(self) -> None:
        """End a search that is under way, and give up the tree."""
        search, self._search = self._search, None
        if search is not None:
            search.stop()


class SearchThinker(Thinker):
    """Thinks about one game with a tree."""

    def __init__(
        self, referee: SearchReferee, *, by_network: bool = False, seed: int | None = None
    ) -> None:
        """Get ready to play the referee's game. Compiles nothing yet.

        *by_network* has the network that comes along judge; without onnxruntime people are told
        that none does. Without a *seed* no two games are alike.
        """
        self._referee = referee
        self._game: GameDefinition = referee.definition
        classical = Config(
            simulations=None,
            selection="rave-mse",  # Go's, and in these games as good as any.
            exploration=0.0,
            rave_bias=0.02,
            solver=True,
            memory=MEMORY,
            seed=SystemRandom().getrandbits(31) if seed is None else seed,
        )
        self._classical = self._best = GameSearcher(self._game, classical)
        if by_network:
            self._best = self._judging()
        self._closed = threading.Event()

    def _judging(self) -> GameSearcher:
        """Return the way of searching with the network; the classical one if it cannot be run."""
        usual = self._classical.config
        try:
            game = judged_game(self._game)
        except NetworkError as error:
            to_standard_error(f"montego: playing without a network: {error}")
            return self._classical
        config = replace(
            BY_NETWORK, simulations=None, solver=True, memory=usual.memory, seed=usual.seed
        )
        return GameSearcher(game, config)

    def _searcher(self, strength: Strength | None) -> GameSearcher:
        """Return the way of searching at a strength."""
        is_level = strength is not None and strength.level is not None
        return self._classical if is_level else self._best

    def preparation(self, strength: Strength | None = None) -> Progress:
        """Start the compiler, unless that was done, and say whether it is still at work."""
        if self._searcher(strength).compilation().done.is_set():
            return READY
        name = self._referee.title
        return Progress(text=f"Compiling the search for {name}. This happens once; play on.")

    def choose(self, question: Question) -> ChosenMove:
        """Decide what to play."""
        simulations, seconds = self._limits(question)
        searcher, note = self._searcher(question.strength), ""
        if self._is_ready(searcher, question.interrupt, patience=PATIENCE):
            search = searcher.follow(question)
        else:
            note = "The search is still being compiled, so this one looked at few games."
            # One plain function has the search run without a compiler.
            slow = replace(self._game, legal_moves=plain(self._game.legal_moves))
            searcher = GameSearcher(slow, self._classical.config)
            search = searcher.follow(question)
            simulations = min(simulations or COLD_SIMULATIONS, COLD_SIMULATIONS)
            seconds = min(seconds or COLD_SECONDS, COLD_SECONDS)
        found = self._run(searcher, search, question, simulations, seconds)
        if not found.moves:
            # Interrupted before the first simulation: any move is better than none.
            move = self._game.format_move(search.state, search.legal_moves()[0])
            return ChosenMove(move=move, lines=["There was no time to think."])
        move = found.moves[0].move
        lines = self._account(question, move, found)
        return ChosenMove(move=move, findings=found, lines=[*lines, note] if note else lines)

    def analyze(self, question: Question) -> SearchFindings:
        """Search until interrupted, for the question's limits, or until everything is proven."""
        searcher = self._best
        if not self._is_ready(searcher, question.interrupt):
            return SearchFindings(to_play=question.color, simulations=0, seconds=0.0, value=0.5)
        search = searcher.follow(question)
        return self._run(searcher, search, question, question.simulations, question.seconds)

    def estimate(self, question: Question) -> Estimation:  # noqa: ARG002
        """Refuse by a GoError: these games have no points."""
        raise GoError(f"{self._referee.title} has no score to estimate")

    def close(self) -> None:
        """End what is under way, and forget the tree."""
        self._closed.set()
        for searcher in (self._classical, self._best):
            searcher.forget()

    # Searching

    def _limits(self, question: Question) -> tuple[int | None, float | None]:
        """Return the most simulations and seconds for a move."""
        strength = question.strength
        simulations, seconds = strength.simulations, strength.seconds
        if strength.level is not None:
            simulations = level_simulations(strength)
        left = time_for_move(question, self._referee.moves_expected)
        if left is not None:
            seconds = left if seconds is None else min(seconds, left)
        elif simulations is None and seconds is None:
            seconds = BEST_SECONDS
        return simulations, seconds

    def _is_ready(
        self, searcher: GameSearcher, interrupt: threading.Event, *, patience: float = math.inf
    ) -> bool:
        """Wait for the compiler, until it was at work for so long; say whether it is done."""
        compilation = searcher.compilation()
        while not compilation.done.wait(_LOOK):
            elapsed = time.monotonic() - compilation.begun
            if interrupt.is_set() or self._closed.is_set() or elapsed >= patience:
                break
        return compilation.is_usable

    def _run(
        self,
        searcher: GameSearcher,
        search: Search,
        question: Question,
        simulations: int | None,
        seconds: float | None,
    ) -> SearchFindings:
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
                question.report(self._findings(searcher, search, question, made, now - begin))
                # Counted from the end of the report: a slow one must not take all the time.
                reported = time.perf_counter()

        if question.interrupt.is_set() or self._closed.is_set():
            return self._findings(searcher, search, question, 0, 0.0)
        result = search.run(simulations=simulations, seconds=seconds, progress=progress)
        return self._findings(searcher, search, question, result.simulations, result.seconds)

    def _findings(
        self,
        searcher: GameSearcher,
        search: Search,
        question: Question,
        simulations: int,
        seconds: float,
    ) -> SearchFindings:
        """Return what is known now. Called by the thread that searches."""
        root, color = search.root(), question.color
        # Not all of them: a report of a hundred moves, twenty times a second, would slow us down.
        candidates = root.candidates(MOST_MOVES)
        best = final_choice(candidates, searcher.config)
        candidates.sort(key=lambda candidate: candidate is not best)
        reports = []
        proofs = {}
        for candidate in candidates:
            variation = self._texts(search, candidate.variation[:MOST_VARIATION])
            if candidate.proof is not None:
                proofs[variation[0]] = candidate.proof
            reports.append(
                MoveReport(
                    move=variation[0],
                    visits=candidate.visits,
                    value=chance_for(color, _chance(candidate, is_judged=searcher.is_judged)),
                    # Without a network the same is believed of all moves.
                    prior=candidate.prior_value if searcher.is_judged else 1.0 / len(root.moves),
                    rave=chance_for(color, candidate.amaf_value),
                    rave_visits=candidate.amaf_visits,
                    score=None,
                    variation=variation,
                )
            )
        return SearchFindings(
            to_play=color,
            simulations=simulations,
            seconds=seconds,
            value=reports[0].value if reports else 0.5,
            moves=reports,
            visits=int(root.move_visits.sum()),
            tried=int(np.count_nonzero(root.move_visits)),
            proofs=proofs,
        )

    def _texts(self, search: Search, moves: Sequence[int]) -> list[str]:
        """Return what moves that follow one another are called."""
        state, texts = search.state, []
        for move in moves:
            texts.append(self._game.format_move(state, move))
            if self._referee.kind == "own":  # In the others it does not depend on the position.
                state = search.after(state, move)
        return texts

    # Why this move, in words

    def explain(self, question: Question, move: str, findings: Findings) -> list[str]:
        """Return a few lines about a move that somebody else played, but for its chance to win.

        The position after it is looked at for itself.
        """
        return self._account(question, move, cast("SearchFindings", findings), chance=False)

    def _account(
        self, question: Question, move: str, found: SearchFindings, *, chance: bool = True
    ) -> list[str]:
        """Return a few lines about a move, as the search saw it before the move."""
        color = question.color
        proof, chosen = found.proofs.get(move), found.find(move)
        player = self._referee.names[color]
        name = f"column {move}" if self._referee.kind == "connect-four" else move
        if chosen is None:
            return [f"{player} plays {name}. The search did not look at it."]
        best = found.moves[0]
        reason = "the search prefers it" if chosen is best else f"the search prefers {best.move}"
        if proof == "loss" and chosen is not best:
            reason = "it loses if the opponent answers well"
        elif proof is not None:
            reason = _PROVEN_IN_WORDS[proof]
        # One simulation of a new tree goes through no move.
        kept = found.visits - found.simulations
        known = f" and knew {kept:,} from before" if kept > 0 else ""
        tried = "1 move was" if found.tried == 1 else f"{found.tried} moves were"
        made = f"{found.simulations:,} simulations in {found.seconds:.1f} s{known}"
        lines = [f"{player} plays {name}: {reason}.", f"It made {made}; {tried} tried."]
        if found.visits:
            went = f"{100 * chosen.visits / found.visits:.0f}% went through {move}."
            won = f" {player}'s chance to win is {chance_for(color, chosen.value):.0%}."
            lines.append(f"{went}{won if chance else ''}")
        lines += _comparison(found, chosen, color)
        if len(chosen.variation) > 1:
            lines.append(f"Expected: {' '.join(chosen.variation[:CONTINUATION])}.")
        if chosen.rave_visits >= 1:
            rave = chance_for(color, chosen.rave)
            lines.append(f"Of the playouts with {move} at any time, {rave:.0%} were won.")
        return lines


def _comparison(found: SearchFindings, chosen: MoveReport, color: Color) -> list[str]:
    others = [report for report in found.moves if report is not chosen and report.visits]
    if not others:
        return ["Nothing else was worth a try."]
    listed = []
    for report in others[:ALTERNATIVES]:
        proof = found.proofs.get(report.move)
        worth = f"{chance_for(color, report.value):.0%}" if proof is None else f"a proven {proof}"
        listed.append(f"{report.move} ({report.visits:,} visits, {worth})")
    lines = [f"Other moves: {', '.join(listed)}."]
    if chosen.move in found.proofs:
        return lines
    second = others[0]
    if second.visits > chosen.visits:
        lines.append(f"{second.move} was searched more.")
    elif 2 * second.visits > chosen.visits and abs(second.value - chosen.value) < CLOSE:
        lines.append(f"The choice between {chosen.move} and {second.move} is close.")
    elif chosen.visits > 4 * second.visits:
        lines.append("The choice is clear.")
    return lines


def _chance(candidate: Candidate, *, is_judged: bool) -> float:
    """Return the mover's chance: what is proven, or else the mean and two even games.

    The first playouts of a move are luck, and nobody should read of a certain win. What a network
    says of a position is the same each time.
    """
    if candidate.proof is not None:
        return _PROVEN[candidate.proof]
    if is_judged and candidate.visits:
        return candidate.value
    return (candidate.visits * candidate.value + 1.0) / (candidate.visits + 2.0)


def level_simulations(strength: Strength) -> int:
    """Return how many simulations a level of Go stands for here, in equal steps.

    Raises:
        ValueError: If there is no such level.
    """
    rank = LEVELS.get(strength.level or "")
    if rank is None:
        raise ValueError(f"there is no level {strength.level!r}")
    part = (rank - WEAKEST) / (STRONGEST - WEAKEST)
    return round(FEWEST * float((MOST / FEWEST) ** part))


def time_for_move(question: Question, cells: int) -> float | None:
    """Return the seconds that the clock allows on a board of so many cells; None without one."""
    clock = Clock()
    set_clock(clock, question)
    budget = clock.budget(question.color, len(question.moves), round(cells**0.5))
    return None if budget is None else budget.target


# Compiling


class Compilation:
    """Compiles in the background what the search of a game needs.

    From a warm cache it is loaded in about a second.
    """

    def __init__(self, game: GameDefinition, config: Config) -> None:
        """Begin; :attr:`done` tells when there is nothing to wait for any more."""
        self.begun = time.monotonic()
        self.done = threading.Event()
        self.is_usable = False
        """Whether a search can start at once."""
        config = replace(config, simulations=2, seconds=None, memory=SMALLEST_MEMORY)
        work = threading.Thread(target=self._compile, args=(game, config), daemon=True)
        work.start()

    def _compile(self, game: GameDefinition, config: Config) -> None:
        """Run a tiny search: the types are then right by construction."""
        try:
            if not compile_off():
                search = Search(game, config)
                search.play(search.run().candidates[0].move)
            self.is_usable = True
        except Exception:
            # Moves then come from the interpreted search, which is weak, but plays.
            logging.getLogger(__name__).exception("the search cannot be compiled")
        finally:
            self.done.set()


_LOCK = threading.Lock()
_COMPILATIONS: dict[object, Compilation] = {}


def compilation_of(game: GameDefinition, config: Config) -> Compilation:
    """Return the compilation of a game, the same one in a process; it begins with the first call.

    Sizes and numbers make no difference to compiled code, but a network that judges does.
    """
    # By its rules: a game of one's own may have any name.
    key = (game.legal_moves, config.evaluation > 0.0)
    with _LOCK:
        if key not in _COMPILATIONS:
            _COMPILATIONS[key] = Compilation(game, config)
        return _COMPILATIONS[key]
