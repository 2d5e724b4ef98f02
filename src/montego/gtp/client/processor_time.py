"""The processor time of an engine and everything it started, as the system tells it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class _Process(NamedTuple):
    parent: int
    session: int
    ticks: int  # its own, and those of children it has waited for


def session_seconds(session: int) -> float | None:
    """Return the processor time of all processes of a session so far.

    Those that they started in sessions of their own count too, as a hybrid's adviser does. None
    where the system does not tell (it does on Linux), or if no process is left.
    """
    try:
        numbers = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]  # noqa: PTH208
    except OSError:
        return None
    processes = {number: process for number in numbers if (process := _process(number)) is not None}
    counted: set[int] = set()
    found = {number for number, process in processes.items() if process.session == session}
    while found:
        counted |= found
        found = {
            number
            for number, process in processes.items()
            if process.parent in counted and number not in counted
        }
    if not counted:
        return None
    return sum(processes[number].ticks for number in counted) / os.sysconf("SC_CLK_TCK")


def _process(number: int) -> _Process | None:
    """Return what the system says of a process; None if it has ended."""
    try:
        text = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return None
    # The second field is a name in parentheses, which may hold anything.
    fields = text.rpartition(")")[2].split()
    return _Process(int(fields[1]), int(fields[3]), sum(int(field) for field in fields[11:15]))
