"""The player with an adviser: what advice changes, and what a failing adviser must not."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
import time
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from conftest import require_tool

from advisers import PresentAdviser, adviser_command
from montego.engine.decision import Decision, DecisionReason
from montego.engine.hybrid import Consultation, Hybrid
from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.go.game import Game
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.timing import TimeControl
from montego.gtp.client.adviser import GtpAdviser
from montego.mcts.report import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from montego.engine.searching.searcher import Searcher

QUICK = Options(size=5, simulations=80, seed=1, threads=1, with_="friend", resign=None)


class Table:
    """A player, the adviser it gets, and what it complains about."""

    def __init__(self, options: Options, adviser: PresentAdviser | None = None) -> None:
        self.adviser = adviser
        self.contracts: list[tuple[str, float]] = []
        self.hired: list[GtpAdviser] = []
        self.told: list[str] = []
        self.player = Player(options, hire=self.hire, tell=self.told.append)

    def hire(self, command: str, patience: float) -> PresentAdviser | GtpAdviser:
        self.contracts.append((command, patience))
        if self.adviser is not None:
            return self.adviser
        self.hired.append(GtpAdviser(command, patience))
        return self.hired[-1]


@pytest.fixture
def sit() -> Iterator[Callable[..., Table]]:
    tables: list[Table] = []

    def sit_down(
        adviser: PresentAdviser | None = None, options: Options = QUICK, **changes: object
    ) -> Table:
        tables.append(Table(options.replace(**changes), adviser))  # type: ignore[arg-type]
        return tables[-1]

    yield sit_down
    for table in tables:
        table.player.close()


def visits_of(decision: Decision) -> dict[str, int]:
    assert decision.analysis is not None
    return {move.vertex: move.visits for move in decision.analysis.moves}


@pytest.fixture(scope="module")
def alone() -> Decision:
    """What the player would do by itself in the position of most tests."""
    # With an adviser no search stops early, as that may change the leader.
    player = Player(QUICK.replace(with_=None, early_stop=False))
    player.play("black", "C3")
    decision = player.choose("white")
    player.close()
    return decision


def second_choice(decision: Decision) -> str:
    visits = visits_of(decision)
    ranked = sorted(visits, key=lambda vertex: -visits[vertex])
    return next(vertex for vertex in ranked if vertex != decision.vertex)


@pytest.mark.parametrize("mode", ["product", "temperature"])
def test_search_and_adviser_decide_together(
    sit: Callable[..., Table], alone: Decision, mode: str
) -> None:
    wanted = second_choice(alone)
    # A say of a tenth is little: let it count for more.
    table = sit(PresentAdviser({wanted: 50.0, "A1": 1.0}), with_mode=mode, with_weight=20.0)
    table.player.play("black", "C3")
    decision = table.player.choose("white")
    assert visits_of(decision) == visits_of(alone)  # The search itself is the same.
    assert (decision.vertex, decision.reason) == (wanted, DecisionReason.ADVICE)
    assert decision.analysis is not None
    assert decision.analysis.moves[0].vertex == wanted
    assert [move.order for move in decision.analysis.moves] == list(range(len(visits_of(alone))))
    explained = table.player.explain()
    assert f"Friend 1.0 would play {wanted}. It values {wanted} 50.0, A1 1.0." in explained
    assert f"the search alone preferred {alone.vertex}." in explained


def test_values_become_prior_knowledge_while_the_search_goes_on(
    sit: Callable[..., Table], alone: Decision
) -> None:
    wanted = second_choice(alone)
    table = sit(PresentAdviser({wanted: 9.0}), with_weight=3.0)
    table.player.play("black", "C3")
    first = table.player.choose("white")
    assert visits_of(first)[wanted] > visits_of(alone)[wanted]
    assert first.advice[0].startswith(f"Friend 1.0 would play {wanted}. It values {wanted} 9.0.")
    assert "as up to 300 won visits" in first.advice[0]
    prior = {move.vertex: move.prior for move in first.analysis.moves}[wanted]  # type: ignore[union-attr]
    again = table.player.choose("white")
    assert again.analysis is not None
    # The position is the same one, and so is the advice: it must not count twice.
    assert {move.vertex: move.prior for move in again.analysis.moves}[wanted] == prior


def test_a_tree_that_begins_anew_is_advised_again(sit: Callable[..., Table]) -> None:
    table = sit(PresentAdviser({"B2": 9.0}))
    first = table.player.choose("black")
    table.player.game.komi = 0
    second = table.player.choose("black")
    priors = []
    for decision in (first, second):
        assert decision.analysis is not None
        priors.append({move.vertex: move.prior for move in decision.analysis.moves}["B2"])
    assert priors[0] == pytest.approx(priors[1])


def test_late_values_find_simulations_left(sit: Callable[..., Table]) -> None:
    command = adviser_command("--fault", "slow", "--delay", 0.5)
    table = sit(with_=command, early_stop=False)
    decision = table.player.choose("black")
    arrived = int(decision.advice[0].partition("After ")[2].split()[0])
    assert 40 <= arrived < 80
    assert decision.analysis is not None
    assert decision.analysis.simulations == 80


def test_who_is_asked_what(sit: Callable[..., Table]) -> None:
    friend = PresentAdviser({"B2": 1.0})
    table = sit(friend, with_patience=7)
    player = table.player
    player.genmove("black")
    player.genmove("white")
    player.analyze("black", limit=20)
    player.choose("black", cleanup=True)
    assert friend.questions == [(0, "black"), (1, "white")]
    assert table.contracts == [("friend", 7.0)]
    player.configure(player.options.replace(level="15k"))
    player.choose("black")
    player.configure(player.options.replace(level=None, with_weight=0))
    player.choose("black")
    player.configure(player.options.replace(with_weight=1, with_=None))
    assert player.choose("black").advice == ()
    assert len(friend.questions) == 2
    assert friend.closed == 1


def test_another_command_is_another_adviser(sit: Callable[..., Table]) -> None:
    friend = PresentAdviser({"B2": 1.0})
    table = sit(friend)
    table.player.choose("black")
    table.player.configure(table.player.options.set("with", "enemy --loud"))
    table.player.choose("black")
    assert [command for command, _ in table.contracts] == ["friend", "enemy --loud"]
    assert friend.closed == 1


def test_an_adviser_without_opinion_changes_nothing(
    sit: Callable[..., Table], alone: Decision
) -> None:
    for mode in ("product", "temperature", "priors"):
        table = sit(PresentAdviser({}), with_mode=mode)
        table.player.play("black", "C3")
        decision = table.player.choose("white")
        assert (decision.vertex, decision.reason) == (alone.vertex, DecisionReason.SEARCH)
        assert decision.advice[0].startswith("Friend 1.0 would pass. It values no move.")


def test_a_failure_is_told_once_and_the_next_game_tries_again(sit: Callable[..., Table]) -> None:
    friend = PresentAdviser({}, error=GoError("gnugo: out of ideas"))
    table = sit(friend)
    player = table.player
    complaint = "montego: playing on without an adviser: gnugo: out of ideas"
    for color in ("black", "white", "black"):
        assert player.genmove(color).is_move
        assert "It has no adviser in this game: gnugo: out of ideas." in player.explain()
    assert (len(friend.questions), table.told) == (1, [complaint])
    player.new_game()
    player.genmove("black")
    player.genmove("white")
    assert (len(friend.questions), table.told) == (2, [complaint])
    friend.error = None
    player.new_game()
    assert "Friend 1.0 would pass" in player.genmove("black").advice[0]


def test_a_bug_in_an_adviser_is_a_failure_too(sit: Callable[..., Table]) -> None:
    table = sit(PresentAdviser({}, error=KeyError("oops")))
    assert table.player.genmove("black").is_move
    assert "internal error: KeyError" in table.told[0]


def test_nobody_to_ask(capsys: pytest.CaptureFixture[str]) -> None:
    player = Player(QUICK)
    player.genmove("black")
    player.genmove("white")
    player.close()
    errors = capsys.readouterr().err
    assert errors == "montego: playing on without an adviser: this program cannot ask one\n"


def test_the_clock_does_not_wait_for_an_adviser(sit: Callable[..., Table]) -> None:
    friend = PresentAdviser({}, silent=True)
    table = sit(friend, simulations=None)
    player = table.player
    player.prepare(600.0)
    player.clock.set(TimeControl(kind="absolute", main=10.0))
    decision = player.genmove("black")
    assert "had not answered in time" in decision.advice[0]
    assert (friend.cancelled, table.told) == (1, [])
    # What it says too late is not heard, but a failure is.
    friend.answers[0].set_result(friend.advice())
    player.genmove("white")
    friend.answers[1].set_exception(GoError("it hangs"))
    decision = player.genmove("black")
    assert len(friend.questions) == 2
    assert decision.advice == ("It has no adviser in this game: it hangs.",)
    assert table.told == ["montego: playing on without an adviser: it hangs"]


def test_seconds_are_the_limit_with_an_adviser_too(sit: Callable[..., Table]) -> None:
    table = sit(PresentAdviser({}, silent=True), simulations=None, seconds=0.2)
    assert "had not answered in time" in table.player.choose("black").advice[0]


def test_without_any_limit_the_search_goes_on_until_the_answer_is_used(
    sit: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("montego.engine.thinking.DEFAULT_SECONDS", 0.1)
    friend = PresentAdviser({"B2": 9.0}, silent=True)
    table = sit(friend, simulations=None)
    table.player.prepare(600.0)

    def answer() -> None:
        while not friend.answers:
            time.sleep(0.01)
        time.sleep(0.3)
        friend.answers[0].set_result(friend.advice())

    timer = threading.Thread(target=answer, daemon=True)
    timer.start()
    decision = table.player.choose("black")
    timer.join()
    assert decision.analysis is not None
    arrived = int(decision.advice[0].partition("After ")[2].split()[0])
    assert 0 < arrived < decision.analysis.simulations


@pytest.mark.parametrize("threads", [1, 2])
def test_half_of_the_simulations_wait_for_the_answer(
    threads: int, sit: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    friend = PresentAdviser({"B2": 9.0}, silent=True)
    wait = Consultation.wait

    def answered(consultation: Consultation) -> None:
        if not friend.answers[0].done():
            friend.answers[0].set_result(friend.advice())
        wait(consultation)

    monkeypatch.setattr(Consultation, "wait", answered)
    table = sit(friend, threads=threads, simulations=101)
    decision = table.player.choose("black")
    assert decision.analysis is not None
    assert decision.advice[0].partition("After ")[2].split()[0] == "51"
    # None is lost, unless all is settled before.
    assert 51 < decision.analysis.simulations <= 101
    if threads == 2:
        assert decision.analysis.simulations == 101


def test_a_stop_in_the_first_half_is_the_end(
    sit: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    friend = PresentAdviser({"B2": 9.0})
    table = sit(friend, simulations=2000)
    monkeypatch.setattr(Consultation, "wait", lambda asked: asked.request.searcher.stop())
    decision = table.player.choose("black")
    assert decision.analysis is not None
    assert decision.analysis.simulations == 1000


def test_seconds_end_a_search_that_waits_for_an_answer(sit: Callable[..., Table]) -> None:
    table = sit(PresentAdviser({}, silent=True), simulations=100, seconds=0.3)
    table.player.prepare(600.0)
    decision = table.player.choose("black")
    assert "had not answered in time" in decision.advice[0]
    assert decision.analysis is not None
    assert 0 < decision.analysis.simulations <= 100


def test_who_is_stopped_before_it_begins_asks_nobody(sit: Callable[..., Table]) -> None:
    table = sit(PresentAdviser({"B2": 9.0}))
    interrupt = threading.Event()
    interrupt.set()
    table.player.choose("black", interrupt=interrupt)
    assert table.contracts == []


def test_a_player_that_is_closed_while_a_move_begins_hires_nobody(
    sit: Callable[..., Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = sit(PresentAdviser({"B2": 9.0}))
    player, decisions = table.player, []
    player.prepare(600.0)
    begun, go_on, ready = threading.Event(), threading.Event(), player._searcher_now

    def slowly() -> Searcher:
        begun.set()
        go_on.wait()
        return ready()

    monkeypatch.setattr(player, "_searcher_now", slowly)
    thinking = threading.Thread(target=lambda: decisions.append(player.choose("black")))
    waiting = threading.Thread(target=lambda: decisions.append(player.genmove("black")))
    closing = threading.Thread(target=player.close)
    for thread in (thinking, waiting, closing):
        thread.start()
        assert begun.wait(60.0)
    assert player._cancelled.wait(60.0)
    time.sleep(0.1)  # The adviser is dismissed, if there is one, and the lock is waited for.
    go_on.set()
    for thread in (thinking, waiting, closing):
        thread.join()
    assert [decision.reason for decision in decisions] == [DecisionReason.CANCELLED] * 2
    assert table.contracts == []


def test_an_adviser_that_is_hired_in_the_last_moment_is_ended() -> None:
    friend = PresentAdviser({"B2": 9.0})

    def hire(_command: str, _patience: float) -> PresentAdviser:
        hybrid.end()  # As another thread may at any time.
        return friend

    hybrid = Hybrid(hire, print)
    assert hybrid.ask(QUICK, Game(5), "black") is None
    assert friend.closed == 1
    assert hybrid.ask(QUICK, Game(5), "black") is None
    assert len(friend.questions) == 1


def test_stop_ends_the_waiting(sit: Callable[..., Table]) -> None:
    friend = PresentAdviser({}, silent=True)
    table = sit(friend, with_mode="product")
    table.player.prepare(600.0)
    interrupt = threading.Event()

    def interrupt_once_asked() -> None:
        while not friend.questions:
            time.sleep(0.01)
        interrupt.set()

    impatient = threading.Thread(target=interrupt_once_asked, daemon=True)
    impatient.start()
    decision = table.player.choose("black", interrupt=interrupt)
    impatient.join(60.0)
    assert decision.is_move
    assert "had not answered in time" in decision.advice[0]


class TwoMoves:
    """A search that is over, with a favorite and another move, of which something is proven."""

    def __init__(
        self, first: str | None = None, second: str | None = None, *, names: str = "A1 A2"
    ) -> None:
        self.names = dict(enumerate(names.split(), start=1))
        self.found = [self.candidate(1, 60, first), self.candidate(2, 40, second)]

    @staticmethod
    def candidate(move: int, visits: int, proof: str | None) -> Candidate:
        return Candidate(move, visits, 0.5, 0.0, 0.5, 0.0, 0.5, proof, (move,))

    def run(self, **_limits: object) -> list[Candidate]:
        return self.found

    def vertex(self, move: int) -> str:
        return self.names[move]

    def chance_of(self, candidate: Candidate) -> float:
        return candidate.value


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [(None, None, 2), ("win", None, 1), (None, "loss", 1), ("loss", None, 2), (None, "draw", 2)],
)
@pytest.mark.parametrize("mode", ["product", "temperature"])
def test_proven_wins_are_taken_and_proven_losses_are_not(
    mode: str, first: str | None, second: str | None, chosen: int
) -> None:
    _, found = advised(TwoMoves(first, second), mode)
    assert found[0].move == chosen


def advised(
    searcher: TwoMoves, mode: str, illegal: str | None = None
) -> tuple[Consultation, list[Candidate]]:
    """Return a question about two moves to an adviser who prefers A2, and the moves in order."""
    options = QUICK.replace(with_mode=mode, with_weight=30.0)
    consultation = Hybrid(lambda *_: PresentAdviser({"A1": 1.0, "A2": 9.0}), print).consultation(
        options
    )
    assert consultation is not None
    game = SimpleNamespace(
        fault=lambda _color, vertex: "superko" if vertex == illegal else None, moves=[]
    )
    request = SimpleNamespace(
        searcher=searcher, game=game, color="black", options=options, cleanup=False, budget=None,
        begun=0.0, is_interrupted=lambda: False, allows=lambda _vertex: True,
    )  # fmt: skip  # What a question looks at, and nothing else.
    found = consultation.search(
        request,  # type: ignore[arg-type]
        partial(searcher.run, simulations=100, seconds=None, watch=lambda _elapsed: False),
    )
    return consultation, found


@pytest.mark.parametrize(
    ("names", "illegal", "played", "credited", "words"),
    [
        ("A1 A2", None, "A2", True, "the search alone preferred A1."),
        # The search would pass, and is not allowed to: that is not the adviser's doing.
        ("pass A2", None, "A2", False, "That changed nothing: the search decided alone."),
        ("A1 A2", "A1", "A2", False, "the search alone preferred A2 too."),
    ],
)
@pytest.mark.parametrize("mode", ["product", "temperature"])
def test_the_adviser_is_credited_with_what_it_changed(
    mode: str, names: str, illegal: str | None, played: str, credited: bool, words: str
) -> None:
    consultation, _ = advised(TwoMoves(names=names), mode, illegal)
    decision = Decision(
        color="black", vertex=played, reason=DecisionReason.SEARCH, analysis=None, seconds=0.0
    )
    told = consultation.told(decision)
    assert told.reason is (DecisionReason.ADVICE if credited else DecisionReason.SEARCH)
    assert told.advice[0].endswith(words)


# With a process


def play_on(table: Table, moves: int) -> list[Decision]:
    return [table.player.genmove() for _ in range(moves)]


@pytest.mark.parametrize(
    "fault", ["exit", "nonsense", "occupied", "off-board", "refuse-play", "refuse-size"]
)
def test_a_game_goes_on_without_an_engine_that_fails(sit: Callable[..., Table], fault: str) -> None:
    table = sit(with_=adviser_command("--fault", fault, "--at", 2))
    decisions = play_on(table, 5)
    assert all(decision.is_move for decision in decisions)
    assert len(table.told) == len(table.hired) == 1
    assert decisions[-1].advice[0].startswith("It has no adviser in this game: ")


def test_a_missing_program(sit: Callable[..., Table]) -> None:
    table = sit(with_="/no/such/gnugo --mode gtp")
    play_on(table, 2)
    assert len(table.told) == 1
    assert "adviser: gnugo: cannot start '/no/such/gnugo': No such file" in table.told[0]


BABBLE = {
    "I think": ("too much output", "only 'I think'"),
    "= I think\\n": ("it knows no reg_genmove",),
    "? I think\\n": ("I think",),
    "=1 reg_genmove\\n": ("only 'late reply: reg_genmove'",),
    "=" + 5000 * "1" + "\\n": ("was answered with number 111",),
}
"""What an engine may say again and again, and what of that is told."""


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system cannot stop processes")
@pytest.mark.parametrize("name", ["Tiny", "GNU Go"])
def test_stopped_then_killed_then_replaced_by_a_babbler(
    sit: Callable[..., Table], tmp_path: Path, name: str
) -> None:
    command = adviser_command()
    if name == "GNU Go":
        command = f"{require_tool('gnugo')} --mode gtp --level 1"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\nexec {command}\n", encoding="utf-8")
    program.chmod(0o755)
    table = sit(with_=str(program), with_mode="product")

    def engine_of_game() -> int:
        table.player.new_game()
        assert table.player.genmove().advice[0].startswith(f"{name} ")
        engine = table.hired[-1]._engine
        assert engine is not None
        return engine.pid

    os.kill(engine_of_game(), signal.SIGSTOP)
    table.hired[-1]._patience = 0.5
    play_on(table, 3)
    assert "no answer to 'play black " in table.told[-1]

    os.kill(engine_of_game(), signal.SIGKILL)
    play_on(table, 3)
    assert "ended with status -9" in table.told[-1]

    table.player.configure(table.player.options.replace(with_patience=4))
    for babble, complaints in BABBLE.items():
        code = f"while True: print('{babble}', flush=True)"
        program.write_text(
            f"#!/bin/sh\nexec {shlex.join([sys.executable, '-S', '-E', '-c', code])}\n",
            encoding="utf-8",
        )
        table.player.new_game()
        play_on(table, 3)
        assert any(complaint in table.told[-1] for complaint in complaints), table.told[-1]
    assert len(table.told) == len(table.hired) == 2 + len(BABBLE)


def test_a_closed_player_leaves_no_process(sit: Callable[..., Table]) -> None:
    table = sit(with_=adviser_command())
    table.player.genmove()
    engine = table.hired[0]._engine
    assert engine is not None
    table.player.close()
    with pytest.raises(ProcessLookupError):
        os.kill(engine.pid, 0)


def test_a_game_with_gnu_go(sit: Callable[..., Table]) -> None:
    gnugo = require_tool("gnugo")
    table = sit(with_=f"{gnugo} --mode gtp --level 1", simulations=40)
    player, decisions = table.player, []
    for _ in range(60):
        if player.game.is_over:
            break
        decisions.append(player.genmove())
    assert player.game.is_over
    assert table.told == []
    asked = [decision for decision in decisions if decision.advice]
    assert len(asked) >= 5
    assert all(decision.advice[0].startswith("GNU Go ") for decision in asked)
