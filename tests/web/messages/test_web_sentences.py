"""What the server says to people can be said in every language of the page.

The page knows the forms of sentences, ``"There is no stone at {move}."``, from its catalogues; here
they are compared with the sentences that stand in the sources of :mod:`montego.web`.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

import montego
import montego.web
from montego.web.messages.replies import as_sentence

ROOT = Path(__file__).parents[3]
CATALOGUES = ROOT / "frontend" / "src" / "languages" / "catalogues"
LANGUAGES = sorted(file.stem for file in CATALOGUES.glob("*.json"))
ERRORS = {"ValueError", "GoError", "StoreError"}
LEFT_ENGLISH = """
    Stones are not set up in {}.
    {} has no count.
    There are no dead stones in {}.
    There are no rules for {} here.
    {} is no move of {}: {}.
    {} has no score to estimate.
    There is no level {}.
    There is no level {}: say one from {} to {}.
    This is a game of {}: start montego play with the file that has its rules.
    There is no game of your own: say montego play FILE.py to have one.
    {} knows neither handicap nor komi.
    The strength is a level, or simulations, or seconds: choose one.
    Only in Go is Montego as strong as you: choose a level.
    With an adviser Montego has no level: choose simulations or seconds.
    The {} Go, not {}.
    There is no program {}: say one of {}.
    The programs of the documents play Go, not {}.
    A program of the documents has no level: choose simulations or seconds.
    A program of the documents has a style of its own.
    There is no style {}: say one of {}.
    Only in Go does Montego play in a style.
    A program of the documents has no other adviser: let Montego play it.
    An absolute clock needs some main time.
    Byo-yomi needs periods of some seconds, and at least one of them.
    A Fischer clock needs main time or seconds for each move.
    This is nothing to ask of a game.
    Only boards of Go are drawn on.
    A pass is not on the board.
    Only the game itself knows what its board looks like.
    There is nothing to show.
    The engine was closed.
    {} answered {} instead of a move.
    A GTP engine only plays; ask Montego what it thinks.
    A GTP engine only plays; ask Montego for the score.
"""
"""What the page's own forms do not let happen, or only those see who type commands."""


SPEAKERS = (
    "engine/decision.py",
    "engine/ending/judgement.py",
    "go/playout/reason.py",
    "web/thinking/go_thinker.py",
    "web/thinking/search_thinker.py",
    "web/server/book_walk.py",
)
"""Where stands what is said of moves and of the book, in pieces."""

LEFT_IN_PIECES = {
    "the search cannot be compiled; a move by simple rules",  # Where no search runs at all:
    "the search cannot be compiled",
    "the search and its adviser prefer it together",  # What an adviser says stays English.
    "the search was cancelled",  # A move is never told with these two.
    "decides nothing",
    "moves were",  # "12 moves" is one value.
    "is damaged",  # What is wrong with a file stays English.
    "montego: playing without a network",  # Said to the terminal.
}


def forms(language: str) -> dict[str, str]:
    text = (CATALOGUES / f"{language}.json").read_text(encoding="utf-8")
    return dict(json.loads(text)["server"])


def skeleton(text: str) -> str:
    """A sentence with its values taken out."""
    return re.sub(r"\{\w*\}", "{}", text)


def sentences_raised() -> set[str]:
    """The sentences of errors that stand in the sources of the server."""
    found = set()
    for file in Path(montego.web.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
                continue
            name, arguments = ast.unparse(node.exc.func), node.exc.args
            text = _text(arguments[0]) if name in ERRORS and arguments else None
            if text is not None:
                found.add(as_sentence(text))
    return found


def _text(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return None


def test_there_are_sentences_to_look_for() -> None:
    assert len(sentences_raised()) > 50
    assert len(LANGUAGES) == 6


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_of_the_server_can_be_told(language: str) -> None:
    known = {skeleton(form) for form in forms(language)}
    known |= {line.strip() for line in LEFT_ENGLISH.splitlines()}

    assert sorted(sentences_raised() - known) == []


def pieces_said() -> set[str]:
    """What stands between the values of sentences, of two words at least; no errors, no docs."""
    found = set()
    for name in SPEAKERS:
        source = Path(montego.__file__).parent / name
        tree = ast.parse(source.read_text(encoding="utf-8"))
        apart = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.Raise | ast.Expr)
            and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
            for part in ast.walk(node)
        }
        found |= {
            node.value.strip(" .,;:()%")
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in apart
            and re.search(r"[a-z]{2} [a-z]", node.value)
        }
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_of_moves_and_of_the_book_can_be_told(language: str) -> None:
    known = "\n".join(skeleton(form) for form in forms(language))
    said = pieces_said()

    assert len(said) > 50
    assert sorted(piece for piece in said - LEFT_IN_PIECES if piece not in known) == []


def test_what_is_left_english_is_still_said() -> None:
    left = {line.strip() for line in LEFT_ENGLISH.splitlines() if line.strip()}

    assert sorted(left - sentences_raised()) == []
