"""Every example in the README, the documents and the docstrings is run and must come true."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import montego

ROOT = Path(__file__).resolve().parent.parent
TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
MODULES = [
    module.name
    for module in pkgutil.walk_packages(montego.__path__, "montego.")
    if module.name != "montego.__main__"
]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_in_documents(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # Examples may write files.
    failed, _ = doctest.testfile(str(path), module_relative=False, encoding="utf-8")

    assert failed == 0


@pytest.mark.parametrize("name", ["montego", *MODULES])
def test_examples_in_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, _ = doctest.testmod(import_module(name))

    assert failed == 0


def test_the_board_and_the_game_show_how_they_are_used() -> None:
    for name in ("board", "game"):
        assert doctest.testmod(import_module(f"montego.go.{name}")).attempted > 0
