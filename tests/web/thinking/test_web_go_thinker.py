"""Montego's player as a thinker: it follows the game, keeps its tree, and says what it found."""

from __future__ import annotations

import contextlib
import io
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from analyses import analysis, move_info
from montego.engine.options.options import Options
from montego.engine.options.presets import PRESETS
from montego.web.game.go_referee import GoReferee, agree
from montego.web.game.tree import StonesSetUp
from montego.web.messages.replies import AnalysisReport, ClockFace, EstimateReply, GameState
from montego.web.messages.requests import (
    AcceptCount,
    Analyze,
    ClockSettings,
    Estimate,
    NewGame,
    Play,
    Strength,
)
from montego.web.session.players import begin
from montego.web.session.scheduler import Gate
from montego.web.session.session import Session
from montego.web.thinking.go_thinker import GoThinker, findings_of
from montego.web.thinking.thinker import READY, Question
from web_fakes import COMPILING, Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.web.messages.replies import Findings

SIZE = 5


@pytest.fixture
def referee() -> GoReferee:
    return GoReferee(agree(NewGame(size=SIZE, komi=0.5)))


@pytest.fixture
def thinker(referee: GoReferee) -> Iterator[GoThinker]:
    made = GoThinker(referee, Options(size=SIZE, memory=50.0, seed=1, threads=1))
    ready = threading.Event()
    while made.preparation() != READY:
        ready.wait(0.05)
    yield made
    made.close()


def question(referee: GoReferee, *moves: str, **extra: object) -> Question:
    state, path = referee.start(), []
    for move in moves:
        color = referee.to_play(state)
        state = referee.play(state, color, move)
        path.append((color, move))
    return Question(
        state=state,
        moves=tuple(path),
        color=referee.to_play(state),
        **extra,  # type: ignore[arg-type]
    )


def test_it_follows_stones_that_a_record_sets_up(referee: GoReferee, thinker: GoThinker) -> None:
    before = question(referee, "C3", "B2")
    stones = StonesSetUp(black=("D4",), empty=("B2",), to_play="white")
    state = referee.play(referee.set_up(before.state, stones), "white", "A1")
    for game in (state, before.state, state):
        asked = Question(state=game, moves=(), color=referee.to_play(game), simulations=50)
        found = thinker.analyze(asked)
        legal = set(game.legal_moves())
        assert {move.move for move in found.moves} - {"pass"} <= legal
        assert found.to_play == referee.to_play(game)
    assert "B2" in legal


@pytest.mark.parametrize("strength", [Strength(level="10k"), Strength(preset="mogo")])
def test_whoever_plays_the_same_moves_gets_other_answers_in_the_next_game(
    referee: GoReferee, strength: Strength
) -> None:
    def searched(seed: int | None) -> list[tuple[str, int]]:
        thinker = GoThinker(referee, Options(size=SIZE, memory=50.0, seed=seed, threads=1))
        with contextlib.closing(thinker):
            asked = question(referee, "C3", "B2", strength=strength, simulations=200)
            found = thinker.choose(asked).findings
            assert found is not None
            return [(move.move, move.visits) for move in found.moves]

    assert searched(None) != searched(None)
    assert searched(7) == searched(7)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_it_plays_as_a_program_of_the_documents(referee: GoReferee, preset: str) -> None:
    thinker = GoThinker(referee, Options(size=SIZE, memory=50.0, seed=1, threads=1))
    strength = Strength(preset=preset, simulations=30)
    # Whoever has the center wins 5x5: White might resign at once, as Go-player does.
    answer = thinker.choose(question(referee, strength=strength))
    assert answer.lines[0].startswith("Black plays ")
    # V-Run answers a pass as its document says; the others may, if the count is theirs.
    answer = thinker.choose(question(referee, "C3", "B2", "pass", strength=strength))
    if preset.startswith("v-run"):
        assert answer.move == "pass"
    thinker.close()


def test_a_program_of_the_documents_is_called_by_its_name() -> None:
    name = begin(NewGame(size=5, white="montego", strength=Strength(preset="v-run"))).name
    assert name == "Go 5x5 against V-Run"
    limited = Strength(preset="mogo", simulations=50)
    name = begin(NewGame(size=5, white="montego", strength=limited)).name
    assert name == "Go 5x5 against MoGo (50 simulations)"


def test_it_answers_with_reasons(referee: GoReferee, thinker: GoThinker) -> None:
    seen: list[Findings] = []
    answer = thinker.choose(
        question(referee, "C3", strength=Strength(simulations=200), report=seen.append)
    )
    assert answer.move in referee.start().legal_moves()
    assert answer.lines[0].startswith(f"White plays {answer.move}: ")
    assert answer.findings is not None
    assert answer.findings.to_play == "white"
    assert answer.findings.simulations > 0
    assert answer.findings.ownership is not None
    assert len(answer.findings.ownership) == SIZE**2
    assert seen[-1] == answer.findings
    # Black has the center: White's chances are worse, and all values are Black's.
    assert answer.findings.value > 0.5
    assert answer.findings.moves[0].visits >= answer.findings.moves[1].visits


def test_it_follows_back_and_forth(referee: GoReferee, thinker: GoThinker) -> None:
    for moves in (("C3",), ("C3", "C2", "B2"), (), ("D3", "C3"), ("D3", "C3", "pass")):
        findings = thinker.analyze(question(referee, *moves, simulations=30))
        assert findings.to_play == ("black", "white")[len(moves) % 2]
        assert not {move.move for move in findings.moves} & (set(moves) - {"pass"})


def test_the_tree_is_kept_along_the_game(referee: GoReferee, thinker: GoThinker) -> None:
    first = thinker.analyze(question(referee, "C3", simulations=400))
    best = first.moves[0]
    again = thinker.analyze(question(referee, "C3", best.move, simulations=best.visits + 1))
    # Nearly all of the visits asked for were known from the search before.
    assert again.simulations < best.visits / 2


def test_an_interrupt_ends_it_at_once(referee: GoReferee, thinker: GoThinker) -> None:
    interrupt = threading.Event()
    findings = thinker.analyze(
        question(referee, interrupt=interrupt, report=lambda _found: interrupt.set(), every=0.01)
    )
    assert findings.simulations > 0


@pytest.mark.parametrize(
    ("clock", "faces"),
    [
        (ClockSettings(kind="absolute", main=60), (ClockFace(2, 0), ClockFace(2, 0))),
        (ClockSettings(kind="fischer", main=60, period=1), (ClockFace(1, 0), ClockFace(1, 0))),
        (
            ClockSettings(kind="byoyomi", main=60, period=1, periods=3),
            (ClockFace(1, 2), ClockFace(1, 2)),
        ),
    ],
)
def test_the_clock_decides(
    clock: ClockSettings,
    faces: tuple[ClockFace, ClockFace],
    referee: GoReferee,
    thinker: GoThinker,
) -> None:
    answer = thinker.choose(question(referee, clock=clock, clocks=faces))
    assert answer.findings is not None
    assert answer.findings.seconds < 3


def test_it_explains_moves_of_others(referee: GoReferee, thinker: GoThinker) -> None:
    asked = question(referee, "B2", simulations=600)
    findings = thinker.analyze(asked)
    best = findings.moves[0].move
    assert (
        thinker.explain(asked, best, findings)[0] == f"White played {best}, and so would Montego."
    )
    other = findings.moves[1].move
    lines = thinker.explain(asked, other, findings)
    assert lines[0] == f"White played {other}. Montego would rather play {best}."
    assert len(lines) > 3


def test_a_network_that_knows_no_score_tells_none() -> None:
    found = analysis(move_info("E5", 60, 0.55, score=2.0), value=0.55)
    scored, apart = findings_of(found), findings_of(replace(found, scored_apart=True))
    assert (scored.score, scored.moves[0].score) == (2.5, 2.0)
    assert (apart.score, apart.moves[0].score) == (None, None)
    assert apart.value == scored.value


def test_it_estimates_and_proposes(referee: GoReferee, thinker: GoThinker) -> None:
    wall = ["B1", "D1", "B2", "D2", "B3", "D3", "B4", "D4", "B5", "D5"]
    middle = thinker.estimate(question(referee, *wall))
    assert len(middle.ownership) == SIZE**2
    assert middle.ownership[0] > 0.3
    assert middle.ownership[4] < -0.3
    ended = thinker.estimate(question(referee, *wall, "C3", "A5", "pass", "pass"))
    assert ended.dead == ["A5"]
    assert ended.score == 0.5


def test_complaints_are_told_though_nobody_reads_standard_error(
    referee: GoReferee, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", Gone())
    book = str(Path(__file__) / "no" / "book.sqlite")
    made = GoThinker(referee, Options(book=book, memory=50.0, seed=1, threads=1))
    answer = made.choose(question(referee, strength=Strength(simulations=20)))
    made.close()

    assert "book.sqlite" in answer.notice


def test_levels_play_with_fewer_simulations(referee: GoReferee, thinker: GoThinker) -> None:
    weak = thinker.choose(question(referee, strength=Strength(level="25k")))
    assert weak.findings is not None
    assert weak.findings.simulations <= 60


def test_a_whole_game_against_montego() -> None:
    request = NewGame(size=SIZE, strength=Strength(simulations=60), komi=0.5)
    session = Session(begin(request), gate=Gate(1))
    page = Page(session, COMPILING)

    def persons_turn(state: GameState) -> bool:
        return state.phase != "playing" or state.thinking is None

    state = session.state()
    for number in range(60):
        if state.phase != "playing":
            break
        points = [move for move in state.position.moves if move != "pass"]
        move = points[len(points) // 2] if points and number < 8 else "pass"
        session.handle(Play(node=state.head, move=move))
        state = page.wait_state(persons_turn)
    assert state.phase in ("counting", "over")
    if state.phase == "counting":
        page.wait_state(lambda state: bool(state.count and state.count.proposed))
        session.handle(AcceptCount())
    result = session.state().result
    assert result is not None
    assert result.split()[0] in ("Black", "White")
    answers = [node for node in session.state().tree if node.color == "white"]
    assert all(node.explained for node in answers)
    session.close()
    session.join(10.0)


def test_analysis_and_estimates_of_any_move() -> None:
    request = NewGame(size=SIZE, white="human", mode="analysis")
    session = Session(begin(request), gate=Gate(1))
    page = Page(session, COMPILING)
    session.handle(Play(node=0, move="C3"))
    session.handle(Analyze(node=1, on=True))
    report = page.wait(AnalysisReport, lambda report: report.simulations > 50)
    assert (report.node, report.to_play, report.purpose) == (1, "white", "analysis")
    assert report.ownership is not None
    session.handle(Estimate(node=0))
    estimate = page.wait(EstimateReply)
    assert estimate.node == 0
    page.forget()
    # The analysis goes on where it was interrupted.
    page.wait(AnalysisReport, lambda report: report.node == 1)
    session.handle(Analyze(node=1, on=False))
    assert page.wait_state(lambda state: state.analyzing is None).tree[1].value is not None
    session.close()
    session.join(10.0)
