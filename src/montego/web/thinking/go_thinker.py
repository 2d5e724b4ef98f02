"""Montego's player of Go as a thinker of sessions.

What it found is told in the terms of the protocol: chances are Black's, numbers are short.
"""

from __future__ import annotations

import queue
import threading
import time
from functools import lru_cache
from itertools import takewhile
from random import SystemRandom
from typing import TYPE_CHECKING, cast

from msgspec.structs import asdict

from montego.engine.decision import Decision, DecisionReason, explain_in_game, reasons_for
from montego.engine.options.options import Options, usable_cores
from montego.engine.player import Player, to_standard_error
from montego.engine.searching.analysis import FEW_VISITS, agreeing_score
from montego.go.game import Move
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.vertex import format_vertex
from montego.gtp.client.adviser import GtpAdviser
from montego.web.messages.limits import MOST_MOVES, SEARCH_MEMORY_MB
from montego.web.messages.replies import (
    Estimation,
    Findings,
    MoveReport,
    Progress,
    as_sentence,
)
from montego.web.thinking.thinker import (
    READY,
    ChosenMove,
    Thinker,
    chance_for,
    set_clock,
)

if TYPE_CHECKING:
    from montego.engine.knowledge.tuning import Value
    from montego.engine.player import Enlist
    from montego.engine.searching.analysis import Analysis
    from montego.engine.thinking import Asked
    from montego.go.game import Game
    from montego.web.game.go_referee import GoReferee
    from montego.web.messages.requests import Color, Strength
    from montego.web.thinking.thinker import Question

LAG = 0.15
"""Seconds that a move takes beside the thinking: the page is on the same machine, or near."""

ESTIMATE_SIMULATIONS = 600
DEAD = 0.5
"""Ownership of a stone by the opponent from which an estimate calls it dead."""

GLANCED_MOVES = 12
"""Moves in reports while a search runs: each takes time from the search."""

LONGEST_VARIATION = 16

COMPILING = "Compiling for this machine, which is needed only once and takes a minute or two"
LOADING_SECONDS = 4.0  # If it takes longer, it is being compiled.


class GoThinker(Thinker):
    """One player that follows a session."""

    def __init__(
        self,
        referee: GoReferee,
        options: Options | None = None,
        adviser: str | None = None,
        enlist: Enlist | None = None,
    ) -> None:
        """Think about games that begin as *referee* says. Loads nothing yet.

        What *options* change from their defaults is changed here, too. *adviser* is the command of
        a program to be asked for advice on each move, if any. *enlist* is the player's. Without a
        seed no two games are alike.
        """
        self._referee = referee
        self._enlist = enlist
        self._options = Options(
            size=referee.size, memory=SEARCH_MEMORY_MB, lag=LAG, threads=usable_cores()
        )
        if options is not None:
            self._options = self._options.replace(**options.changes())
        self._options = self._options.replace(with_=adviser)
        if self._options.seed is None:
            # Not the process's: every game has a player, and no two games are to be alike.
            self._options = self._options.replace(seed=SystemRandom().getrandbits(31))
        self._player: Player | None = None
        self._closed = False
        self._making = threading.Lock()
        self._asked: float | None = None
        self._latest: Analysis | None = None
        self._complaints: queue.SimpleQueue[str] = queue.SimpleQueue()

    def preparation(self, strength: Strength | None = None) -> Progress:  # noqa: ARG002
        """Say what is being compiled, and for how long so far."""
        if self._asked is None:
            self._asked = time.monotonic()
        if self._ready().prepare():
            return READY
        elapsed = time.monotonic() - self._asked
        if elapsed < LOADING_SECONDS:
            return Progress(text="Getting ready …")
        return Progress(text=f"{COMPILING} … {elapsed:.0f} s so far")

    def choose(self, question: Question) -> ChosenMove:
        """Choose a move as the strength and the clock allow."""
        strength = asdict(question.strength)
        del strength["even"]  # The level is known.
        changes = {name: value for name, value in strength.items() if value is not None}
        if "level" in changes:
            changes["threads"] = 1  # As many as it needs.
        player = self._follow(question, self._options_with(changes))
        set_clock(player.clock, question)
        decision = player.genmove(question.color, **self._asked_for(question))
        if decision.vertex is None:
            raise ValueError("the search was cancelled")
        self._latest = None if decision.analysis is None else decision.analysis.in_truth()
        return ChosenMove(
            move=decision.vertex,
            findings=None if self._latest is None else findings_of(self._latest),
            lines=player.explain().splitlines(),
            notice=self._complaint(),
        )

    def _options_with(self, changes: dict[str, Value]) -> Options:
        """Return the options of a move at a strength.

        A program of the documents has the threads, the adviser and the book that are its own.
        """
        if "preset" not in changes:
            return self._options.replace(**changes)
        mine = Options(
            size=self._referee.size, memory=SEARCH_MEMORY_MB, lag=LAG, seed=self._options.seed
        )
        return mine.replace(**changes)

    def analyze(self, question: Question) -> Findings:
        """Search at full strength."""
        player = self._follow(question, self._options)
        found = player.analyze(
            question.color,
            limit=question.simulations,
            seconds=question.seconds,
            **self._asked_for(question),
        )
        self._latest = found
        return findings_of(found)

    def explain(self, question: Question, move: str, findings: Findings) -> list[str]:
        """Say what the analysis just made found about a move, which somebody else played."""
        found, name = self._latest, question.color.capitalize()
        best = findings.moves[0].move if findings.moves else None
        visits = 0
        if found is not None:
            visits = sum(info.visits for info in found.moves if info.vertex == move)
        if found is None or best is None:
            return [f"{name} played {move}. Montego has not looked at this position."]
        if move == best:
            headline = f"{name} played {move}, and so would Montego."
        else:
            headline = f"{name} played {move}. Montego would rather play {best}."
        if visits < FEW_VISITS:
            # What a few simulations found would contradict the search that looks at it below.
            reasons = self.reasons(question, move)
            shape = [f"By shape and tactics: {'; '.join(reasons)}."] if reasons else []
            return [headline, *shape]
        decision = Decision(
            color=question.color,
            vertex=move,
            reason=DecisionReason.SEARCH,
            analysis=found,
            seconds=0.0,
        )
        game = cast("Game", question.state)
        # The position after the move is looked at for itself, and tells its chance.
        told = explain_in_game(decision, game, chance=False)
        return [headline, *told.splitlines()[1:]]

    def reasons(self, question: Question, move: str) -> list[str]:
        """Say what the rules of the playout and the shapes say for a move."""
        game = cast("Game", question.state)
        if move in ("pass", "resign") or game.fault(question.color, move) is not None:
            return []
        return reasons_for(game, question.color, move)

    def estimate(self, question: Question) -> Estimation:
        """Count a finished position by its rules; else ask many playouts."""
        player = self._follow(question, self._options)
        game = player.game
        if game.is_over:
            score = player.final_score()
            owners = [float((0, 1, -1)[owner]) for row in score.owner for owner in row]
            return Estimation(
                score=score.margin, ownership=owners, dead=sorted(player.dead_stones())
            )
        found = player.analyze(
            question.color,
            limit=ESTIMATE_SIMULATIONS,
            ownership=True,
            every=1.0,
            interrupt=question.interrupt,
        )
        owners = _rounded(found.ownership) or [0.0] * game.size**2
        return Estimation(score=found.mean_score, ownership=owners, dead=_lost_stones(game, owners))

    def learn(self) -> str:
        """Add the game to the book, if there is one; a player that never thought has none."""
        with self._making:
            player = self._player
        if player is not None:
            player.learn()
        return self._complaint()

    def close(self) -> None:
        """Add the game to the book, end the player, and free its tree."""
        with self._making:
            self._closed = True
            player, self._player = self._player, None
        if player is not None:
            player.close()

    def _ready(self) -> Player:
        """Return the player, a new one if there is none."""
        with self._making:
            if self._closed:
                raise ValueError("the search was cancelled")
            if self._player is None:
                player = Player(
                    self._options, hire=GtpAdviser, tell=self._hear, enlist=self._enlist
                )
                player.load(self._referee.start().copy())
                self._player = player
            return self._player

    def _follow(self, question: Question, options: Options) -> Player:
        """Take the player to the question's position step by step, so that it keeps its tree."""
        player = self._ready()
        played, wanted = player.game.history, cast("Game", question.state).history
        pairs = zip(played, wanted, strict=False)
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if len(played) > common:
            player.undo(len(played) - common)
        for step in wanted[common:]:
            if isinstance(step, Move):
                player.play(step.color, step.vertex)
                continue
            black, white, empty, to_play = step
            with player.alone() as game:
                game.setup(black=black, white=white, empty=empty, to_play=to_play)
        player.configure(options)
        return player

    def _hear(self, complaint: str) -> None:
        """Keep what the player says of a book or an adviser out of use, for the next answer.

        It is left on standard error, too: an analysis has no answer.
        """
        to_standard_error(complaint)
        self._complaints.put(complaint)

    def _complaint(self) -> str:
        """Return what the player had to say since the last time."""
        said = []
        while not self._complaints.empty():
            said.append(as_sentence(self._complaints.get().removeprefix("montego: ")))
        return " ".join(said)

    def _asked_for(self, question: Question) -> Asked:
        asked: Asked = {"interrupt": question.interrupt, "ownership": True}
        report = question.report
        if report is not None:
            asked["report"] = lambda analysis: report(findings_of(analysis))
            asked["every"] = question.every
            asked["glance"] = GLANCED_MOVES
        return asked


def _lost_stones(game: Game, ownership: list[float]) -> list[str]:
    """Return the stones that playouts give to the opponent, in reading order."""
    rows = game.board.rows()
    lost = []
    for line, row in enumerate(rows):
        for column, color in enumerate(row):
            owner = ownership[line * game.size + column]
            if (color == BLACK and owner < -DEAD) or (color == WHITE and owner > DEAD):
                lost.append(format_vertex((column, game.size - 1 - line)))
    return lost


def findings_of(analysis: Analysis) -> Findings:
    """Return an analysis of the player as findings.

    The score is that of the simulations which gave the chance, where they were played out and most
    were made now; moves differ from it by what was sampled. A network that knows no score has none:
    that of playouts would contradict it. Scores are as :func:`agreeing_score` tells them.
    """
    is_scored = analysis.simulations > 0 and not analysis.scored_apart
    color, score = analysis.to_play, analysis.mean_score
    if analysis.played_score is not None and 2 * analysis.simulations >= analysis.visits:
        score = analysis.played_score
    shift = score - analysis.mean_score
    chance = chance_for(color, analysis.value)
    return Findings(
        to_play=cast("Color", color),
        simulations=analysis.simulations,
        visits=analysis.visits,
        seconds=round(analysis.seconds, 2),
        value=round(chance, 4),
        score=round(agreeing_score(score, chance), 1) if is_scored else None,
        moves=[
            MoveReport(
                move=move.vertex,
                visits=move.visits,
                value=round(chance_for(color, move.value), 4),
                prior=round(move.prior, 4),
                rave=round(chance_for(color, move.rave_value), 4),
                rave_visits=round(move.rave_visits, 1),
                score=round(agreeing_score(move.score + shift, chance_for(color, move.value)), 1)
                if is_scored and move.score is not None
                else None,
                variation=list(move.variation[:LONGEST_VARIATION]),
            )
            for move in analysis.moves[:MOST_MOVES]
        ],
        ownership=_rounded(analysis.ownership),
    )


@lru_cache(maxsize=16)
def _rounded(ownership: tuple[float, ...] | None) -> list[float] | None:
    """Return the owners of points with two decimals.

    The same ones come with many reports, so that the list is kept: do not change it.
    """
    return None if ownership is None else [round(value, 2) for value in ownership]
