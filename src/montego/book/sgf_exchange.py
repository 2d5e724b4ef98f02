"""Books out of game records, and opening trees as game records and back.

A game counts as a number of visits to each of its moves, with the result as their value: 1 for the
winner's moves, 0 for the loser's, one half where nobody won and for moves of variations. AMAF is
not made of games. Games with handicap or stones set up at the beginning are positions like others.
Stones set up later, moves out of turn and moves that cannot be played end a line.

An exported tree has counts and values in its comments. Every position is in it once, however many
orders of moves lead to it, and the most visited ones come first until there are enough. So that an
import finds the numbers again and takes these instead of results, they are written into properties
of Montego's own, which editors keep and do not show:

    XB   at the root: this is a book, and the number of the format
    XV   at a move: its visits, the sum of its values, and the same two for AMAF
    XN   at a position: its visits, how deep in a game it was met, and how many games told of it
"""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from montego.book import database
from montego.book.experience import Experience, MoveExperience
from montego.book.opening_tree import Extent, known_moves
from montego.book.position import canonical_move, move_at, pose_of_game, settings_of
from montego.go.game import Game
from montego.go.result import parse_result
from montego.go.sgf.record import new_record, parse_sgf_collection, read_sgf_bytes
from montego.go.transcript import transcribe
from montego.go.vocabulary.errors import GoError, SgfError
from montego.go.vocabulary.vertex import format_vertex, parse_vertex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.book.position import GameSettings
    from montego.book.store import Book
    from montego.go.sgf.node import Node
    from montego.go.sgf.record import Record
    from montego.go.vocabulary.rules import Rules

FORMAT = "1"
BOOK_MARK, MOVE_NUMBERS, POSITION_NUMBERS = "XB", "XV", "XN"


@dataclass
class _Gathered:
    """What was gathered of one position."""

    depth: int
    visits: float = 0.0
    games: int = 0
    """How many games told of it."""
    moves: list[MoveExperience] = field(default_factory=list)
    """A move may come repeatedly: the book adds up."""

    def add(self, other: _Gathered) -> None:
        """Add what was told elsewhere."""
        self.depth = min(self.depth, other.depth)
        self.visits += other.visits
        self.games += other.games
        self.moves += other.moves


class Gathering:
    """Moves of games, by position, added up in memory before a book sees them. Not thread-safe."""

    def __init__(self) -> None:
        self._places: dict[GameSettings, dict[int, _Gathered]] = {}
        self._games: Counter[GameSettings] = Counter()

    @property
    def positions(self) -> int:
        """How many positions were gathered."""
        return sum(map(len, self._places.values()))

    def add_game(self, game: Game, told: Gathering, *, games: int = 1) -> None:
        """Add what a game told, and count it under its settings; a book stands for several."""
        self._games[settings_of(game)] += games
        for settings, places in told._places.items():
            known = self._places.setdefault(settings, {})
            for key, place in places.items():
                known.setdefault(key, _Gathered(place.depth)).add(place)

    def add_move(
        self,
        game: Game,
        after: Game,
        visits: float,
        value_sum: float,
        amaf_visits: float = 0.0,
        amaf_sum: float = 0.0,
    ) -> None:
        """Add visits to the move that leads from the position of *game* to that of *after*."""
        move = move_at(after.moves[-1].vertex, game.size)
        known = canonical_move(pose_of_game(game), game.size, move)
        sums = (visits, value_sum, amaf_visits, amaf_sum)
        self._place(game).moves.append(MoveExperience(known, *sums, pose_of_game(after).key))

    def add_visits(self, game: Game, visits: float, *, games: int = 1) -> None:
        """Add visits to the position itself, which :meth:`add_move` does not do."""
        place = self._place(game)
        place.visits += visits
        place.games = max(place.games, games)  # One game may come to a position twice.

    def _place(self, game: Game) -> _Gathered:
        places = self._places.setdefault(settings_of(game), {})
        depth = len(game.moves)
        place = places.setdefault(pose_of_game(game).key, _Gathered(depth))
        place.depth = min(place.depth, depth)
        return place

    def merge_into(self, book: Book) -> None:
        """Add everything to *book*, one transaction for each of the settings, and forget it here.

        Raises:
            BookError: If the book cannot be written; what is not in the book yet stays here.
        """
        for settings in list(self._places):
            experiences = [
                Experience(key, place.visits, place.moves, depth=place.depth, games=place.games)
                for key, place in self._places[settings].items()
            ]
            book.merge(settings, experiences, games=self._games[settings], counted=True)
            del self._places[settings], self._games[settings]


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
        data = read_sgf_bytes(path)
        if data.startswith(database.MAGIC):
            account.skipped.append(f"{path}: no game record; 'montego book merge' adds books")
            return
        records = parse_sgf_collection(data)
    except SgfError as error:
        told = str(error)
        account.skipped.append(told if told.startswith(f"{path}: ") else f"{path}: {told}")
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
        if is_book:
            moves += _count_book_node(node, game, after, own)
        elif after is not game:
            share = black_share if node in main else 0.5
            won = how.visits * (share if game.to_play == "black" else 1.0 - share)
            own.add_move(game, after, how.visits, won)
            own.add_visits(game, how.visits)
            moves += 1
        if is_book or len(after.moves) < how.depth:
            children = node.children if is_book or how.variations else node.children[:1]
            waiting.extend((child, after) for child in reversed(children))
    if not moves:
        raise GoError("there is no move in it that can be counted")
    numbers = [_numbers(node, POSITION_NUMBERS, 3) for node in main] if is_book else []
    gathering.add_game(
        begin, own, games=max((int(found[2]) for found in numbers if found), default=1)
    )
    account.games += 1
    account.moves += moves


def _count_book_node(node: Node, game: Game, after: Game, gathering: Gathering) -> int:
    """Count a node of a book by its own numbers, and return how many moves they were of.

    Moves that only lead to the tree have none.
    """
    if numbers := _numbers(node, POSITION_NUMBERS, 3):
        gathering.add_visits(after, numbers[0], games=int(numbers[2]))
    sums = _numbers(node, MOVE_NUMBERS, 4)
    if after is game or not sums or sums[1] > sums[0] or sums[3] > sums[2]:
        return 0
    gathering.add_move(game, after, *sums)
    return 1


def _black_share(record: Record, how: Import) -> float:
    """Return Black's share of the win: 1, 0, or one half.

    Raises:
        GoError: If nobody is known to have won, and such games are not wanted.
    """
    result = parse_result(record.result)
    if result.winner is not None:
        return 1.0 if result.winner == "black" else 0.0
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
    if color != game.to_play:
        raise GoError(f"{color} plays {vertex} out of turn")
    after = game.copy()
    after.play_unless_impossible(color, vertex)
    return after


def _numbers(node: Node, name: str, count: int) -> list[float]:
    """Return the *count* numbers of a property of Montego's own; none if they make no sense."""
    try:
        numbers = [float(word) for word in node.text(name).split()]
    except ValueError:
        return []
    is_sound = len(numbers) == count and all(0.0 <= number < 1e15 for number in numbers)
    return numbers if is_sound else []


@dataclass(frozen=True, kw_only=True)
class Export:
    """A record, and how much of the book is in it."""

    record: Record
    positions: int
    moves: int


def export_sgf(book: Book, game: Game, extent: Extent, *, positions: int) -> Export | None:
    """Return the tree below the position of *game*, at most so many positions; None if nothing.

    The moves of *game* come first. A move that the rules forbid in this game is not in it.
    """
    settings = settings_of(game)
    known = book.find(settings, pose_of_game(game).key)
    if known is None:
        return None
    record = transcribe(game, None)
    record.root.set_text(BOOK_MARK, FORMAT)
    node = record.main_line()[-1]
    node.comment = f"Montego's book, {settings}: {known.visits:,.0f} visits here."
    order = count()
    waiting = [(-known.visits, next(order), 0, game, node, known)]
    seen = {known.key}
    written = moves = 0
    while waiting and written < positions:
        _, _, depth, at, node, known = heapq.heappop(waiting)
        node.set_text(POSITION_NUMBERS, _words(known.visits, known.depth, known.games))
        written += 1
        for move, shown, after in known_moves(at, known, extent):
            child = node.add_move(at.to_play, parse_vertex(shown.vertex, at.size))
            child.set_text(MOVE_NUMBERS, _words(*move[1:5]))
            winner, share = at.to_play.capitalize(), 100 * move.value
            child.comment = f"{move.visits:,.0f} visits, {winner} wins {share:.1f}%."
            moves += 1
            if depth + 1 == extent.depth:
                continue
            found = book.find(settings, pose_of_game(after).key)
            if found is None:
                continue
            if found.key in seen:
                child.comment += " The position is elsewhere in the tree."
                continue
            seen.add(found.key)
            heapq.heappush(waiting, (-found.visits, next(order), depth + 1, after, child, found))
    return Export(record=record, positions=written, moves=moves)


def _words(*numbers: float) -> str:
    """Return numbers so that reading them gives the same numbers."""
    return " ".join(f"{number:.17g}" for number in numbers)
