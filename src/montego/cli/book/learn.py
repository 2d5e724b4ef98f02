"""``montego book learn``: let the player teach its book, by self-play or by a long search."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import montego
from montego.cli.book.file import BOOK, RECORD, book_path, check_writable, first_game
from montego.cli.command import Namespace, argument, command
from montego.cli.output import amount, print_result, progress_bar, tell
from montego.cli.player_options import options_from, player_options
from montego.cli.termination import asked_to_end
from montego.engine.book_learning import Learned, Lesson, Teacher, stranger_to
from montego.go.vocabulary.errors import GoError
from montego.jit.interrupt import stopped_by_ctrl_c

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.engine.options.options import Options
    from montego.engine.player import Player
    from montego.go.game import Game

MINUTES = 10.0
SIMULATIONS = 2_000
LONGEST_COMPILATION = 1_800.0  # Seconds.
PATIENCE = 30.0  # Seconds to wait in the end for others who write into the book.
HABITS: dict[str, bool | float] = {"book_least": 0.25, "early_stop": False}
"""What a lesson does otherwise than a game, unless it is told: it looks again at what it knows.

Else the first positions of all games would stay as one search saw them.
"""
WITHOUT = (
    "ponder", "level", "mode", "resign", "dynamic-komi", "name", "log", "kgs-chat", "book",
    "with", "with-mode",
)  # fmt: skip  # A list to read, not a column.
"""Options that mean nothing here, or have another flag."""


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
    lesson = Lesson(games=arguments.games, seconds=_seconds(arguments), variety=arguments.variety)
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

            teacher = Teacher(player, stranger, start, lesson, is_stopped=is_stopped, report=report)
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
