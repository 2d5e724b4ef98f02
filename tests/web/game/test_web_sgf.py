"""Records in and out: everything comes back, and what cannot be read is told in a sentence."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from montego.go.sgf.record import parse_sgf
from montego.web.game.marks import marked
from montego.web.game.sgf_exchange import read_game
from montego.web.game.tree import GameTree, SavedGame
from montego.web.messages.requests import (
    ClearMarks,
    Configure,
    DrawMark,
    NewGame,
    Play,
    Redo,
    Request,
    Resign,
    SetComment,
    SetHead,
    Undo,
)
from montego.web.session.session import Session
from web_fakes import make_session

VERTICES = [f"{column}{row}" for column in "ABCD" for row in (1, 2, 3, 4)]
COMMENTS = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), whitelist_characters="\n"), max_size=12
)
STEPS = st.one_of(
    st.builds(Play, node=st.just(0), move=st.sampled_from([*VERTICES, "pass"])),
    st.builds(Undo),
    st.builds(SetHead, node=st.integers(0, 9)),
    st.builds(SetComment, node=st.integers(0, 9), text=COMMENTS),
)


def opened(data: bytes, name: str = "") -> Session:
    return Session(read_game(data, name))


def picture(session: Session) -> list[object]:
    """Return the tree by moves and comments, whatever the numbers; the line followed first."""
    saved = session.saved()
    tree = GameTree(saved.nodes, saved.next_id)

    def under(number: int) -> list[object]:
        node = tree[number]
        children = sorted(tree.children(number), key=lambda child: child.id != node.followed)
        return [node.color, node.move, node.comment.strip(), *(under(c.id) for c in children)]

    return under(0)


def undated(text: str) -> str:
    return re.sub(r"DT\[[^]]*\]", "", text).replace("\n", "")


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=80)
@given(
    st.lists(STEPS, max_size=25),
    st.sampled_from(["chinese", "japanese", "aga", "tromp-taylor", "new-zealand"]),
    st.sampled_from([0, 2, 4]),
    st.floats(-20, 20).map(lambda komi: round(komi * 2) / 2),
)
def test_round_trip(steps: list[Request], rules: str, handicap: int, komi: float) -> None:
    session = make_session(
        NewGame(size=4, white="human", rules=rules, handicap=handicap, komi=komi, mode="analysis")
    )
    for step in steps:
        request = step
        if isinstance(step, Play):
            request = Play(node=session.game.head, move=step.move)
        try:
            session.handle(request)
        except ValueError:
            continue
    text = session.to_sgf()
    again = opened(text.encode())
    assert again.saved().agreement == session.saved().agreement
    assert picture(again) == picture(session)
    assert again.state().notice == ""
    assert undated(again.to_sgf()) == undated(text)


def test_names_and_results_come_back() -> None:
    session = make_session(NewGame(size=5, white="human"))
    session.handle(Play(node=0, move="C3"))
    session.handle(Resign())
    again = opened(session.to_sgf().encode())
    state = again.state()
    assert state.result == "Black wins: White resigned"
    assert (state.phase, state.mode, state.head) == ("over", "analysis", 1)
    assert state.names == ("Black", "White")
    assert "RE[B+R]" in again.to_sgf()


def test_a_game_taken_up_again_has_no_result_in_its_record() -> None:
    session = make_session(NewGame(size=5, white="human"))
    for node, move in enumerate(["C3", "B2", "D4"]):
        session.handle(Play(node=node, move=move))
    session.handle(Resign())
    session.handle(SetHead(node=2))
    session.handle(Play(node=2, move="D2"))
    assert session.state().phase == "playing"
    assert "RE[" not in session.to_sgf()
    assert opened(session.to_sgf().encode()).state().result is None


def test_undo_leaves_the_result_of_a_record_alone() -> None:
    session = opened(b"(;SZ[5]RE[W+R];B[cc];W[bb])")
    assert session.state().phase == "over"
    session.handle(Undo())
    assert session.state().head == 1
    session.handle(Redo())
    state = session.state()
    assert (state.head, state.phase) == (2, "over")
    assert "RE[W+R]" in session.to_sgf()


def test_variations_and_comments_are_kept() -> None:
    data = b"(;SZ[5]C[start]PB[Ann]PW[Bob](;B[aa]C[one];W[bb])(;B[cc];C[only a word];W[dd]))"
    session = opened(data, "file")
    assert picture(session) == [
        None,
        None,
        "start",
        ["black", "A5", "one", ["white", "B4", ""]],
        ["black", "C3", "only a word", ["white", "D2", ""]],
    ]
    state = session.state()
    assert state.head == 2
    assert state.names == ("Ann", "Bob")
    assert state.name == "file"


def test_stones_at_the_beginning() -> None:
    session = opened(b"(;SZ[5]AB[aa][bb]AW[cc]PL[W];W[dd])")
    state = session.state()
    assert state.handicap == 0
    assert state.position.cells == "X....|.X...|..O..|...O.|.....".replace("|", "")
    again = opened(session.to_sgf().encode())
    assert again.state().position.cells == state.position.cells
    assert again.saved().agreement == session.saved().agreement


def test_stones_set_up_in_the_second_node_are_the_beginning() -> None:
    session = opened(b"(;SZ[5]PB[Ann]C[a];AB[aa]AW[cc]C[b];B[dd])")
    state = session.state()
    assert state.tree[0].comment == "a\nb"
    assert len(state.tree) == 2
    assert state.position.cells.count("X") == 2


@pytest.mark.parametrize(
    ("data", "handicap", "stones", "komi"),
    [
        (b"(;SZ[9]HA[2]AB[gc][cg]KM[0.5];W[ee])", 2, 2, 0.5),
        (b"(;SZ[9]HA[3];W[ee])", 3, 3, 0.5),
        (b"(;SZ[9]HA[2]KM[0.5];B[gc];B[cg];W[ee])", 0, 2, 0.5),
        (b"(;SZ[9];B[ee])", 0, 1, 7.5),
        (b"(;SZ[9]RU[Japanese];B[ee])", 0, 1, 6.5),
    ],
)
def test_handicap_and_komi(data: bytes, handicap: int, stones: int, komi: float) -> None:
    state = opened(data).state()
    assert (state.handicap, state.komi) == (handicap, komi)
    assert state.position.cells.count("X") == stones


def test_white_may_begin() -> None:
    session = opened(b"(;SZ[9];W[ee];B[cc])")
    assert session.saved().agreement.first == "white"
    assert session.state().notice == ""
    assert opened(session.to_sgf().encode()).state().position.cells.count("O") == 1


@pytest.mark.parametrize(
    ("data", "moves", "notice"),
    [
        (b"(;SZ[5];B[aa];W[aa];B[bb])", 1, "White cannot play A5: there is a stone already"),
        (b"(;SZ[5];B[aa];W[zz];B[bb])", 1, "not on the board"),
        (b"(;SZ[5];B[aa];AB[cc]AW[bc][dc][cb][cd];B[bb])", 1, "the chain at C3 has no liberty"),
        (b"(;SZ[5];B[aa];W[bb]", 2, "supplied 1 closing"),
    ],
)
def test_what_cannot_be_played_is_cut_with_a_notice(data: bytes, moves: int, notice: str) -> None:
    state = opened(data).state()
    assert len(state.tree) == moves + 1
    assert notice in state.notice
    assert state.notice.startswith("The record was mended: ")


def test_other_lines_go_on_when_one_is_cut() -> None:
    session = opened(b"(;SZ[5];B[aa](;W[aa];B[bb])(;W[cc];B[dd]))")
    assert [node.move for node in session.state().tree] == [None, "A5", "C3", "D2"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"hello", "no game record found"),
        (b"(;GM[2])", "not a record of Go"),
        (b"(;SZ[99])", "boards have from"),
        (b"(;SZ[5]B[aa", "never ends"),
        (b"\xff\xfe\x00", "no game record found"),
        (b"(;SZ[2]AB[aa][ab][ba][bb])", "cannot be"),
    ],
)
def test_bad_files_are_told_in_a_sentence(data: bytes, fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)):
        opened(data)


def test_play_goes_on_after_two_passes_in_a_record() -> None:
    state = opened(b"(;SZ[5];B[];W[];B[aa];W[bb])").state()
    assert len(state.tree) == 5
    assert state.notice == ""


def test_long_games_are_no_problem() -> None:
    moves = "".join(f";{color}[]" for _ in range(600) for color in "BW")
    session = opened(f"(;SZ[9]{moves})".encode())
    assert len(session.state().tree) == 1201
    assert len(re.findall(r"[BW]\[\]", session.to_sgf())) == 1200


def test_a_record_can_be_played_on_as_a_game() -> None:
    session = opened(b"(;SZ[5];B[cc];W[bb])")
    session.handle(Configure(mode="game"))
    session.handle(Play(node=2, move="A1"))
    assert session.state().head == 3


def test_other_games_have_no_records() -> None:
    session = make_session(NewGame(kind="tic-tac-toe", white="human"))
    with pytest.raises(ValueError, match="only games of Go"):
        session.to_sgf()


EVERYTHING = (
    "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Chinese]PB[Anna]BR[3d]PW[Bert]WR[2k]DT[2001-02-03]EV[Cup]RO[2]"
    "PC[Oslo]GC[A fine game.]RE[W+Resign]TM[600]SO[here]US[me]AN[you]CP[free]ON[star]OT[5x30]"
    "BT[A]WT[B]GN[First]ST[2]XY[own]X1[two]C[start]LB[cc:A][dd:B]"
    ";B[ee]TR[ee]BL[590.5]BM[1]C[good];W[cc]SQ[cc]MA[dd]CR[gg]AR[aa:bb]LN[cc:dd]DD[aa]TB[hh]"
    ";AB[gg]AE[cc]AW[gf]C[set up];PL[W];W[ge]N[node]VW[aa:ii]FG[1:x]PM[1]HO[1]"
    "(;B[cf]GB[1];W[cd];MA[cd]C[end])(;B[df]LB[df:x];AE[ee]PL[B];B[ee]))"
)


def told(text: str) -> list[list[tuple[str, list[str]]]]:
    """All that the nodes of a record say, in order, but for what is the same in all of them."""
    return [
        [(name, node.raw(name)) for name in node.properties if name not in ("CA", "FF", "GM")]
        for node in parse_sgf(text).nodes()
    ]


@pytest.mark.parametrize(
    "text",
    [
        EVERYTHING,
        "(;SZ[9]KM[6.5]RU[Chinese]PL[B];B[ee])",
        "(;SZ[9]KM[6.5]RU[Chinese]PL[W];W[ee])",
        "(;SZ[9]KM[3 3/4]RU[chinese]RE[Void];B[ee];PL[B];B[cc])",
        "(;SZ[9]KM[375]AP[Foo:1]RU[chinese]RE[who knows \\]];B[ee];W[];B[])",
        "(;SZ[9]KM[0]RU[Japanese]AW[cc]PL[B];B[ee];AB[aa])",
    ],
)
def test_everything_in_a_record_survives(text: str) -> None:
    session = opened(text.encode())

    assert session.state().notice == ""
    assert told(session.to_sgf()) == told(text)
    kept = msgspec.json.decode(msgspec.json.encode(session.saved()), type=SavedGame)
    assert told(Session(kept).to_sgf()) == told(text)


def test_stones_set_up_in_mid_game_are_on_the_board() -> None:
    session = opened(EVERYTHING.encode())
    tree = session.state().tree
    cells = {node.id: session.game.position(node.id).cells for node in tree}

    assert [node.move for node in tree[:6]] == [None, "E5", "C7", None, None, "G5"]
    assert [node.number for node in tree[:6]] == [0, 1, 2, 2, 2, 3]
    assert (cells[2].count("X"), cells[2].count("O")) == (1, 1)
    assert (cells[3].count("X"), cells[3].count("O")) == (2, 1)
    session.handle(SetHead(node=4))
    assert session.state().position.to_play == "white"
    session.handle(Play(node=4, move="A1"))
    assert session.state().tree[-1].number == 3


def test_a_renamed_record_says_so_and_others_are_given_no_name() -> None:
    session = opened(b"(;SZ[9]PB[Ann];B[ee])")
    assert "GN[" not in session.to_sgf()
    assert "DT[" not in session.to_sgf()
    session.handle(Configure(name="Lesson"))
    assert "GN[Lesson]" in session.to_sgf()


@pytest.mark.parametrize(
    ("data", "given", "name"),
    [
        (b"(;GN[x.sgf])", "", "x"),
        (b"(;GN[x])", "lesson.SGF", "lesson"),
        (b"(;GN[.sgf])", "", ".sgf"),
    ],
)
def test_games_are_not_called_as_files(data: bytes, given: str, name: str) -> None:
    assert opened(data, given).state().name == name


def test_other_games_of_a_file_are_told_of() -> None:
    assert opened(b"(;SZ[9])(;SZ[5])").state().notice == "This is the first of 2 games in the file."
    both = opened(b"(;SZ[9];B[zz])(;SZ[5])").state().notice
    assert both.startswith("This is the first of 2 games in the file. The record was mended: ")


def test_a_count_that_nobody_agreed_on_is_no_result() -> None:
    session = opened(b"(;SZ[5];B[cc];W[aa];B[];W[])")
    assert session.state().phase == "counting"
    assert "RE[" not in session.to_sgf()
    session.handle(Configure(mode="game"))
    assert "RE[" not in session.to_sgf()


def test_what_is_drawn_on_the_board_is_read_changed_and_written() -> None:
    session = opened(b"(;SZ[9]CR[aa];B[ee]TR[ee]LB[cc:A][dd:12]MA[ga:hb];W[cc])")
    nodes = session.state().tree

    assert nodes[0].marks == {"A9": "circle"}
    assert nodes[1].marks == {
        "E5": "triangle", "C7": "A", "D6": "12",
        "G9": "cross", "H9": "cross", "G8": "cross", "H8": "cross",
    }  # fmt: skip
    session.handle(DrawMark(node=1, vertex="e5", tool="square"))
    session.handle(DrawMark(node=1, vertex="G9", tool="cross"))
    assert session.state().tree[1].marks == {
        "E5": "square", "C7": "A", "D6": "12", "H9": "cross", "G8": "cross", "H8": "cross",
    }  # fmt: skip
    text = session.to_sgf()
    assert "SQ[ee]" in text
    assert "LB[cc:A]" in text
    assert "TR[" not in text
    session.handle(ClearMarks(node=1))
    assert session.state().tree[1].marks == {}
    with pytest.raises(ValueError, match="pass is not on the board"):
        session.handle(DrawMark(node=1, vertex="pass", tool="circle"))
    for handled in (DrawMark(node=99, vertex="A1", tool="circle"), ClearMarks(node=99)):
        with pytest.raises(ValueError, match="no such move"):
            session.handle(handled)


def test_labels_are_written_as_a_record_has_them() -> None:
    text = opened(b"(;SZ[9];B[ee]LB[ai:a\\:\\]])").to_sgf()

    assert "LB[ai:a\\:\\]]" in text


def test_a_mark_is_drawn_replaced_and_taken_away() -> None:
    one = marked({}, "D4", "triangle")

    assert one == {"D4": "triangle"}
    assert marked(one, "D4", "square") == {"D4": "square"}
    assert marked(one, "D4", "triangle") == {}
    assert marked(one, "C3", "letter") == {"D4": "triangle", "C3": "A"}


def test_letters_and_numbers_are_the_first_that_are_free() -> None:
    assert marked({"A1": "A", "B1": "C"}, "D4", "letter")["D4"] == "B"
    assert marked({"A1": "1", "B1": "A"}, "D4", "number")["D4"] == "2"
    assert marked({"D4": "B"}, "D4", "letter") == {}
    assert marked({"D4": "12"}, "D4", "number") == {}
    marks: dict[str, str] = {}
    for place in range(54):
        marks = marked(marks, f"P{place}", "letter")
    assert list(marks.values())[25:27] == ["Z", "a"]
    assert list(marks.values())[51:] == ["z", "AA", "AB"]


@pytest.mark.parametrize(
    "text", ["TR[zz]", "TR[]", "LB[cc]", "LB[cc:a\\]b]", "TR[ee]CR[ee]", "LB[cc:circle]"]
)
def test_mark_up_that_cannot_be_shown_is_kept(text: str) -> None:
    written = opened(f"(;SZ[9];B[ee]{text})".encode()).to_sgf()

    for part in re.findall(r"[A-Z]+\[.*?(?<!\\)\]", text):
        assert part in written
