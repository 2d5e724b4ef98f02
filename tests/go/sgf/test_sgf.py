"""Game records: reading other people's files, and writing them back."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf

import montego
from montego.go.sgf.record import Record, new_record, parse_sgf, parse_sgf_collection, read_sgf_file
from montego.go.vocabulary.errors import GoError, InvalidKomi, InvalidRules, InvalidSize, SgfError
from montego.go.vocabulary.rules import Rules, parse_rules
from montego.go.vocabulary.vertex import format_vertex

if TYPE_CHECKING:
    from pathlib import Path

GAME = r"""(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[6.5]RU[Japanese]HA[2]PB[Anna]PW[Bert \[3k\]]RE[W+2.5]
AB[cg][gc]PL[W]C[Two stones: a 9x9 game \\ with ] XY[private][values]
;W[ee];B[eg]C[A
comment
](;W[cc]N[main];B[];W[tt])(;W[gg]
;B[fg](;W[gf])(;W[ff]))(;W[cf]))
"""


def moves(record: Record) -> str:
    """The playable moves of the main line in words."""
    found = [node.move for node in record.main_line()]
    return " ".join(f"{move[0][0].upper()}:{format_vertex(move[1])}" for move in found if move)


def content(record: Record) -> list[tuple[int, list[tuple[str, list[str]]]]]:
    """All that a record says, with the shape of its tree."""
    return [
        (len(node.children), [(name, node.raw(name)) for name in node.properties])
        for node in record.nodes()
    ]


def test_a_record_tells_about_the_game() -> None:
    record = parse_sgf(GAME)

    assert record.size == 9
    assert record.komi == 6.5
    assert record.rules_text == "Japanese"
    assert record.rules == parse_rules("japanese")
    assert record.handicap == 2
    assert record.player_names == ("Anna", "Bert [3k]")
    assert record.result == "W+2.5"
    assert record.warnings == []
    assert moves(record) == "W:E5 B:E3 W:C7 B:pass W:pass"


def test_a_bare_record_has_the_defaults() -> None:
    record = parse_sgf("(;)")

    assert record.size == 19
    assert record.komi is None
    assert record.rules is None
    assert (record.rules_text, record.result, record.player_names) == ("", "", ("", ""))
    assert record.handicap == 0
    assert record.warnings == []
    assert record.root.move is None
    assert record.root.setup == (set(), set(), set())
    assert record.root.to_play is None
    assert record.root.comment == ""


def test_nodes_know_their_neighbors() -> None:
    root = parse_sgf(GAME).root
    branch = root.children[0].children[0]

    assert root.parent is None
    assert [len(branch.children), len(branch.children[1].children[0].children)] == [3, 2]
    assert branch.parent == root.children[0]
    assert branch.parent != root
    assert len({branch, root.children[0].children[0]}) == 1
    assert branch.comment == "A\ncomment\n"
    assert repr(branch.children[0]) == "<Node N[main] W[cc]>"
    assert branch.children[0].properties == ["N", "W"]


def test_a_root_has_set_up_stones_and_a_player() -> None:
    root = parse_sgf(GAME).root

    assert root.setup == ({(2, 2), (6, 6)}, set(), set())
    assert root.to_play == "white"
    assert root.comment == "Two stones: a 9x9 game \\ with "
    assert root.raw("XY") == ["private", "values"]


def test_what_is_read_is_written_back() -> None:
    record = parse_sgf(GAME)
    again = parse_sgf(record.to_sgf())

    assert content(again) == content(record)
    assert again.to_sgf() == record.to_sgf()


def test_good_records_read_as_the_library_below_reads_them() -> None:
    def walk(node: Any) -> list[Any]:
        return [dict(node.get_raw_property_map()), *(walk(child) for child in node)]

    assert walk(parse_sgf(GAME)._game.root) == walk(sgf.Sgf_game.from_string(GAME).root)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(;SZ[9];B[ai];W[ia])", "B:A1 W:J9"),
        ("(;SZ[9];B[tt];W[])", "B:pass W:pass"),
        ("(;SZ[19];B[tt];W[])", "B:pass W:pass"),
        ("(;SZ[21];B[tt];W[])", "B:U2 W:pass"),
        ("(;B[R16];W[d4];B[Pass];W[PASS])", "B:R16 W:D4 B:pass W:pass"),
        ("(;B[ dd ];W[\n])", "B:D16 W:pass"),
        ("(;b[dd];w[pp])", "B:D16 W:Q4"),
        ("(;GaMe[1]SiZe[9];Black[ee]Comment[x];White[cc])", "B:E5 W:C7"),
        ("(;SZ[9:9];B[ee])", "B:E5"),
        ("(;SZ[ 9 ];B[ee])", "B:E5"),
        ("(;;SZ[9];B[ee])", "B:E5"),
        ("(;B[ee]SZ[9])", "B:E5"),
        ("(;SZ[];B[dd])", "B:D16"),
        ("(;GM[];B[dd])", "B:D16"),
        ("Dear friend (see below),\n( ;B[dd]) bye (", "B:D16"),
        ("\ufeff(;B[dd])", "B:D16"),
        ("(;B[dd]\0;\0W[pp]\0)", "B:D16 W:Q4"),
        ("(;C[a\\]b\\\\];B[dd])", "B:D16"),
        ("(;B[dd](;W[pp])(;W[dp]))", "B:D16 W:Q4"),
        ("(;KGSDE[aa]X1[bb]b3XY[cc];B[dd])", "B:D16"),
    ],
)
def test_ways_to_write_moves(text: str, expected: str) -> None:
    record = parse_sgf(text)

    assert record.warnings == []
    assert moves(record) == expected
    assert moves(parse_sgf(record.to_sgf())) == expected


@pytest.mark.parametrize(
    ("text", "expected", "warning"),
    [
        (
            "(;SZ[9];B[ee];\nW[rs];B[cc])",
            "B:E5 B:C7",
            "line 2, column 1: W: no playable move: rs: ",
        ),
        ("(;SZ[9];B[K3])", "", "line 1, column 9: B: no playable move: K3: off the 9x9 board"),
        ("(;B[AA])", "", "line 1, column 3: B: no playable move: AA: off the 19x19 board"),
        ("(;B[I3])", "", "line 1, column 3: B: no playable move: I3: the letter I is not used"),
        ("(;B[?])", "", "line 1, column 3: B: no playable move: ?: not a vertex"),
        ("(;B[dd][pp])", "B:D16", "line 1, column 3: B: several moves in one node"),
        ("(;B[dd]B[pp])", "B:D16", "line 1, column 3: B: several moves in one node"),
        ("(;B[dd]W[pp])", "B:D16", "line 1, column 8: W: moves of both colors in one node"),
        ("(;PL[green])", "", "line 1, column 3: PL: 'green' is no color"),
        ("(;RU[GOE])", "", "line 1, column 3: RU: unknown rules 'GOE'"),
        ("(;KM[six])", "", "line 1, column 3: KM: invalid komi 'six'"),
        ("(;HA[many])", "", "line 1, column 3: HA: invalid handicap 'many'"),
        (
            "(;B[dd];W[pp]",
            "B:D16 W:Q4",
            "line 1, column 14: the text ends early; supplied 1 closing",
        ),
        ("(;B[dd]\n(;W[pp]\n", "B:D16 W:Q4", "line 3, column 1: the text ends early; supplied 2"),
        ("(;B[dd](;W[pp])();", "B:D16 W:Q4", "line 1, column 17: left out an empty variation"),
        (
            "(;B[dd](;W[pp]);W[dp];B[pp])",
            "B:D16 W:Q4",
            "line 1, column 16: read as the beginning of a variation",
        ),
    ],
)
def test_what_cannot_be_used_is_kept_and_told(text: str, expected: str, warning: str) -> None:
    record = parse_sgf(text)

    assert record.warnings[0].startswith(warning)
    assert moves(record) == expected
    assert content(parse_sgf(record.to_sgf())) == content(record)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no game record found: one begins with (;"),
        ("   \n", "no game record found: one begins with (;"),
        ("games/mine.sgf", "no game record found: one begins with (;"),
        ("()", "no game record found: one begins with (;"),
        (b"\x00\xff\x89PNG\r\n", "no game record found: one begins with (;"),
        ("(;B[dd", "line 1, column 4: the value that begins here never ends; is the text cut off?"),
        (
            "(;C[a]\n;C[b\\]",
            "line 2, column 3: the value that begins here never ends; is the text cut off?",
        ),
        ("(;B", "line 1, column 3: the property B has no value; is the text cut off?"),
        ("(;B;W[dd])", "line 1, column 3: the property B has no value"),
        ("(;C[hello [9k] hi)", "line 1, column 16: the property hi has no value"),
        ("(;[dd])", "line 1, column 3: a value without the name of a property before it"),
        ("(;B[dd]\r\n!)", "line 2, column 1: unexpected '!'"),
        ("(;B[dd]])", "line 1, column 8: unexpected ']'"),
        ("(;B[dd](W[pp]))", "line 1, column 9: the property W stands outside a node"),
        ("(;B[dd]((;W[pp])))", "line 1, column 9: a variation that does not begin with a node"),
        ("(;GM[3]SZ[8])", "line 1, column 3: GM[3]: not a record of Go, which is GM[1]"),
        ("(;GM[chess])", "line 1, column 3: GM[chess]: not a record of Go, which is GM[1]"),
        ("(;SZ[9:13])", "line 1, column 3: SZ[9:13]: only square boards can be played on"),
        ("(;SZ[nine])", "line 1, column 3: SZ[nine]: not a board size"),
        ("(;SZ[-9])", "line 1, column 3: SZ[-9]: not a board size"),
        ("(;SZ[1])", "line 1, column 3: SZ[1]: boards have from 2x2 to 25x25 points"),
        ("(;\n SZ[26])", "line 2, column 2: SZ[26]: boards have from 2x2 to 25x25 points"),
        (None, "a game record is text or bytes, not NoneType"),
        (9, "a game record is text or bytes, not int"),
    ],
)
def test_broken_records_are_refused_with_the_place(text: Any, message: str) -> None:
    with pytest.raises(SgfError) as error:
        parse_sgf(text)

    assert str(error.value).startswith(message)
    with pytest.raises(SgfError):
        parse_sgf_collection(text)


@pytest.mark.parametrize(
    ("text", "komi"),
    [
        ("", None),
        ("  ", None),
        ("6.5", 6.5),
        ("6,5", 6.5),
        ("7", 7.0),
        ("0", 0.0),
        ("-5.5", -5.5),
        ("+5.5", 5.5),
        ("7.50", 7.5),
        ("6.5 points", 6.5),
        ("3.75", 7.5),
        ("2.75", 5.5),
        ("375", 7.5),
        ("275", 5.5),
        ("650", 6.5),
        ("550", 5.5),
        ("0.5", 0.5),
        ("3 3/4", 7.5),
        ("3又3/4子", 7.5),
        ("2 and 3/4", 5.5),
        ("3¾", 7.5),
        ("6½", 6.5),
        ("-5 1/2", -5.5),
        ("1/2", 0.5),
        ("13/2", 6.5),
        ("7.5 (reverse 0.5)", 7.5),
        ("3 3", None),
        ("3/0", None),
        ("6.5/7.5", None),
        ("half", None),
        ("nan", None),
        ("99999999", None),
    ],
)
def test_komi_is_understood_as_people_write_it(text: str, komi: float | None) -> None:
    record = parse_sgf(f"(;KM[{text}])")

    assert record.komi == komi
    assert record.root.raw("KM") == [text]
    assert bool(record.warnings) == (komi is None and bool(text.strip()))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Japanese", "japanese"),
        ("japanese rules", "japanese"),
        ("Chinese Rule", "chinese"),
        ("AGA", "aga"),
        ("NZ", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("tromp-taylor", "tromp-taylor"),
        ("中国规则", "chinese"),
        ("日本ルール", "japanese"),
        ("한국", "korean"),
        ("koPOSITIONALscoreAREAtaxNONEsui1whb0fpok0", "tromp-taylor"),
    ],
)
def test_rules_are_understood_as_files_name_them(text: str, name: str) -> None:
    record = parse_sgf(f"(;RU[{text}])")

    assert record.rules == parse_rules(name)
    assert record.warnings == []


@pytest.mark.parametrize("text", ["GOE", "Ing", "中国 or 日本", "koSIMPLE", "Rules"])
def test_unknown_rules_are_told(text: str) -> None:
    record = parse_sgf(f"(;RU[{text}])")

    assert record.rules is None
    assert record.rules_text == text
    assert record.warnings == [f"line 1, column 3: RU: unknown rules {text!r}"]


def test_set_up_understands_rectangles_and_vertices_and_leaves_out_what_is_off_the_board() -> None:
    record = parse_sgf("(;SZ[9]AB[aa:cb][ee]AW[D4][ib:ia]AE[jj][aa:zz][tt][a:b:c][])")
    black, white, empty = record.root.setup

    assert sorted(map(format_vertex, black)) == ["A8", "A9", "B8", "B9", "C8", "C9", "E5"]
    assert sorted(map(format_vertex, white)) == ["D4", "J8", "J9"]
    assert empty == set()
    assert [warning.split("AE: ")[1] for warning in record.warnings] == [
        "'jj' is no point of the 9x9 board",
        "'aa:zz' is no point of the 9x9 board",
        "'tt' is no point of the 9x9 board",
        "'a:b:c' is no point of the 9x9 board",
    ]


def test_a_point_set_up_twice_has_the_first_color() -> None:
    assert parse_sgf("(;SZ[9]AB[aa]AW[aa][bb]AE[aa][bb][cc])").root.setup == (
        {(0, 8)},
        {(1, 7)},
        {(2, 6)},
    )


def test_a_collection_has_all_games_each_with_its_own_warnings() -> None:
    text = "one (;SZ[9];B[ee]) two (;SZ[13];B[zz]) three (;GM[1]SZ[19]) and out"
    records = parse_sgf_collection(text)

    assert [record.size for record in records] == [9, 13, 19]
    assert [len(record.warnings) for record in records] == [0, 1, 0]
    assert parse_sgf(text).size == 9


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("(;C[hello [9k] hi];B[dd])", "hello [9k] hi"),
        ("(;C[:]];B[dd])", ":]"),
        ("(;C[see [a], [b] and [c].]\n;B[dd])", "see [a], [b] and [c]."),
        ("(;C[a [b] c](;B[dd])(;B[ee]))", "a [b] c"),
        ("(;C[a [b] c]LB[dd:x];B[dd])", "a [b] c"),
        ("(;C[ok :] (see [x])];B[dd])", "ok :] (see [x])"),
        ("(;C[a] b\\] c];B[dd])", "a] b] c"),
        ("(;C[[b] c]PB[Anna [3k]];B[dd])", "[b] c"),
    ],
)
def test_brackets_that_were_not_escaped_are_read_as_they_were_meant(
    text: str, comment: str
) -> None:
    record = parse_sgf(text)

    assert record.root.comment == comment
    assert [node.move for node in record.main_line()][1:] == [("black", (3, 15))]
    assert "a ] in this text is not escaped" in record.warnings[0]
    again = parse_sgf(record.to_sgf())
    assert (content(again), again.warnings) == (content(record), [])


@pytest.mark.parametrize(
    "text",
    ["(;C[x];B[dd])", "(;C[see [a];B[dd])", "(;C[a][b];B[dd])", "(;C[x]LB[dd:a]b[dd])"],
)
def test_where_a_text_may_end_it_ends(text: str) -> None:
    assert parse_sgf(text).warnings == []


def test_a_broken_second_game_does_not_spoil_the_first() -> None:
    assert parse_sgf("(;SZ[9])(;B[").size == 9
    with pytest.raises(SgfError, match="line 1, column 12: the value"):
        parse_sgf_collection("(;SZ[9])(;B[")


CHINESE, JAPANESE, KOREAN, FRENCH = (
    "柯洁 黑 中盘胜",
    "本因坊 秀策 ソ表",
    "이창호 국수",
    "Gérard Müller",
)


@pytest.mark.parametrize(
    ("name", "written", "declared"),
    [
        (CHINESE, "utf-8", "UTF-8"),
        (CHINESE, "utf-8", "utf8"),
        (CHINESE, "utf-8", None),
        (CHINESE, "utf-8", "gb2312"),
        (CHINESE, "utf-8", "no such set"),
        (CHINESE, "utf-8-sig", None),
        (CHINESE, "utf-8-sig", "gb2312"),
        (CHINESE, "utf-16", None),
        (CHINESE, "gb18030", "GB18030"),
        (CHINESE, "gb18030", "gb2312"),
        (CHINESE, "gb18030", "x-gbk"),
        (CHINESE, "gb18030", "UTF-8"),
        (CHINESE, "gb18030", "ISO-8859-1"),
        (CHINESE, "gb18030", None),
        ("許功蓋", "big5", "Big5"),
        (JAPANESE, "shift_jis", "Shift_JIS"),
        (JAPANESE, "shift_jis", "SJIS"),
        (JAPANESE, "shift_jis", None),
        (JAPANESE, "shift_jis", "UTF-8"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (JAPANESE, "utf-8", "Shift_JIS"),
        (KOREAN, "cp949", "EUC-KR"),
        (KOREAN, "utf-8", "euc-kr"),
        (FRENCH, "latin-1", "ISO-8859-1"),
        (FRENCH, "cp1252", "windows-1252"),
        (FRENCH, "latin-1", None),
        (FRENCH, "latin-1", "UTF-8"),
        (FRENCH, "utf-8", "ISO-8859-1"),
        (FRENCH, "utf-8", None),
        ("plain", "ascii", "rot13"),
        ("plain", "ascii", "utf-16"),
        ("plain", "ascii", "hex"),
    ],
)
def test_character_sets(name: str, written: str, declared: str | None) -> None:
    charset = "" if declared is None else f"CA[{declared}]"
    record = parse_sgf(f"(;SZ[9]{charset}PB[{name}];B[ee])".encode(written))

    assert record.player_names[0] == name
    assert moves(record) == "B:E5"
    assert record.root.text("CA") == "UTF-8"
    assert parse_sgf(record.to_sgf().encode()).player_names[0] == name


def test_a_guessed_character_set_is_told() -> None:
    record = parse_sgf(f"(;PB[{CHINESE}])".encode("gb18030"))

    assert record.warnings == ["no valid character set is declared: read as gb18030"]


def test_bytes_of_no_character_are_told() -> None:
    record = parse_sgf("(;CA[UTF-8]\nPB[柯洁 ".encode() + b"\xff])")

    assert record.player_names[0] == "柯洁 \ufffd"
    assert record.warnings == ["line 2, column 7: bytes that are not utf-8 are shown as \ufffd"]


def test_half_a_surrogate_pair_does_not_break_anything() -> None:
    assert parse_sgf("(;C[\ud800])").root.comment == "?"


def test_moves_are_added_once() -> None:
    record = new_record(9)
    first = record.root.add_move("black", (4, 4))
    second = first.add_move("white", None)

    assert record.root.add_move("black", (4, 4)) == first
    assert first.add_move("white", None) == second
    assert first.add_move("white", (2, 2)) != second
    assert first.add_move("black", None) != second
    assert len(first.children) == 3
    assert moves(record) == "B:E5 W:pass"
    assert moves(parse_sgf(record.to_sgf())) == "B:E5 W:pass"


def test_existing_moves_are_found_however_they_are_written() -> None:
    root = parse_sgf("(;SZ[9](;B[E5])(;B[tt]))").root

    assert root.add_move("black", (4, 4)) == root.children[0]
    assert root.add_move("black", None) == root.children[1]


def test_nodes_are_edited() -> None:
    record = new_record(9)
    node = record.root.add_node()
    node.setup = {(0, 0), (1, 0)}, [(4, 4)], ()
    node.to_play = "white"
    node.comment = "a [bracket] and a \\\nnew line"
    again = parse_sgf(record.to_sgf()).root.children[0]

    assert again.setup == ({(0, 0), (1, 0)}, {(4, 4)}, set())
    assert again.to_play == "white"
    assert again.comment == node.comment == "a [bracket] and a \\\nnew line"

    node.setup = (), (), ()
    node.to_play = None
    node.comment = ""
    assert node.properties == []


@pytest.mark.parametrize(("name", "value"), [("c", "x"), ("", "x"), ("C", "]"), ("SZ", "13")])
def test_impossible_properties_are_refused(name: str, value: str) -> None:
    root = new_record(9).root
    with pytest.raises(SgfError, match="cannot set the property"):
        root.set_raw(name, [value])

    assert root.raw("SZ") == ["9"]


def test_a_new_record_says_how_it_was_made() -> None:
    record = new_record(
        13, komi=7.5, rules="Chinese", handicap=3, player_names=("Anna", "Montego [bot]")
    )

    assert record.to_sgf().replace("\n", "") == (
        f"(;FF[4]AP[Montego:{montego.__version__}]CA[UTF-8]GM[1]HA[3]KM[7.5]PB[Anna]"
        "PW[Montego [bot\\]]RU[chinese]SZ[13])"
    )
    again = parse_sgf(record.to_sgf())
    assert (again.size, again.komi, again.handicap) == (13, 7.5, 3)
    assert again.rules == parse_rules("chinese")
    assert again.player_names == ("Anna", "Montego [bot]")


@pytest.mark.parametrize("komi", [0, -3.5, 3.75, 150, 7, 6.25])
def test_our_own_komi_means_what_it_says(komi: float) -> None:
    assert parse_sgf(new_record(9, komi=komi).to_sgf()).komi == komi


def test_custom_rules_survive() -> None:
    rules = Rules(ko="situational", tax="seki", dead_removal=False, komi=0)

    assert parse_sgf(new_record(9, rules=rules).to_sgf()).rules == rules


def test_bad_new_records_are_refused() -> None:
    with pytest.raises(InvalidSize):
        new_record(1)
    with pytest.raises(InvalidKomi):
        new_record(9, komi=float("nan"))
    with pytest.raises(InvalidRules):
        new_record(9, rules="ing")


def test_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(GAME.encode())

    assert content(read_sgf_file(path)) == content(parse_sgf(GAME))
    assert content(read_sgf_file(str(path))) == content(parse_sgf(GAME))


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.sgf"
    broken.write_text("(;B[dd]\n;W[", encoding="utf-8")
    faults = {
        broken: "line 2, column 3: the value that begins here never ends; is the text cut off?",
        tmp_path / "missing.sgf": "No such file or directory",
        tmp_path: "Is a directory",
        tmp_path / "a\0b.sgf": "",
    }
    for path, fault in faults.items():
        with pytest.raises(SgfError) as error:
            read_sgf_file(path)
        assert str(error.value).startswith(f"{path}: {fault}")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_devices_and_pipes_are_refused_unread(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.sgf"
    os.mkfifo(pipe)
    for path in ("/dev/zero", pipe):
        with pytest.raises(SgfError, match=f"{path}: a device or a pipe, and no file"):
            read_sgf_file(path)


def test_files_that_never_end_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "endless.sgf"
    with path.open("wb") as file:
        file.truncate(100 * 2**30)

    with pytest.raises(SgfError, match="larger than 64 MB"):
        read_sgf_file(path)


def test_games_without_end_are_refused() -> None:
    with pytest.raises(SgfError, match="the game has more than 250000 nodes"):
        parse_sgf("(" + ";" * 250_001 + ")")


def test_many_rectangles_are_one_set_of_points() -> None:
    rectangles = "[aa:sr]" * 20_000
    root = parse_sgf(f"(;AB{rectangles}AW[ss])").root

    assert [len(points) for points in root.setup] == [19 * 18, 1, 0]


def test_long_and_deep_records_need_no_stack() -> None:
    long = "(" + ";B[dd];W[pp]" * 20_000 + ")"
    deep = "(;B[dd]" * 5_000 + ")" * 5_000

    assert len(parse_sgf(long).main_line()) == 40_000
    record = parse_sgf(deep)
    assert len(record.main_line()) == 5_000
    assert len(parse_sgf(record.to_sgf()).main_line()) == 5_000


def examine(data: str | bytes) -> None:
    """Read and use everything: either a record or an SgfError, and nothing lost on the way."""
    try:
        records = parse_sgf_collection(data)
    except SgfError as error:
        assert len(str(error)) < 300  # noqa: PT017
        return
    for record in records:
        assert content(parse_sgf(record.to_sgf())) == content(record)
        assert record.rules is None or isinstance(record.rules, Rules)
        assert (record.komi or 0) <= 1000
        for node in record.nodes():
            points = set().union(*node.setup)
            assert all(0 <= line < record.size for point in points for line in point)
            assert node.comment is not None


PIECES = ["(", ";", ")", "[", "]", "\\", "B[aa]", "W[tt]", "AB[aa:bb]", "SZ[5]", "KM[6,5]", "C[x:]"]
PIECES += [
    "RU[aga]",
    "HA[2]",
    "CA[gbk]",
    "PL[W]",
    "(;",
    "Foo[",
    "\n",
    "[]",
    ":",
    "é",
    "\0",
    "\ud800",
]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@settings(max_examples=1000)
def test_any_pieces_are_a_record_or_refused(text: str) -> None:
    examine("(;" + text)


@given(st.text() | st.binary())
@settings(max_examples=1000)
def test_anything_is_a_record_or_refused(data: str | bytes) -> None:
    examine(data)
    examine(b"(;C[" + data + b"])" if isinstance(data, bytes) else f"(;C[{data}])")


@given(st.data())
@settings(max_examples=1000)
def test_a_damaged_record_is_a_record_or_refused(data: st.DataObject) -> None:
    text = bytearray(GAME.replace("Anna", CHINESE).encode("gb18030"))
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 4))
        text[start:end] = data.draw(st.binary(max_size=3) | st.sampled_from([b"(;", b")", b"]"]))
    examine(bytes(text))


@given(st.integers(0, len(GAME)))
def test_a_cut_record_is_a_record_or_refused(length: int) -> None:
    examine(GAME[:length])


@given(st.text())
def test_comments_survive_but_for_kinds_of_blanks(comment: str) -> None:
    record = new_record(9)
    record.root.comment = comment
    expected = comment.encode("utf-8", "replace").decode()
    for blank in "\t\f\v":
        expected = expected.replace(blank, " ")

    if not {"\r", "\n"} & set(expected):
        assert parse_sgf(record.to_sgf()).root.comment == expected


def test_every_error_is_an_error_of_go() -> None:
    assert issubclass(SgfError, GoError)
    assert issubclass(GoError, ValueError)
