"""``montego gtp``: an engine on standard input and output.

Nothing but the protocol goes to standard output. The process ends as soon as it is asked to or
nobody reads its replies any more, also in the middle of a compilation or while it ponders: nothing
it holds is worth waiting for, but a game that is to be added to a book.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from functools import partial
from typing import NoReturn

import montego
from montego.cli.cluster_option import CLUSTER, search_cluster_of
from montego.cli.command import Namespace, argument, command, one_of
from montego.cli.output import tell
from montego.cli.player_options import options_from, player_options
from montego.cli.termination import INTERRUPTED, TERMINATED, on_ctrl_c, when_nobody_reads
from montego.engine.options.options import Options
from montego.gtp.session import CLIENT_GONE, NOTED, ConversationLog, GtpSession

READY = "GTP ready, beginning main protocol loop"
"""What programs around KataGo wait for on standard error before they send anything."""

_LEAVING = threading.Lock()  # Held by whoever ends the process, to the end.

PRESETS: dict[str, dict[str, str]] = {
    "kgs": {"rules": "chinese-kgs", "mode": "kgs"},
    # Area scoring, positional superko, no suicide.
    "cgos": {"rules": "chinese-ogs", "mode": "strict"},
    # The server tells no rules and counts by itself: dead stones are captured first.
    "ogs": {"ogs": "true", "rules": "chinese-ogs", "mode": "strict"},
}
"""Servers, and the options they want unless others are given."""


@command(
    "Play by the Go Text Protocol on standard input and output, for programs such as Sabaki, "
    "GoGui, Lizzie and q5go, and for servers. 'montego setup' tells how to connect.",
    one_of(
        argument("--kgs", "behave on KGS: its rules, and cleaning up on request"),
        argument("--cgos", "behave on CGOS: its rules, and dead stones captured"),
        argument(
            "--ogs",
            "behave on OGS: its Chinese rules, dead stones captured, and each move told to "
            "spectators",
        ),
    ),
    CLUSTER,
    player_options(),
)
def gtp(arguments: Namespace) -> NoReturn:
    """Carry out ``montego gtp``. Does not return: other threads must not keep the process."""
    for server, preset in PRESETS.items():
        if getattr(arguments, server):
            arguments.player_defaults = preset
    options = options_from(arguments)
    if options.size != Options().size:
        # Clients name their board later; only one that was asked for is looked at.
        options.check_board(options.size)

    def make_player() -> montego.Player:
        from montego.gtp.client.adviser import GtpAdviser  # Few need it.

        enlist = None if cluster is None else cluster.enlist
        return montego.Player(options, hire=GtpAdviser, tell=session.tell, enlist=enlist)

    def leave_with_client() -> None:
        session.log.write(NOTED, CLIENT_GONE)
        _leave(session, 0)

    cluster, options = search_cluster_of(arguments, options, tell)
    log = ConversationLog(options.log)
    session = GtpSession(make_player, sys.stdout.buffer, options=options, log=log)
    when_nobody_reads(leave_with_client)
    on_ctrl_c(lambda: _leave_soon(session, INTERRUPTED))
    # Clients end engines by this signal too; what the game taught is not to be lost by it.
    signal.signal(signal.SIGTERM, lambda _number, _frame: _leave_soon(session, TERMINATED))
    # Also where Ctrl-C is ignored: a client that asks for this is going to send it.
    session.heed_ctrl_c = partial(signal.signal, signal.SIGINT, lambda *_: session.hurried.set())
    session.tell(READY)
    session.run(sys.stdin.buffer)
    _leave(session, 0)


def _leave(session: GtpSession, status: int) -> NoReturn:
    """End the process and an adviser, once the game is in the book if there is one.

    Who comes first decides about the status; others wait for the end.
    """
    _LEAVING.acquire()
    try:
        if session.has_player:
            if session.player.options.book is not None:
                threading.Thread(target=_hurry, args=(session.player,), daemon=True).start()
                session.player.close()
            session.player.dismiss()
        session.log.close()
    finally:
        os._exit(status)  # Every reply is flushed already.


def _hurry(player: montego.Player) -> None:
    """Cancel whatever the player does, again and again: a command may be about to begin."""
    while True:
        player.cancel()
        time.sleep(0.05)


def _leave_soon(session: GtpSession, status: int) -> None:
    """End the process from a signal's handler.

    Not by an exception: in the midst of compiled code it would come out as another error. And
    not in this thread, which may be in the midst of something.
    """
    if _LEAVING.locked():
        os._exit(status)  # Somebody is in a hurry.
    threading.Thread(target=_leave, args=(session, status)).start()
