"""Games through records and back: what was played, set up, branched and said comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_records import again, assert_same_game, lines
from montego.go import PRESETS, Game, GoError, Move, Rules, Setup
from montego.go.sgf.record import parse_sgf

if TYPE_CHECKING:
    from pathlib import Path


def test_a_game_comes_back() -> None:
    game = Game(9, rules="chinese", komi=7.5)
    for color, vertex in [("b", "E5"), ("w", "C3"), ("b", "pass"), ("b", "J9")]:
        game.play(color, vertex)

    assert_same_game(game, again(game))
    assert game.to_sgf() == game.to_sgf()
    assert ";B[ee];W[cg];B[];B[ia])" in game.to_sgf().replace("\n", "")


def test_a_game_comes_back_from_a_file_of_any_kind_of_path(tmp_path: Path) -> None:
    game = Game(5)
    game.play("b", "C3")
    path = tmp_path / "game.sgf"
    path.write_text(game.to_sgf(), encoding="utf-8")

    assert_same_game(game, Game.from_sgf_file(path))
    assert_same_game(game, Game.from_sgf_file(str(path)))
    assert_same_game(game, Game.from_sgf(path.read_bytes()))


@pytest.mark.parametrize("name", PRESETS)
def test_rules_and_komi_come_back(name: str) -> None:
    assert_same_game(Game(9, rules=name), again(Game(9, rules=name)))
    odd = Game(9, rules=name, komi=-3.75)
    assert again(odd).komi == -3.75


def test_rules_that_have_no_name_come_back() -> None:
    rules = Rules(scoring="territory", ko="situational", suicide=True, tax="all", komi=3.25)

    assert again(Game(9, rules=rules)).rules == rules
    assert again(Game(9, rules=rules)).komi == 3.25


def test_changed_rules_and_komi_are_written() -> None:
    game = Game.from_sgf("(;SZ[9]KM[6.5]RU[Japanese];B[ee])")
    game.komi = 0.5
    game.rules = "aga"

    assert (again(game).komi, str(again(game).rules)) == (0.5, "aga")


@pytest.mark.parametrize("stones", range(2, 10))
def test_handicaps_come_back(stones: int) -> None:
    game = Game(19)
    game.fixed_handicap(stones)
    game.play("w", "C3")

    assert_same_game(game, again(game))
    assert again(game).handicap == stones
    assert f"HA[{stones}]" in game.to_sgf()


def test_a_free_handicap_comes_back() -> None:
    game = Game(9)
    game.free_handicap(["A1", "J9", "E5"])

    assert_same_game(game, again(game))
    assert again(game).handicap == 3


def test_a_handicap_that_was_played_comes_back_as_moves() -> None:
    game = Game(9)
    for color, vertex in [("b", "C3"), ("b", "G7"), ("b", "G3"), ("w", "C7")]:
        game.play(color, vertex)

    assert_same_game(game, again(game))
    assert again(game).handicap == 3
    assert "HA[" not in game.to_sgf()  # Other readers would place more stones.


def test_a_handicap_that_is_counted_and_played_is_not_placed_as_well() -> None:
    game = Game.from_sgf("(;SZ[9]HA[3];B[cg];B[gc];B[gg];W[cc])")

    assert game.handicap == 3
    assert len(game.moves) == len(game.history) == 4
    assert_same_game(game, again(game))


@pytest.mark.parametrize("moves", [[], [("b", "C3"), ("w", "E5")]])
def test_a_turn_that_was_given_comes_back(moves: list[tuple[str, str]]) -> None:
    game = Game(9)
    for color, vertex in moves:
        game.play(color, vertex)
    game.give_turn("b" if game.to_play == "white" else "w")

    assert again(game).to_play == game.to_play
    assert again(game).moves == game.moves


@pytest.mark.parametrize(
    "setup",
    [
        {"black": ["C3"], "white": ["E5"], "to_play": "white"},
        {"black": ["C3"], "white": ["E5"], "to_play": "black"},
        {"black": ["C3"]},
        {"white": ["C3"]},
        {"black": ["A1", "A2"], "to_play": "black"},
        {"to_play": "white"},
    ],
)
def test_stones_set_up_come_back(setup: dict[str, Any]) -> None:
    game = Game(9)
    game.setup(**setup)
    assert_same_game(game, again(game))
    game.play("w", "J9")
    game.setup(black=["G7"], empty=["J9"])
    game.setup(white=["G7"], to_play="white")
    game.play("b", "pass")

    assert_same_game(game, again(game))


def two_passes(rules: str = "chinese") -> Game:
    """A game with a dead white stone, over but for the count."""
    game = Game(5, komi=0.5, rules=rules)
    for color, vertex in [("b", "C3"), ("w", "A1"), ("b", "pass"), ("w", "pass")]:
        game.play(color, vertex)
    return game


def test_a_result_is_written_if_it_was_agreed_or_judged() -> None:
    game = two_passes()
    assert "RE[" not in game.to_sgf()
    assert "RE[" not in again(game).to_sgf()
    game.mark_dead(["A1"])
    assert "RE[B+24.5]" in game.to_sgf()
    game.mark_dead([])
    assert f"RE[{game.result}]" in game.to_sgf()
    game.play("b", "D4")
    assert "RE[" not in game.to_sgf()


def test_a_result_is_written_if_it_was_played() -> None:
    resigned = Game(5)
    resigned.resign("black")
    assert "RE[W+R]" in resigned.to_sgf()
    game = two_passes("tromp-taylor")  # Nothing is taken off.
    assert f"RE[{game.result}]" in game.to_sgf()


@pytest.mark.parametrize(
    ("text", "is_decided"),
    [
        ("(;SZ[5]RU[chinese];B[cc];W[];B[])", False),
        ("(;SZ[5]RU[japanese];B[cc];W[];B[])", False),
        ("(;SZ[5]RU[tromp-taylor];B[cc];W[];B[])", True),
        ("(;SZ[5]RU[tromp-taylor];B[cc];W[])", False),
    ],
)
def test_two_passes_alone_decide_nothing_where_stones_may_be_dead(
    text: str, is_decided: bool
) -> None:
    game = Game.from_sgf(text)

    assert game.is_decided == is_decided
    assert ("RE[" in game.to_sgf()) == is_decided


EVERYTHING = (
    "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Chinese]PB[Anna]BR[3d]PW[Bert]WR[2k]DT[2001-02-03]EV[Cup]RO[2]"
    "PC[Oslo]GC[A fine game.]RE[W+R]TM[600]SO[here]US[me]AN[you]CP[free]ON[star]OT[5x30]"
    "BT[A]WT[B]GN[First]ST[2]XY[own]C[start]LB[cc:A][dd:B]"
    ";B[ee]TR[ee]BL[590.5]BM[1]C[good];W[cc]SQ[cc]MA[dd]CR[gg]AR[aa:bb]LN[cc:dd]DD[aa]TB[hh]"
    ";AB[gg]AW[gf]AE[cc]C[set up];PL[W];W[ge]N[node]VW[aa:ii]FG[1:x]PM[1]HO[1]"
    "(;B[cf]GB[1];W[cd])(;B[df]LB[df:x];AE[ee]PL[B];B[ee]))"
)


def told(text: str) -> list[list[tuple[str, list[str]]]]:
    """All that the nodes of a record say, in order, but for what belongs to the program."""
    return [
        [(name, node.raw(name)) for name in node.properties if name not in ("AP", "CA")]
        for node in parse_sgf(text).nodes()
    ]


def test_everything_in_a_record_survives() -> None:
    game = Game.from_sgf(EVERYTHING)

    assert game.warnings == []
    assert told(game.to_sgf()) == told(EVERYTHING)
    assert told(game.to_sgf(as_played=True)) == told(EVERYTHING)


def test_what_follows_the_last_move_is_left_out_if_the_game_is_wanted_as_played() -> None:
    game = Game.from_sgf(EVERYTHING)
    game.undo(2)
    kept, cut = game.to_sgf(), game.to_sgf(as_played=True)

    assert told(kept) == told(EVERYTHING)
    assert lines(cut) == [["Bee", "Wcc", "Wge"]]
    assert (parse_sgf(cut).info("EV"), parse_sgf(cut).result) == ("Cup", "")


def test_a_thousand_nodes_without_a_step_need_no_stack() -> None:
    comments = "".join(f";C[{number}]" for number in range(3_000))
    nested = "(;C[x]" * 3_000
    for text in (f"(;SZ[9]{comments};B[ee])", f"(;SZ[9]{nested};B[ee]{')' * 3_000})"):
        game = Game.from_sgf(text)
        game.play("w", "C3")

        assert Game.from_sgf(game.to_sgf()).moves == game.moves


def test_the_game_of_a_collection_can_be_chosen() -> None:
    text = "(;SZ[9];B[ee]) and (;SZ[13]C[a (;b\\] c];W[cc]) [(;no ) (;SZ[5])"

    assert [Game.from_sgf(text, number).size for number in (1, 2)] == [9, 13]
    assert Game.from_sgf(text).warnings == ["the text has 4 games; this is the first"]
    assert Game.from_sgf(text, 2).warnings == ["the text has 4 games; this is game 2"]
    for number in (0, -1, True, 3):
        with pytest.raises(GoError, match="there is no game"):
            Game.from_sgf("(;SZ[9])(;SZ[5])", number)
    assert Game.from_sgf("(;SZ[9];B[ee])").warnings == []


TREE = "(;SZ[9]KM[6.5]RU[Chinese]PB[Anna]C[root](;B[ee]C[main];W[cc];B[gg])(;B[cg];W[gc]))"


def test_a_record_keeps_its_variations_and_comments() -> None:
    game = Game.from_sgf(TREE)

    assert [move.vertex for move in game.moves] == ["E5", "C7", "G3"]
    text = game.to_sgf()
    assert lines(text) == [["Bee", "Wcc", "Bgg"], ["Bcg", "Wgc"]]
    for kept in ("C[root]", "C[main]", "PB[Anna]"):
        assert kept in text


def test_moves_are_added_to_the_line_they_follow() -> None:
    game = Game.from_sgf(TREE)
    game.play("w", "A1")

    assert lines(game.to_sgf()) == [["Bee", "Wcc", "Bgg", "Wai"], ["Bcg", "Wgc"]]
    assert_same_game(game, again(game))


def test_another_move_after_undo_is_the_main_line() -> None:
    game = Game.from_sgf(TREE)
    game.undo(2)
    game.play("w", "J1")
    game.play("b", "pass")

    assert lines(game.to_sgf()) == [["Bee", "Wii", "B"], ["Bee", "Wcc", "Bgg"], ["Bcg", "Wgc"]]
    assert_same_game(game, again(game))
    assert game.to_sgf() == game.to_sgf()


def test_a_variation_that_is_there_is_entered_not_repeated() -> None:
    game = Game.from_sgf(TREE)
    game.undo(3)
    for color, vertex in [("b", "C3"), ("w", "G7"), ("b", "A1")]:
        game.play(color, vertex)

    assert lines(game.to_sgf()) == [["Bcg", "Wgc", "Bai"], ["Bee", "Wcc", "Bgg"]]


def test_stones_set_up_after_undo_are_the_main_line() -> None:
    game = Game.from_sgf(TREE)
    game.undo(2)
    game.setup(white=["A1"], to_play="black")
    game.play("b", "A2")

    assert lines(game.to_sgf())[:2] == [["Bee", "Bah"], ["Bee", "Wcc", "Bgg"]]
    assert "AW[ai]" in game.to_sgf()


def test_nodes_that_only_comment_lie_on_the_way() -> None:
    game = Game.from_sgf("(;SZ[9];C[hello];B[ee];C[well];W[cc])")

    assert [move.vertex for move in game.moves] == ["E5", "C7"]
    assert game.to_sgf().count("B[ee]") == 1
    game.undo()
    game.play("w", "A1")
    assert lines(game.to_sgf()) == [["Bee", "Wai"], ["Bee", "Wcc"]]


def test_a_line_ends_where_it_cannot_be_played() -> None:
    game = Game.from_sgf("(;SZ[9];B[ee];W[ee];B[cc])")

    assert game.moves == [Move("black", "E5")]
    assert game.warnings == [
        "illegal move white E5: the point is occupied; the main line was not played further"
    ]
    assert lines(game.to_sgf()) == [["Bee", "Wee", "Bcc"]]


def test_records_may_repeat_positions() -> None:
    game = Game(5, rules="chinese-ogs")
    game.setup(black=["B5", "A4", "B3"], white=["C5", "B4", "D4", "C3"])
    for color, vertex in [("b", "C4"), ("w", "pass"), ("b", "pass")]:
        game.play(color, vertex)
    game.play_unless_impossible("w", "B4")

    assert_same_game(game, again(game))


def test_a_handicap_that_is_only_counted_is_placed() -> None:
    game = Game.from_sgf("(;SZ[9]HA[2];W[ee])")

    assert game.handicap == 2
    assert game.board.color_at("C3") == game.board.color_at("G7") == "black"
    assert isinstance(game.history[0], Setup)


# Any game at all.


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game of moves in any order, passes, stones set up and moves taken back."""
    size = draw(st.integers(2, 7))
    game = Game(
        size,
        rules=draw(st.sampled_from(sorted(PRESETS))),
        komi=draw(st.integers(-40, 40)) / 4,
    )
    column = st.integers(0, size - 1)
    vertex = st.builds(lambda x, y: f"{'ABCDEFG'[x]}{y + 1}", column, column)
    steps = draw(
        st.lists(st.tuples(st.integers(0, 19), st.sampled_from("bw"), vertex, vertex), max_size=40)
    )
    for kind, color, first, second in steps:
        try:
            if kind == 0:
                game.play(color, "pass")
            elif kind == 1:
                game.undo()
            elif kind == 2 and game.history:
                game.setup(black=[first], empty=[second], to_play=color)
            else:
                game.play(color, first)
        except GoError:
            pass
    return game


@settings(max_examples=60)
@given(games())
def test_any_game_comes_back(game: Game) -> None:
    text = game.to_sgf()
    back = Game.from_sgf(text)

    assert_same_game(game, back)
    assert back.to_sgf() == text


@settings(max_examples=30)
@given(games(), st.integers(1, 6), st.integers(0, 6))
def test_a_branched_record_keeps_both_lines(game: Game, back: int, column: int) -> None:
    text = game.to_sgf()
    before = lines(text)
    read = Game.from_sgf(text)
    if len(read.history) < back:
        return
    read.undo(back)
    vertex = f"{'ABCDEFG'[min(column, read.size - 1)]}1"
    if read.fault(read.to_play, vertex) is not None:
        return
    read.play(read.to_play, vertex)
    after = lines(read.to_sgf())

    assert before[0] in after
    assert len(after) <= len(before) + 1
    again_read = again(read)
    assert again_read.history[: len(read.history)] == read.history


def test_a_game_written_twice_is_the_game_as_it_stands() -> None:
    game = Game(9)
    game.play("b", "E5")
    game.to_sgf()
    game.undo()
    game.play("b", "C3")

    assert again(game).moves == game.moves


def test_a_result_taken_back_is_not_written() -> None:
    game = Game(9)
    game.play("b", "E5")
    game.resign("w")
    game.to_sgf()
    game.undo()
    game.play("w", "C3")

    assert "RE[" not in game.to_sgf()


def test_black_stones_set_up_are_no_handicap_unless_given_as_one() -> None:
    game = Game(9)
    game.setup(black=["C3", "E5"], to_play="white")

    assert game.handicap == 0
    assert again(game).handicap == 0


def test_a_handicap_comes_before_everything_else() -> None:
    game = Game(9)
    game.play("b", "pass")

    with pytest.raises(GoError, match="before everything else"):
        game.free_handicap(["C3", "D4"])
    assert game.handicap == 0


def test_a_change_of_rules_forgets_agreed_dead_stones() -> None:
    game = Game(5)
    for color, vertex in [("b", "C3"), ("w", "A1"), ("b", "pass"), ("w", "pass")]:
        game.play(color, vertex)
    game.mark_dead(["A1"])
    game.rules = "tromp-taylor"

    assert game.result is not None


@pytest.mark.parametrize("komi", [3.25, 150, -0.75, 6.5])
def test_a_komi_changed_in_another_programs_record_is_kept(komi: float) -> None:
    game = Game.from_sgf("(;GM[1]SZ[9]KM[5.5]AP[Other:1];B[ee])")
    game.komi = komi
    assert Game.from_sgf(game.to_sgf()).komi == komi


@pytest.mark.parametrize(
    ("text", "black", "white", "to_play"),
    [
        ("(;SZ[9]AB[ee]AW[dd]PL[W])", ["E5"], ["D6"], "black"),
        ("(;SZ[9];B[ee];PL[B])", [], [], "white"),
        ("(;SZ[9]AB[ee])", ["E5"], [], "white"),
        ("(;SZ[9]AB[ee][dd])", ["E5", "D6"], [], "black"),
        ("(;SZ[9]AB[ee]AW[dd]PL[B];B[aa])", ["E5"], ["D6"], "white"),
    ],
)
def test_another_turn_with_the_same_stones_is_kept(
    text: str, black: list[str], white: list[str], to_play: str
) -> None:
    game = Game.from_sgf(text)
    game.undo(1 if not black else len(game.history))
    game.setup(black=black, white=white, to_play=to_play)
    again = Game.from_sgf(game.to_sgf())
    # What the record had after that stays behind it.
    assert again.history[: len(game.history)] == game.history
