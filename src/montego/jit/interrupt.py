"""Ctrl-C as a stop signal instead of an exception.

Python raises KeyboardInterrupt between any two of its instructions, also where Numba prepares a
call of compiled code, and there it comes out as another error; in an interpreted game it would
break a simulation off midway.
"""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Handler = Callable[[int, Any], object]

_taken: list[int] = []  # Signals; no lock is to be held by who handles one.
_handlers: list[Handler] = []  # Of those who are stopped by Ctrl-C, the innermost last.


def was_taken() -> bool:
    """Say whether Ctrl-C ended something since :func:`forget`, whatever it found by then."""
    return bool(_taken)


def forget() -> None:
    """Begin anew with :func:`was_taken`."""
    _taken.clear()


def press_ctrl_c(frame: Any) -> None:
    """Do what Ctrl-C does, also where it is ignored: shells have programs in the background do so.

    For the handlers of other signals.
    """
    handle = signal.getsignal(signal.SIGINT)
    if not callable(handle):
        handle = _handlers[-1] if _handlers else signal.default_int_handler
    handle(signal.SIGINT, frame)


@contextmanager
def stopped_by_ctrl_c(stop: Callable[[], None]) -> Iterator[threading.Event]:
    """Have Ctrl-C call *stop* and set the event that is given; the second Ctrl-C raises.

    Does nothing outside the main thread, where signals do not arrive, and where a program
    handles Ctrl-C in a way of its own. Where it is ignored it stays so, but for
    :func:`press_ctrl_c`.
    """
    interrupted = threading.Event()

    def handle(number: int, frame: Any) -> None:
        if interrupted.is_set():
            signal.default_int_handler(number, frame)
        interrupted.set()
        _taken.append(number)
        stop()

    is_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT) if is_main else None
    in_charge = before is signal.default_int_handler
    if in_charge:
        signal.signal(signal.SIGINT, handle)
    if in_charge or before is signal.SIG_IGN:
        _handlers.append(handle)
    try:
        yield interrupted
    finally:
        if in_charge:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if handle in _handlers:
            _handlers.remove(handle)
