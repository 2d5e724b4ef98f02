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


_taken: list[int] = []  # Signals; no lock is to be held by who handles one.


def was_taken() -> bool:
    """Say whether Ctrl-C ended something since :func:`forget`, whatever it found by then."""
    return bool(_taken)


def forget() -> None:
    """Begin anew with :func:`was_taken`."""
    _taken.clear()


@contextmanager
def stopped_by_ctrl_c(stop: Callable[[], None]) -> Iterator[threading.Event]:
    """Have Ctrl-C call *stop* and set the event that is given; the second Ctrl-C raises.

    Does nothing outside the main thread, where signals do not arrive, and where a program
    handles Ctrl-C in a way of its own.
    """
    interrupted = threading.Event()

    def handle(number: int, frame: Any) -> None:
        if interrupted.is_set():
            signal.default_int_handler(number, frame)
        interrupted.set()
        _taken.append(number)
        stop()

    in_charge = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if in_charge:
        signal.signal(signal.SIGINT, handle)
    try:
        yield interrupted
    finally:
        if in_charge:
            signal.signal(signal.SIGINT, signal.default_int_handler)
