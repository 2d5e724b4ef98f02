"""A session at one moment: as pages show it, as the start page lists it, as files keep it.

The session's lock is held by whoever calls these.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from montego.web.game.saved import SavedGame
from montego.web.messages.replies import GameState, GameSummary

if TYPE_CHECKING:
    from montego.web.session.session import Session


def state_of(session: Session) -> GameState:
    """Return the game, whole."""
    table, agreement, clocks = session.table, session.table.agreement, session.table.clocks
    return GameState(
        id=session.id,
        name=session.name,
        kind=session.kind,
        size=agreement.size,
        komi=agreement.komi,
        rules=agreement.rules,
        handicap=agreement.handicap,
        black=table.sides["black"],
        white=table.sides["white"],
        mode=table.mode,
        strength=session.strength,
        phase=table.phase,
        result=table.result,
        head=table.head,
        tree=table.tree.shown(),
        position=table.position(table.head),
        clock=session.clock,
        clocks=None if clocks is None else clocks.shown(session.now()),
        running=None if clocks is None else clocks.running,
        thinking=session.thinking,
        analyzing=None if session.analyzing is None else session.analyzing[0],
        paused=table.paused,
        count=table.count,
        can_undo=table.undo_target() is not None,
        can_redo=table.redo_target() is not None,
        names=(session.name_of("black"), session.name_of("white")),
        notice=session.notice,
    )


def summary_of(session: Session) -> GameSummary:
    """Return the game as a line in the list."""
    table = session.table
    return GameSummary(
        id=session.id,
        name=session.name,
        kind=session.kind,
        size=table.agreement.size,
        black=table.sides["black"],
        white=table.sides["white"],
        moves=table.tree[table.head].number,
        phase=table.phase,
        result=table.result,
        changed=session.changed,
        cells=table.referee.cells(table.state(table.head)),
    )


def saved_of(session: Session) -> SavedGame:
    """Return a copy of everything that is kept, which nothing changes any more."""
    table, clocks = session.table, session.table.clocks
    return SavedGame(
        id=session.id,
        name=session.name,
        agreement=table.agreement,
        created=session.created,
        changed=session.changed,
        black=table.sides["black"],
        white=table.sides["white"],
        mode=table.mode,
        strength=session.strength,
        clock=session.clock,
        clocks=None if clocks is None else clocks.shown(session.now()),
        nodes=[copy(node) for node in table.tree],
        next_id=table.tree.next_id,
        head=table.head,
        outcome=table.outcome,
        dead=sorted(table.dead),
        proposal=None if table.proposal is None else sorted(table.proposal),
        paused=table.paused,
        player_names=session.player_names,
        notice=session.notice,
    )
