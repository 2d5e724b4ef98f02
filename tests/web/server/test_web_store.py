"""Games on disk: whole or not at all, never outside their folder, never two servers in one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from montego.folders import DATA_DIR_VARIABLE
from montego.web.game.tree import new_id
from montego.web.messages.replies import GameSummary
from montego.web.server.store import (
    ID_PATTERN,
    FolderInUse,
    GameFiles,
    StoreError,
    games_folder,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def summary(id_: str, **changes: Any) -> GameSummary:
    fields: dict[str, Any] = {
        "id": id_,
        "name": "A game",
        "kind": "go",
        "size": 9,
        "black": "human",
        "white": "montego",
        "moves": 3,
        "phase": "playing",
        "result": None,
        "changed": 1.0,
        "cells": "." * 81,
    }
    return GameSummary(**fields | changes)


@pytest.fixture
def told() -> list[str]:
    """What the store says to people."""
    return []


@pytest.fixture
def store(tmp_path: Path, told: list[str]) -> Iterator[GameFiles]:
    store = GameFiles(tmp_path / "games", say=told.append)
    yield store
    store.close()


def test_what_was_saved_is_listed_and_loaded_again(store: GameFiles) -> None:
    store.open()
    first, second = new_id(), new_id()
    store.save(summary(first), b'{"moves":["D4"]}')
    store.save(summary(second, name="Ἀγών"), b"[]")
    store.save(summary(first, moves=4), b'{"moves":["D4","E5"]}')

    again = GameFiles(store.folder)

    listing = again.listing()
    assert listing == {first: summary(first, moves=4), second: summary(second, name="Ἀγών")}
    assert json.loads(again.load(first)) == {"moves": ["D4", "E5"]}
    assert again.notices == []
    assert sorted(file.suffix for file in store.folder.iterdir()) == [".json", ".json", ".lock"]


def test_ids_are_random_and_fit_the_protocol() -> None:
    ids = {new_id() for _ in range(100)}

    assert len(ids) == 100
    assert all(ID_PATTERN.fullmatch(id_) for id_ in ids)


@pytest.mark.parametrize(
    "name", ["../../secret", "..", "a/b", "", "ABCDEFGH", "abcdefgh\n", "abcdefgh.json", "a" * 33]
)
def test_nothing_but_an_id_becomes_a_file_name(store: GameFiles, name: str) -> None:
    store.open()
    (store.folder.parent / "secret.json").write_text("{}")

    with pytest.raises(StoreError, match="no such game"):
        store.load(name)
    with pytest.raises(StoreError, match="no such game"):
        store.delete(name)
    with pytest.raises(StoreError, match="no such game"):
        store.save(summary(name), b"{}")
    assert (store.folder.parent / "secret.json").exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b'{"format": 1}',
        b"\xff\xfe\x00",
        b'{"format": 1, "summary": 3, "game": {}}',
        b"\x00" * 4096,
    ],
)
def test_a_damaged_file_is_set_aside_and_told(
    store: GameFiles, told: list[str], content: bytes
) -> None:
    store.open()
    good, bad = new_id(), new_id()
    store.save(summary(good), b"{}")
    (store.folder / f"{bad}.json").write_bytes(content)

    assert list(store.listing()) == [good]
    assert (store.folder / f"{bad}.damaged").read_bytes() == content
    assert told == store.notices
    assert "set aside" in told[0]


def test_a_second_damaged_file_does_not_replace_the_first(store: GameFiles) -> None:
    store.open()
    id_ = new_id()
    for content in (b"first", b"second"):
        (store.folder / f"{id_}.json").write_bytes(content)
        store.listing()

    kept = {file.read_bytes() for file in store.folder.glob("*.damaged*")}
    assert kept == {b"first", b"second"}


def test_a_file_under_another_games_name_is_set_aside(store: GameFiles) -> None:
    store.open()
    mine, other = new_id(), new_id()
    store.save(summary(mine), b"{}")
    (store.folder / f"{mine}.json").rename(store.folder / f"{other}.json")

    assert store.listing() == {}


def test_a_file_of_a_later_version_is_left_alone(store: GameFiles) -> None:
    store.open()
    id_ = new_id()
    store.save(summary(id_), b"{}")
    file = store.folder / f"{id_}.json"
    content = json.loads(file.read_bytes()) | {"format": 99, "news": True}
    file.write_text(json.dumps(content))

    assert store.listing() == {}
    assert json.loads(file.read_bytes()) == content
    assert "later version" in store.notices[0]


def test_what_is_deleted_is_gone(store: GameFiles) -> None:
    store.open()
    id_ = new_id()
    store.save(summary(id_), b"{}")

    store.delete(id_)
    store.delete(id_)

    assert store.listing() == {}
    with pytest.raises(StoreError, match="may have been deleted"):
        store.load(id_)


def test_a_crash_while_writing_leaves_the_old_game(
    store: GameFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.open()
    id_ = new_id()
    store.save(summary(id_), b'"old"')

    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    store.save(summary(id_), b'"new"')

    assert "no space left" in store.trouble
    assert json.loads(GameFiles(store.folder).load(id_)) == "old"
    # This server goes on with what it has.
    assert json.loads(store.load(id_)) == "new"

    monkeypatch.undo()
    store.save(summary(id_), b'"newer"')

    assert store.trouble == ""
    assert json.loads(GameFiles(store.folder).load(id_)) == "newer"
    assert not list(store.folder.glob(".*"))


def test_what_a_killed_server_left_half_written_is_removed(store: GameFiles) -> None:
    store.open()
    id_ = new_id()
    store.save(summary(id_), b"{}")
    store.close()
    (store.folder / f".{id_}.1a2b3c4d.new").write_bytes(b'{"half')

    store.open()

    assert list(store.listing()) == [id_]
    assert not list(store.folder.glob(".*"))


def test_games_are_kept_in_memory_where_there_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    told: list[str] = []
    store = GameFiles(tmp_path / "file" / "games", say=told.append)
    store.open()
    id_ = new_id()
    store.save(summary(id_), b'"a game"')

    assert json.loads(store.load(id_)) == "a game"
    assert "cannot be saved" in store.trouble
    assert told == [store.trouble]
    store.close()


def test_a_second_server_learns_where_the_first_one_is(store: GameFiles) -> None:
    store.open("http://127.0.0.1:8087/")

    with pytest.raises(FolderInUse, match="already running at http://127") as caught:
        GameFiles(store.folder).open("http://127.0.0.1:8088/")
    assert caught.value.address == "http://127.0.0.1:8087/"

    store.close()
    second = GameFiles(store.folder)
    second.open()
    second.close()


def test_the_lock_of_a_killed_server_is_free(store: GameFiles) -> None:
    code = (
        "import os, pathlib, sys; from montego.web.server.store import GameFiles; "
        "GameFiles(pathlib.Path(sys.argv[1])).open('x'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(store.folder)], check=False, timeout=60)

    store.open()


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(DATA_DIR_VARIABLE, str(tmp_path))
    assert games_folder() == tmp_path / "games"

    monkeypatch.delenv(DATA_DIR_VARIABLE)
    assert games_folder().name == "games"
    assert "montego" in games_folder().parts
