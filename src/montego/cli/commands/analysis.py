"""``montego analysis``: KataGo's JSON protocol on standard streams, for KaTrain and scripts.

One thread reads and one searches, so that a query can be terminated. The process ends as soon as it
is asked to or nobody reads its replies any more, also in the middle of a search or a compilation:
nothing it holds is worth waiting for.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import montego
from montego.cli.cluster_option import CLUSTER, search_cluster_of
from montego.cli.command import Namespace, argument, command
from montego.cli.output import tell
from montego.cli.player_options import options_from, player_options
from montego.cli.termination import INTERRUPTED, TERMINATED, on_ctrl_c, when_nobody_reads
from montego.gtp.json_protocol import AnalysisEngine
from montego.gtp.session import OutputClosed

if TYPE_CHECKING:
    from collections.abc import Callable

READY = "Started, ready to begin handling requests"
"""What scripts around KataGo wait for on standard error before they ask anything."""

_OF_NO_USE_HERE = (
    "ponder", "level", "style", "mode", "resign", "dynamic-komi", "name", "kgs-chat", "with",
    "with-mode",
)  # fmt: skip  # A list to read, not a column.


@command(
    "Answer queries of KataGo's analysis protocol, one JSON object a line. The simulations of a "
    "position are the maxVisits of its query, else --simulations or --seconds. At the end of "
    "input the queue is finished first.",
    argument(
        "--quit-without-waiting -quit-without-waiting",
        "drop what is in the queue at the end of input",
    ),
    CLUSTER,
    player_options(without=_OF_NO_USE_HERE, perspective="black", dynamic_komi="off"),
)
def analysis(arguments: Namespace) -> NoReturn:
    """Carry out ``montego analysis``. Does not return: other threads must not keep the process."""
    cluster, options = search_cluster_of(arguments, options_from(arguments), tell)
    enlist = None if cluster is None else cluster.enlist
    # Not an exception: in the midst of compiled code it would come out as another error.
    on_ctrl_c(lambda: os._exit(INTERRUPTED))
    signal.signal(signal.SIGTERM, lambda _number, _frame: os._exit(TERMINATED))
    when_nobody_reads(_leave_with_client)
    engine = AnalysisEngine(lambda: montego.Player(options, enlist=enlist), options, _write)
    worker = threading.Thread(target=_guarded, args=(engine.work,), daemon=True)
    worker.start()
    read = partial(_read, engine, drop=arguments.quit_without_waiting)
    threading.Thread(target=_guarded, args=(read,), daemon=True).start()
    with contextlib.suppress(OSError, ValueError):
        tell(READY)
    while worker.is_alive():
        worker.join(0.5)  # Without a limit, Windows would not let Ctrl-C through.
    os._exit(0)  # Every reply is flushed already.


def _read(engine: AnalysisEngine, *, drop: bool) -> None:
    """Obey standard input to its end."""
    engine.read(sys.stdin.buffer)
    if drop:
        engine.drop()
    else:
        engine.finish()


def _guarded(task: Callable[[], None]) -> None:
    """Be a thread, and end the process if a reply cannot be written."""
    try:
        task()
    except OutputClosed:
        os._exit(1)


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_with_client()


def _leave_with_client() -> NoReturn:
    os._exit(0)  # A client that has heard enough may go: no failure.
