"""Ranks of Go: from 30 kyu, who has just learned the rules, to 1 kyu, then from 1 dan up."""

from __future__ import annotations

import re

_RANK = re.compile(r"(\d{1,2})\s*(k|d|kyu|dan)\b[?*]?", re.IGNORECASE)


def parse_rank(text: str) -> int | None:
    """Return a rank as a number of steps: ``"30k"`` is -30, ``"1k"`` -1, ``"1d"`` 0, ``"9d"`` 8.

    None if *text* is no rank of kyu or dan. What servers write is understood: ``"4 kyu"``, a mark
    of doubt behind it, and ``"0k"`` for the step above 1 kyu. Says not whether anybody has it.
    """
    found = _RANK.fullmatch(text.strip())
    if found is None:
        return None
    number, is_kyu = int(found[1]), found[2].lower().startswith("k")
    if number == 0 and not is_kyu:
        return None
    return -number if is_kyu else number - 1


def rank_in_words(rank: int) -> str:
    """Return ``"30 kyu"`` for -30, ``"1 dan"`` for 0."""
    return f"{-rank} kyu" if rank < 0 else f"{rank + 1} dan"


def format_rank(rank: int) -> str:
    """Return the name that :func:`parse_rank` reads: ``"30k"`` for -30, ``"1d"`` for 0."""
    return f"{-rank}k" if rank < 0 else f"{rank + 1}d"
