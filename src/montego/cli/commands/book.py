"""``montego book``: the book of openings that learns, from the command line.

Each verb takes the book's file with ``--book``; without, it is the user's own. Verbs that only read
never make a file.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import montego
import montego.book
from montego.cli.command import Namespace, argument, command, group
from montego.cli.output import amount, print_json, print_result, progress_bar, tell
from montego.cli.player_options import options_from, player_options
from montego.cli.termination import asked_to_end
from montego.engine.book_learning import BookTeacher, Learned, LessonPlan, stranger_to
from montego.engine.options.options import expand_home, find_option
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.vertex import check_size
from montego.jit.interrupt import stopped_by_ctrl_c

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego import Game
    from montego.book import Book, GameSettings
    from montego.book.sgf_exchange import Account
    from montego.book.store import BookStatistics
    from montego.engine.options.options import Options
    from montego.engine.player import Player

DEPTH, WIDTH = 3, 4
MOST_POSITIONS, MOST_BOARDS = 10_000, 2_000  # Of a tree to show; a page has a board for each.
MERGED_AT = 20_000  # Positions that are gathered before they are merged.
MOST_EXPORTED = 5_000
MOST_REASONS = 20  # Told one by one, if nobody asks for all as JSON.
MOST_LIMIT = 10**12  # Positions.
MEGABYTE = 1 << 20
LEAST_MEGABYTES = 0.1  # An empty book takes nearly as much.

MINUTES = 10.0
SIMULATIONS = 2_000
LONGEST_COMPILATION = 1_800.0  # Seconds.
PATIENCE = 30.0  # Seconds to wait in the end for others who write into the book.
HABITS: dict[str, bool | float] = {"book_least": 0.25, "early_stop": False}
"""What a lesson does otherwise than a game, unless it is told: it looks again at what it knows.

Else the first positions of all games would stay as one search saw them.
"""
WITHOUT = (
    "ponder", "level", "style", "mode", "resign", "dynamic-komi", "name", "log", "kgs-chat", "book",
    "with", "with-mode",
)  # fmt: skip  # A list to read, not a column.
"""Options that mean nothing here, or have another flag."""

OWN = "default"
DATABASE_HEADER = b"SQLite format 3\0"

BOOK = argument("--book FILE", "the book's file; default: your own", default=OWN)
RECORD = argument("--from FILE.sgf", "begin at the end of this game's main line", dest="record")
POSITION = (
    argument(
        "moves MOVE",
        "begin after these moves, such as E5 G5; default the empty board",
        nargs="*",
    ),
    RECORD,
    argument("--size S", "of the board", type=int),
    argument("--rules R", "of the games"),
    argument("--komi K", "of the games; what is not said is what most are"),
)
"""Where in the book to begin; :func:`game_at` reads it."""


# The verbs


@command(
    "Show what the book knows as a tree of moves: visits, their share of the position's, and how "
    "often the player who makes the move won. Moves that symmetry makes the same are one.",
    *POSITION,
    BOOK,
    argument("--depth N", f"moves in a row; default {DEPTH}", default=DEPTH),
    argument("--width N", f"moves of a position; default {WIDTH}", default=WIDTH),
    argument("--least-visits N", "leave out moves with fewer; default 1", default=1.0),
    argument("--html FILE", "write a page with boards and branches that fold"),
    argument("--json", "the tree as JSON"),
)
def show(options: Namespace) -> None:
    """Carry out ``montego book show``: the opening tree as text, as a page or as JSON."""
    from montego.book.opening_tree import (  # Loads NumPy.
        Extent,
        opening_tree,
        tree_data,
        tree_page,
        tree_text,
    )
    from montego.book.position import settings_of

    extent = Extent(
        depth=options.depth,
        width=options.width,
        least_visits=options.least_visits,
        positions=MOST_POSITIONS if options.html is None else MOST_BOARDS,
    )
    with open_book(options, read_only=True) as book:
        game = game_at(options, book)
        tree = opening_tree(book, game, extent)
    settings = settings_of(game)
    moves = [move.vertex for move in game.moves]
    if tree is None:
        raise GoError(f"{book.path}: nothing is known of this position ({settings})")
    after = f"after {' '.join(moves)}" if moves else "from the beginning"
    if options.json:
        place = {"size": settings.size, "rules": settings.rules, "komi": settings.komi}
        document = {"book": str(book.path), **place, "moves": moves, "position": tree_data(tree)}
        print_json(document, indent=1)
    elif options.html is not None:
        with replaced(Path(options.html)) as stream:
            stream.write(tree_page(tree, f"Montego's book {after}", [str(settings)]))
        sys.stdout.write(f"written: {options.html}\n")
    else:
        sys.stdout.write(
            f"{settings}, {after}: {tree.visits:,.0f} visits, {tree.to_play} to play\n\n"
            f"{tree_text(tree)}"
        )


@command(
    "Count the games of SGF files, of all SGF files in folders, and of trees that 'export' wrote; "
    "or add a book that 'export' wrote as JSON. What cannot be read is named and left out. The "
    "status is 1 if nothing was counted.",
    argument("files FILE", "SGF files, folders, JSON", nargs="+"),
    BOOK,
    argument("--visits N", "what a game is worth, in visits; default 10", default=10.0),
    argument("--depth N", "moves of a game that are counted; default 40", default=40),
    argument("--variations", "count variations too, as half won"),
    argument("--undecided", "count games without a winner too, as half won"),
    argument("--rules R", "instead of what the files say"),
    argument("--komi K", "instead of what the files say"),
    argument("--json", "what was done, as JSON"),
    epilog="A game counts as visits to its moves, with 1 as the value of the winner's moves and 0 "
    "of the loser's. Importing a file twice counts it twice.",
)
def import_games(options: Namespace) -> int:
    """Carry out ``montego book import``."""
    from montego.book.json_exchange import import_json  # Loads NumPy.
    from montego.book.sgf_exchange import Account, Gathering, Import, import_sgf, sgf_files

    how = Import(
        visits=options.visits,
        depth=options.depth,
        variations=options.variations,
        undecided=options.undecided,
        rules=None if options.rules is None else parse_rules(options.rules),
        komi=None if options.komi is None else parse_komi(options.komi),
    )
    documents = [Path(name) for name in options.files if name.lower().endswith(".json")]
    paths = sgf_files(name for name in options.files if not name.lower().endswith(".json"))
    for path in documents:
        _check_document(path)
    check_writable(options)
    account, gathering = Account(), Gathering()
    positions = 0  # Taken in from JSON.
    with ExitStack() as opened:

        @cache
        def book() -> Book:
            """Open the book, and make it, when there is something to put in."""
            return opened.enter_context(open_book(options, create=True))

        try:
            with progress_bar("importing", enabled=not options.json) as show:
                for number, path in enumerate(paths):
                    show(number / len(paths), path.name)
                    import_sgf(path, how, gathering, account)
                    if gathering.positions >= MERGED_AT:
                        gathering.merge_into(book())
                for path in documents:
                    show(0.0, path.name)
                    with path.open(encoding="utf-8") as stream:
                        positions += import_json(book(), stream)
        finally:
            # After Ctrl-C too: what was counted until then is kept.
            if gathering.positions:
                gathering.merge_into(book())
            _report_import(options, account, positions)
    return int(account.games == 0 and positions == 0)


def _check_document(path: Path) -> None:
    """Read a book as JSON to its end.

    Raises:
        GoError: If that cannot be done; the message names the file.
    """
    from montego.book.json_exchange import read_json

    try:
        with path.open(encoding="utf-8") as stream:
            for _ in read_json(stream).positions:
                pass
    except OSError as error:
        raise GoError(f"{path}: {error.strerror or error}") from None
    except GoError as error:
        raise GoError(f"{path}: {error}") from None


def _report_import(options: Namespace, account: Account, positions: int) -> None:
    """Say what was counted, and why what was not was not."""
    if not options.json:
        for title, reasons in (("left out", account.skipped), ("cut short", account.cut_short)):
            for reason in reasons[:MOST_REASONS]:
                tell(f"{title}: {reason}")
            if len(reasons) > MOST_REASONS:
                tell(f"{title}: {len(reasons) - MOST_REASONS} more; --json lists them all")
    counted = []
    if account.games:
        counted.append(f"{amount(account.games, 'game')} with {amount(account.moves, 'move')}")
    if positions:
        counted.append(amount(positions, "position"))
    path = book_path(options)
    text = f"{' and '.join(counted)} counted into {path}" if counted else "nothing was counted"
    document = {
        "book": str(path),
        "games": account.games,
        "moves": account.moves,
        "positions": positions,
        "skipped": account.skipped,
        "cut_short": account.cut_short,
    }
    print_result(options, document, f"{text}\n")


@command(
    "Write the tree of openings as an SGF file, with counts and values in its comments, or the "
    "whole book as JSON, from which 'import' makes the same book again.",
    argument("file FILE", "what to write: .sgf or .json"),
    *POSITION,
    BOOK,
    argument("--depth N", "SGF: moves in a row; default 30", default=30),
    argument("--width N", "SGF: moves of a position; default all", type=int),
    argument("--least-visits N", "SGF: leave out moves with fewer; default 1", default=1.0),
    argument(
        "--positions N",
        f"SGF: at most so many, the most visited first; default {MOST_EXPORTED}",
        default=MOST_EXPORTED,
    ),
)
def export(options: Namespace) -> None:
    """Carry out ``montego book export``."""
    target = Path(options.file)
    kind = target.suffix.lower()
    if kind not in (".sgf", ".json"):
        raise GoError(f"cannot export to {target}: say a file that ends in .sgf or .json")
    with open_book(options, read_only=True) as book:
        write = _export_json if kind == ".json" else _export_sgf
        written = write(options, book, target)
    sys.stdout.write(f"{written} written to {target}\n")


def _export_json(options: Namespace, book: Book, target: Path) -> str:
    from montego.book.json_exchange import export_json

    if options.moves or not options.record is options.size is options.rules is options.komi is None:
        raise GoError("JSON has all of a book: moves and boards are chosen for SGF only")
    total = max(book.statistics().positions, 1)
    with progress_bar("exporting") as show, replaced(target) as stream:
        written = export_json(book, stream, lambda done: show(done / total, ""))
    return amount(written, "position")


def _export_sgf(options: Namespace, book: Book, target: Path) -> str:
    from montego.book.opening_tree import Extent
    from montego.book.sgf_exchange import export_sgf

    extent = Extent(depth=options.depth, width=options.width, least_visits=options.least_visits)
    if options.positions < 1:
        raise GoError(f"cannot export {options.positions} positions: say a number from 1")
    game = game_at(options, book)
    found = export_sgf(book, game, extent, positions=options.positions)
    if found is None:
        raise GoError(f"{book.path}: nothing is known of this position")
    with replaced(target) as stream:
        stream.write(found.record.to_sgf())
    return f"{amount(found.positions, 'position')} with {amount(found.moves, 'move')}"


@command(
    "Add what other books know to this one, which is made if it is not there. The others stay as "
    "they are.",
    argument("others OTHER", "the books to add", nargs="+"),
    BOOK,
    argument("--json", "what was added, as JSON"),
)
def merge(options: Namespace) -> None:
    """Carry out ``montego book merge``."""
    check_writable(options)
    paths = [Path(expand_home(name)) for name in options.others]
    seen = {book_path(options).resolve()}
    for path in paths:
        if path.resolve() in seen:
            raise GoError(f"{path}: a book is not added to itself, nor twice")
        seen.add(path.resolve())
    added = 0
    with ExitStack() as opened:
        # Whatever is wrong with one of them is found before anything is added.
        others = [
            opened.enter_context(montego.book.Book.open(path, create=False, read_only=True))
            for path in paths
        ]
        for other in others:
            faults = other.check()
            if faults:
                raise GoError(f"the book {other.path} is damaged: {faults[0]}")
        book = opened.enter_context(open_book(options, create=True))
        show = opened.enter_context(progress_bar("merging", enabled=not options.json))
        before = book.statistics().positions
        for number, other in enumerate(others):
            show(number / len(others), str(other.path))
            added += book.absorb(other)
        after = book.statistics()
    new = after.positions - before
    figures = {"books": len(others), "merged": added, "new": new, "positions": after.positions}
    print_result(
        options,
        figures | {"book": str(after.path)},
        f"{amount(added, 'position')} of {amount(len(others), 'book')} added, {new:,} of them new; "
        f"{after.path} has {after.positions:,}\n",
    )


@command(
    "Say how much is in the book: positions, visits and games by board and rules.",
    BOOK,
    argument("--json", "as JSON"),
)
def stats(options: Namespace) -> None:
    """Carry out ``montego book stats``."""
    with open_book(options, read_only=True) as book:
        found = book.statistics()
    figures: dict[str, Any] = asdict(found)
    figures = {"book": str(figures.pop("path"))} | figures
    figures["settings"] = [one.pop("settings") | one for one in figures["settings"]]
    limit = "none" if found.size_limit is None else amount(found.size_limit, "position")
    lines = [
        f"{found.path}",
        f"  {_extent(found)}; limit: {limit}; format {found.format}",
        f"  {amount(found.games, 'game')} in {amount(found.merges, 'merge')}",
    ]
    lines += [
        f"\n{one.settings}\n  {amount(one.positions, 'position')}, {one.visits:,.0f} visits, "
        f"{amount(one.games, 'game')}, up to {amount(one.deepest, 'move')} deep"
        for one in found.settings
    ]
    print_result(options, figures, "\n".join(lines) + "\n")


def _extent(found: BookStatistics) -> str:
    return f"{amount(found.positions, 'position')}, {found.bytes / MEGABYTE:.1f} MB"


@command(
    "Take out the least useful positions: those with the fewest visits, not met for the longest "
    "time, deepest in the game.",
    BOOK,
    argument("--positions N", "keep at most so many", type=int),
    argument("--megabytes X", "keep at most so much", type=float),
    argument("--limit N|none", "from now on let the book never grow beyond so many positions"),
    argument("--json", "what was done, as JSON"),
)
def prune(options: Namespace) -> None:
    """Carry out ``montego book prune``."""
    limit = _limit(options.limit)
    positions, megabytes = options.positions, options.megabytes
    if positions is megabytes is options.limit is None:
        raise GoError("say how much to keep: --positions N, --megabytes X or --limit N")
    if positions is not None and positions < 0:
        raise GoError(f"cannot keep {positions} positions: say a number from 0")
    if megabytes is not None and not LEAST_MEGABYTES <= megabytes < 1e9:
        raise GoError(f"cannot keep {megabytes:g} megabytes: say a number from {LEAST_MEGABYTES:g}")
    size = None if megabytes is None else int(megabytes * MEGABYTE)
    with open_book(options) as book:
        taken = 0
        if options.limit is not None:
            book.size_limit = limit
            taken += 0 if limit is None else book.prune(positions=limit)
        if positions is not None or size is not None:
            taken += book.prune(positions=positions, bytes=size)
        left = book.statistics()
    print_result(
        options,
        {"pruned": taken, "positions": left.positions, "bytes": left.bytes},
        f"{amount(taken, 'position')} taken out, {_extent(left)} left in {left.path}\n",
    )


def _limit(text: str | None) -> int | None:
    """Return a number of positions, None for no limit.

    Raises:
        GoError: If it is neither a number from 1 nor ``none``.
    """
    if text is None or text.strip().lower() == "none":
        return None
    if not text.strip().isdecimal() or not 1 <= int(text) <= MOST_LIMIT:
        raise GoError(f"invalid --limit {text!r}: say a number of positions from 1, or none")
    return int(text)


@command(
    "Read all of the book and say what is wrong with it. Nothing is changed. The status is 0 if "
    "the book is sound, else 1.",
    BOOK,
    argument("--json", "as JSON"),
)
def check(options: Namespace) -> int:
    """Carry out ``montego book check``."""
    with open_book(options, read_only=True) as book:
        faults = book.check()
    lines = [f"{book.path}: {'damaged' if faults else 'sound'}", *(f"  {one}" for one in faults)]
    document = {"book": str(book.path), "sound": not faults, "faults": faults}
    print_result(options, document, "\n".join(lines) + "\n")
    return int(bool(faults))


# Learning


@command(
    "Let Montego fill its book: it plays openings against itself, without the book on the other "
    "side, and keeps what its searches find; or, with --search, it looks at one position as long "
    "as you like. Ctrl-C ends it and keeps what was learned. Several may learn for one book at a "
    "time.",
    argument("moves MOVE", "begin after these moves, such as E5 G5", nargs="*"),
    RECORD,
    BOOK,
    argument("--games N", "how many to play", type=int),
    argument("--minutes X", "how long", type=float),
    argument("--search", "search the position, play nothing"),
    argument("--depth N", "keep positions of so many moves; default 20", type=int),
    argument(
        "--variety X",
        "how freely the opponent moves: 0 plays the best moves, 1 each as often as it was "
        "visited; default 0.5",
        default=0.5,
    ),
    argument("--json", "what was learned, as JSON"),
    # People begin on small boards.
    player_options(without=WITHOUT, size="9", simulations=str(SIMULATIONS)),
    epilog=f"Without --games and --minutes it learns for {MINUTES:g} minutes.",
)
def learn(arguments: Namespace) -> int:
    """Carry out ``montego book learn``."""
    options = _options(arguments)
    start = _start(arguments, options)
    lesson = LessonPlan(
        games=arguments.games, seconds=_seconds(arguments), variety=arguments.variety
    )
    if arguments.search and arguments.games is not None:
        raise GoError("a search has no games: say --minutes")
    check_writable(arguments)
    troubles: list[str] = []
    player = montego.Player(options, tell=troubles.append)
    stranger = montego.Player(stranger_to(options))  # Which has nothing to complain of.

    def stop() -> None:
        player.stop()
        stranger.stop()

    def is_stopped() -> bool:
        return asked_to_end() or stopped.is_set()

    learned = Learned()
    try:
        with (
            progress_bar("learning", enabled=not arguments.json) as show,
            stopped_by_ctrl_c(stop) as stopped,
        ):
            _prepare(player, start, is_stopped)
            if not arguments.search:
                _prepare(stranger, start, is_stopped)  # Without a book it is other code.

            def report(done: Learned) -> None:
                _complain(player, troubles)
                show(done.part, _summary(done))

            teacher = BookTeacher(
                player, stranger, start, lesson, is_stopped=is_stopped, report=report
            )
            learned = teacher.learned
            if arguments.search:
                teacher.search()
            else:
                teacher.play()
            learned.positions += _add_the_rest(player, is_stopped)
        _complain(player, troubles)
    except KeyboardInterrupt:
        if not asked_to_end():
            raise
    finally:
        player.close()
        stranger.close()
    path = book_path(arguments)
    figures = {name: getattr(learned, name) for name in ("games", "moves", "positions")}
    text = f"{_summary(learned)} learned; the book is {path}\n"
    print_result(arguments, {"book": str(path)} | figures, text)
    trouble = player.book_trouble
    if trouble is not None:
        tell(f"montego: {trouble}; what was found since is lost")
    if is_stopped():
        raise KeyboardInterrupt
    return int(trouble is not None)


def _options(arguments: Namespace) -> Options:
    """Return the player's options, with the book and without what learning has no use for."""
    options = options_from(arguments)
    given = options.changes()
    options = options.replace(**{key: value for key, value in HABITS.items() if key not in given})
    depth = options.book_depth if arguments.depth is None else arguments.depth
    return options.set("book", arguments.book).replace(
        book_learn=True,
        book_depth=depth,
        level=None,
        style=None,
        resign=None,
        dynamic_komi="off",
        ponder=False,
    )


def _start(arguments: Namespace, options: Options) -> Game:
    given = (arguments.player_size, arguments.player_rules, arguments.player_komi)
    new_game = partial(montego.Game, options.size, rules=options.rules, komi=options.komi)
    game = first_game(arguments, given, new_game)
    if game.is_over:
        raise GoError("the game is over in this position")
    if len(game.moves) > options.book_depth:
        raise GoError(
            f"the position is {len(game.moves)} moves deep and the book keeps "
            f"{options.book_depth}: say a greater --depth"
        )
    return game


def _seconds(arguments: Namespace) -> float | None:
    if arguments.minutes is None:
        return 60 * MINUTES if arguments.games is None else None
    if not 0 < arguments.minutes < 1e6:
        raise GoError(f"cannot learn for {arguments.minutes:g} minutes: say a number above 0")
    return 60 * float(arguments.minutes)


def _prepare(player: Player, start: Game, is_stopped: Callable[[], bool]) -> None:
    """Wait until the search is compiled: moves by simple rules teach nothing.

    Raises:
        GoError: If it cannot be compiled.
    """
    player.load(start.copy())
    begun = time.monotonic()
    while not player.prepare(0.2) and not is_stopped():
        if time.monotonic() - begun > LONGEST_COMPILATION:
            raise GoError("the search cannot be compiled, so nothing can be learned")


def _add_the_rest(player: Player, is_stopped: Callable[[], bool]) -> int:
    """Add what others who wrote kept from being added; return how many positions that were."""
    count, until = 0, time.monotonic() + PATIENCE
    while player.book_trouble is not None and player.learns:
        if is_stopped() or time.monotonic() > until:
            break
        time.sleep(0.1)
        count += player.learn()
    return count


def _complain(player: Player, troubles: list[str]) -> None:
    """End the lesson if the player could not use its book: it would play on without.

    A book that others are writing will be free again; then the lesson goes on.
    """
    if troubles and not player.learns:
        raise GoError(troubles[0].removeprefix("montego: "))


def _summary(learned: Learned) -> str:
    begun = {"game": learned.games, "move": learned.moves}
    counts = [amount(number, thing) for thing, number in begun.items() if number]
    return ", ".join([*counts, amount(learned.positions, "position")])


# Which book, and which position


def book_path(options: Namespace) -> Path:
    """Return the file that ``--book`` names; raises GoError if it names none."""
    from montego.book.store import default_book  # Loads NumPy.

    return _named(options) or default_book()


def open_book(options: Namespace, *, create: bool = False, read_only: bool = False) -> Book:
    """Open the book that ``--book`` names; with *create* make it if there is none.

    Raises:
        BookError: If there is none, or it cannot be read, or written unless *read_only*.
    """
    return montego.book.Book.open(_named(options), create=create, read_only=read_only)


def check_writable(options: Namespace) -> None:
    """Find out before the work is done whether the book can be written; none is made yet.

    Raises:
        GoError: If it cannot.
    """
    path = book_path(options)
    if path.exists():
        open_book(options).close()
    elif _named(options) is not None and not path.parent.is_dir():
        raise GoError(f"cannot make the book {path}: there is no such folder")


def _named(options: Namespace) -> Path | None:
    """Return the file that was named; None for the user's own, whose folder is made if missing.

    Raises:
        GoError: If none was.
    """
    place = find_option("book").parse(options.book) if options.book.strip() else None
    if not isinstance(place, str):
        raise GoError(f"invalid --book {options.book!r}: say a file; this command is about a book")
    return None if place == OWN else Path(place)


@contextmanager
def replaced(path: Path) -> Iterator[IO[str]]:
    """Write a file as a whole, or not at all: what was there before stays if anything fails.

    Raises:
        GoError: If it cannot be written, or a book or something else than a file has its name.
    """
    scrap = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists():
            if not path.is_file():
                raise GoError(f"cannot write {path}: it is no ordinary file")
            with path.open("rb") as present:
                if present.read(len(DATABASE_HEADER)) == DATABASE_HEADER:
                    raise GoError(f"cannot write {path}: it is a book; say another file")
        with scrap.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        scrap.replace(path)
    except OSError as error:
        raise GoError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            scrap.unlink(missing_ok=True)


def game_at(options: Namespace, book: Book) -> Game:
    """Return a game that stands where the options of :data:`POSITION` say.

    Raises:
        GoError: If they make no sense, or the book has nothing for the board and rules.
    """

    def new_game() -> Game:
        settings = _settings(options, book)
        return montego.Game(settings.size, rules=parse_rules(settings.rules), komi=settings.komi)

    return first_game(options, (options.size, options.rules, options.komi), new_game)


def first_game(options: Namespace, board: tuple[object, ...], new_game: Callable[[], Game]) -> Game:
    """Return the game of ``--from``, or else a new one, after the moves that were given.

    Commas between these will do as well as blanks. *board* is what was said about size, rules and
    komi; all are None if nothing was.

    Raises:
        GoError: If a record would have another board, or a move cannot be played.
    """
    if options.record is None:
        game = new_game()
    elif any(said is not None for said in board):
        raise GoError("a record says its own board, rules and komi: leave the options out")
    else:
        record = montego.Game.from_sgf_file(options.record)
        for warning in record.warnings:
            sys.stderr.write(f"{options.record}: {warning}\n")
        game = record.copy()
    for vertex in " ".join(options.moves).replace(",", " ").split():
        game.play(game.to_play, vertex)
    return game


def _settings(options: Namespace, book: Book) -> GameSettings:
    """Return the settings that fit the options, of which the book knows most."""
    from montego.book.position import half_points, rules_text

    size = None if options.size is None else check_size(options.size)
    rules = None if options.rules is None else rules_text(parse_rules(options.rules))
    komi = None if options.komi is None else half_points(parse_komi(options.komi))
    known = book.settings()
    for settings in known:
        if (
            size in (None, settings.size)
            and rules in (None, settings.rules)
            and komi in (None, half_points(settings.komi))
        ):
            return settings
    if not known:
        raise GoError(f"{book.path}: there is nothing in this book yet")
    there = "; ".join(map(str, known))
    raise GoError(f"{book.path}: nothing for that board, rules and komi; there is {there}")


book = group(
    "Look into the book that learns from every game, teach it, and take care of it. Every verb "
    "takes the book's file with --book; without, it is your own.",
    "verbs",
    "VERB",
    {
        "show": ("the tree of openings", show),
        "learn": ("play openings against itself, or search one position for long", learn),
        "import": ("learn from game records, or take in a book as JSON", import_games),
        "export": ("an SGF tree, or the whole book as JSON", export),
        "merge": ("add other books to this one", merge),
        "stats": ("how much is in the book", stats),
        "prune": ("forget the least useful positions", prune),
        "check": ("look for damage", check),
    },
    epilog="'montego book VERB --help' says more about each.",
)
