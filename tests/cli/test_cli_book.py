"""``montego book`` as people use it: every verb, what it prints, and what it never does."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from book_samples import sgf, write_book
from montego.book.sgf_exchange import import_sgf
from montego.book.store import Book
from montego.cli.commands.arena.match import with_book
from montego.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable

MONTEGO = [sys.executable, "-m", "montego", "book"]
VERBS = ("show", "learn", "import", "export", "merge", "stats", "prune", "check")
LINES = {"C3 B2 D4": (30.0, 1.0), "C3 C2": (5.0, 0.0), "D3 C3": (20.0, 0.25)}


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let nobody's own book be touched, and let files be named without a folder."""
    folder = tmp_path / "data"
    monkeypatch.setenv("MONTEGO_DATA_DIR", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def book() -> Path:
    write_book(Path("a.sqlite"), LINES)
    return Path("a.sqlite")


def run(*words: str | Path, capsys: pytest.CaptureFixture[str], status: int = 0) -> str:
    """Run a verb in this process and return what it printed; messages must be a line each."""
    assert main(["book", *map(str, words)]) == status
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    return shown.err if status else shown.out


def damage(path: Path) -> None:
    """Spoil one position of a book."""
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE positions SET moves = x'0102' WHERE depth = 2")
    connection.close()


def files() -> set[str]:
    """Return the files of the folder, without those that SQLite keeps beside a book."""
    return {path.name for path in Path().iterdir() if not path.name.endswith(("-wal", "-shm"))}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["book", verb, "--help"])
    shown = capsys.readouterr().out

    assert left.value.code == 0
    assert shown.startswith(f"usage: montego book {verb}")
    assert "--book FILE" in shown


# Show


def test_show_prints_the_tree(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "--book", book, "--depth", "2", capsys=capsys) == (
        "5x5, area scoring, simple ko, komi 0.5, from the beginning: 55 visits, black to play\n"
        "\n"
        "move     visits  share  value\n"
        "C3           35  63.6%  85.7%\n"
        "  D4         30  85.7%   0.0%\n"
        "  D3          5  14.3% 100.0%\n"
        "D3           20  36.4%  25.0%\n"
        "  C3         20 100.0%  75.0%\n"
    )


def test_show_from_a_position(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = run("show", "c3", "b4", "--book", book, capsys=capsys)
    assert ", after C3 B4: 30 visits, black to play\n" in shown
    assert shown.endswith("D2         30 100.0% 100.0%\n")
    assert run("show", "C3,B4", "--book", book, capsys=capsys) == shown
    Path("game.sgf").write_text(sgf("cc bb", head="(;SZ[5]KM[0.5]"))
    assert run("show", "--from", "game.sgf", "--book", book, capsys=capsys) == shown


def test_show_as_json(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run("show", "C3", "--width", "1", "--json", "--book", book, capsys=capsys))

    assert (found["size"], found["komi"], found["moves"]) == (5, 0.5, ["C3"])
    assert [move["vertex"] for move in found["position"]["moves"]] == ["D4"]
    assert found["position"]["left_out"] == 1


def test_show_as_a_page(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = Path("tree.html")
    assert run("show", "--html", page, "--book", book, capsys=capsys) == "written: tree.html\n"
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert text.count("<svg") == 4

    message = run("show", "--html", "no/tree.html", "--book", book, capsys=capsys, status=1)
    assert message == "montego: cannot write no/tree.html: No such file or directory\n"
    assert files() == {"a.sqlite", "tree.html"}


def test_the_board_is_the_one_with_most_unless_said(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_book(book, {"E5": (9.0, 1.0)}, size=9)
    assert run("show", "--book", book, capsys=capsys).startswith("5x5, ")
    assert run("show", "--book", book, "--size", "9", capsys=capsys).startswith("9x9, ")
    for words in (("--size", "7"), ("--rules", "japanese"), ("--komi", "6.5")):
        message = run("show", "--book", book, *words, capsys=capsys, status=1)
        assert "nothing for that board, rules and komi; there is 5x5, " in message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("A1",), "nothing is known of this position"),
        (("C3", "C3"), "illegal move white C3: the point is occupied"),
        (("I5",), "the letter I is not used"),
        (("Z9",), "off the board"),
        (("--depth", "0"), "say a number from 1"),
        (("--size", "99"), "invalid board size 99"),
        (("--from", "none.sgf"), "none.sgf: No such file"),
        (("--from", "none.sgf", "--size", "5"), "leave the options out"),
    ],
)
def test_show_explains_mistakes(
    book: Path, words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = run("show", *words, "--book", book, capsys=capsys, status=1)

    assert message in shown
    assert shown.count("\n") == 1


# Bad books


@pytest.mark.parametrize(
    "words",
    [
        ("show",),
        ("export", "x.sgf"),
        ("export", "x.json"),
        ("stats",),
        ("prune", "--positions", "3"),
        ("check",),
        ("merge", "none.sqlite", "--book", "new.sqlite"),
    ],
    ids=" ".join,
)
def test_no_verb_makes_a_book_of_nothing(
    words: tuple[str, ...], own_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = run(*words, capsys=capsys, status=1)

    assert shown.startswith("montego: there is no book ")
    assert shown.count("\n") == 1
    assert files() == set()
    assert not own_data.exists()


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()


def _truncated(path: Path) -> None:
    write_book(path, LINES)
    path.write_bytes(path.read_bytes()[:5000])


def _newer(path: Path) -> None:
    write_book(path, LINES)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def _text(path: Path) -> None:
    path.write_text("Dear diary, today I played Go.\n" * 9)


BAD: dict[str, Callable[[Path], None]] = {
    "text": _text,
    "foreign": _foreign,
    "truncated": _truncated,
    "newer": _newer,
    "folder": Path.mkdir,
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("verb", ["show", "export x.json", "stats", "prune --positions 3", "check"])
def test_bad_books_are_explained_and_left_alone(
    kind: str, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = Path("bad.sqlite")
    BAD[kind](bad)
    before = None if bad.is_dir() else bad.read_bytes()
    status = main(["book", *verb.split(), "--book", "bad.sqlite"])
    shown = capsys.readouterr()

    assert status == 1
    if shown.err:
        assert shown.err.startswith("montego: ")
        assert "bad.sqlite" in shown.err
        assert shown.err.count("\n") == 1
    else:  # A check may find the damage in a book that can be opened.
        assert verb == "check"
        assert shown.out.startswith("bad.sqlite: damaged\n")
    if before is not None:
        assert bad.read_bytes() == before
    assert not Path("x.json").exists()


@pytest.mark.parametrize("kind", BAD)
def test_nothing_is_merged_or_imported_into_a_bad_book(
    kind: str, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = Path("bad.sqlite")
    BAD[kind](bad)
    Path("game.sgf").write_text(sgf("cc bb"))
    before = None if bad.is_dir() else bad.read_bytes()
    for words in (("merge", str(book)), ("import", "game.sgf")):
        assert "bad.sqlite" in run(*words, "--book", bad, capsys=capsys, status=1)
    assert "bad.sqlite" in run("merge", bad, "--book", "new.sqlite", capsys=capsys, status=1)
    assert before is None or bad.read_bytes() == before
    assert not Path("new.sqlite").exists()


def test_a_tilde_is_the_users_own_folder(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(Path("home").absolute()))
    Path("home").mkdir()
    book.rename("home/mine.sqlite")
    assert "home/mine.sqlite" in run("stats", "--book", "~/mine.sqlite", capsys=capsys)
    run("merge", "~/mine.sqlite", "--book", "~/other.sqlite", capsys=capsys)
    assert Path("home/other.sqlite").is_file()
    run("stats", "--book", "~nobody-is-called-so/a", capsys=capsys, status=1)


def test_off_is_no_book_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert "say a file" in run("stats", "--book", "off", capsys=capsys, status=1)


# Import and export


def test_import_counts_games_into_ones_own_book(
    own_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("games").mkdir()
    for name, text in (("a.sgf", sgf("cc bb")), ("b.sgf", sgf("cc dd", "W+R")), ("c.sgf", "(;x")):
        Path("games", name).write_text(text)
    assert main(["book", "import", "games", "--visits", "4"]) == 0
    shown = capsys.readouterr()

    assert shown.out == f"2 games with 4 moves counted into {own_data / 'book.sqlite'}\n"
    assert shown.err.startswith(f"left out: {Path('games', 'c.sgf')}: ")
    found = json.loads(run("show", "--json", capsys=capsys))
    assert found["position"]["moves"][0]["visits"] == 8


def test_import_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    Path("game.sgf").write_text(sgf("cc bb") + sgf("cc", "") + sgf("cc cc"))
    words = ("import", "game.sgf", "--book", "b.sqlite", "--json")
    found = json.loads(run(*words, capsys=capsys))

    assert (found["games"], found["moves"], found["positions"]) == (2, 3, 0)
    assert len(found["skipped"]) == len(found["cut_short"]) == 1


def test_ctrl_c_keeps_what_was_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.sgf", "b.sgf"):
        Path(name).write_text(sgf("cc bb"))

    def interrupted(path: Path, *others: Any) -> None:
        if path.name == "b.sgf":
            raise KeyboardInterrupt
        import_sgf(path, *others)

    monkeypatch.setattr("montego.book.sgf_exchange.import_sgf", interrupted)
    assert main(["book", "import", "a.sgf", "b.sgf", "--book", "b.sqlite"]) == 130
    shown = capsys.readouterr()
    assert shown.out == "1 game with 2 moves counted into b.sqlite\n"
    assert shown.err == "\nmontego: stopped\n"
    with Book.open("b.sqlite", create=False) as book:
        assert book.statistics().positions == 2


def test_an_import_of_nothing_makes_no_book(capsys: pytest.CaptureFixture[str]) -> None:
    Path("game.sgf").write_text("no game at all")
    assert main(["book", "import", "game.sgf", "--book", "b.sqlite"]) == 1
    shown = capsys.readouterr()

    assert shown.out == "nothing was counted\n"
    assert shown.err.startswith("left out: game.sgf: no game record found")
    assert files() == {"game.sgf"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("none.sgf",), "none.sgf: there is no such file or folder"),
        (("none.json",), "none.json: No such file"),
        (("bad.json",), "bad.json: this is no book that Montego exported as JSON"),
        (("good.sgf", "bad.json"), "bad.json: this is no book"),
        (("good.sgf", "--visits", "0"), "say a number above 0"),
        (("good.sgf", "--book", "no/b.sqlite"), "there is no such folder"),
        (("good.sgf", "--rules", "house"), "unknown rules"),
        (("good.sgf", "--komi", "much"), "invalid komi"),
    ],
)
def test_import_explains_mistakes_before_anything_is_counted(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("good.sgf").write_text(sgf("cc bb"))
    Path("bad.json").write_text("{}")
    shown = run("import", "--book", "b.sqlite", *words, capsys=capsys, status=1)

    assert message in shown
    assert files() == {"good.sgf", "bad.json"}


def test_a_book_survives_json_and_sgf(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, words in (("a.json", ()), ("a.sgf", ("--positions", "99"))):
        assert "4 positions" in run("export", name, "--book", book, *words, capsys=capsys)
        again = f"again-{name}.sqlite"
        run("import", name, "--book", again, capsys=capsys)
        run("export", f"again-{name}", "--book", again, capsys=capsys)
        assert Path(f"again-{name}").read_bytes() == Path(name).read_bytes()


def test_an_export_replaces_a_file_whole_or_not_at_all(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("tree.sgf").write_text("precious")
    run("export", "tree.sgf", "A1", "--book", book, capsys=capsys, status=1)

    def fail(*_arguments: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("montego.book.json_exchange.export_json", fail)
    Path("book.json").write_text("precious")
    message = run("export", "book.json", "--book", book, capsys=capsys, status=1)
    assert message == "montego: cannot write book.json: No space left on device\n"
    assert Path("tree.sgf").read_text() == Path("book.json").read_text() == "precious"
    assert files() == {"a.sqlite", "tree.sgf", "book.json"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("a.sqlite",), "say a file that ends in .sgf or .json"),
        (("x.json", "C3"), "chosen for SGF only"),
        (("x.json", "--size", "5"), "chosen for SGF only"),
        (("x.sgf", "--positions", "0"), "say a number from 1"),
        (("folder.sgf",), "cannot write folder.sgf: it is no ordinary file"),
    ],
)
def test_export_explains_mistakes(
    book: Path, words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("folder.sgf").mkdir()
    before = book.read_bytes()

    assert message in run("export", *words, "--book", book, capsys=capsys, status=1)
    assert book.read_bytes() == before


def test_a_book_is_not_written_over_with_what_is_made_of_it(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book.rename("book.json")
    Path("link.sgf").symlink_to("book.json")
    before = Path("book.json").read_bytes()
    for words in (
        ("show", "--html", "book.json"),
        ("export", "book.json"),
        ("export", "link.sgf"),
    ):
        message = run(*words, "--book", "book.json", capsys=capsys, status=1)
        assert message == f"montego: cannot write {words[-1]}: it is a book; say another file\n"
    assert Path("book.json").read_bytes() == before


# Merge, stats, prune and check


def test_merge_adds_books(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_book(Path("b.sqlite"), {"C3 B2": (100.0, 0.5), "E5": (1.0, 0.0)})
    before = book.read_bytes()
    shown = run("merge", book, "b.sqlite", "--book", "sum.sqlite", capsys=capsys)

    assert shown == "6 positions of 2 books added, 4 of them new; sum.sqlite has 4\n"
    assert book.read_bytes() == before
    with Book.open("sum.sqlite") as merged:
        assert merged.statistics().games == 5
    found = json.loads(run("show", "--book", "sum.sqlite", "--json", capsys=capsys))
    assert found["position"]["moves"][0]["visits"] == 135

    again = json.loads(run("merge", book, "--book", "sum.sqlite", "--json", capsys=capsys))
    assert (again["merged"], again["new"]) == (4, 0)


def test_nothing_is_added_if_one_of_the_books_is_damaged_inside(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_book(Path("b.sqlite"), LINES)
    damage(Path("b.sqlite"))
    message = run("merge", book, "b.sqlite", "--book", "sum.sqlite", capsys=capsys, status=1)

    assert message.startswith("montego: the book b.sqlite is damaged: ")
    assert not Path("sum.sqlite").exists()


@pytest.mark.parametrize("others", [["a.sqlite"], ["b.sqlite", "./b.sqlite"]])
def test_a_book_is_not_added_to_itself_nor_twice(
    book: Path, others: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write_book(Path("b.sqlite"), LINES)
    before = book.read_bytes()

    assert "not added to itself" in run("merge", *others, "--book", book, capsys=capsys, status=1)
    assert book.read_bytes() == before


def test_stats(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run("stats", "--book", book, capsys=capsys).splitlines()
    assert lines[0] == "a.sqlite"
    assert lines[1].startswith("  4 positions, 0.1 MB; limit: ")
    assert lines[2:] == [
        "  3 games in 1 merge",
        "",
        "5x5, area scoring, simple ko, komi 0.5",
        "  4 positions, 140 visits, 3 games, up to 2 moves deep",
    ]

    found = json.loads(run("stats", "--book", book, "--json", capsys=capsys))
    assert (found["book"], found["positions"], found["games"]) == ("a.sqlite", 4, 3)
    assert found["settings"][0]["size"] == 5


def test_prune_keeps_the_most_useful(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = run("prune", "--positions", "2", "--book", book, capsys=capsys)
    assert shown.startswith("2 positions taken out, 2 positions, ")
    found = json.loads(run("show", "--book", book, "--json", capsys=capsys))
    assert [move["visits"] for move in found["position"]["moves"]] == [35, 20]

    found = json.loads(run("prune", "--limit", "1", "--json", "--book", book, capsys=capsys))
    assert (found["pruned"], found["positions"]) == (1, 1)
    assert json.loads(run("stats", "--json", "--book", book, capsys=capsys))["size_limit"] == 1
    run("prune", "--limit", "none", "--book", book, capsys=capsys)
    assert json.loads(run("stats", "--json", "--book", book, capsys=capsys))["size_limit"] is None


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--positions", "-1"),
        ("--megabytes", "0"),
        ("--megabytes", "nan"),
        ("--limit", "0"),
        ("--limit", "many"),
        ("--limit", "99999999999999999999"),
    ],
    ids=str,
)
def test_prune_wants_to_know_how_much(
    book: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    before = book.read_bytes()

    assert "say " in run("prune", *words, "--book", book, capsys=capsys, status=1)
    assert book.read_bytes() == before


def test_check(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--book", book, capsys=capsys) == "a.sqlite: sound\n"
    assert json.loads(run("check", "--json", "--book", book, capsys=capsys))["sound"] is True
    damage(book)

    assert main(["book", "check", "--book", str(book)]) == 1
    assert capsys.readouterr().out.startswith("a.sqlite: damaged\n  ")
    assert main(["book", "check", "--json", "--book", str(book)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["sound"]
    assert len(found["faults"]) == 1


def test_a_read_only_book_can_be_read(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    book.chmod(0o444)
    # Root may write everywhere; what the system says of the file is told as to others.
    monkeypatch.setattr("os.access", lambda _path, mode, **_how: mode != os.W_OK)

    assert run("check", "--book", book, capsys=capsys) == "a.sqlite: sound\n"
    for words in (("prune", "--positions", "1"), ("import", "game.sgf"), ("learn", "--games", "1")):
        Path("game.sgf").write_text(sgf("cc bb"))
        message = run(*words, "--book", book, capsys=capsys, status=1)
        assert message == "montego: the book a.sqlite is read-only\n"


def test_a_match_hands_the_book_to_engines_that_name_none() -> None:
    plain = "montego gtp --simulations 5"
    assert with_book(plain, None) == plain
    assert with_book(plain, "my book.sqlite") == f"{plain} --book 'my book.sqlite'"
    for other in ("gnugo --mode gtp", "montego gtp --book off", "montego gtp --book=x.sqlite"):
        assert with_book(other, "b.sqlite") == other


def test_a_book_for_no_engine_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "gnugo --mode gtp", "other", "--book", "b.sqlite"]) == 1
    assert "--book is for engines that are 'montego gtp'" in capsys.readouterr().err


def test_a_reader_that_has_gone_ends_a_verb_quietly(book: Path) -> None:
    with subprocess.Popen(
        [*MONTEGO, "show", "--book", book], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait(60) == 1
