from __future__ import annotations

import pytest

from montego.go.vocabulary.rank import format_rank, parse_rank


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("30k", -30),
        ("1k", -1),
        ("0k", 0),
        ("1d", 0),
        ("9d", 8),
        (" 4 Kyu", -4),
        ("3 dan", 2),
        ("12k?", -12),
        ("2d*", 1),
        ("0d", None),
        ("9p", None),
        ("", None),
        ("k", None),
        ("123k", None),
        ("1k2", None),
    ],
)
def test_ranks_are_read(text: str, rank: int | None) -> None:
    assert parse_rank(text) == rank


@pytest.mark.parametrize("rank", range(-30, 9))
def test_a_rank_that_is_written_is_read_again(rank: int) -> None:
    assert parse_rank(format_rank(rank)) == rank
