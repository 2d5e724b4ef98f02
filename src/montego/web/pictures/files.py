"""Pictures as files: one as PNG, several that follow one another as GIF."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_LEVELS = 16  # Of each color in a GIF, so that mixed colors fit into its palette.
_STEP = 255 // (_LEVELS - 1)
_MOST_COLORS = 256
_MOMENT = 0.02  # Seconds; browsers slow down what is quicker.


def png(picture: NDArray[np.uint8]) -> bytes:
    """Return a picture of shape (height, width, 3) as a PNG file."""
    height, width, _ = picture.shape
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)  # A filter byte of 0 before each row.
    rows[:, 1:] = picture.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(rows.tobytes(), 9)
    parts = (_chunk(b"IHDR", header), _chunk(b"IDAT", data), _chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def gif(
    pictures: Iterable[NDArray[np.uint8]], seconds: float, last_seconds: float, grain: int
) -> bytes:
    """Return pictures of one size as a GIF that begins again after the last.

    Each is shown for *seconds*. Only what changes from one to the next is written, square by square
    of *grain* pixels that lie together: what is far apart changes a moment after one another.

    Raises:
        ValueError: If there is no picture.
    """
    parts: list[tuple[NDArray[np.int64], int, int, float]] = []  # Codes, top, left, seconds.
    before: NDArray[np.uint8] | None = None
    for picture in pictures:
        places = [(0, 0, picture.shape[0], picture.shape[1])]
        if before is not None:
            places = _changes(before, picture, grain)
        for number, (top, left, bottom, right) in enumerate(places):
            shown = seconds if number == len(places) - 1 else _MOMENT
            parts.append((_codes(picture[top:bottom, left:right]), top, left, shown))
        before = picture
    if before is None:
        raise ValueError("there is nothing to show")
    common = np.unique(np.concatenate([np.unique(codes) for codes, *_ in parts]))
    palette = common[:: -(-len(common) // _MOST_COLORS)]
    bits = max(2, int(len(palette) - 1).bit_length())
    written = [_gif_header(before.shape[1], before.shape[0], palette, bits)]
    for number, (codes, top, left, shown) in enumerate(parts):
        indices = np.searchsorted(palette, codes).clip(0, len(palette) - 1).astype(np.uint8)
        pause = last_seconds if number == len(parts) - 1 else shown
        written.append(_gif_frame(indices, top, left, pause, bits))
    return b"".join([*written, b"\x3b"])


def _codes(picture: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return a number for the color of each pixel, rounded."""
    levels = np.rint(picture / _STEP).astype(np.int64)
    codes: NDArray[np.int64] = levels @ np.array([_LEVELS**2, _LEVELS, 1])
    return codes


def _gif_header(width: int, height: int, palette: NDArray[np.int64], bits: int) -> bytes:
    colors = np.zeros((2**bits, 3), dtype=np.uint8)
    red, green, blue = palette // _LEVELS**2, palette // _LEVELS % _LEVELS, palette % _LEVELS
    colors[: len(palette)] = np.stack([red, green, blue], axis=1) * _STEP
    screen = struct.pack("<HHBBB", width, height, 0x80 | 0x70 | (bits - 1), 0, 0)
    again = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"  # For ever.
    return b"GIF89a" + screen + colors.tobytes() + again


def _changes(
    before: NDArray[np.uint8], after: NDArray[np.uint8], grain: int
) -> list[tuple[int, int, int, int]]:
    """Return rectangles (top, left, bottom, right) that hold all that changed; one at least."""
    rows, columns = np.nonzero((before != after).any(axis=2))
    squares = sorted(set(zip((rows // grain).tolist(), (columns // grain).tolist(), strict=True)))
    found: list[tuple[int, int, int, int]] = []
    while squares:
        together, waiting = [], [squares[0]]
        while waiting:
            row, column = waiting.pop()
            if (row, column) in squares:
                squares.remove((row, column))
                together.append((row, column))
                waiting += [(row + 1, column), (row - 1, column)]
                waiting += [(row, column + 1), (row, column - 1)]
        top, left = (grain * min(place) for place in zip(*together, strict=True))
        bottom, right = (grain * (max(place) + 1) for place in zip(*together, strict=True))
        found.append((top, left, min(bottom, len(after)), min(right, after.shape[1])))
    return found or [(0, 0, 1, 1)]


def _gif_frame(part: NDArray[np.uint8], top: int, left: int, pause: float, bits: int) -> bytes:
    """Return a part of a picture, to be put over the one before."""
    control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0x04, round(100 * pause), 0, 0)
    place = struct.pack("<BHHHHB", 0x2C, left, top, part.shape[1], part.shape[0], 0)
    packed = compress(part.tobytes(), bits)
    blocks = (packed[start : start + 255] for start in range(0, len(packed), 255))
    data = b"".join(bytes([len(block)]) + block for block in blocks)
    return control + place + bytes([bits]) + data + b"\x00"


def compress(data: bytes, bits: int) -> bytes:
    """Return bytes below ``2**bits`` as GIF compresses them: Lempel-Ziv-Welch, with wider codes.

    *data* must not be empty.
    """
    clear, end, most = 1 << bits, (1 << bits) + 1, 4095
    known: dict[tuple[int, int], int] = {}
    width, following = bits + 1, end + 1
    number, filled = clear, width  # Bits that are not yet written, the first lowest.
    out = bytearray()
    prefix = data[0]
    for value in data[1:]:
        code = known.get((prefix, value))
        if code is not None:
            prefix = code
            continue
        number |= prefix << filled
        filled += width
        if following > most:  # The table is full: begin a new one.
            number |= clear << filled
            filled += width
            known, width, following = {}, bits + 1, end + 1
        else:
            known[prefix, value] = following
            if following == 1 << width:
                width += 1
            following += 1
        whole = filled // 8
        out += (number & ((1 << 8 * whole) - 1)).to_bytes(whole, "little")
        number >>= 8 * whole
        filled -= 8 * whole
        prefix = value
    number |= prefix << filled
    filled += width
    if following == 1 << width and width < 12:
        width += 1
    number |= end << filled
    filled += width
    return bytes(out) + number.to_bytes(-(-filled // 8), "little")
