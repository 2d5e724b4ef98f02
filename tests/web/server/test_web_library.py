"""The library: every change is kept, sessions come and go, and there are limits."""

from __future__ import annotations

import io
import threading
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from montego.go.vocabulary.errors import GoError
from montego.web.messages.replies import Failure
from montego.web.messages.requests import Configure, NewGame, Play
from montego.web.server import library as module
from montego.web.server.library import Library
from montego.web.server.store import GameFiles, StoreError
from montego.web.thinking.thinker import Programs
from web_thinker import QuickThinker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.web.messages.replies import Reply

TWO_PEOPLE = NewGame(size=5, white="human")
RECORD = b"(;SZ[9];B[ee];W[cc])"


def open_library(folder: Path) -> Library:
    store = GameFiles(folder)
    store.open()
    return Library(store, programs=Programs(montego=QuickThinker))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = open_library(tmp_path / "games")
    yield library
    library.close()


def ignore(_reply: Reply) -> None:
    pass


def test_a_game_is_kept_move_by_move(library: Library) -> None:
    id_ = library.new(TWO_PEOPLE)
    session, leave = library.watch(id_, ignore)
    version = library.version

    session.handle(Play(node=0, move="C3"))

    assert library.version > version
    # What another server would find after a crash now.
    other = GameFiles(library.store.folder)
    assert other.listing()[id_].moves == 1
    assert b'"C3"' in other.load(id_)
    leave()


def test_a_server_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    first = open_library(tmp_path)
    id_ = first.new(TWO_PEOPLE)
    session, _ = first.watch(id_, ignore)
    session.handle(Play(node=0, move="C3"))
    session.handle(Configure(name="My game"))
    before = session.state()
    first.close()

    second = open_library(tmp_path)
    again, _ = second.watch(id_, ignore)

    assert again is not session
    assert again.state() == before
    assert [game.name for game in second.summaries()] == ["My game"]
    second.close()


def test_the_latest_game_is_listed_first(library: Library) -> None:
    old, new = library.new(TWO_PEOPLE), library.new(NewGame(kind="tic-tac-toe", white="human"))
    assert [game.id for game in library.summaries()] == [new, old]

    session, _ = library.watch(old, ignore)
    session.handle(Play(node=0, move="A1"))

    assert [game.id for game in library.summaries()] == [old, new]


def test_what_nobody_watches_leaves_the_memory(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SESSION_IDLE_SECONDS", 0.0)
    watched, left = library.new(TWO_PEOPLE), library.new(TWO_PEOPLE)
    library.watch(watched, ignore)
    _, leave = library.watch(left, ignore)
    _, leave_too = library.watch(left, ignore)
    leave()
    leave()
    library.tidy()
    assert library.open_sessions == 2

    leave_too()
    library.tidy()

    assert library.open_sessions == 1
    assert len(library.summaries()) == 2
    library.watch(left, ignore)
    assert library.open_sessions == 2


def test_the_memory_holds_so_many_games(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_OPEN_SESSIONS", 2)
    first, second, third = (library.new(TWO_PEOPLE) for _ in range(3))
    assert library.open_sessions == 2
    library.watch(second, ignore)
    _, leave = library.watch(third, ignore)

    with pytest.raises(GoError, match="games are open at the same time"):
        library.watch(first, ignore)
    with pytest.raises(GoError, match="games are open at the same time"):
        library.new(TWO_PEOPLE)

    leave()
    library.watch(first, ignore)
    assert library.open_sessions == 2


def test_so_many_games_are_kept(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_GAMES", 1)
    id_ = library.new(TWO_PEOPLE)

    with pytest.raises(GoError, match="delete some"):
        library.new(TWO_PEOPLE)
    with pytest.raises(GoError, match="delete some"):
        library.upload(RECORD)
    library.delete(id_)
    library.new(TWO_PEOPLE)


def test_a_game_that_cannot_be_deleted_is_still_saved(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = library.new(TWO_PEOPLE)
    session, leave = library.watch(id_, ignore)

    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", fail)
        with pytest.raises(ValueError, match="cannot be deleted: permission denied"):
            library.delete(id_)
    session.handle(Play(node=0, move="A1"))
    leave()

    assert [game.moves for game in library.summaries()] == [1]
    assert [game.moves for game in GameFiles(library.store.folder).listing().values()] == [1]


def test_a_deleted_game_is_gone_for_those_who_watch_it(library: Library) -> None:
    heard: list[Reply] = []
    id_ = library.new(TWO_PEOPLE)
    session, leave = library.watch(id_, heard.append)

    library.delete(id_)

    assert heard[-1] == Failure("This game was deleted.")
    assert library.summaries() == []
    with pytest.raises(ValueError, match="closed"):
        session.handle(Play(node=0, move="A1"))
    leave()
    assert GameFiles(library.store.folder).listing() == {}
    for again in (lambda: library.delete(id_), lambda: library.watch(id_, ignore)):
        with pytest.raises(StoreError, match="no such game"):
            again()


def test_a_record_becomes_a_game(library: Library) -> None:
    id_ = library.upload(RECORD, "Study")

    name, record = library.sgf(id_)
    assert name == "Study"
    assert "B[ee]" in record
    for data, words in ((b"", "empty"), (b"x" * 2_000_000, "larger"), (b";" * 50_000, "more than")):
        with pytest.raises(GoError, match=words):
            library.upload(data)


def test_a_damaged_game_is_set_aside_when_it_is_opened(tmp_path: Path) -> None:
    first = open_library(tmp_path)
    damaged, fine = first.new(TWO_PEOPLE), first.new(TWO_PEOPLE)
    first.close()
    file = tmp_path / f"{damaged}.json"
    file.write_bytes(file.read_bytes().replace(b'"agreement"', b'"agreemint"'))

    second = open_library(tmp_path)
    assert len(second.summaries()) == 2
    with pytest.raises(StoreError, match="set aside"):
        second.watch(damaged, ignore)

    assert [game.id for game in second.summaries()] == [fine]
    assert (tmp_path / f"{damaged}.damaged").exists()
    assert "set aside" in second.notice
    second.close()


def test_games_that_cannot_be_saved_can_be_played(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    library = open_library(tmp_path / "file" / "games")
    id_ = library.new(TWO_PEOPLE)
    session, leave = library.watch(id_, ignore)
    session.handle(Play(node=0, move="C3"))
    leave()

    assert "cannot be saved" in library.notice
    assert library.summaries()[0].moves == 1
    library.close()


@pytest.mark.parametrize("moment", ["tidy", "close"])
@pytest.mark.parametrize("is_watched", [True, False])
def test_what_could_not_be_saved_is_saved_when_that_is_possible_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, is_watched: bool
) -> None:
    library = open_library(tmp_path / "games")
    id_ = library.new(TWO_PEOPLE)
    session, leave = library.watch(id_, ignore)
    replace = Path.replace

    def fail(_self: Path, _target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    session.handle(Play(node=0, move="C3"))
    if not is_watched:
        leave()
        monkeypatch.setattr(module, "SESSION_IDLE_SECONDS", 0.0)
        library.tidy()
        assert library.open_sessions == 0
    assert GameFiles(library.store.folder).listing()[id_].moves == 0
    monkeypatch.setattr(Path, "replace", replace)

    getattr(library, moment)()

    assert GameFiles(library.store.folder).listing()[id_].moves == 1
    assert library.store.trouble == ""
    library.close()


def test_many_at_once_lose_nothing(library: Library) -> None:
    def play() -> None:
        id_ = library.new(TWO_PEOPLE)
        session, leave = library.watch(id_, ignore)
        for node, move in enumerate(("A1", "B1", "C1", "D1", "E1")):
            session.handle(Play(node=node, move=move))
        leave()

    threads = [threading.Thread(target=play) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    kept = GameFiles(library.store.folder).listing()
    assert [game.moves for game in kept.values()] == [5] * 8
    assert [game.moves for game in library.summaries()] == [5] * 8


def test_a_closed_library_opens_nothing(library: Library) -> None:
    id_ = library.new(TWO_PEOPLE)
    library.close()
    library.close()

    with pytest.raises(GoError, match="about to end"):
        library.watch(id_, ignore)


def test_a_game_is_put_away_and_taken_out_again(tmp_path: Path) -> None:
    library = open_library(tmp_path)
    id_ = library.new(TWO_PEOPLE)
    changed = library.summaries()[0].changed

    library.archive(id_, archived=True)
    assert library.summaries()[0].archived
    library.close()
    again = open_library(tmp_path)
    assert again.summaries()[0].archived
    assert again.summaries()[0].changed == changed
    again.archive(id_, archived=False)
    assert not again.summaries()[0].archived
    with pytest.raises(StoreError, match="no such game"):
        again.archive("0" * 16, archived=True)
    again.close()


def test_what_cannot_be_exported_is_told(library: Library) -> None:
    kept, damaged = library.upload(RECORD, "one/two"), library.upload(RECORD, "one:two")
    library.close()
    (library.store.folder / f"{damaged}.json").unlink()
    again = open_library(library.store.folder)
    again._summaries[damaged] = msgspec.structs.replace(again.summaries()[0], id=damaged)
    archive = zipfile.ZipFile(io.BytesIO(again.export()))

    assert archive.namelist() == ["one-two.sgf", "not-exported.txt"]
    assert damaged.encode() in archive.read("not-exported.txt")
    assert kept.encode() not in archive.read("not-exported.txt")
    again.close()
