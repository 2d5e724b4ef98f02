"""Every example in the README, the documents and the docstrings is run and must come true.

Links lead somewhere, the tour of the source names every room and no module that is gone, and no two
classes have one name.
"""

from __future__ import annotations

import ast
import doctest
import pkgutil
import re
from importlib import import_module
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

import montego
from places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
PAGES = [*TEXTS, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
SOURCE = ROOT / "src" / "montego"
MODULES = [
    module.name
    for module in pkgutil.walk_packages(montego.__path__, "montego.")
    if not module.name.endswith(".__main__")
]
LINK = re.compile(r"(?<!`)\[[^\]\n]*\]\(([^)\s]+)\)")
TOUR = ROOT / "docs" / "architecture.md"
LAYER = re.compile(r"## `(\w+)`")
DOTTED_NAME = re.compile(r"\bmontego(?:\.[A-Za-z_]\w*)+")
PYTHON_FILE = re.compile(r"\w[\w/]*\.py\b")


def prose(path: Path) -> str:
    """Return a page without its blocks of code."""
    return re.sub(
        r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )


def anchors(path: Path) -> set[str]:
    """Return what the headings of a page are called in links."""
    headings = re.findall(r"^#+ +(.+)$", prose(path), flags=re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings
    }


def dead_links(path: Path) -> list[str]:
    """Return the links of a page to files or headings that are not there."""
    dead = []
    for target in LINK.findall(prose(path)):
        if re.match(r"https?:", target):
            continue
        name, _, anchor = target.partition("#")
        page = (path.parent / name).resolve() if name else path
        if not page.exists() or (anchor and anchor not in anchors(page)):
            dead.append(target)
    return dead


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_in_documents(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # Examples may write files.
    failed, _ = doctest.testfile(str(path), module_relative=False, encoding="utf-8")

    assert failed == 0


@pytest.mark.parametrize("name", ["montego", *MODULES])
def test_examples_in_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name.startswith("montego.train."):
        pytest.importorskip("torch", reason="PyTorch is missing: pip install 'montego[train]'")
    monkeypatch.chdir(tmp_path)
    failed, _ = doctest.testmod(import_module(name))

    assert failed == 0


def test_the_board_and_the_game_show_how_they_are_used() -> None:
    for name in ("board", "game"):
        assert doctest.testmod(import_module(f"montego.go.{name}")).attempted > 0


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    assert dead_links(path) == []


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# The `first` part\n[a](#the-first-part) [b](#second) [c](no.md) [d](page.md)")

    assert dead_links(page) == ["#second", "no.md"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_documents_call_by_its_dotted_name_is_there(path: Path) -> None:
    for name in set(DOTTED_NAME.findall(path.read_text(encoding="utf-8"))):
        assert pkgutil.resolve_name(name), name


def test_every_page_can_be_found_from_the_readme() -> None:
    readme = prose(ROOT / "README.md")
    pages = (path.relative_to(ROOT).as_posix() for path in TEXTS[1:])

    assert [page for page in pages if f"]({page})" not in readme] == []


def gone_modules(tour: str) -> list[str]:
    """Return the modules that a tour names and nobody has.

    In the chapter of a layer a module is one of that layer; elsewhere it may be a test, too. Names
    may have folders before them, and other files are named by their whole path.
    """
    gone: list[str] = []
    places = [SOURCE, ROOT / "tests"]
    for line in tour.splitlines():
        if line.startswith("## "):
            layer = LAYER.match(line)
            places = [SOURCE / layer[1]] if layer else [SOURCE, ROOT / "tests"]
        gone += [
            name
            for name in PYTHON_FILE.findall(line)
            if not (ROOT / name).exists() and not any(any(place.rglob(name)) for place in places)
        ]
    return gone


def test_the_tour_names_every_room_of_the_source() -> None:
    tour = TOUR.read_text(encoding="utf-8")
    rooms = [path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.glob("*/**/__init__.py")]

    assert [room for room in sorted(rooms) if f"`{room}`" not in tour] == []


def test_the_tour_names_no_module_that_is_gone() -> None:
    assert gone_modules(TOUR.read_text(encoding="utf-8")) == []


def test_a_module_that_is_gone_is_found() -> None:
    tour = """
    engine/player.py mind.py docs/write_gtp.py reference.py
    ## `mcts`: the search
    search.py kernels/tree.py player.py
    """

    assert gone_modules(dedent(tour)) == ["mind.py", "player.py"]


def test_no_two_classes_of_the_source_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for part in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(part, ast.ClassDef):
                places.setdefault(part.name, []).append(path.relative_to(SOURCE).as_posix())

    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_a_game_of_ones_own_is_checked_before_it_is_searched() -> None:
    page = (ROOT / "docs" / "your-own-game.md").read_text(encoding="utf-8")
    assert page.index(">>> check_game(game)") < page.index("Search(game")
