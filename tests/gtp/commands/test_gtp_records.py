"""``loadsgf`` and ``printsgf``: records that are read as far as asked, and games as played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gtp_conversation import Conversation, visible_state
from montego.go.sgf.record import parse_sgf

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def conversation() -> Conversation:
    return Conversation()


def test_records_can_be_read_up_to_a_move_and_written(
    conversation: Conversation, tmp_path: Path
) -> None:
    path = tmp_path / "a game.sgf"
    path.write_text("(;GM[1]SZ[5]KM[3.5]RU[japanese];B[cc];W[dd];B[ba];W[])")

    assert conversation.say(f"loadsgf {path}") == "=\n\n"
    assert len(conversation.player.game.moves) == 4
    assert conversation.say("get_komi", "get_rules") == "= 3.5\n\n= japanese\n\n"
    assert conversation.say(f'loadsgf "{path}" 3') == "=\n\n"
    assert [move.vertex for move in conversation.player.game.moves] == ["C3", "D2"]
    assert conversation.say(f"loadsgf {path} 1", "undo") == "=\n\n? cannot undo\n\n"
    assert conversation.say(f"loadsgf {path} 999") == "=\n\n"

    copy = tmp_path / "copy.sgf"
    assert conversation.say(f"printsgf {copy}", "clear_board", f"loadsgf {copy}") == "=\n\n" * 3
    assert [move.vertex for move in conversation.player.game.moves] == ["C3", "D2", "B5", "pass"]

    before = visible_state(conversation.player.game)
    copy.write_text("this is no record")
    for name in (copy, "\x00"):
        assert conversation.say(f"loadsgf {name}").startswith("? cannot load file: ")
    assert visible_state(conversation.player.game) == before


def test_a_record_without_rules_and_komi_keeps_those_in_use(
    conversation: Conversation, tmp_path: Path
) -> None:
    path = tmp_path / "bare.sgf"
    path.write_text("(;GM[1]SZ[9];B[cc])")
    conversation.say("kata-set-rules aga", "komi 2.5", f"loadsgf {path}")

    assert conversation.say("get_komi", "get_rules") == "= 2.5\n\n= aga\n\n"


def test_a_record_is_loaded_as_far_as_asked_or_not_at_all(
    conversation: Conversation, tmp_path: Path
) -> None:
    path = tmp_path / "broken.sgf"
    path.write_text("(;SZ[9];B[ee];W[ee];B[gg];W[cc])")
    conversation.say("boardsize 5", "play b A1")
    before = visible_state(conversation.player.game)

    refusal = "? cannot load file: illegal move white E5: the point is occupied\n\n"
    assert conversation.say(f"loadsgf {path}", f"loadsgf {path} 3") == refusal * 2
    assert visible_state(conversation.player.game) == before
    assert conversation.say(f"loadsgf {path} 2", "color E5") == "=\n\n= black\n\n"

    path.write_text("(;SZ[5]HA[9];W[cc])")
    assert "handicap" in conversation.say(f"loadsgf {path}")
    for move, reason in (("B[zz]", "move 2: B: no playable move"), ("B[gg]W[cc]", "both colors")):
        path.write_text(f"(;SZ[9];B[ee];{move})")
        assert reason in conversation.say(f"loadsgf {path}")
        assert conversation.say(f"loadsgf {path} 2") == "=\n\n"


def test_a_handicap_that_a_record_gives_as_moves_is_placed_once(
    conversation: Conversation, tmp_path: Path
) -> None:
    path = tmp_path / "handicap.sgf"
    path.write_text("(;SZ[9]HA[2]KM[0.5];B[cc];B[gg];W[ee])")

    assert conversation.say(f"loadsgf {path}", "list_stones b") == "=\n\n= C7 G3\n\n"
    assert conversation.player.game.handicap == 2
    assert conversation.say(f"loadsgf {path} 3", "list_stones w") == "=\n\n=\n\n"
    assert conversation.player.game.handicap == 2
    assert conversation.say(f"loadsgf {path} 2", "list_stones b") == "=\n\n= C7\n\n"
    assert conversation.say(f"loadsgf {path} 1", "list_stones b") == "=\n\n=\n\n"


def test_what_is_played_from_a_record_is_a_game_of_its_own(
    conversation: Conversation, tmp_path: Path
) -> None:
    path, copy = tmp_path / "a.sgf", tmp_path / "b.sgf"
    path.write_text("(;SZ[9]KM[6.5]RE[W+R];B[ee];W[cc];B[gg])")
    conversation.say("kata-set-rules japanese", f"loadsgf {path} 2")

    text = conversation.say("printsgf").replace("\n", "")
    assert "RU[japanese]" in text
    assert text.endswith(";B[ee])")
    assert "RE[" not in text
    conversation.say("play w G7", "play b pass", "play w pass", f"printsgf {copy}")
    game = visible_state(conversation.player.game)
    score = conversation.say("final_score")[2:].strip()
    assert f"RE[{score}]" in copy.read_text()
    assert conversation.say("clear_board", f"loadsgf {copy}") == "=\n\n" * 2
    assert visible_state(conversation.player.game) == game


EVERYTHING = (
    "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Chinese]PB[Anna]BR[3d]PW[Bert]WR[2k]DT[2001-02-03]EV[Cup]RO[2]"
    "PC[Oslo]GC[A fine game.]RE[W+R]C[start]LB[cc:A][dd:B];B[ee]TR[ee]C[good];W[cc]SQ[cc]"
    ";AB[gg]AW[gf]AE[cc]C[set up];PL[W];W[ge](;B[cf]MA[aa];W[cd])(;B[df]LB[df:x]))"
)


def told(text: str) -> list[list[tuple[str, list[str]]]]:
    return [
        [(name, node.raw(name)) for name in node.properties if name not in ("AP", "CA")]
        for node in parse_sgf(text).nodes()
    ]


def test_all_that_a_record_says_comes_back(conversation: Conversation, tmp_path: Path) -> None:
    path, copy = tmp_path / "a.sgf", tmp_path / "b.sgf"
    path.write_text(EVERYTHING)

    assert conversation.say(f"loadsgf {path}", f"printsgf {copy}") == "=\n\n" * 2
    assert told(copy.read_text()) == told(EVERYTHING)
    conversation.say("play b A1", f"printsgf {copy}")
    record = parse_sgf(copy.read_text())
    assert (record.info("EV"), record.info("BR"), record.result) == ("Cup", "3d", "")
    assert record.main_line()[-1].move == ("black", (0, 0))


def test_what_was_taken_back_or_not_loaded_is_not_written(
    conversation: Conversation, tmp_path: Path
) -> None:
    path = tmp_path / "a.sgf"
    path.write_text(EVERYTHING)
    for commands in ((f"loadsgf {path} 3",), (f"loadsgf {path}", "undo", "undo", "undo")):
        text = conversation.say(*commands, "printsgf")
        record = parse_sgf(text)
        assert [node.move for node in record.nodes() if node.move] == [
            ("black", (4, 4)),
            ("white", (2, 6)),
        ]
        assert (record.info("EV"), record.result) == ("Cup", "")


def test_a_move_that_stands_beside_stones_is_not_loaded_with_them(
    conversation: Conversation, tmp_path: Path
) -> None:
    path = tmp_path / "a.sgf"
    path.write_text("(;SZ[9]EV[Cup]AB[cc]AW[dd]B[ee];W[gg])")
    text = conversation.say(f"loadsgf {path} 1", "printsgf")

    assert conversation.say("list_stones b", "list_stones w") == "= C7\n\n= D6\n\n"
    assert "EV[Cup]" in text
    assert "B[ee]" not in text


def test_several_games_in_a_file_are_told_of(conversation: Conversation, tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_text("(;SZ[5];B[cc])(;SZ[9])")

    assert conversation.say(f"loadsgf {path}", "query_boardsize") == "=\n\n= 5\n\n"
    assert "the text has 2 games; this is the first" in conversation.errors.getvalue()


def test_devices_are_not_loaded(conversation: Conversation) -> None:
    answer = conversation.say("loadsgf /dev/zero")

    assert answer == "? cannot load file: /dev/zero: a device or a pipe, and no file\n\n"
