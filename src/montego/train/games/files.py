"""Files of games that others have played: what is read of them, and which are of use.

Files are SGF, folders of them, or JSON lines (also gzipped) with ``size``, ``komi``, ``result``,
``first``, ``moves``, two letters a move as in SGF, and maybe ``br`` and ``wr``, the players' ranks.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.go.vocabulary.rank import parse_rank
from montego.train.errors import TrainError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

HELD_BACK = 50
"""One game in so many is not learned from, to see how well others are known."""

MOST_KOMI = 20.0
"""Records with more komi, for either side, are handicap games by another name."""


class RecordedGame(NamedTuple):
    """A game that was played, from the empty board, Black first."""

    cells: NDArray[np.int16]
    """Where the moves were, row by row from the top; a pass is one more than the last cell."""
    winner: int
    """0 for the first player, 1 for the second."""
    komi: float
    ranks: tuple[int, int] | None = None
    """Of the first and the second player, as :func:`~montego.go.vocabulary.rank.parse_rank` counts
    them; None if one of them is unknown."""


def read_records(
    paths: Sequence[str | Path], size: int, *, ranked: bool = False
) -> list[RecordedGame]:
    """Return the games of Go in files that were played to a result, on such a board, even.

    Games on other boards, with handicap or without a winner are passed over, and with *ranked*
    those whose players' ranks are unknown.

    Raises:
        TrainError: If a file cannot be read, or no game is left.
    """
    records: list[RecordedGame] = []
    for path in map(Path, paths):
        try:
            if path.name.endswith((".jsonl", ".jsonl.gz")):
                records.extend(_from_json_lines(path, size))
            else:
                files = sorted(path.rglob("*.sgf")) if path.is_dir() else [path]
                records.extend(record for file in files for record in _from_sgf(file, size))
        except TrainError:  # It is a ValueError, too, and says all there is to say.
            raise
        except OSError as error:
            raise TrainError(f"cannot read {path}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
            raise TrainError(f"{path} is no file of games: {error}") from None
    if ranked:
        records = [record for record in records if record.ranks is not None]
    if len(records) < HELD_BACK:
        kind = "a winner, two ranks" if ranked else "a winner"
        raise TrainError(
            f"{len(records)} games on {size}x{size} with {kind} and without handicap are too few "
            f"to learn from: {HELD_BACK} are the least"
        )
    return records


def _ranks(black: str | None, white: str | None) -> tuple[int, int] | None:
    first, second = parse_rank(black or ""), parse_rank(white or "")
    return None if first is None or second is None else (first, second)


def _from_json_lines(path: Path, size: int) -> Iterator[RecordedGame]:
    opener: Any = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            game = json.loads(line)
            is_even = not game.get("ab") and not game.get("aw") and game.get("first", "B") == "B"
            winner = "BW".find((game.get("result") or "?")[:1])
            if game["size"] != size or not is_even or winner < 0:
                continue
            komi = float(game.get("komi") or 0.0)
            letters = np.frombuffer(game["moves"].encode("ascii"), np.uint8).astype(np.int16)
            columns, rows = letters[::2] - ord("a"), letters[1::2] - ord("a")
            is_pass = (columns < 0) | (columns >= size) | (rows < 0) | (rows >= size)
            cells = np.where(is_pass, size * size, rows * size + columns).astype(np.int16)
            if len(cells) and abs(komi) <= MOST_KOMI:
                yield RecordedGame(cells, winner, komi, _ranks(game.get("br"), game.get("wr")))


def _from_sgf(path: Path, size: int) -> Iterator[RecordedGame]:
    from montego.go import Game, GoError  # noqa: PLC0415  # Wants what a GPU's machine may lack.
    from montego.go.sgf.record import read_sgf_file  # noqa: PLC0415
    from montego.go.vocabulary.vertex import parse_vertex  # noqa: PLC0415

    try:
        written = read_sgf_file(path)
    except GoError as error:
        raise TrainError(str(error)) from None
    try:
        game = Game.from_record(written)
    except GoError as error:
        raise TrainError(f"{path}: {error}") from None
    colors = [move.color for move in game.moves]
    alternate = colors == (["black", "white"] * len(colors))[: len(colors)]
    winner = "BW".find(written.result[:1] or "?")
    if game.size != size or winner < 0 or not colors or not alternate:
        return
    if len(game.moves) != len(game.history) or abs(game.komi) > MOST_KOMI:
        return
    cells = []
    for move in game.moves:
        at = parse_vertex(move.vertex, size)
        cells.append(size * size if at is None else (size - 1 - at[1]) * size + at[0])
    ranks = _ranks(written.info("BR"), written.info("WR"))
    yield RecordedGame(np.array(cells, np.int16), winner, game.komi, ranks)
