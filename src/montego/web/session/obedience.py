"""What each request of a page does to a session. The session's lock is held throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.web.game.players import check_sides, check_strength
from montego.web.messages import requests

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.web.messages.replies import Reply
    from montego.web.session.session import Session


def obey(session: Session, request: requests.Request) -> Reply | None:
    """Do what is asked; return the answer for the page that asked.

    Raises:
        ValueError: If it cannot be done; then nothing has changed.
    """
    asks = _QUESTIONS.get(type(request))
    if asks is not None:
        return asks(session, request)
    acts = _ACTIONS.get(type(request))
    if acts is None:
        raise ValueError("this is nothing to ask of a game")
    acts(session, request)
    session.change()
    return None


# Moves


def _play(session: Session, request: requests.Play) -> None:
    table = session.table
    if table.mode == "analysis":
        table.play(request.node, request.move)
    else:
        color = table.to_play
        if request.node != table.head:
            raise ValueError("the game has moved on")
        if table.phase == "playing" and table.sides[color] != "human":
            raise ValueError(f"it is {session.name_of(color)}'s turn")
        table.play_in_turn(request.node, request.move, color, session.now())
    _go_on(session)


def _undo(session: Session, _request: requests.Undo) -> None:
    session.table.undo()
    _go_on(session)
    _hold_programs(session)


def _redo(session: Session, _request: requests.Redo) -> None:
    session.table.redo()
    _go_on(session)
    _hold_programs(session)


def _set_head(session: Session, request: requests.SetHead) -> None:
    session.table.set_head(request.node)
    _go_on(session)
    _hold_programs(session)


def _delete_node(session: Session, request: requests.DeleteNode) -> None:
    table = session.table
    table.delete(request.node)
    if session.analyzing is not None and session.analyzing[0] not in table.tree:
        session.analyzing = None
    _hold_programs(session)


def _resign(session: Session, _request: requests.Resign) -> None:
    table = session.table
    if table.mode == "analysis":
        raise ValueError("in analysis nobody plays to win")
    if table.phase == "over":
        raise ValueError("the game is over")
    people = table.people
    if not people:
        raise ValueError("nobody here can resign: programs play both colors")
    loser = people[0] if len(people) == 1 else table.to_play
    name = table.referee.color_name(loser)
    reason = "you resigned" if len(people) == 1 else f"{name} resigned"
    table.end("resignation", loser, reason)


def _move_now(session: Session, _request: requests.MoveNow) -> None:
    table, job = session.table, session.worker.current
    if table.paused and table.turn_of_program is not None:
        table.paused = False
        return
    if session.thinking is None:
        raise ValueError("nobody is thinking about a move")
    session.hurried = table.head
    if job is not None and job.key[0] == "move":
        job.interrupt.set()


def _pause(session: Session, request: requests.Pause) -> None:
    session.table.paused = request.paused
    session.notice = ""


def _go_on(session: Session) -> None:
    """Take in that a person has acted: what was wrong or urgent before is history."""
    session.notice, session.hurried = "", None
    session.table.paused = False


def _hold_programs(session: Session) -> None:
    """Have programs that play one another wait, when somebody looks at other moves."""
    table = session.table
    if table.mode == "game" and not table.people:
        table.paused = True


# The count


def _mark_dead(session: Session, request: requests.MarkDead) -> None:
    session.table.mark(request.vertex)


def _propose_dead(session: Session, _request: requests.ProposeDead) -> None:
    table = session.table
    table.require_counting()
    if table.proposal is not None:
        table.propose(table.proposal)


def _accept_count(session: Session, _request: requests.AcceptCount) -> None:
    session.table.accept_count()


# Settings and notes


def _configure(session: Session, request: requests.Configure) -> None:
    table = session.table
    sides = {
        "black": request.black or table.sides["black"],
        "white": request.white or table.sides["white"],
    }
    strength = request.strength or session.strength
    check_sides(sides.values(), session.kind, session.programs)
    check_strength(strength, sides.values())
    session.strength = strength
    table.sides = {"black": sides["black"], "white": sides["white"]}
    if request.mode is not None:
        table.mode = request.mode
    if request.name is not None and request.name.strip():
        session.name = request.name.strip()
    _go_on(session)


def _set_comment(session: Session, request: requests.SetComment) -> None:
    session.table.tree[request.node].comment = request.text
    session.table.tree.changed(request.node)


# Questions, which change nothing that is kept


def _show(session: Session, request: requests.Show) -> Reply:
    return session.table.position(request.node)


def _analyze(session: Session, request: requests.Analyze) -> None:
    node = session.table.tree[request.node].id
    if request.on:
        if session.table.is_over(node):
            raise ValueError("the game is over here: there is nothing to search")
        if session.analyzing is None or session.analyzing[0] != node:
            session.analyzing = (node, session.now())
    elif session.analyzing is not None:
        session.analyzing = None
    session.settle()
    session.tell(session.state())


def _hint(session: Session, _request: requests.Hint) -> None:
    table = session.table
    if table.phase != "playing":
        raise ValueError("the game is over" if table.phase == "over" else "the game is counted")
    if table.turn_of_program is not None:
        raise ValueError(f"it is {session.name_of(table.to_play)}'s turn")
    _ask(session, "hint", table.head)


def _estimate(session: Session, request: requests.Estimate) -> None:
    if session.kind != "go":
        raise ValueError("only Go has a score that can be estimated")
    _ask(session, "estimate", session.table.tree[request.node].id)


def _explain(session: Session, request: requests.Explain) -> Reply | None:
    node = session.table.tree[request.node]
    if node.move is None:
        raise ValueError("there is no move before the first")
    if node.lines:
        return session.explanation(node)
    _ask(session, "explain", node.id)
    return None


def _review(session: Session, request: requests.Review) -> None:
    session.reviewing = request.on and session.next_to_review() is not None
    session.tell_review()
    session.settle()


def _ask(session: Session, what: str, node: int) -> None:
    if (what, node) not in session.asked:
        session.asked.append((what, node))
    session.settle()


_ACTIONS: dict[type[requests.Request], Callable[..., None]] = {
    requests.Play: _play,
    requests.Undo: _undo,
    requests.Redo: _redo,
    requests.SetHead: _set_head,
    requests.DeleteNode: _delete_node,
    requests.Resign: _resign,
    requests.MoveNow: _move_now,
    requests.Pause: _pause,
    requests.MarkDead: _mark_dead,
    requests.ProposeDead: _propose_dead,
    requests.AcceptCount: _accept_count,
    requests.Configure: _configure,
    requests.SetComment: _set_comment,
}

_QUESTIONS: dict[type[requests.Request], Callable[..., Reply | None]] = {
    requests.Show: _show,
    requests.Analyze: _analyze,
    requests.Hint: _hint,
    requests.Estimate: _estimate,
    requests.Explain: _explain,
    requests.Review: _review,
}
