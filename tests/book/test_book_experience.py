"""Experience: adding, turning to the canonical board and back, and the bytes in the file."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from montego.book.errors import UnreadableRow
from montego.book.experience import (
    RECORD,
    SUMS,
    Experience,
    MoveExperience,
    Table,
    added,
    decode,
    encode,
    number_fault,
    stored_fault,
    table_fault,
    table_of,
)
from montego.book.position import Pose, canonical_table, pose_of_game, real_table
from montego.go.game import Game

whole = st.integers(0, 100)


@st.composite
def moves_of(draw: st.DrawFn, size: int = 3) -> list[MoveExperience]:
    """Moves in any order; every number is a multiple of 8, so that shares are exact."""
    found = []
    for move in draw(st.lists(st.integers(0, size * size), unique=True, max_size=8)):
        visits, amaf = 8.0 * draw(whole), 8.0 * draw(whole)
        won, amaf_won = visits * draw(st.sampled_from([0.0, 0.5, 1.0])), amaf / 2
        after = draw(st.none() | st.integers(1, 5))
        found.append(MoveExperience(move, visits, won, amaf, amaf_won, after))
    return found


def plain_sum(tables: list[list[MoveExperience]]) -> list[MoveExperience]:
    """The sum as one would write it without arrays."""
    found: dict[int, MoveExperience] = {}
    for table in tables:
        for known in table:
            old = found.get(known.move, MoveExperience(known.move, 0.0, 0.0))
            found[known.move] = MoveExperience(
                known.move,
                old.visits + known.visits,
                old.value_sum + known.value_sum,
                old.amaf_visits + known.amaf_visits,
                old.amaf_sum + known.amaf_sum,
                known.after or old.after,
            )
    return [found[move] for move in sorted(found)]


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 2), moves_of()), max_size=6))
def test_tables_of_several_positions_add_up(parts: list[tuple[int, list[MoveExperience]]]) -> None:
    sums = added([table_of(moves) for _, moves in parts], [owner for owner, _ in parts], np.ones(3))
    assert len(sums) == 3
    for owner, table in enumerate(sums):
        expected = table_of(plain_sum([moves for whose, moves in parts if whose == owner]))
        assert table.tolist() == expected.tolist()


def test_a_factor_shrinks_everything_in_proportion() -> None:
    moves = [MoveExperience(3, 40.0, 30.0, 20.0, 10.0, 7), MoveExperience(1, 4.0, 1.0)]
    (table,) = added([table_of(moves)], [0], np.array([0.5]))
    assert table.tolist() == [(1, 2.0, 0.5, 0.0, 0.0, 0), (3, 20.0, 15.0, 10.0, 5.0, 7)]


def test_sums_beyond_their_bounds_are_brought_back() -> None:
    moves = [MoveExperience(0, 10.0, 12.5, 4.0, -1.0)]
    (table,) = added([table_of(moves)], [0], np.ones(1))
    assert table.tolist() == [(0, 10.0, 10.0, 4.0, 0.0, 0)]


SHAPES = {
    "empty": (),
    "center": ("B2",),
    "corner": ("A1",),
    "side": ("A2",),
    "nothing in common": ("A1", "B1", "C3"),
}


def as_it_lies(pose: Pose, table: Table) -> Table:
    """Records of a canonical position on a board of size 3, turned back and in order."""
    table, moves = real_table(pose, 3, table)
    turned = table.copy()
    turned["move"] = moves
    return turned[np.argsort(moves)]


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=30)
@given(moves=moves_of())
def test_turning_keeps_totals_and_shares_them_equally(
    shape: str, moves: list[MoveExperience]
) -> None:
    game = Game(3)
    for vertex in SHAPES[shape]:
        game.play(game.to_play, vertex)
    pose = pose_of_game(game)
    kept = canonical_table(pose, 3, table_of(moves))
    back = as_it_lies(pose, kept)
    for field in SUMS:
        total = sum(getattr(known, field) for known in moves)
        assert math.isclose(sum(kept[field].tolist()), total)
        assert math.isclose(sum(back[field].tolist()), total)
    assert canonical_table(pose, 3, back).tolist() == kept.tolist()
    if len(pose.stabilizer) == 1:
        assert back.tolist() == table_of(moves).tolist()


def test_equivalent_moves_get_equal_shares() -> None:
    pose = pose_of_game(Game(3))
    moves = [MoveExperience(2, 24.0, 12.0), MoveExperience(4, 20.0, 5.0)]
    back = as_it_lies(pose, canonical_table(pose, 3, table_of(moves)))
    shares = {known.move: known for known in Experience(pose.key, 48.0, back).moves}
    assert sorted(shares) == [0, 2, 4, 6, 8]
    assert all(shares[corner] == MoveExperience(corner, 6.0, 3.0) for corner in (0, 2, 6, 8))
    assert shares[4] == MoveExperience(4, 20.0, 5.0)


def test_moves_come_most_visited_first_and_know_their_value() -> None:
    moves = [MoveExperience(1, 2.0, 1.5), MoveExperience(5, 9.0, 3.0, 4.0, 1.0, 77)]
    experience = Experience(4, 11.0, moves)
    assert [known.move for known in experience.moves] == [5, 1]
    assert experience.moves[0] == moves[1]
    assert (moves[0].value, moves[1].amaf_value) == (0.75, 0.25)
    assert (moves[0].amaf_value, MoveExperience(0, 0.0, 0.0).value) == (0.5, 0.5)
    assert experience != Experience(4, 11.0, moves[:1])
    assert experience != "experience"


@given(moves_of())
def test_bytes_round_trip(moves: list[MoveExperience]) -> None:
    table = table_of(moves)
    assert decode(encode(table)).tolist() == table.tolist()


def test_the_bytes_are_the_same_on_every_machine() -> None:
    blob = encode(table_of([MoveExperience(0x0102, 1.0, 0.5, 2.0, 1.5, -2)]))
    assert blob == struct.pack("<BHHffffq", 1, 1, 0x0102, 1.0, 0.5, 2.0, 1.5, -2)
    assert RECORD.itemsize == 26


@pytest.mark.parametrize(
    ("blob", "word"),
    [
        (None, "no moves"),
        ("text", "no moves"),
        (b"", "no moves"),
        (b"\x02\x00\x00", "layout 2"),
        (b"\x00\x00\x00", "overwritten"),
        (b"\x01\x01\x00", "cut off"),
        (encode(table_of([MoveExperience(1, 1.0, 1.0)]))[:-1], "cut off"),
        (encode(table_of([MoveExperience(1, 1.0, 1.0)])) + b"\0", "cut off"),
    ],
)
def test_bytes_that_are_no_moves_are_refused(blob: object, word: str) -> None:
    with pytest.raises(UnreadableRow, match=word):
        decode(blob)


SOUND = MoveExperience(3, 4.0, 2.0, 8.0, 1.0)


@pytest.mark.parametrize(
    ("experience", "word"),
    [
        (Experience(0, 1.0, []), "key"),
        (Experience(1 << 63, 1.0, []), "key"),
        (Experience(1, math.nan, []), "visits"),
        (Experience(1, math.inf, []), "visits"),
        (Experience(1, -1.0, []), "visits"),
        (Experience(1, 1.0, [], depth=-1), "depth"),
        (Experience(1, 1.0, [SOUND._replace(move=82)]), "move 82"),
        (Experience(1, 1.0, [SOUND._replace(value_sum=math.nan)]), "none"),
        (Experience(1, 1.0, [SOUND._replace(amaf_visits=math.inf)]), "none"),
        (Experience(1, 1.0, [SOUND._replace(visits=-4.0)]), "fewer"),
    ],
)
def test_nonsense_is_named(experience: Experience, word: str) -> None:
    sound = Experience(1, 1.0, [SOUND, SOUND._replace(move=81)])
    assert number_fault(sound) is table_fault(sound.table, 9) is None
    assert word in str(number_fault(experience) or table_fault(experience.table, 9))


def test_what_comes_out_of_a_book_must_be_in_order_and_in_bounds() -> None:
    table = table_of([SOUND, SOUND._replace(move=4)])
    assert stored_fault(Experience(1, 1.0, table), 9) is None
    assert "order" in str(stored_fault(Experience(1, 1.0, table[::-1]), 9))
    beyond = Experience(1, 1.0, [SOUND._replace(amaf_sum=9.0)])
    assert "between 0 and 1" in str(stored_fault(beyond, 9))
    assert "visits" in str(stored_fault(Experience(1, -1.0, [SOUND]), 9))
