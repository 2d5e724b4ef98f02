"""``montego solve``: problems of life and death in game records, solved as far as time allows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from montego.cli.command import Namespace, argument, command
from montego.cli.output import print_json, progress_bar, tell
from montego.go.vocabulary.errors import GoError, SgfError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.go.game import Game
    from montego.go.sgf.record import Record

SUFFIX = ".sgf"


@command(
    "Say who lives and who dies in problems of life and death, by which moves, and prove it. "
    "The problem is the position that a record begins with, or one of its main line. "
    "What cannot be proven in time is said to be unknown.",
    argument("path PATH", "a game record, or a folder of them", type=Path),
    argument("--to-move COLOR", "who moves first; else what the record says"),
    argument(
        "--target VERTEX",
        "a stone of those to be captured, and again for others; else guessed",
        action="append",
    ),
    argument("--move N", "the position after so many moves of the main line", type=int),
    argument("--seconds S", "for each problem (10)", default=10.0),
    argument(
        "--nodes N", "for each problem, so that the answer does not depend on speed", type=int
    ),
    argument("--output FOLDER", "write records with the answers as variations there", type=Path),
    argument("--json", "a JSON object, for programs"),
    epilog="docs/solve.md explains what is proven, and under which assumptions.",
)
def solve(options: Namespace) -> int:
    """Carry out ``montego solve``; the status is 1 if nothing could be looked at."""
    from montego.engine.life_and_death import solve_or_search
    from montego.solve import to_record

    paths = _paths(options.path)
    if options.output is not None:
        if options.output.exists() and not options.output.is_dir():
            raise GoError(f"{options.output}: there is a file of that name, a folder is wanted")
        try:
            options.output.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise GoError(f"cannot write into {options.output}: {error.strerror}") from None
    documents, answered = [], 0
    single = len(paths) == 1
    for name, record in _records(paths):
        try:
            game = _position(record, options.move)
            with progress_bar(name) as show:
                answer = solve_or_search(
                    game.board,
                    options.to_move or _player(record, game, options.move),
                    target=options.target or (),
                    seconds=options.seconds,
                    nodes=options.nodes,
                    progress=lambda nodes, seconds: show(
                        min(seconds / options.seconds, 1.0), f"{nodes:,} nodes"
                    ),
                )
        except GoError as error:
            if single:
                raise
            tell(f"montego: {name}: {error}")
            continue
        answered += 1
        documents.append({"problem": name, **answer.to_json()})
        if not options.json:
            sys.stdout.write(f"{name}\n{answer.in_words()}\n\n")
            sys.stdout.flush()
        if options.output is not None:
            target = options.output / f"{name.replace(' ', '-')}{SUFFIX}"
            target.write_text(to_record(game.board, answer).to_sgf(), encoding="utf-8")
    if options.json:
        print_json({"problems": documents})
    return 0 if answered else 1


def _paths(path: Path) -> list[Path]:
    if path.is_dir():
        found = sorted(file for file in path.iterdir() if file.suffix.lower() == SUFFIX)
        if not found:
            raise SgfError(f"{path}: no game records, whose names end in {SUFFIX}")
        return found
    return [path]


def _records(paths: list[Path]) -> Iterator[tuple[str, Record]]:
    """Yield all games with the names of their files; what cannot be read is told, or refused."""
    from montego.go.sgf.record import parse_sgf_collection, read_sgf_bytes

    for path in paths:
        try:
            data = read_sgf_bytes(path)
            try:
                games = parse_sgf_collection(data)
            except SgfError as error:
                raise SgfError(f"{path}: {error}") from None
        except SgfError as error:
            if len(paths) == 1:
                raise
            tell(f"montego: {error}")
            continue
        for number, record in enumerate(games, 1):
            yield path.stem if len(games) == 1 else f"{path.stem} {number}", record


def _position(record: Record, moves: int | None) -> Game:
    """Return the position to be solved: the first with stones, unless a move is named."""
    from montego.go.game import Game

    if moves is not None and moves < 0:
        raise GoError(f"--move {moves}: say a number from 0")
    if moves is None and any(record.root.setup):
        moves = 0
    return Game.from_record(record, moves=moves)


def _player(record: Record, game: Game, moves: int | None) -> str:
    """Return who is to move: whom the record says, else who moves first in it."""
    if moves is not None or record.root.to_play is not None or not any(record.root.setup):
        return game.to_play
    first = next((node.move for node in record.nodes() if node.move is not None), None)
    return game.to_play if first is None else first[0]
