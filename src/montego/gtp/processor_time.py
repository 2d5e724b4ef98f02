"""The processor time of an engine and everything it started, as the system tells it."""

from __future__ import annotations

import os
from pathlib import Path


def session_seconds(session: int) -> float | None:
    """Return the processor time of all processes of a session so far.

    None where the system does not tell (it does on Linux), or if no process is left.
    """
    ticks = 0
    is_found = False
    try:
        processes = [entry for entry in os.listdir("/proc") if entry.isdigit()]  # noqa: PTH208
    except OSError:
        return None
    for process in processes:
        try:
            text = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            continue
        # The second field is a name in parentheses, which may hold anything.
        fields = text.rpartition(")")[2].split()
        if int(fields[3]) == session:
            is_found = True
            ticks += sum(int(field) for field in fields[11:15])  # Own and waited-for children's.
    return ticks / os.sysconf("SC_CLK_TCK") if is_found else None
