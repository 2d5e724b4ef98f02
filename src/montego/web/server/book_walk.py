"""The book as pages walk through it: one position at a time, and the moves that it knows there.

The book is opened for each question and closed again, so that it may be replaced, pruned or
deleted while the server runs. Reading takes a few milliseconds: not for the event loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.book.errors import BookError, NoBook
from montego.book.opening_tree import known_position
from montego.book.position import pose_of_game, rules_text, settings_of
from montego.book.store import Book
from montego.go.game import Game
from montego.go.vocabulary.errors import GoError, IllegalMove
from montego.go.vocabulary.rules import PRESETS, parse_rules
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.web.game.go_referee import RULES, position_of
from montego.web.messages.replies import BookMove, BookReply, Choice, as_sentence
from montego.web.thinking.thinker import chance_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from montego.book.opening_tree import KnownMove
    from montego.book.position import GameSettings
    from montego.web.messages.requests import ShowBook

MOST_MOVES = 100
"""That a page is told of one position. Those that are left out have hardly any visits."""

PATIENCE = 2.0  # Seconds to wait for others who write into the book.
LEAST_VISITS = 0.5  # Of a move that is shown; it is then one, rounded.

NO_BOOK_IN_USE = (
    "Montego plays without a book: it was started with --book off. Start it without that, or with "
    "--book FILE, to see what it has learned."
)
NO_BOOK_YET = (
    "There is no book yet. Montego begins one after a game that it played without a level; "
    "the command montego book learn begins one at once."
)
NO_SUCH_SETTINGS = (
    "The book has nothing for that board, rules and komi; this is what it has most of."
)
EMPTY = "The book is empty so far. It grows with every game that Montego plays without a level."


def show_book(path: Path | None, request: ShowBook) -> BookReply:
    """Return what the book at *path* knows of a position; None if no book is in use.

    Nothing is raised: what is wrong with the book, or with the moves, is told in the answer.
    """
    number = request.number
    if path is None:
        return BookReply(number, "", trouble=NO_BOOK_IN_USE)
    try:
        with Book.open(path, create=False, read_only=True, patience=PATIENCE) as book:
            return _show(book, request)
    except NoBook as error:
        trouble = as_sentence(str(error)) if path.exists() else NO_BOOK_YET
        return BookReply(number, str(path), trouble=trouble)
    except BookError as error:
        return BookReply(number, str(path), trouble=as_sentence(str(error)))
    except GoError as error:  # Rules or a size that nobody could have played by.
        return BookReply(number, str(path), trouble=f"The book {path} is damaged: {error}.")


def _show(book: Book, request: ShowBook) -> BookReply:
    """Return what an open book knows; raises BookError if it cannot be read."""
    named = {settings_name(settings): settings for settings in book.settings()}
    if not named:
        return BookReply(request.number, str(book.path), trouble=EMPTY)
    chosen = request.settings or next(iter(named))
    moves, trouble = request.moves, ""
    if chosen not in named:
        chosen, moves, trouble = next(iter(named)), [], NO_SUCH_SETTINGS
    settings = named[chosen]
    game = Game(settings.size, rules=parse_rules(settings.rules), komi=settings.komi)
    trouble = _play(game, moves) or trouble
    found = known_position(book, game)
    return BookReply(
        request=request.number,
        place=str(book.path),
        choices=[Choice(name, settings_label(each), str(each)) for name, each in named.items()],
        settings=chosen,
        moves=[move.vertex for move in game.moves],
        # Which moves are legal is not told: only known ones can be followed.
        position=position_of(game, id="", node=len(game.moves), moves=[]),
        visits=0 if found is None else round(found.visits),
        known=[] if found is None else _moves(book, game, found.moves),
        trouble=trouble,
    )


def settings_name(settings: GameSettings) -> str:
    """Return one word for settings, for addresses."""
    return f"{settings.size}-{settings.rules}-{settings.komi:g}"


def settings_label(settings: GameSettings) -> str:
    """Return ``"9x9, Chinese, komi 7.5"``, or what the rules are if they have no name."""
    size, komi = f"{settings.size}x{settings.size}", f"komi {settings.komi:g}"
    for name, label in RULES.items():
        if rules_text(PRESETS[name]) == settings.rules:
            return f"{size}, {label}, {komi}"
    return str(settings)


def _play(game: Game, moves: Sequence[str]) -> str:
    """Play moves as far as possible; return what is wrong with the next, or nothing."""
    for vertex in moves:
        if game.is_over:
            return "Both players have passed there: the game is over."
        try:
            game.play(game.to_play, format_vertex(parse_vertex(vertex, game.size)))
        except GoError as error:
            return as_sentence(str(error))
    return ""


def _moves(book: Book, game: Game, moves: Iterable[KnownMove]) -> list[BookMove]:
    """Return the moves for a page, without those that this game's own past forbids."""
    shown: list[tuple[KnownMove, int]] = []
    for known in moves:
        if len(shown) == MOST_MOVES or known.visits < LEAST_VISITS:
            break  # They come by visits.
        after = game.copy()
        try:
            after.play(game.to_play, known.vertex)
        except IllegalMove:
            continue
        shown.append((known, pose_of_game(after).key))
    beyond = book.find_many(settings_of(game), {key for _, key in shown})
    return [
        BookMove(
            move=known.vertex,
            alike=list(known.equivalents[1:]),
            visits=round(known.visits),
            value=round(chance_for(game.to_play, known.value), 4),
            rave=round(chance_for(game.to_play, known.amaf_value), 4),
            rave_visits=round(known.amaf_visits),
            goes_on=key in beyond,
        )
        for known, key in shown
    ]
