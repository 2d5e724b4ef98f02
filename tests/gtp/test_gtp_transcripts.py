"""Golden conversations: each file ``NAME.in`` must get exactly the replies in ``NAME.out``.

After a wanted change ``python tests/gtp/test_gtp_transcripts.py`` writes the replies anew; look at
the difference before you believe it.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import montego
from gtp_fake_player import FakePlayer
from montego.gtp.session import GtpSession

FOLDER = Path(__file__).parent / "transcripts"
CONVERSATIONS = sorted(path.stem for path in FOLDER.glob("*.in"))


def replies(conversation: str) -> bytes:
    output = io.BytesIO()
    session = GtpSession(FakePlayer, output, errors=io.StringIO())
    session.run(io.BytesIO((FOLDER / f"{conversation}.in").read_bytes()))
    return output.getvalue().replace(montego.__version__.encode(), b"VERSION")


@pytest.mark.parametrize("conversation", CONVERSATIONS)
def test_every_reply_is_as_recorded(conversation: str) -> None:
    assert replies(conversation) == (FOLDER / f"{conversation}.out").read_bytes()


@pytest.mark.parametrize("conversation", CONVERSATIONS)
def test_each_command_has_one_reply_and_each_reply_one_empty_line(conversation: str) -> None:
    lines = (FOLDER / f"{conversation}.in").read_bytes().split(b"\n")
    commands = [line for line in lines if line.partition(b"#")[0].strip()]
    names = [line.split()[:2] for line in commands]
    ends = next((index + 1 for index, words in enumerate(names) if b"quit" in words), len(names))

    parts = replies(conversation).split(b"\n\n")

    assert parts.pop() == b""
    assert len(parts) == ends
    assert all(part[:1] in (b"=", b"?") for part in parts)


if __name__ == "__main__":
    for name in CONVERSATIONS:
        (FOLDER / f"{name}.out").write_bytes(replies(name))
