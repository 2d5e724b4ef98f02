"""``kata-raw-nn``: what the network says, in the words of KataGo, without any search."""

from __future__ import annotations

import pytest

from gtp_conversation import Conversation
from gtp_fake_player import FakePlayer
from montego.engine.options.options import Options
from montego.jit import compile_off

pytestmark = pytest.mark.skipif(compile_off(), reason="takes long interpreted")


def conversation(network: str | None = "default") -> Conversation:
    return Conversation(FakePlayer(Options(size=9, network=network)))


def parse(text: str) -> tuple[dict[str, float], dict[str, list[list[float]]]]:
    """Read a reply as programs do: names with a number, and names with a board below."""
    assert text.startswith("= symmetry ")
    numbers: dict[str, float] = {}
    boards: dict[str, list[list[float]]] = {}
    for line in text[2:].strip().splitlines():
        words = line.split(" ")
        if words[0] in ("policy", "whiteOwnership"):
            rows = boards[words[0]] = []
        elif words[0][0].islower():
            numbers[words[0]] = float(words[1])
        else:
            rows.append([-1.0 if word == "NAN" else float(word) for word in words])
    return numbers, boards


def test_chances_policy_and_owners_are_told_as_katago_tells_them() -> None:
    talk = conversation()
    talk.say("play b E5", "play w C3")
    numbers, boards = parse(talk.say("kata-raw-nn 0"))

    assert list(numbers) == [
        *("symmetry", "whiteWin", "whiteLoss", "noResult"),
        *("whiteLead", "whiteScoreSelfplay", "policyPass"),
    ]
    assert numbers["whiteWin"] + numbers["whiteLoss"] == pytest.approx(1.0, abs=1e-5)
    policy, owners = boards["policy"], boards["whiteOwnership"]
    assert [len(row) for row in policy] == [len(row) for row in owners] == [9] * 9
    assert policy[4][4] == policy[6][2] == -1.0  # Where there are stones.
    legal = [chance for row in policy for chance in row if chance >= 0]
    assert len(legal) == 79
    assert sum(legal) + numbers["policyPass"] == pytest.approx(1.0, abs=1e-3)
    assert owners[4][4] < 0 < owners[6][2]
    assert all(-1.0 <= owner <= 1.0 for row in owners for owner in row)


def test_a_win_of_black_is_a_loss_of_white_whoever_is_to_play() -> None:
    stones = " ".join(f"b {column}{row}" for column in "ABCDEFGHJ" for row in (3, 5, 7))
    for turn in ("b", "w"):
        talk = conversation()
        talk.say(f"gogui-setup {stones}", f"gogui-setup_player {turn}")
        numbers, boards = parse(talk.say("kata-raw-nn 0"))
        assert numbers["whiteWin"] < 0.2
        assert numbers["whiteLead"] < -20
        assert boards["whiteOwnership"][4][4] < -0.5


def test_all_symmetries_are_those_of_the_board() -> None:
    talk = conversation()
    whole = talk.say("kata-raw-nn all")[2:].strip()
    blocks = ["symmetry" + block for block in whole.split("symmetry")[1:]]

    parsed = [parse(f"= {block}") for block in blocks]
    assert [numbers["symmetry"] for numbers, _ in parsed] == list(range(8))
    # An empty board looks the same from all sides, so its image is the same, turned.
    centers = {round(boards["policy"][4][4], 4) for _, boards in parsed}
    assert len(centers) == 1
    assert talk.say("kata-raw-nn 3").strip() == f"= {blocks[3].strip()}"


@pytest.mark.parametrize(
    ("network", "size", "argument", "reason"),
    [
        (None, 9, "0", "there is no network: start with --network default, or with a file"),
        ("default", 7, "0", "there is no network for 7x7"),
        ("default", 9, "8", "syntax error: a symmetry is a number from 0 to 7, or all"),
        ("default", 9, "-1", "syntax error: a symmetry is a number from 0 to 7, or all"),
        ("default", 9, "some", "syntax error"),
    ],
)
def test_what_cannot_be_told_is_refused(
    network: str | None, size: int, argument: str, reason: str
) -> None:
    talk = conversation(network)
    talk.say(f"boardsize {size}")

    assert talk.say(f"kata-raw-nn {argument}") == f"? {reason}\n\n"
