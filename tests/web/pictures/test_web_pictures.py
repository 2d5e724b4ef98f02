"""Positions and games as pictures that any program can read."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np
import pytest

from montego.web.messages.replies import Position
from montego.web.pictures.drawing import GAME_COLORS, cell_size, draw, star_points
from montego.web.pictures.files import compress, gif, png
from montego.web.pictures.lettering import cover

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.web.messages.requests import GameKind


def position(cells: str, last: str | None = None, width: int = 5) -> Position:
    height = len(cells) // width
    return Position("g", 0, width, height, cells, "black", last, [])


def expand(data: bytes, bits: int) -> bytes:
    """What GIF readers make of compressed bytes: an account of the format of its own."""
    clear, end = 1 << bits, (1 << bits) + 1
    number, place, width = int.from_bytes(data, "little"), 0, bits + 1
    table: list[bytes] = []
    out, before = bytearray(), b""
    while True:
        code = number >> place & ((1 << width) - 1)
        place += width
        if code == clear:
            table = [bytes([value]) for value in range(clear)] + [b"", b""]
            width, before = bits + 1, b""
            continue
        if code == end:
            return bytes(out)
        word = table[code] if code < len(table) else before + before[:1]
        out += word
        if before and len(table) < 4096:
            table.append(before + word[:1])
        before = word
        if len(table) == 1 << width and width < 12:
            width += 1


def frames_of(file: bytes) -> list[tuple[int, NDArray[np.uint8]]]:
    """The pictures of a GIF as they are shown, with hundredths of a second."""
    width, height, flags = struct.unpack_from("<HHB", file, 6)
    colors = 2 ** ((flags & 7) + 1)
    palette = np.frombuffer(file, np.uint8, 3 * colors, 13).reshape(-1, 3)
    place, shown = 13 + 3 * colors, np.zeros((height, width, 3), np.uint8)
    frames, pause = [], 0
    while file[place] != 0x3B:
        if file[place] == 0x21:
            if file[place + 1] == 0xF9:
                pause = struct.unpack_from("<H", file, place + 4)[0]
            place += 2
        else:
            left, top, wide, high = struct.unpack_from("<HHHH", file, place + 1)
            bits, data, at = file[place + 10], b"", place + 11
            while file[at]:
                data += file[at + 1 : at + 1 + file[at]]
                at += 1 + file[at]
            indices = np.frombuffer(expand(data, bits), np.uint8).reshape(high, wide)
            shown[top : top + high, left : left + wide] = palette[indices]
            frames.append((pause, shown.copy()))
            place = at + 1
            continue
        while file[place]:
            place += 1 + file[place]
        place += 1
    return frames


@pytest.mark.parametrize("bits", [2, 5, 8])
@pytest.mark.parametrize("length", [1, 2, 300, 9000, 70_000])
def test_compressed_bytes_can_be_expanded(bits: int, length: int) -> None:
    random = np.random.default_rng(length)
    for spread in (1, 2**bits):  # All the same, and all kinds.
        data = random.integers(0, spread, length, dtype=np.uint8).tobytes()
        assert expand(compress(data, bits), bits) == data


def test_stones_are_where_they_were_played() -> None:
    cells = "X...." + "....." + "..O.." + "....." + "....."
    picture = draw("go", position(cells), coordinates=False)
    cell = len(picture) // 5

    assert tuple(picture[cell // 2, cell // 2]) == GAME_COLORS["go"].first
    assert tuple(picture[5 * cell // 2, 5 * cell // 2]) == GAME_COLORS["go"].second
    assert tuple(picture[cell // 2, 5 * cell // 2]) == GAME_COLORS["go"].lines
    assert tuple(picture[0, 5 * cell // 2]) == GAME_COLORS["go"].board, "no line leaves the board"


@pytest.mark.parametrize(
    ("kind", "cells", "width", "last"),
    [
        ("go", "X...." * 5, 5, "A5"),
        ("hex", ".X..." * 5, 5, "b1"),
        ("connect-four", "......." * 5 + "...X...", 7, "4"),
        ("tic-tac-toe", "X.O.X....", 3, "b2"),
    ],
)
def test_the_last_move_is_marked(kind: GameKind, cells: str, width: int, last: str) -> None:
    unmarked = draw(kind, position(cells, None, width))
    marked = draw(kind, position(cells, last, width))
    rows, columns = np.nonzero((unmarked != marked).any(axis=2))

    assert len(rows)
    assert np.ptp(rows) < 40
    assert np.ptp(columns) < 40


@pytest.mark.parametrize(
    ("kind", "width", "height", "written"),
    [
        ("go", 9, 9, 4 * 9),
        ("go", 19, 19, 4 * 19),
        ("hex", 5, 5, 4 * 5),
        ("connect-four", 7, 6, 7),
        ("tic-tac-toe", 3, 3, 4 * 3),
    ],
)
def test_coordinates_stand_around_the_board(
    kind: GameKind, width: int, height: int, written: int
) -> None:
    shown = position("." * width * height, None, width)
    cell = cell_size(kind, shown)
    picture, bare = draw(kind, shown), draw(kind, shown, coordinates=False)
    is_ink = (picture != GAME_COLORS[kind].board).any(axis=2)
    shift = cell // 2 if kind == "hex" else 0

    def ink_at(row: int, column: int) -> bool:
        top, left = (row + 1) * cell, (column + 1) * cell + row * shift
        return bool(is_ink[top : top + cell, left : left + cell].any())

    sides = [(row, column) for row in (-1, height) for column in range(width)]
    sides += [(row, column) for column in (-1, width) for row in range(height)]
    assert sum(ink_at(row, column) for row, column in sides) == written
    assert len(bare) == height * cell_size(kind, shown, coordinates=False)


def test_every_character_of_a_coordinate_looks_different() -> None:
    characters = "ABCDEFGHIJKLMNPQRSTUVWXYZ0123456789"  # O and 0 never stand in one place.
    drawn = {cover(one, 20, 20, 12.0).tobytes() for one in characters}

    assert len(drawn) == len(characters)
    assert not cover("?", 20, 20, 12.0).any()


def test_large_boards_are_no_larger_pictures() -> None:
    assert max(draw("go", position("." * 625, None, 25)).shape) <= 640
    assert max(draw("hex", position("." * 625, None, 25)).shape) <= 640


def test_boards_have_the_dots_of_real_ones() -> None:
    assert [len(star_points(size)) for size in (5, 9, 13, 19, 8)] == [0, 5, 5, 9, 4]


def test_a_board_that_is_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match="only the game itself"):
        draw("own", position("", None, 1))


def test_a_png_has_every_pixel() -> None:
    picture = draw("go", position("X.O.." * 5, "A5"))
    file = png(picture)
    height, width = picture.shape[:2]
    start = file.index(b"IDAT")
    length = struct.unpack(">I", file[start - 4 : start])[0]
    rows = zlib.decompress(file[start + 4 : start + 4 + length])

    assert file.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack_from(">II", file, 16) == (width, height)
    pixels = np.frombuffer(rows, np.uint8).reshape(height, 1 + 3 * width)[:, 1:]
    assert (pixels.reshape(picture.shape) == picture).all()


def test_a_gif_shows_one_position_after_another() -> None:
    games = ["." * 25, "X" + "." * 24, "X" + "." * 23 + "O", "." * 24 + "O"]
    pictures = [draw("go", position(cells)) for cells in games]
    frames = frames_of(gif(pictures, 0.5, 2.0, cell_size("go", position(games[0]))))
    kept = [picture for pause, picture in frames if pause >= 50]

    assert [pause for pause, _ in frames if pause >= 50] == [50, 50, 50, 200]
    for shown, drawn in zip(kept, pictures, strict=True):
        assert np.abs(shown.astype(int) - drawn).max() <= 9, "colors are rounded, no more"


def test_what_is_far_apart_changes_in_small_parts() -> None:
    empty, corners = "." * 361, "X" + "." * 359 + "O"
    pictures = [draw("go", position(cells, None, 19)) for cells in (empty, corners)]
    file = gif(pictures, 1.0, 1.0, cell_size("go", position(empty, None, 19)))

    assert [pause for pause, _ in frames_of(file)] == [100, 2, 100]


def test_a_gif_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to show"):
        gif([], 1.0, 1.0, 10)
