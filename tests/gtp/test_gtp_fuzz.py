"""Whatever comes in, the session answers, and a command that fails has changed nothing.

Three ways: commands with likely and unlikely arguments from a vocabulary, command lines made by
Hypothesis, and plain bytes. ``MONTEGO_FUZZ`` sets how many commands of the first and third kind.
"""

from __future__ import annotations

import io
import os
import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_conversation import visible_state
from gtp_fake_player import FakePlayer
from montego.engine.clock import USAGE
from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.gtp.registry import load_commands
from montego.gtp.session import GtpSession

if TYPE_CHECKING:
    from pathlib import Path

COMMANDS = int(os.environ.get("MONTEGO_FUZZ", "100000"))
WORDS_SHARE, BYTES_SHARE, REAL_SHARE = 0.6, 0.4, 0.02
CHUNK = 2000

# Chosen more often than others, so that there is a game to spoil; the rest is every command.
FREQUENT = ["play", "play", "play", "genmove", "undo", "boardsize", "komi", "gogui-play_sequence"]
STONES = {"play": 1, "is_legal": 1, "gogui-play_sequence": 4, "gogui-setup": 3, "set_position": 3}
TIMES = ["0", "1", "1", "2", "5.5", "30", "600", "1e9", "1e308", "1e-320", "-1", "-0", "0.001"]
NO_TIMES = ["inf", "-inf", "nan", "1e400", "x", "9" * 400]
SYSTEMS = [*USAGE, *USAGE, "hourglass"]
SLOW = ("boardsize", "simulations", "maxVisits", "maxPlayouts", "level", "maxTime", "memory")
"""What may ask for more than a few simulations; the real player gets its own lines with these."""
QUICK = [
    *(f"boardsize {size}" for size in (2, 3, 4, 5, 5, 6, 7)),
    *(f"kata-set-param simulations {count}" for count in (1, 2, 20)),
    *(f"montego-param level {level}" for level in ("20k", "none", "none", "none")),
    *(f"kata-set-param memory {megabytes}" for megabytes in (1, 2, 3, 50, 50)),
    *("kata-set-param seed 9223372036854775807", "kata-set-param patterns fuzz.txt"),
    *("kgs-time_settings canadian 1e308 30 5", "time_settings 300 30 5", "time_left b 1e308 0"),
    *("genmove b", "genmove w", "reg_genmove b", "kata-genmove_analyze w") * 3,
    *("clear_board", "kata-set-param parallel root", "kata-set-param parallel tree"),
]
GENMOVES = re.compile(
    r"(?:[0-9]+ +)?(?:(?:reg_|lz-|kata-)?genmove|kgs-genmove_cleanup|kata-search)(?:_analyze)?"
    r" +(?:b|w|black|white) *",
    re.IGNORECASE,
)
"""What must be answered with a move, unless a player has resigned."""
UNWANTED = {"quit"}  # Ends the conversation.
LONG = UNWANTED | {"montego-playout", "montego-solve"}  # Take a second and more.
WORDS = [
    *("b", "w", "black", "WHITE", "B", "x", "empty"),
    *("A1", "b2", "C3", "D4", "e5", "J9", "I5", "T19", "Z25", "A0", "A99", "AA1", "pass", "resign"),
    *("0", "1", "2", "3", "5", "5", "5", "9", "13", "25", "26", "-1", "-7.5", "0.5", "6.5", "1e3"),
    *("1e400", "nan", "inf", "9" * 30, "1_0", "0x10", "", "#", "# interrupt", "\u0663", "\ufeff"),
    *(
        "japanese",
        "chinese",
        "aga",
        "tromp-taylor",
        '{"ko":"SIMPLE"}',
        '{"ko":',
        "{}",
        "[]",
        "null",
    ),
    *("ko", "suicide", "POSITIONAL", "true", "false", "friendlyPassOk"),
    *(
        "simulations",
        "maxVisits",
        "seed",
        "threads",
        "mode",
        "level",
        "rave-bias",
        "default",
        "none",
    ),
    *("byoyomi", "canadian", "absolute", "fischer", "fischer-capped"),
    *("dead", "alive", "seki", "dame", "black_territory"),
    *("game", "private", "winrate", "pv", "ownership", "interval", "minmoves", "avoid", "allow"),
    *("A1,B2", "50", "no_such.sgf", '"a b.sgf"', "-", "\udcff\udcfe", "\ud800", "\x85", "\u2028"),
]


class Fuzzed:
    """A session whose every reply is checked, with a player that is quick."""

    def __init__(self, player: Player | None = None) -> None:
        self.output = io.BytesIO()
        self.player = player or FakePlayer()
        self.errors = io.StringIO()
        self.session = GtpSession(lambda: self.player, self.output, errors=self.errors)
        self.session.inbox.close()  # An analysis ends at once.
        assert self.session.player is self.player
        self.commands = 0

    def state(self) -> tuple[Any, ...]:
        player = self.player
        clock = player.clock
        clocks = (clock.control, clock.left("black"), clock.left("white"), clock.lag)
        return (visible_state(player.game), clocks, player.options, player.last_decision)

    def obey(self, line: str) -> None:
        before = self.state()
        has_resigned = self.player.game.resigned is not None
        board = self.player.game.board.state.tobytes()
        self.output.seek(0)
        self.output.truncate()
        self.session.obey(line)
        reply = self.output.getvalue()
        if not line.partition("#")[0].strip(" "):
            assert reply == b"", line
            return
        self.commands += 1
        assert reply.endswith(b"\n\n"), (line, reply)
        assert b"\n\n" not in reply[:-1], (line, reply)
        assert reply[:1] in (b"=", b"?"), (line, reply)
        assert b"internal error" not in reply, (line, reply)
        # A stream has begun with = when its search fails.
        assert b"\nfailed:" not in reply, (line, reply)
        if reply[:1] == b"?":
            if GENMOVES.fullmatch(line) and not has_resigned:
                pytest.fail(f"{line!r} was refused: {reply!r}")
            assert self.state() == before, line
            assert self.player.game.board.state.tobytes() == board, line


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records that are written land where nobody minds."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fuzz.txt").write_text("These are no patterns.")


def time_line(rng: random.Random) -> str:
    """A command about time that is nearly right: its form is, mostly, and its numbers may be."""

    def number() -> str:
        return rng.choice(TIMES if rng.random() < 0.85 else NO_TIMES)

    name = rng.choice(("time_settings", "time_left", "kgs-time_settings", "kata-time_settings"))
    if name == "time_settings":
        arguments = [number() for _ in range(3)]
    elif name == "time_left":
        arguments = [rng.choice("bw"), number(), number()]
    else:
        system = rng.choice(SYSTEMS)
        arguments = [system, *(number() for _ in USAGE.get(system, ()))]
    if rng.random() < 0.1:
        arguments.append(number())
    return " ".join([name, *arguments])


def random_line(rng: random.Random, names: list[str]) -> str:
    if rng.random() < 0.05:
        return time_line(rng)
    name = rng.choice(FREQUENT if rng.random() < 0.5 else names)
    if rng.random() < 0.02:
        name = rng.choice(WORDS)
    if name in STONES and rng.random() < 0.8:
        stones = rng.randint(1, STONES[name])
        arguments = []
        for _ in range(stones):
            arguments += [rng.choice("bw"), f"{rng.choice('ABCDE')}{rng.randint(1, 5)}"]
    else:
        arguments = [rng.choice(WORDS) for _ in range(rng.choice((0, 0, 1, 1, 2, 2, 3, 4, 6)))]
    number = f"{rng.randint(0, 10**6)} " if rng.random() < 0.2 else ""
    return number + "  ".join([name, *arguments]).replace("\x00", "")


def test_commands_with_any_arguments_leave_the_game_intact_when_they_fail() -> None:
    rng = random.Random(1)
    names = [name for name in load_commands() if name not in LONG]
    fuzzed = Fuzzed()
    while fuzzed.commands < COMMANDS * WORDS_SHARE:
        if fuzzed.commands % CHUNK == 0:
            fuzzed.session.obey("boardsize 5")
        fuzzed.obey(random_line(rng, names))


def test_the_real_player_is_as_patient() -> None:
    rng = random.Random(3)
    names = [name for name in load_commands() if name not in UNWANTED | {"montego-solve"}]
    fuzzed = Fuzzed(Player(Options(simulations=20, size=5, seed=1, threads=1, memory=50)))
    while fuzzed.commands < COMMANDS * REAL_SHARE:
        if fuzzed.commands % 50 == 0:
            for line in ("kata-set-param simulations 20", "boardsize 5", "kgs-time_settings none"):
                fuzzed.session.obey(line)
        line = rng.choice(QUICK) if rng.random() < 0.2 else random_line(rng, names)
        if line in QUICK or not any(word in line for word in SLOW):
            fuzzed.obey(line)
            fuzzed.player.prepare()  # As after a first command: what is wrong would be raised.


words = st.one_of(
    st.sampled_from(WORDS),
    st.text(st.characters(blacklist_characters="/\\\n\x00"), max_size=8),
    st.integers().map(str),
    st.floats().map(str),
)
lines = st.builds(
    lambda name, arguments: " ".join([name, *arguments]),
    st.one_of(st.sampled_from(sorted(set(load_commands()) - LONG)), words),
    st.lists(words, max_size=5),
).filter(lambda line: "quit" not in line)


@settings(max_examples=300)
@given(st.lists(lines, min_size=1, max_size=8))
def test_lines_that_hypothesis_thinks_of_are_answered(conversation: list[str]) -> None:
    fuzzed = Fuzzed()
    fuzzed.session.obey("boardsize 5")
    for line in conversation:
        fuzzed.obey(line)


def requests_in(data: bytes) -> int:
    """How many commands *data* has, read in another way than the session does."""
    count = 0
    for line in data.split(b"\n"):
        kept = bytes(byte for byte in line if byte == 9 or (byte > 31 and byte != 127))
        count += bool(re.split(rb"#", kept)[0].strip(b" \t"))
    return count


def random_bytes(rng: random.Random, names: list[bytes]) -> bytes:
    parts = []
    for _ in range(40):
        kind = rng.random()
        if kind < 0.3:
            parts.append(rng.randbytes(rng.randint(0, 12)))
        elif kind < 0.8:
            parts.append(rng.choice(names) + rng.choice((b" ", b"\t", b"  ", b"\r", b"\x00", b"")))
            parts.append(rng.choice(WORDS).encode("utf-8", "surrogatepass") + b" ")
        parts.append(rng.choice((b"\n", b"\r\n", b"\n\n", b" ", b"#", b"\n")))
    return b"".join(parts).replace(b"quit", b"quiet").replace(b"/", b"")


def test_bytes_of_any_kind_get_one_reply_a_line() -> None:
    rng = random.Random(2)
    names = [name.encode() for name in load_commands() if name not in LONG]
    commands = 0
    while commands < COMMANDS * BYTES_SHARE:
        output = io.BytesIO()
        session = GtpSession(FakePlayer, output, errors=io.StringIO())
        chunk = b"boardsize 5\n" + b"".join(random_bytes(rng, names) for _ in range(CHUNK // 40))
        expected = requests_in(chunk)
        session.inbox.read(io.BytesIO(chunk))
        session.run(io.BytesIO(b""))

        replies = output.getvalue().split(b"\n\n")

        assert replies.pop() == b""
        assert len(replies) == expected
        assert all(reply[:1] in (b"=", b"?") for reply in replies)
        assert not any(b"internal error" in reply for reply in replies)
        commands += expected
