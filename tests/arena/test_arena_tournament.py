"""Pairings, tournaments of tiny engines, their files and reports."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from arena_engines import SMALL, tiny
from montego.arena.drawing import Bar, Curve, curve_chart, interval_plot
from montego.arena.opening import Opening, read_openings
from montego.arena.report import cross_table, html_report
from montego.arena.store import read_records
from montego.arena.tournament import (
    Tournament,
    rate_tournament,
    read_tournament,
    run_tournament,
    swiss_round,
)
from montego.cli.main import main
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from pathlib import Path

    from montego.arena.record import GameRecord

WEAK, STRONG, CRASHY = (
    tiny("weak", "--skill", 0),
    tiny("strong", "--skill", 1),
    tiny("crashy", "--fault", "exit"),
)


def tournament(kind: str = "round-robin", **fields: object) -> Tournament:
    defaults = {"engines": (WEAK, STRONG, CRASHY), "conditions": SMALL, "seed": 4}
    return Tournament(kind=kind, **{**defaults, **fields})  # type: ignore[arg-type]


def test_on_a_ladder_neighbors_meet_and_those_next_but_one() -> None:
    engines = tuple(tiny(name) for name in "abcd")
    event = tournament("ladder", engines=engines)

    assert event.round_pairs(0, {}) == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
        ("b", "d"),
        ("c", "d"),
    ]
    assert event.wanted == 10


def test_round_robin_and_gauntlet_pair_everybody_once() -> None:
    engines = tuple(tiny(name) for name in "abcd")
    everybody = tournament(engines=engines).round_pairs(0, {})
    assert len(set(map(frozenset, everybody))) == len(everybody) == 6
    one = tournament("gauntlet", engines=engines, challengers=("b",))
    assert one.round_pairs(0, {}) == [("b", "a"), ("b", "c"), ("b", "d")]
    two = tournament("gauntlet", engines=engines, challengers=("a", "b"))
    assert len(two.round_pairs(0, {})) == 4


@pytest.mark.parametrize("count", [4, 5, 8, 9])
def test_swiss_rounds_repeat_no_meeting_and_share_the_rest(count: int) -> None:
    names = [f"e{number}" for number in range(count)]
    points = dict.fromkeys(names, 0.0)
    met: set[frozenset[str]] = set()
    rested: set[str] = set()
    for _ in range(3):
        pairs, resting = swiss_round(names, points, met, rested)
        playing = [name for pair in pairs for name in pair]
        assert sorted([*playing, *([resting] if resting else [])]) == sorted(names)
        assert resting not in rested
        assert not met & {frozenset(pair) for pair in pairs}
        met |= {frozenset(pair) for pair in pairs}
        if resting:
            rested.add(resting)
        for first, _ in pairs:
            points[first] += 2


def test_swiss_pairs_equals_with_equals() -> None:
    names = ["a", "b", "c", "d"]
    points = {"a": 0.0, "b": 2.0, "c": 0.0, "d": 2.0}
    assert swiss_round(names, points, set(), set())[0] == [("b", "d"), ("a", "c")]
    again, _ = swiss_round(names, points, {frozenset("bd")}, set())
    assert again == [("b", "a"), ("d", "c")]


def test_swiss_repeats_rather_than_stops() -> None:
    assert swiss_round(["a", "b"], {}, {frozenset("ab")}, set())[0] == [("a", "b")]


def test_a_whole_tournament_of_tiny_engines(tmp_path: Path) -> None:
    event = tournament(concurrency=2)
    records = run_tournament(event, tmp_path)
    assert len(records) == event.wanted == 6
    assert [record.game for record in records] == list(range(6))
    pairs = {(record.black.name, record.white.name) for record in records}
    assert len(pairs) == 6
    ratings = rate_tournament(event, records)
    assert [rating.name for rating in ratings.ratings] == ["strong", "weak", "crashy"]
    cells = cross_table(event.names, records)
    assert cells["crashy", "strong"] == (0.0, 2)
    assert cells["strong", "crashy"] == (2.0, 2)
    assert read_records(tmp_path) == records


def test_a_tournament_goes_on_where_it_stopped(tmp_path: Path) -> None:
    event = tournament("swiss", engines=(WEAK, STRONG, tiny("third", "--skill", 0.5)), rounds=3)
    whole = run_tournament(event, tmp_path / "whole")

    def stop_after_three(records: list[GameRecord]) -> bool:
        return len(records) < 3

    part = run_tournament(event, tmp_path / "part", report=stop_after_three)
    assert 3 <= len(part) < 6
    rest = run_tournament(event, tmp_path / "part")
    assert [record.moves for record in rest] == [record.moves for record in whole]
    assert [record.extra["round"] for record in rest] == [1, 1, 2, 2, 3, 3]


def test_a_gauntlet_leaves_the_field_alone() -> None:
    event = tournament("gauntlet", challengers=("strong",))
    records = run_tournament(event)
    assert all("strong" in (record.black.name, record.white.name) for record in records)
    assert len(records) == 4


def test_another_version_of_an_engine_goes_on_with_a_tournament_only_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, folder = tmp_path / "cup.toml", tmp_path / "cup-games"
    text = "[tournament]\nsize = 5\nkomi = 0.5\nrounds = {}\n"
    for engine in (WEAK, STRONG):
        text += f"[[engine]]\nname = {engine.name!r}\ncommand = {json.dumps(engine.command)}\n"
    path.write_text(text.format(1))
    assert main(["tournament", str(path)]) == 0
    path.write_text(text.format(2))
    monkeypatch.setenv("TINY_VERSION", "2.0")

    assert main(["tournament", str(path)]) == 1
    assert "has changed since the games that are kept" in capsys.readouterr().err
    assert main(["tournament", str(path), "--anew"]) == 0

    assert {record.black.version for record in read_records(folder)} == {"Tiny 2.0"}
    assert len(read_records(tmp_path / "cup-games.old-1")) == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"engines": (WEAK,)},
        {"engines": (WEAK, WEAK)},
        {"kind": "knockout"},
        {"rounds": 0},
        {"challengers": ("nobody",)},
        {"anchors": {"nobody": 1.0}},
        {"challengers": ("weak", "strong", "crashy")},
    ],
)
def test_tournaments_without_sense_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(GoError):
        tournament(**fields)  # type: ignore[arg-type]


def tournament_text(extra: str = "") -> str:
    engines = "".join(
        f"[[engine]]\nname = {engine.name!r}\ncommand = {json.dumps(engine.command)}\n"
        for engine in (WEAK, STRONG, CRASHY)
    )
    return f"[tournament]\nsize = 5\nkomi = 0.5\nseed = 4\n{extra}\n{engines}elo = -500\n"


class Tags(HTMLParser):
    """Checks that every tag is closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        del attrs
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_command_plays_a_file_and_writes_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(tournament_text())
    assert main(["tournament", str(path), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["games"] == figures["wanted"] == 6
    engines = {engine["name"]: engine for engine in figures["engines"]}
    assert engines["crashy"]["elo"] == -500
    assert engines["crashy"]["faults"] == {"crash": 4}
    page = (tmp_path / "cup-games" / "report.html").read_text()
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert {"svg", "table", "polyline"} <= tags.seen
    assert "sgf/00005.sgf" in page
    assert main(["tournament", str(path), "--report"]) == 0
    assert "6 of 6 games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("color = 3", "cup.toml, tournament: Object contains unknown field `color`"),
        ("rounds = 'two'", "cup.toml, tournament.rounds: Expected `int`, got `str`"),
        ("clock = 'sun'", "invalid time control"),
        ("timeout = -4", "invalid timeout -4: say seconds above 0"),
        ("move_limit = 0", "invalid move_limit 0"),
        ("seconds = inf", "invalid seconds inf: say seconds above 0"),
        ("openings = 'nowhere'", "cannot read the openings"),
        ("size = 50", "50"),
        ("kind = 'knockout'", "unknown tournament"),
    ],
)
def test_mistakes_in_the_file_are_explained(tmp_path: Path, extra: str, message: str) -> None:
    path = tmp_path / "cup.toml"
    text = tournament_text(extra)
    path.write_text(text.replace("size = 5\n", "", 1) if "size" in extra else text)
    with pytest.raises(GoError, match=re.escape(message)):
        read_tournament(path)


def test_a_file_that_is_not_there_or_no_toml(tmp_path: Path) -> None:
    with pytest.raises(GoError, match="cannot read"):
        read_tournament(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("[[[")
    with pytest.raises(GoError, match=r"bad\.toml"):
        read_tournament(tmp_path / "bad.toml")


def test_openings_are_read_and_used(tmp_path: Path) -> None:
    (tmp_path / "1.sgf").write_text("(;SZ[5]AB[bb]AW[dd]PL[W];W[cc];B[cd])")
    (tmp_path / "2.sgf").write_text("(;SZ[5];B[cc])")
    first, second = read_openings(tmp_path, 5)
    assert first == Opening(
        name="1.sgf",
        black=("B4",),
        white=("D2",),
        to_play="white",
        moves=(("white", "C3"), ("black", "C2")),
    )
    assert second.moves == (("black", "C3"),)
    records = run_tournament(tournament(engines=(WEAK, STRONG), openings=(first, second), rounds=2))
    assert [record.opening for record in records] == ["1.sgf", "1.sgf", "2.sgf", "2.sgf"]
    assert [record.first for record in records] == ["white"] * 4
    shuffled = {read_openings(tmp_path, 5, seed=seed)[0].name for seed in range(8)}
    assert shuffled == {"1.sgf", "2.sgf"}


def test_every_game_of_a_file_is_an_opening(tmp_path: Path) -> None:
    (tmp_path / "1.sgf").write_text("(;SZ[5];B[cc])(;SZ[5];B[bb])")
    first, second = read_openings(tmp_path, 5)

    assert (first.name, second.name) == ("1.sgf", "1.sgf, game 2")
    assert second.moves == (("black", "B4"),)


def test_handicap_stones_that_were_played_are_moves_of_the_opening(tmp_path: Path) -> None:
    (tmp_path / "1.sgf").write_text("(;SZ[5];B[bb];B[dd];W[cc])")
    (opening,) = read_openings(tmp_path, 5)
    assert not opening.is_handicap
    assert opening.black == ()
    assert len(opening.moves) == 3


@pytest.mark.parametrize(
    ("sgf", "message"),
    [
        ("(;SZ[9])", "a board of 9, not of 5"),
        ("(;SZ[5];B[aa];AB[bb])", "at its beginning only"),
        ("(;SZ[5];B[];W[])", "the game is over"),
    ],
)
def test_openings_that_do_not_fit(tmp_path: Path, sgf: str, message: str) -> None:
    with pytest.raises(GoError, match="no SGF files"):
        read_openings(tmp_path, 5)
    (tmp_path / "1.sgf").write_text(sgf)
    with pytest.raises(GoError, match=message):
        read_openings(tmp_path, 5)


def test_plots_are_pictures_with_everything_in_them() -> None:
    bars = interval_plot([Bar("a < b", 10, -5, 25), Bar("c", -3, -9, 4)], "Elo")
    root = ET.fromstring(bars)  # noqa: S314  # Our own.
    assert "a < b" in "".join(root.itertext())
    up = Curve.through("up", [(0, 0), (1, 5)], without="points")
    tried = Curve.through("", [(0, 3), (1, 3)], without="line")
    lines = curve_chart([up, tried], "x", "y")
    assert len(re.findall("<polyline", lines)) == 1
    assert len(re.findall('r="4" fill="[^"]*" stroke', lines)) == 2
    ET.fromstring(lines)  # noqa: S314
    assert curve_chart([], "x", "y") == interval_plot([], "x") == ""
    ET.fromstring(curve_chart([Curve.through("dot", [(3, 3)])], "x", "y"))  # noqa: S314


def test_a_report_without_games_is_still_a_page() -> None:
    assert "0 of 6 games" in html_report(tournament(), [])
