"""Experience from game records: what was played counts as visited, and who won as its value.

A game counts as a number of visits to each of its moves, with the result as their value: 1 for the
winner's moves, 0 for the loser's, one half where nobody won and for moves of variations. AMAF is
not made of games. A tree that :mod:`montego.book.sgf_export` wrote brings its own numbers instead.

Games with handicap or stones set up at the beginning are positions like others. Stones set up
later, moves out of turn and moves that cannot be played end a line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from montego.book.gathering import Gathering
from montego.book.sgf_export import BOOK_MARK, FORMAT, MOVE_NUMBERS, POSITION_NUMBERS
from montego.go.game import Game
from montego.go.result import parse_result
from montego.go.sgf.record import new_record, parse_sgf_collection
from montego.go.vocabulary.color import BLACK, format_color
from montego.go.vocabulary.errors import GoError, SgfError
from montego.go.vocabulary.vertex import format_vertex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.go.sgf.node import Node
    from montego.go.sgf.record import Record
    from montego.go.vocabulary.rules import Rules

_SQLITE = b"SQLite format 3\0"


@dataclass(frozen=True, kw_only=True)
class Import:
    """How games are counted."""

    visits: float = 10.0
    """What a game is worth: visits to each of its moves."""
    depth: int = 40
    """Moves from the beginning that are counted."""
    variations: bool = False
    """Whether variations count as well as the main line."""
    undecided: bool = False
    """Whether games that nobody is known to have won count, as draws."""
    rules: Rules | None = None
    """Instead of what the records say."""
    komi: float | None = None
    """Instead of what the records say."""

    def __post_init__(self) -> None:
        if not 0 < self.visits <= 1e6:
            raise GoError(f"a game cannot be worth {self.visits:g} visits: say a number above 0")
        if self.depth < 1:
            raise GoError(f"cannot count {self.depth} moves of a game: say a number from 1")


@dataclass
class Account:
    """What came of a file or of several."""

    games: int = 0
    """Games that were counted."""
    moves: int = 0
    """Moves of these that were counted, each once."""
    skipped: list[str] = field(default_factory=list)
    """Why games or files were left out, one sentence each; it begins with the file's name."""
    cut_short: list[str] = field(default_factory=list)
    """Why lines were not followed to their end, in the same way."""


def sgf_files(paths: Iterable[str | Path]) -> list[Path]:
    """Return the files among *paths*, and the ``.sgf`` files anywhere in the folders, by name.

    Raises:
        GoError: If there is nothing at a path, or a folder has no such file.
    """
    files: list[Path] = []
    for given in paths:
        path = Path(given)
        try:
            if not path.exists():
                raise GoError(f"{path}: there is no such file or folder")
            found = [path]
            if path.is_dir():
                found = sorted(file for file in path.rglob("*") if file.suffix.lower() == ".sgf")
        except OSError as error:
            raise GoError(f"{path}: {error.strerror or error}") from None
        if not found:
            raise GoError(f"{path}: there are no SGF files in this folder")
        files += found
    return files


def import_sgf(path: Path, how: Import, gathering: Gathering, account: Account) -> None:
    """Gather what the games of a file tell, and say in *account* what came of it.

    Never raises for what is in the file or for a file that cannot be read.
    """
    try:
        data = path.read_bytes()
        if data.startswith(_SQLITE):
            account.skipped.append(f"{path}: no game record; 'montego book merge' adds books")
            return
        records = parse_sgf_collection(data)
    except OSError as error:
        account.skipped.append(f"{path}: {error.strerror or error}")
        return
    except SgfError as error:
        account.skipped.append(f"{path}: {error}")
        return
    for number, record in enumerate(records, 1):
        name = f"{path}" if len(records) == 1 else f"{path}, game {number}"
        try:
            _import_game(record, how, gathering, account, name)
        except GoError as error:
            account.skipped.append(f"{name}: {error}")


def _import_game(
    record: Record, how: Import, gathering: Gathering, account: Account, name: str
) -> None:
    is_book = bool(record.root.raw(BOOK_MARK))
    if is_book and record.root.text(BOOK_MARK) != FORMAT:
        raise GoError("a later version of Montego wrote this book")
    black_share = 0.5 if is_book else _black_share(record, how)
    begin = _beginning(record, how)
    count = _count_book_move if is_book else _count_move
    own = Gathering()  # So that a game is counted as a whole, or not at all.
    main = set(record.main_line())
    moves = 0
    waiting: list[tuple[Node, Game]] = [(record.root, begin)]
    while waiting:
        node, game = waiting.pop()
        try:
            after = _follow(node, game)
        except GoError as error:
            account.cut_short.append(f"{name}: after move {len(game.moves)}: {error}")
            continue
        if after is not game:
            share = black_share if node in main else 0.5
            moves += count(node, game, after, own, how.visits, share)
        elif is_book:
            _count_book_position(node, after, own)
        if is_book or len(after.moves) < how.depth:
            children = node.children if is_book or how.variations else node.children[:1]
            waiting.extend((child, after) for child in reversed(children))
    if not moves:
        raise GoError("there is no move in it that can be counted")
    numbers = [_numbers(node, POSITION_NUMBERS) for node in record.main_line()] if is_book else []
    games = max((int(found[2]) for found in numbers if len(found) == 3), default=1)
    gathering.add_game(begin, own, games=games)
    account.games += 1
    account.moves += moves


def _black_share(record: Record, how: Import) -> float:
    """Return Black's share of the win: 1, 0, or one half.

    Raises:
        GoError: If nobody is known to have won, and such games are not wanted.
    """
    result = parse_result(record.result)
    if result.winner is not None:
        return 1.0 if result.winner == BLACK else 0.0
    if result.how != "draw" and not how.undecided:
        said = f"RE[{record.result}]" if record.result else "no result"
        raise GoError(f"nobody is known to have won: {said} (--undecided counts such games)")
    return 0.5


def _beginning(record: Record, how: Import) -> Game:
    """Return the game before its first move, with handicap and stones set up.

    Raises:
        GoError: If these stones cannot be placed.
    """
    # A record of the root alone: playing the whole game costs more than counting its opening.
    root = record.root
    head = new_record(record.size)
    for name in root.properties:
        if name not in ("B", "W"):
            head.root.set_raw(name, root.raw(name))
    for name in ("AP", "HA", "KM", "RU"):
        head.root.set_text(name, record.info(name))
    if record.handicap >= 2 and not any(root.setup) and not record.handicap_to_place:
        raise GoError("its handicap stones are not in its first node")
    game = Game.from_record(head)
    if not game.history and (any(root.setup) or record.handicap_to_place):
        reasons = game.warnings or ["no room for them"]
        raise GoError(f"its handicap or set-up stones cannot be placed: {reasons[-1]}")
    if how.rules is not None:
        game.rules = how.rules
        if record.komi is None:
            game.komi = how.rules.komi
    if how.komi is not None:
        game.komi = how.komi
    return game.copy()


def _follow(node: Node, game: Game) -> Game:
    """Return the game after the move of a node, or *game* itself if there is none.

    Raises:
        GoError: If the line ends here: what the node does cannot be counted.
    """
    if node.parent is not None and (any(node.setup) or node.to_play is not None):
        raise GoError("stones are set up in the middle of the game")
    if node.move is None:
        if node.raw("B") or node.raw("W"):
            raise GoError("a move that is no point of the board")
        return game
    color, point = node.move
    vertex = format_vertex(point)
    if format_color(color) != game.to_play:
        raise GoError(f"{format_color(color)} plays {vertex} out of turn")
    after = game.copy()
    after.play_unless_impossible(color, vertex)
    return after


def _count_move(
    _node: Node, game: Game, after: Game, gathering: Gathering, visits: float, black_share: float
) -> int:
    """Count a move of a game as visits; 1 for the account."""
    share = black_share if game.to_play == "black" else 1.0 - black_share
    vertex = after.moves[-1].vertex
    gathering.add_move(game, vertex, visits=visits, value_sum=visits * share, after=after)
    gathering.add_visits(game, visits)
    return 1


def _count_book_move(
    node: Node, game: Game, after: Game, gathering: Gathering, _visits: float, _share: float
) -> int:
    """Count a move of a book by its own numbers, if it has any: moves that lead there do not."""
    _count_book_position(node, after, gathering)
    numbers = _numbers(node, MOVE_NUMBERS)
    if len(numbers) != 4:
        return 0
    visits, value_sum, amaf_visits, amaf_sum = numbers
    if value_sum > visits or amaf_sum > amaf_visits:
        return 0
    gathering.add_move(
        game,
        after.moves[-1].vertex,
        visits=visits,
        value_sum=value_sum,
        amaf_visits=amaf_visits,
        amaf_sum=amaf_sum,
        after=after,
    )
    return 1


def _count_book_position(node: Node, game: Game, gathering: Gathering) -> None:
    numbers = _numbers(node, POSITION_NUMBERS)
    if len(numbers) == 3:
        gathering.add_visits(game, numbers[0], games=int(numbers[2]))


def _numbers(node: Node, name: str) -> list[float]:
    """Return the numbers of a property of Montego's own; none if they make no sense."""
    try:
        numbers = [float(word) for word in node.text(name).split()]
    except ValueError:
        return []
    return numbers if all(0.0 <= number < 1e15 for number in numbers) else []
