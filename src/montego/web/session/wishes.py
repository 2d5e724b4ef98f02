"""What a session wants its worker to do: the most urgent thing, at this moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.web.session.jobs import (
    analysis_job,
    estimate_job,
    explain_job,
    hint_job,
    learn_job,
    move_job,
    prepare_job,
    proposal_job,
    review_job,
)

if TYPE_CHECKING:
    from montego.web.session.session import Session
    from montego.web.session.worker import Job

_ASKED = {"hint": hint_job, "estimate": estimate_job, "explain": explain_job}


def most_wanted(session: Session) -> Job | None:
    """Return what should be done now; the session's lock is held.

    A program's move comes first, then what people asked, then what has no end. Of a game that
    nobody watches, only a move under way is wanted.
    """
    table = session.table
    session.learned = session.learned and table.phase == "over"
    color = session.thinking
    if color is not None:
        return move_job(session, color)
    if not session.is_watched:
        return None
    if table.phase == "over" and not session.learned:
        return learn_job(session)
    if table.phase == "counting" and table.proposal is None:
        return proposal_job(session, table.head)
    # What was asked about a position that is gone is not answered any more.
    session.asked = [
        (what, node)
        for what, node in session.asked
        if node in table.tree and (what != "hint" or node == table.head)
    ]
    for what, node in session.asked:
        return _ASKED[what](session, node)
    if session.reviewing and (place := session.next_to_review()) is not None:
        return review_job(session, place)
    if session.analyzing is not None:
        return analysis_job(session, *session.analyzing)
    return None if session.ready else prepare_job(session)
