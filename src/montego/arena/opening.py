"""Where games begin: the empty board, or a position and moves out of an SGF file."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from montego.go.handicap import fixed_handicap_points
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from montego.go.game import Game, Move, Setup
    from montego.go.sgf.record import Record
    from montego.gtp.client import Engine

BALANCED = "balanced"
"""What ``--openings`` calls the openings that come along."""
BALANCED_SIZES = (9, 13, 19)
DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, kw_only=True)
class Opening:
    """Stones on the board, then moves."""

    name: str = ""
    black: tuple[str, ...] = ()
    white: tuple[str, ...] = ()
    to_play: str = "black"
    """Who moves first after the stones were set up."""
    is_handicap: bool = False
    """Whether the black stones are a handicap, which some rules make up for."""
    moves: tuple[tuple[str, str], ...] = ()
    """Color and vertex of each."""

    @property
    def digest(self) -> str:
        """A digest of stones and moves; the name does not count. Empty for the empty board."""
        if self == Opening(name=self.name):
            return ""
        fields = {name: value for name, value in asdict(self).items() if name != "name"}
        return digest_of(fields)

    def play_on(self, game: Game) -> None:
        """Bring a new game to the end of the opening.

        Raises:
            GoError: If the game's rules or board do not allow it.
        """
        if self.is_handicap:
            game.free_handicap(self.black)
        elif self.black or self.white:
            game.setup(black=self.black, white=self.white, to_play=self.to_play)
        for color, vertex in self.moves:
            game.play(color, vertex)

    def tell(self, engine: Engine) -> None:
        """Bring an engine with an empty board there.

        GTP has no command for a position; stones are played one by one, colors in any order.

        Raises:
            EngineError: If the engine refuses or fails.
        """
        if self.is_handicap and engine.knows("set_free_handicap"):
            engine.send(f"set_free_handicap {' '.join(self.black)}")
        else:
            for vertex in self.black:
                engine.send(f"play black {vertex}")
        for color, vertex in [*(("white", vertex) for vertex in self.white), *self.moves]:
            engine.send(f"play {color} {vertex}")


def digest_of(content: object) -> str:
    """Return 16 hexadecimal digits for anything that JSON can hold."""
    text = json.dumps(content, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def setup_commands(size: int, komi: float, stones: Iterable[tuple[str, str]]) -> list[str]:
    """Return commands that every engine knows for an empty board and stones on it, in order."""
    played = (f"play {color} {vertex}" for color, vertex in stones)
    return [f"boardsize {size}", "clear_board", f"komi {komi:g}", *played]


def played_stones(history: Iterable[Move | Setup]) -> list[tuple[str, str]]:
    """Return color and vertex of all stones of a game, in order, but not what it takes off."""
    from montego.go.game import Setup  # noqa: PLC0415  # Needs NumPy.

    stones: list[tuple[str, str]] = []
    for step in history:
        if isinstance(step, Setup):
            stones += [("black", vertex) for vertex in sorted(step.black)]
            stones += [("white", vertex) for vertex in sorted(step.white)]
        else:
            stones.append((step.color, step.vertex))
    return stones


def handicap_opening(size: int, stones: int) -> Opening:
    """Return the opening in which Black has handicap stones on their fixed points.

    Raises:
        GoError: If the board has no such handicap; the message says what it has.
    """
    points = fixed_handicap_points(size, stones)
    return Opening(
        name=f"handicap {stones}",
        black=tuple(format_vertex(point) for point in points),
        to_play="white",
        is_handicap=True,
    )


def read_openings(
    folder: str | os.PathLike[str], size: int, *, rules: str = "chinese", seed: int | None = None
) -> tuple[Opening, ...]:
    """Return the main lines of all SGF files in a folder, by name, or shuffled if there is a seed.

    A file may have several games; each is an opening. Komi and rules of the files do not matter.
    :data:`BALANCED`, where no folder has that name, is the openings that come along.

    Raises:
        GoError: If there are none, or one does not fit; the message names the file.
    """
    if Path(folder).name == BALANCED and not Path(folder).exists():
        openings = list(balanced_openings(size))
    else:
        openings = _read_folder(Path(folder), size, rules)
    if seed is not None:
        random.Random(f"openings {seed}").shuffle(openings)
    return tuple(openings)


def balanced_openings(size: int) -> tuple[Opening, ...]:
    """Return the openings that come along, after which Montego gives both players the same chance.

    Raises:
        GoError: If there are none for the size.
    """
    if size not in BALANCED_SIZES:
        sizes = ", ".join(map(str, BALANCED_SIZES[:-1]))
        raise GoError(
            f"no balanced openings for a board of {size}, only for {sizes} and "
            f"{BALANCED_SIZES[-1]}; name a folder of SGF files"
        )
    text = (DATA / f"openings_{size}.txt").read_text(encoding="utf-8")
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return tuple(
        Opening(
            name=f"{BALANCED} {number}",
            moves=tuple(zip(cycle(("black", "white")), vertices, strict=False)),
        )
        for number, vertices in enumerate(lines, 1)
    )


def _read_folder(folder: Path, size: int, rules: str) -> list[Opening]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".sgf")
    except OSError as error:
        raise GoError(f"cannot read the openings in {folder}: {error.strerror}") from None
    if not paths:
        raise GoError(f"no SGF files in {folder}")
    return [opening for path in paths for opening in _read_file(path, size, rules)]


def _read_file(path: Path, size: int, rules: str) -> list[Opening]:
    from montego.go.sgf.record import parse_sgf_collection, read_sgf_bytes  # noqa: PLC0415

    data = read_sgf_bytes(path)
    try:
        records = parse_sgf_collection(data)
    except GoError as error:
        raise GoError(f"{path}: {error}") from None
    return [
        _read_opening(record, path if number == 1 else Path(f"{path}, game {number}"), size, rules)
        for number, record in enumerate(records, 1)
    ]


def _read_opening(record: Record, path: Path, size: int, rules: str) -> Opening:
    """Return the opening of a record; *path* is what it is called."""
    from montego.go.game import Game, Move, Setup  # noqa: PLC0415  # Needs NumPy.

    source = Game.from_record(record)
    if source.size != size:
        raise GoError(f"{path}: a board of {source.size}, not of {size}")
    steps = source.history
    setup = steps[0] if steps and isinstance(steps[0], Setup) else None
    if any(isinstance(step, Setup) for step in steps[1:]):
        raise GoError(f"{path}: an opening may set up stones at its beginning only")
    opening = Opening(
        name=path.name,
        black=tuple(sorted(setup.black)) if setup else (),
        white=tuple(sorted(setup.white)) if setup else (),
        to_play=setup.to_play if setup else "black",
        is_handicap=setup is not None and source.handicap >= 2,
        moves=tuple((step.color, step.vertex) for step in steps if isinstance(step, Move)),
    )
    try:
        game = Game(size, rules=rules)
        opening.play_on(game)
    except GoError as error:
        raise GoError(f"{path}: {error}") from None
    if game.is_over:
        raise GoError(f"{path}: the game is over at the end of the opening")
    return opening
