"""An engine's output cut into replies: the reading half of the client's side of GTP.

A reply begins with a line that starts with ``=`` or ``?`` and ends with an empty line. Whatever
else an engine prints is noise.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Nobody asked for a number of more digits, and Python refuses to read one of thousands.
_HEAD = re.compile(r"([=?])([0-9]{0,18})[ ]?(.*)", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # All that GTP drops; tab and newline stay.


class Reply(NamedTuple):
    """One reply as it was read."""

    succeeded: bool
    number: int | None
    text: str


class ReplyCutter:
    """Takes output in pieces of any size. *note_noise* is called with lines outside of replies."""

    def __init__(self, note_noise: Callable[[str], None]) -> None:
        self.size = 0
        """Bytes since the last whole reply."""
        self._note_noise = note_noise
        self._pending = b""
        self._reply: list[str] | None = None

    def feed(self, chunk: bytes, listen: Callable[[str, str], None] | None) -> Iterator[Reply]:
        """Yield the replies that *chunk* completes; *listen* hears every whole line."""
        self.size += len(chunk)
        if b"\n" not in chunk:
            self._pending += chunk
            return
        *lines, self._pending = (self._pending + chunk).split(b"\n")
        for raw in lines:
            line = _CONTROL.sub("", raw.decode("utf-8", "replace"))
            if listen is not None:
                listen("<", line)
            if not line.strip():
                if self._reply is not None:
                    yield _parse(self._reply)
                    self._reply = None
                    self.size = len(self._pending)
            elif self._reply is not None:
                self._reply.append(line)
            elif line[0] in "=?":
                self._reply = [line]
            else:
                self._note_noise(line)


def _parse(lines: list[str]) -> Reply:
    match = _HEAD.fullmatch("\n".join(lines))
    if match is None:
        raise AssertionError(lines)  # The first line begins with a sign, or there is no reply.
    number = int(match[2]) if match[2] else None
    return Reply(match[1] == "=", number, match[3].strip())
