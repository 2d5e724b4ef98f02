"""How a command ends before its time: exit statuses, the signal to end, a client that has gone.

That the program on the other side of standard output has gone has to be noticed: a write
would tell, but somebody who thinks for an hour writes nothing, and would think on for nobody. That
input has ended tells nothing: a script sends what it wants and waits for the replies.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from montego.jit import interrupt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

INTERRUPTED = 130  # What shells report for a program ended by Ctrl-C,
TERMINATED = 143  # and for one that was asked to end.

GRACE = 10.0  # Seconds in which one that was asked to end does; a compiler cannot be stopped.

_asked = False  # No event: a signal that comes while one is being set would wait for itself.


def asked_to_end() -> bool:
    """Say whether the signal came that asks programs to end, since the command began."""
    return _asked


def leave_if_interrupted() -> None:
    """Raise what Ctrl-C raises if something was ended by it that went on to return a result."""
    if _asked or interrupt.was_taken():
        raise KeyboardInterrupt


@contextmanager
def ending_as_by_ctrl_c() -> Iterator[None]:
    """Let the signal that asks programs to end do what Ctrl-C does: what was done is not lost.

    Where Ctrl-C means something else, :func:`asked_to_end` tells. Who is not done GRACE later is
    ended all the same. Commands that handle the signal themselves replace this.
    """
    global _asked  # noqa: PLW0603  # There is one process.
    late = threading.Timer(GRACE, os._exit, [TERMINATED])
    late.daemon = True

    def end(_number: int, frame: FrameType | None) -> None:
        global _asked
        first, _asked = not _asked, True
        if first:
            with suppress(RuntimeError):  # Signals may come in a burst.
                late.start()
        interrupt.press_ctrl_c(frame)

    _asked = False
    interrupt.forget()
    elsewhere = threading.current_thread() is not threading.main_thread()
    if elsewhere or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        late.cancel()


def on_ctrl_c(do: Callable[[], object]) -> None:
    """Have *do* called when Ctrl-C is pressed, in place of all else.

    Not where it is ignored: whoever started us in the background wants Ctrl-C for others.
    """
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda _number, _frame: do())


def when_nobody_reads(leave: Callable[[], object]) -> None:
    """Have *leave* called, in a thread of its own, once nobody can read our standard output.

    A pipe tells that, and a terminal; a file is always read. Never called on Windows, where the
    next write has to tell.
    """

    def watch() -> None:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)  # Errors and hang-ups are told without asking.
        if any(told & (select.POLLERR | select.POLLHUP) for _, told in poll.poll()):
            leave()

    if hasattr(select, "poll"):  # Windows has none.
        threading.Thread(target=watch, name="termination", daemon=True).start()
