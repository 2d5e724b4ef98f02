"""What the worker of a session does: moves, hints, estimates, explanations, reviews, analysis.

Each function returns a :class:`~montego.web.session.worker.Job`. Jobs run without the session's
lock and take it to look and to write; what was dropped meanwhile writes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from montego.web.messages.limits import MOST_ANALYSIS_SIMULATIONS
from montego.web.messages.replies import EstimateReply, HintReply, MoveReport
from montego.web.messages.requests import Strength
from montego.web.session.worker import Job
from montego.web.thinking.gate import Urgency
from montego.web.thinking.review import REVIEW_SIMULATIONS, judged_by
from montego.web.thinking.thinker import READY, Question

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.web.messages.requests import Color, Side
    from montego.web.session.session import Session
    from montego.web.thinking.thinker import Answer, Findings

    Purpose = Literal["move", "analysis", "hint", "review"]

REPORT_EVERY = 0.05
"""Seconds between two reports to pages; see ``GoThinker`` for what is refreshed less often."""

PREPARATION_EVERY = 0.25
EXPLAIN_SIMULATIONS = 1500
COMPARE_SIMULATIONS = 500
FEW = 20  # Visits of a move that say nothing about its worth.
MOST_ALTERNATIVES = 6
ANALYSIS_SECONDS = 600.0
"""An analysis that nobody switches off ends after ten minutes."""


def move_job(session: Session, color: Color) -> Job:
    """Have a program move at the head."""
    table, node = session.table, session.table.head
    urgency = Urgency.PERSON if table.people else Urgency.GAME

    def run(job: Job) -> None:
        begun = session.now()
        thinker = session.staff.thinker(table.sides[color])
        with session.lock:
            if job.dropped:
                return
            question = ask(session, node, job, strength=session.strength, purpose="move")
        answer = thinker.choose(question)
        if not table.people and table.clocks is None:
            # Two programs that answer at once would be a flicker. On a clock it would cost them.
            job.interrupt.wait(max(session.pace - (session.now() - begun), 0.0))
        with session.lock:
            if job.dropped:
                return
            session.hurried = None
            _make_move(session, node, color, answer)
            session.change()

    def prepare(job: Job) -> bool:
        side = table.sides[color]
        if side == "engine":
            return True
        # With a clock running the player itself decides how long to wait for the compiler; and in
        # small games it plays well enough without.
        if table.clocks is not None or session.kind != "go":
            session.tell_progress(session.staff.thinker(side).preparation())
            return True
        return prepared(session, job, side, hurried=True)

    job = Job(("move", node, table.sides[color], session.strength), run, urgency, prepare)
    if session.hurried == node:
        job.interrupt.set()
    return job


def _make_move(session: Session, node: int, color: Color, answer: Answer) -> None:
    """Put a program's answer on the board. The lock is held."""
    table = session.table
    if answer.findings is not None:
        session.record(node, answer.findings)
        session.tell_findings(node, answer.findings, "move", final=True)
    session.notice = answer.notice or session.notice
    if answer.move == "resign":
        table.end("resignation", color, f"{session.name_of(color)} resigned")
        return
    played = table.play_in_turn(node, answer.move, color, session.now())
    if answer.lines and not played.lines:
        played.lines = answer.lines
        played.alternatives = _alternatives(answer.findings, answer.move)
    found = _find(answer.findings, answer.move)
    if found is not None and found.visits > played.simulations:
        played.value, played.score, played.simulations = found.value, found.score, found.visits
    table.tree.changed(played.id)


def hint_job(session: Session, node: int) -> Job:
    """Say what Montego would play at the head."""

    def run(job: Job) -> None:
        with session.lock:
            question = ask(session, node, job, purpose="hint")
        answer = session.staff.thinker("montego").choose(question)
        with session.lock:
            if job.dropped:
                return
            session.asked.remove(("hint", node))
            found = answer.findings
            move = answer.move
            if found is not None:
                session.record(node, found)
                session.tell_findings(node, found, "hint", final=True)
                if move == "resign" and found.moves:
                    move = found.moves[0].move
            text = _hint_in_words(session, question.color, move, answer)
            session.change()
            session.tell(HintReply(game=session.id, node=node, move=move, text=text))

    return Job(("hint", node), run, Urgency.PERSON, _waiting(session))


def _hint_in_words(session: Session, color: Color, move: str, answer: Answer) -> str:
    act = "pass" if move == "pass" else f"play {move}"
    text = f"I would resign; but if not, {act}" if answer.move == "resign" else f"I would {act}"
    found = _find(answer.findings, move)
    if found is None or not found.visits:
        return f"{text}."
    chance = found.value if color == "black" else 1.0 - found.value
    text += f", which gives {session.table.referee.color_name(color)} {chance:.0%} to win"
    follow = " ".join(found.variation[1:5])
    return f"{text}. I expect {follow}." if follow else f"{text}."


def estimate_job(session: Session, node: int) -> Job:
    """Say how the score stands at a node."""

    def run(job: Job) -> None:
        with session.lock:
            question = ask(session, node, job)
        found = session.staff.thinker("montego").estimate(question)
        with session.lock:
            if job.dropped:
                return
            session.asked.remove(("estimate", node))
            session.tell(
                EstimateReply(
                    game=session.id,
                    node=node,
                    score=round(found.score, 1),
                    text=_score_in_words(found.score),
                    ownership=found.ownership,
                    dead=found.dead,
                )
            )

    return Job(("estimate", node), run, Urgency.PERSON, _waiting(session))


def _score_in_words(score: float) -> str:
    points = round(abs(score) * 2) / 2
    if points == 0:
        return "The game is about even"
    leader = "Black" if score > 0 else "White"
    return f"{leader} is ahead by about {points:g} {'point' if points == 1 else 'points'}"


def proposal_job(session: Session, node: int) -> Job:
    """Mark the stones that Montego takes for dead; between programs that is the count."""

    def run(job: Job) -> None:
        with session.lock:
            question = ask(session, node, job)
        found = session.staff.thinker("montego").estimate(question)
        with session.lock:
            if job.dropped:
                return
            session.table.propose(frozenset(found.dead))
            if not session.table.people:
                session.table.accept_count()  # Nobody plays who could object.
            session.change()

    return Job(("proposal", node), run, Urgency.PERSON, _waiting(session))


def explain_job(session: Session, node: int) -> Job:
    """Say why a move was played, from a short search of the position before it."""

    def run(job: Job) -> None:
        with session.lock:
            played = session.table.tree[node]
            move, parent = played.move, played.parent
            if move is None or parent is None:
                return
            question = ask(session, parent, job, simulations=EXPLAIN_SIMULATIONS)
            after = ask(session, node, job, simulations=COMPARE_SIMULATIONS)
            over = session.table.is_over(node)
        thinker = session.staff.thinker("montego")
        findings = thinker.analyze(question)
        lines = thinker.explain(question, move, findings)
        found = _find(findings, move)
        if not over and (found is None or found.visits < FEW):
            # The search hardly looked at the move: so look at what comes of it.
            reply = thinker.analyze(after)
            lines.append(_comparison(session, question.color, move, reply, findings))
        with session.lock:
            if job.dropped:
                return
            session.asked.remove(("explain", node))
            session.record(parent, findings)
            played.lines = lines
            played.alternatives = _alternatives(findings, move)
            session.table.tree.changed(node)
            session.change()
            session.tell(session.explanation(played))

    return Job(("explain", node), run, Urgency.PERSON, _waiting(session))


def _comparison(
    session: Session, color: Color, move: str, after: Findings, before: Findings
) -> str:
    """Say what a move that was hardly searched is worth beside the best one."""
    name = session.table.referee.color_name(color)
    chances = [found.value if color == "black" else 1 - found.value for found in (after, before)]
    best = before.moves[0].move if before.moves else "the best move"
    return (
        f"After {move} {name} has {chances[0]:.0%} to win, by a short search; "
        f"after {best} {chances[1]:.0%}."
    )


def review_job(session: Session, node: int) -> Job:
    """Judge the position at a node for the review."""

    def run(job: Job) -> None:
        with session.lock:
            question = ask(session, node, job, simulations=REVIEW_SIMULATIONS, purpose="review")
        findings = session.staff.thinker("montego").analyze(question)
        with session.lock:
            if job.dropped or job.interrupt.is_set():
                return
            session.table.tree[node].judged = judged_by(findings)
            session.record(node, findings)
            session.tell_review()
            if session.next_to_review() is None:
                session.reviewing = False
                session.change()
            else:
                session.keep()

    return Job(("review", node), run, Urgency.STUDY, _waiting(session), gives_way=True)


def analysis_job(session: Session, node: int, began: float) -> Job:
    """Search a node until it is switched off."""

    def run(job: Job) -> None:
        with session.lock:
            question = ask(
                session,
                node,
                job,
                purpose="analysis",
                simulations=MOST_ANALYSIS_SIMULATIONS,
                seconds=max(began + ANALYSIS_SECONDS - session.now(), 0.1),
            )
        findings = session.staff.thinker("montego").analyze(question)
        with session.lock:
            session.record(node, findings)
            over = not job.interrupt.is_set()
            if job.dropped:
                return
            session.tell_findings(node, findings, "analysis", final=over)
            if over:
                session.analyzing = None
                session.change()

    return Job(("analysis", node, began), run, Urgency.STUDY, _waiting(session), gives_way=True)


def learn_job(session: Session) -> Job:
    """Keep what was learned in a game that is over, and say so if that is not possible."""

    def run(_job: Job) -> None:
        with session.lock:
            session.learned = True  # Whatever comes of it, once is enough.
        trouble = session.staff.learn()
        if trouble:
            with session.lock:
                session.notice = trouble
                session.change()

    return Job(("learn",), run, Urgency.STUDY, lambda _job: True, searches=False)


def prepare_job(session: Session) -> Job:
    """Have everything compiled before it is needed, and say how far that is."""

    def run(job: Job) -> None:
        """Nothing is left to do."""

    return Job(("prepare",), run, Urgency.STUDY, _waiting(session), searches=False)


def ask(
    session: Session,
    node: int,
    job: Job,
    *,
    strength: Strength | None = None,
    purpose: Purpose | None = None,
    simulations: int | None = None,
    seconds: float | None = None,
) -> Question:
    """Return the question about a node; with a *purpose* pages are told what is found.

    The lock is held.
    """
    table, clocks = session.table, session.table.clocks
    state = table.state(node)

    def report(findings: Findings) -> None:
        with session.lock:
            if not job.dropped and purpose is not None:
                session.tell_findings(node, findings, purpose, final=False)

    return Question(
        state=state,
        moves=table.moves(node),
        color=table.referee.to_play(state),
        strength=strength or Strength(),
        clock=session.clock,
        clocks=clocks.shown(session.now()) if clocks is not None and purpose == "move" else None,
        simulations=simulations,
        seconds=seconds,
        interrupt=job.interrupt,
        report=None if purpose is None else report,
        every=REPORT_EVERY,
    )


def prepared(session: Session, job: Job, side: Side = "montego", *, hurried: bool = False) -> bool:
    """Wait until Montego can search for a side, and tell pages what is being done until then.

    False if the job was ended meanwhile; a *hurried* one is then done all the same, unless nobody
    wants it any more.
    """
    while True:
        progress = session.staff.thinker(side).preparation()
        session.tell_progress(progress)
        if progress == READY:
            return not job.dropped
        if job.interrupt.wait(PREPARATION_EVERY):
            return hurried and not job.dropped


def _waiting(session: Session) -> Callable[[Job], bool]:
    return lambda job: prepared(session, job)


def _find(findings: Findings | None, move: str) -> MoveReport | None:
    if findings is None:
        return None
    return next((found for found in findings.moves if found.move == move), None)


def _alternatives(findings: Findings | None, move: str) -> list[MoveReport]:
    """Return what else there was, the move itself first."""
    if findings is None:
        return []
    moves = sorted(findings.moves, key=lambda found: found.move != move)
    return moves[:MOST_ALTERNATIVES]
