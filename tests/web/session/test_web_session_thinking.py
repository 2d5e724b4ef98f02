"""Montego at work in a session: one search at a time, stopped when nobody wants it any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from montego.web.messages.replies import (
    AnalysisReport,
    EstimateReply,
    Explanation,
    Failure,
    HintReply,
    MoveWarning,
    Progress,
    ReviewReply,
)
from montego.web.messages.requests import (
    Analyze,
    ClockSettings,
    Configure,
    DeleteNode,
    Estimate,
    Explain,
    Hint,
    MoveNow,
    NewGame,
    Pause,
    Play,
    Redo,
    Resign,
    Review,
    Strength,
    Undo,
)
from montego.web.session.session import FORGET, GRACE
from montego.web.thinking.thinker import READY
from web_fakes import FakeThinker, FakeTime, Page, make_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.web.session.session import Session

    Opened = Callable[[Session], Session]

TWO_PEOPLE = NewGame(size=5, white="human")
AGAINST_MONTEGO = NewGame(size=5)
BY_ITSELF = NewGame(size=5, black="montego", white="montego")


@pytest.fixture
def opened() -> Iterator[Opened]:
    sessions: list[Session] = []

    def keep(session: Session) -> Session:
        sessions.append(session)
        return session

    yield keep
    for session in sessions:
        session.close()
        session.join(10.0)


@pytest.fixture
def thinker() -> FakeThinker:
    return FakeThinker()


def play(session: Session, *moves: str) -> None:
    for move in moves:
        session.handle(Play(node=session.game.head, move=move))


def test_analysis_goes_on_until_it_is_switched_off(opened: Opened, thinker: FakeThinker) -> None:
    thinker.hold()
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    play(session, "A1")
    session.handle(Analyze(node=1, on=True))
    assert session.state().analyzing == 1
    question = thinker.wait_for("analyze")
    assert question.moves == (("black", "A1"),)
    report = page.wait(AnalysisReport)
    assert (report.node, report.purpose, report.final) == (1, "analysis", False)
    session.handle(Analyze(node=1, on=False))
    assert question.interrupt.wait(10)
    assert session.state().analyzing is None


def test_analysis_of_another_node_ends_the_first(opened: Opened, thinker: FakeThinker) -> None:
    thinker.hold()
    session = opened(make_session(TWO_PEOPLE, thinker))
    Page(session)
    play(session, "A1")
    session.handle(Analyze(node=1, on=True))
    first = thinker.wait_for("analyze")
    session.handle(Analyze(node=1, on=True))
    assert not first.interrupt.is_set()
    session.handle(Analyze(node=0, on=True))
    second = thinker.wait_for("analyze", 2)
    assert first.interrupt.is_set()
    assert second.moves == ()
    assert thinker.most_running == 1


def test_analysis_that_ends_by_itself_is_final_and_kept(
    opened: Opened, thinker: FakeThinker
) -> None:
    thinker.values = {0: 0.25}
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    session.handle(Analyze(node=0, on=True))
    page.wait(AnalysisReport, lambda report: report.final)
    state = page.wait_state(lambda state: state.analyzing is None and bool(state.tree[0].value))
    assert state.tree[0].value == 0.25


def test_deleting_the_analyzed_node_ends_its_analysis(opened: Opened, thinker: FakeThinker) -> None:
    thinker.hold()
    session = opened(make_session(TWO_PEOPLE, thinker))
    Page(session)
    play(session, "A1")
    session.handle(Analyze(node=1, on=True))
    question = thinker.wait_for("analyze")
    session.handle(DeleteNode(node=1))
    assert question.interrupt.wait(10)
    assert session.state().analyzing is None


def test_a_game_that_is_over_is_not_searched(opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    play(session, "pass", "pass")
    with pytest.raises(ValueError, match="nothing to search"):
        session.handle(Analyze(node=2, on=True))
    with pytest.raises(ValueError, match="counted"):
        session.handle(Hint())


def test_montegos_move_comes_before_analysis(opened: Opened, thinker: FakeThinker) -> None:
    thinker.hold()
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    session.handle(Analyze(node=0, on=True))
    first = thinker.wait_for("analyze")
    play(session, "A1")
    thinker.wait_for("choose")
    assert first.interrupt.is_set()
    session.handle(MoveNow())
    page.wait_state(lambda state: state.head == 2)
    thinker.wait_for("analyze", 2)
    assert thinker.most_running == 1


def test_a_hint_says_what_and_why(opened: Opened, thinker: FakeThinker) -> None:
    thinker.moves, thinker.values = ["C3"], {0: 0.6}
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    session.handle(Hint())
    hint = page.wait(HintReply)
    assert (hint.node, hint.move) == (0, "C3")
    text = "I would play C3: it looks good. That gives Black 60% to win. I expect pass."
    assert hint.text == text
    assert session.state().head == 0
    assert thinker.wait_for("choose").strength == Strength()


def test_a_hint_for_a_position_that_is_gone_is_not_given(
    opened: Opened, thinker: FakeThinker
) -> None:
    thinker.hold()
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    session.handle(Hint())
    question = thinker.wait_for("choose")
    play(session, "A1")
    assert question.interrupt.wait(10)
    thinker.release()
    session.handle(Estimate(node=0))
    page.wait(EstimateReply)
    assert page.all(HintReply) == []


def test_an_estimate(opened: Opened, thinker: FakeThinker) -> None:
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    play(session, "A1")
    session.handle(Estimate(node=0))
    estimate = page.wait(EstimateReply)
    assert (estimate.node, estimate.score) == (0, 4.5)
    assert estimate.text == "Black is ahead by about 4.5 points"


def test_montegos_reasons_are_kept_and_others_found(opened: Opened, thinker: FakeThinker) -> None:
    thinker.values = {1: 0.4}
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    play(session, "C3")
    page.wait_state(lambda state: state.head == 2)
    kept = session.handle(Explain(node=2))
    assert isinstance(kept, Explanation)
    assert (kept.move, kept.lines) == ("A5", ["because"])
    assert kept.alternatives[0].move == "A5"
    assert session.handle(Explain(node=1)) is None
    found = page.wait(Explanation)
    assert (found.node, found.lines[0], found.lines[-1]) == (1, "C3 and not A5", "black")
    told = "After C3 Black has 40% (±10%) to win, by a short search; after A5 50% (±10%)."
    assert found.lines[1:-1] == [told, "The answer is A5 pass."]
    assert found.plain == "C3 is a mistake. Black should have played A5."
    assert [asked.moves for _, asked in thinker.questions[-2:]] == [(), (("black", "C3"),)]
    assert session.handle(Explain(node=1)) == found
    with pytest.raises(ValueError, match="before the first"):
        session.handle(Explain(node=0))


def test_why_the_graph_and_the_review_have_the_same_numbers(
    opened: Opened, thinker: FakeThinker
) -> None:
    thinker.values = {0: 0.6, 1: 0.4, 2: 0.4}
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    play(session, "A5", "B5")
    session.handle(Review(on=True))
    page.wait(ReviewReply, lambda reply: reply.part == 1)
    # A longer search finds something else, and everybody is told of it.
    thinker.values, thinker.simulations = {0: 0.7, 1: 0.3}, 900
    session.handle(Explain(node=1))
    found = page.wait(Explanation)
    told = "After A5 Black has 30% (±3%) to win, by a short search"
    assert any(line.startswith(told) for line in found.lines)
    row = next(one for one in found.alternatives if one.move == "A5")
    node = session.state().tree[1]
    assert (row.value, row.visits) == (node.value, node.simulations) == (0.3, 900)
    judged = session.game.tree[1].judged
    assert judged is not None
    assert judged.value == 0.3
    # Later still, what was said is not changed, but what is known now is told beside it.
    session.game.tree.evaluate(1, 0.35, None, 5000)
    again = session.handle(Explain(node=1))
    assert isinstance(again, Explanation)
    assert again.lines[:-1] == found.lines
    last = "Judged for itself since, the position gives Black 35% (±1%) to win."
    assert again.lines[-1] == last


def test_a_level_believes_what_the_graph_does_not_show(
    opened: Opened, thinker: FakeThinker
) -> None:
    pytest.importorskip("onnxruntime")
    thinker.values = {1: 0.9}
    levels = NewGame(size=9, strength=Strength(level="12k"))
    for request, value in ((levels, None), (NewGame(size=9), 0.9)):
        session = opened(make_session(request, thinker))
        page = Page(session)
        play(session, "C3")
        state = page.wait_state(lambda state: state.head == 2)
        assert [node.value for node in state.tree] == [None, value, value]
        report = page.wait(AnalysisReport, lambda report: report.final)
        assert report.apart == (value is None)


def test_a_review_lists_the_largest_losses_first(opened: Opened, thinker: FakeThinker) -> None:
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    play(session, "C3", "B2", "D3", "D2")
    thinker.values = {0: 0.5, 1: 0.4, 2: 0.7, 3: 0.69, 4: 0.8}
    session.handle(Review())
    review = page.wait(ReviewReply, lambda reply: reply.part == 1.0)
    assert [(mistake.node, round(mistake.loss, 2)) for mistake in review.mistakes] == [
        (2, 0.3),
        (4, 0.11),
        (1, 0.1),
    ]
    assert review.mistakes[0].better == "A5"
    assert [reply.part for reply in page.all(ReviewReply)] == sorted(
        reply.part for reply in page.all(ReviewReply)
    )
    asked = thinker.count("analyze")
    assert asked == 5
    assert [node.value for node in session.state().tree] == [0.5, 0.4, 0.7, 0.69, 0.8]
    page.forget()
    session.handle(Review())
    assert page.wait(ReviewReply) == review
    assert thinker.count("analyze") == asked


def test_a_review_judges_the_line_that_is_shown(opened: Opened, thinker: FakeThinker) -> None:
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    play(session, "C3", "B2", "D3")
    session.handle(Undo())
    session.handle(Undo())
    play(session, "E5")
    thinker.values = {2: 0.9}
    session.handle(Review(node=4))
    review = page.wait(ReviewReply, lambda reply: reply.part == 1.0)
    assert (review.node, [mistake.node for mistake in review.mistakes]) == (4, [4])
    assert review.mistakes[0].bad
    assert review.mistakes[0].refutation == ["A5", "pass"]
    assert not review.running
    assert {question.moves[1:] for _, question in thinker.questions} == {(), (("white", "E5"),)}
    session.handle(Review(node=3))
    review = page.wait(ReviewReply, lambda reply: reply.node == 3 and reply.part == 1.0)
    assert [mistake.node for mistake in review.mistakes] == [2, 3]
    with pytest.raises(ValueError, match="no such move"):
        session.handle(Review(node=99))


def test_a_review_is_there_for_a_page_that_comes_later(
    opened: Opened, thinker: FakeThinker
) -> None:
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    play(session, "C3")
    assert session.review() is None
    thinker.values = {1: 0.2}
    session.handle(Review())
    found = page.wait(ReviewReply, lambda reply: reply.part == 1.0)
    assert session.review() == found
    assert opened(make_session(saved=session.saved())).review() == found


def test_a_person_who_lost_is_taught_what_to_learn(opened: Opened, thinker: FakeThinker) -> None:
    thinker.moves = ["B2"]
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    play(session, "A1")
    page.wait_state(lambda state: state.head == 2)
    session.handle(Resign())
    assert session.state().winner == "white"
    thinker.values = {1: 0.1}
    session.handle(Review())
    review = page.wait(ReviewReply, lambda reply: reply.part == 1.0)
    assert [(lesson.node, lesson.title) for lesson in review.lessons] == [
        (1, "Stay off the edge in the opening")
    ]
    assert review.lessons[0].text == "At move 1, A1 on the edge gained little. A5 was better."


def test_hints_are_for_every_move_once_nobody_plays_to_win(
    opened: Opened, thinker: FakeThinker
) -> None:
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    play(session, "C3", "B2")
    with pytest.raises(ValueError, match="in analysis for any"):
        session.handle(Hint(node=1))
    session.handle(Resign())
    session.handle(Hint(node=1))
    hint = page.wait(HintReply)
    assert (hint.node, hint.move, hint.variation) == (1, "A5", ["A5", "pass"])
    assert session.state().head == 2
    session.handle(Hint(node=2))
    assert page.wait(HintReply, lambda hint: hint.node == 2).move == "A5"


def test_a_blunder_is_named_before_it_is_played(opened: Opened, thinker: FakeThinker) -> None:
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    thinker.values = {1: 0.2}
    session.handle(Play(node=0, move="c3", check=0.2))
    warning = page.wait(MoveWarning)
    assert (warning.node, warning.move, warning.better) == (0, "C3", "A5")
    assert (warning.loss, warning.refutation) == (0.3, ["A5", "pass"])
    assert warning.text == "C3 is a bad mistake. Black should have played A5."
    assert session.state().head == 0
    play(session, "C3")
    assert session.state().tree[1].move == "C3"


def test_what_is_no_blunder_is_played_after_a_look(opened: Opened, thinker: FakeThinker) -> None:
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    thinker.values = {1: 0.4}
    session.handle(Play(node=0, move="C3", check=0.2))
    page.wait_state(lambda state: state.head == 2)
    assert page.all(MoveWarning) == []
    with pytest.raises(ValueError, match="there is a stone already"):
        session.handle(Play(node=2, move="C3", check=0.2))
    assert session.state().head == 2


def test_whoever_takes_it_back_meanwhile_is_not_warned(
    opened: Opened, thinker: FakeThinker
) -> None:
    thinker.hold()
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    session.handle(Play(node=0, move="C3", check=0.2))
    question = thinker.wait_for("analyze")
    play(session, "D4")
    assert question.interrupt.wait(10)
    thinker.release()
    session.handle(Estimate(node=0))
    page.wait(EstimateReply)
    assert page.all(MoveWarning) == []
    assert session.state().head == 1


def test_few_simulations_have_no_numbers(opened: Opened, thinker: FakeThinker) -> None:
    thinker.simulations = 40
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    play(session, "C3")
    state = page.wait_state(lambda state: state.head == 2)
    assert [node.value for node in state.tree] == [None, None, None]
    thinker.moves = ["D4"]
    session.handle(Hint())
    assert page.wait(HintReply).text == "I would play D4: it looks good."


def test_a_pass_of_montegos_says_why(opened: Opened, thinker: FakeThinker) -> None:
    thinker.moves = ["pass"]
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    play(session, "C3")
    told = page.wait(Explanation)
    assert (told.node, told.move, told.lines, told.plain) == (2, "pass", ["because"], "because")


def test_a_review_can_be_stopped(opened: Opened, thinker: FakeThinker) -> None:
    thinker.hold()
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    play(session, "C3")
    session.handle(Review())
    question = thinker.wait_for("analyze")
    session.handle(Review(on=False))
    assert question.interrupt.wait(10)
    assert page.wait(ReviewReply).part == 0.0


def test_montego_plays_by_itself_until_it_is_paused(opened: Opened, thinker: FakeThinker) -> None:
    session = opened(make_session(BY_ITSELF, thinker))
    page = Page(session)
    page.wait_state(lambda state: len(state.tree) >= 4)
    session.handle(Pause(paused=True))
    state = session.state()
    assert state.paused
    assert state.thinking is None
    session.handle(Undo())
    assert session.state().paused
    thinker.hold()
    session.handle(Pause(paused=False))
    assert session.state().thinking is not None


def test_programs_play_one_another(opened: Opened, thinker: FakeThinker) -> None:
    engine = FakeThinker()
    engine.moves = ["E1", "E2"]
    thinker.moves = ["A1"]
    thinker.hold()
    request = NewGame(size=5, black="engine", white="montego")
    session = opened(make_session(request, thinker, engine=engine))
    page = Page(session)
    thinker.wait_for("choose")
    thinker.release()
    state = page.wait_state(lambda state: len(state.tree) >= 4)
    assert [node.move for node in state.tree[1:4]] == ["E1", "A1", "E2"]
    assert state.names == ("Tiny", "Montego (classical)")


def test_who_was_hurried_once_is_not_hurried_again(opened: Opened, thinker: FakeThinker) -> None:
    thinker.hold()
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    Page(session)
    play(session, "A1")
    thinker.wait_for("choose")
    with session.lock:  # So that the hurried move is not made in between.
        session.handle(MoveNow())
        session.handle(Undo())
    session.handle(Redo())
    assert not thinker.wait_for("choose", 2).interrupt.is_set()


def test_programs_are_not_slowed_down_on_a_clock(opened: Opened, thinker: FakeThinker) -> None:
    clock = ClockSettings(kind="absolute", main=600)
    request = NewGame(size=5, black="montego", white="montego", clock=clock)
    session = opened(make_session(request, thinker, pace=600.0))
    page = Page(session)
    page.wait_state(lambda state: state.head >= 3)
    session.handle(Pause(paused=True))


def test_a_program_that_fails_pauses_the_game(opened: Opened, thinker: FakeThinker) -> None:
    engine = FakeThinker()
    engine.error = ValueError("Tiny died")
    request = NewGame(size=5, black="engine", white="montego")
    session = opened(make_session(request, thinker, engine=engine))
    page = Page(session)
    state = page.wait_state(lambda state: state.paused)
    assert state.notice == "Tiny died. The game is paused."
    thinker.hold()
    engine.error = None
    session.handle(Pause(paused=False))
    state = page.wait_state(lambda state: state.head == 1)
    assert state.notice == ""


def test_an_illegal_move_of_a_program_is_not_played(opened: Opened) -> None:
    engine = FakeThinker()
    engine.moves = ["A1"]
    session = opened(make_session(NewGame(size=5, white="engine"), engine=engine))
    page = Page(session)
    play(session, "A1")
    state = page.wait_state(lambda state: state.paused)
    assert state.head == 1
    assert "White cannot play A1" in state.notice


def test_a_failed_question_is_told_and_not_asked_again(
    opened: Opened, thinker: FakeThinker, caplog: pytest.LogCaptureFixture
) -> None:
    thinker.error = RuntimeError("boom")
    session = opened(make_session(TWO_PEOPLE, thinker))
    page = Page(session)
    session.handle(Hint())
    assert page.wait(Failure).message == "Montego had a problem here"
    assert "boom" in caplog.text
    thinker.error = None
    session.handle(Hint())
    page.wait(HintReply)
    assert thinker.count("choose") == 2


def test_what_is_compiled_is_told_and_montego_waits(opened: Opened, thinker: FakeThinker) -> None:
    thinker.progress = Progress(text="Compiling", part=0.5)
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    assert page.wait(Progress) == thinker.progress
    play(session, "A1")
    later = Page(session)
    assert later.wait(Progress) == thinker.progress
    assert thinker.count("choose") == 0
    thinker.progress = READY
    page.wait(Progress, lambda progress: progress == READY)
    page.wait_state(lambda state: state.head == 2)


def test_who_cannot_wait_gets_a_move_at_once(opened: Opened, thinker: FakeThinker) -> None:
    thinker.progress = Progress(text="Compiling")
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    play(session, "A1")
    page.wait_state(lambda state: state.thinking == "white")
    session.handle(MoveNow())
    page.wait_state(lambda state: state.head == 2)


def test_with_a_clock_montego_decides_how_long_to_wait(
    opened: Opened, thinker: FakeThinker
) -> None:
    thinker.progress = Progress(text="Compiling")
    clock = ClockSettings(kind="absolute", main=600)
    session = opened(make_session(NewGame(size=5, clock=clock), thinker))
    page = Page(session)
    play(session, "A1")
    page.wait_state(lambda state: state.head == 2)


def test_nobody_watching_stops_the_thinking(opened: Opened, thinker: FakeThinker) -> None:
    thinker.hold()
    time = FakeTime()
    session = opened(make_session(TWO_PEOPLE, thinker, time=time))
    page = Page(session)
    session.handle(Analyze(node=0, on=True))
    question = thinker.wait_for("analyze")
    page.leave()
    time.advance(GRACE / 2)
    assert not question.interrupt.is_set()
    time.advance(GRACE)
    assert question.interrupt.is_set()
    assert session.state().analyzing is None


def test_a_page_that_comes_back_finds_the_analysis(opened: Opened, thinker: FakeThinker) -> None:
    thinker.hold()
    time = FakeTime()
    session = opened(make_session(TWO_PEOPLE, thinker, time=time))
    page = Page(session)
    session.handle(Analyze(node=0, on=True))
    question = thinker.wait_for("analyze")
    page.leave()
    time.advance(GRACE / 2)
    Page(session)
    time.advance(10 * GRACE)
    assert not question.interrupt.is_set()
    assert session.state().analyzing == 0


def test_a_move_under_way_is_finished_for_nobody(opened: Opened, thinker: FakeThinker) -> None:
    thinker.hold()
    time = FakeTime()
    session = opened(make_session(BY_ITSELF, thinker, time=time))
    page = Page(session)
    thinker.wait_for("choose")
    page.leave()
    time.advance(2 * GRACE)
    thinker.release()
    later = Page(session)
    later.wait_state(lambda state: len(state.tree) >= 2)


def test_memory_is_freed_when_nobody_comes_back(opened: Opened, thinker: FakeThinker) -> None:
    time = FakeTime()
    session = opened(make_session(TWO_PEOPLE, thinker, time=time))
    page = Page(session)
    session.handle(Estimate(node=0))
    page.wait(EstimateReply)
    page.leave()
    time.advance(GRACE + 1)
    assert thinker.closed == 0
    time.advance(2 * FORGET)
    assert thinker.closed == 1
    page = Page(session)
    session.handle(Estimate(node=0))
    page.wait(EstimateReply)


def test_closing_ends_the_search(thinker: FakeThinker) -> None:
    thinker.hold()
    session = make_session(TWO_PEOPLE, thinker)
    Page(session)
    session.handle(Analyze(node=0, on=True))
    question = thinker.wait_for("analyze")
    session.close()
    assert question.interrupt.wait(10)
    session.join(10.0)
    assert thinker.closed == 1


def test_another_strength_counts_at_once(opened: Opened, thinker: FakeThinker) -> None:
    thinker.hold()
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    Page(session)
    play(session, "A1")
    first = thinker.wait_for("choose")
    session.handle(Configure(strength=Strength(level="15k")))
    second = thinker.wait_for("choose", 2)
    assert first.interrupt.is_set()
    assert second.strength == Strength(level="15k")
    session.handle(Configure(white="human"))
    assert second.interrupt.wait(10)
    assert session.state().thinking is None
