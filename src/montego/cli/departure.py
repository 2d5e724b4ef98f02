"""How a program that did not come to its end leaves: its exit status, and that nobody reads it.

That the program on the other side of standard output has gone has to be noticed: a write
would tell, but somebody who thinks for an hour writes nothing, and would think on for nobody. That
input has ended tells nothing: a script sends what it wants and waits for the replies.
"""

from __future__ import annotations

import select
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

INTERRUPTED = 130  # What shells report for a program ended by Ctrl-C,
TERMINATED = 143  # and for one that was asked to end.


def when_nobody_reads(leave: Callable[[], object]) -> None:
    """Have *leave* called, in a thread of its own, once nobody can read our standard output.

    A pipe tells that, and a terminal; a file is always read. Never called on Windows, where the
    next write has to tell.
    """
    if hasattr(select, "poll"):  # Windows has none.
        threading.Thread(target=_watch, args=(leave,), name="departure", daemon=True).start()


def _watch(leave: Callable[[], object]) -> None:
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)  # Errors and hang-ups are told without asking.
    if any(told & (select.POLLERR | select.POLLHUP) for _, told in poll.poll()):
        leave()
