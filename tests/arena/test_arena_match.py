"""Matches between fake engines: the table, the records, and going on after being killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from conftest import require_tool
from sgfmill import sgf

from arena_engines import SMALL, collect, tiny, tiny_match
from montego.arena.contest import Assignment, play_game
from montego.arena.match import Match, run_match
from montego.arena.opening import Opening, read_openings
from montego.arena.record import Ending, GameRecord
from montego.arena.store import read_records, set_aside
from montego.arena.workers import EngineSpec, game_seed
from montego.cli.main import main
from montego.go.game import Game
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.timing import parse_time_control
from montego.go.vocabulary.vertex import format_vertex
from montego.gtp.client import Engine, EngineError

if TYPE_CHECKING:
    from pathlib import Path

GOOD = tiny("good", "--skill", 1, "--seed", 2)

MISBEHAVIOR = [
    ("occupied", Ending.ILLEGAL),
    ("off-board", Ending.ILLEGAL),
    ("nonsense", Ending.GARBAGE),
    ("empty", Ending.GARBAGE),
    ("no-sign", Ending.GARBAGE),
    ("wrong-number", Ending.GARBAGE),
    ("flood", Ending.GARBAGE),
    ("noise-flood", Ending.GARBAGE),
    ("silence", Ending.HANG),
    ("exit", Ending.CRASH),
    ("close-output", Ending.CRASH),
    ("refuse-play", Ending.REFUSED),
    ("refuse-genmove", Ending.REFUSED),
    ("refuse-komi", Ending.REFUSED),
]


@pytest.mark.parametrize(("fault", "ending"), MISBEHAVIOR)
def test_misbehavior_loses_and_is_counted_as_what_it_is(fault: str, ending: Ending) -> None:
    quick = replace(SMALL, hang_seconds=3.0)
    records: list[GameRecord] = []
    summary = run_match(
        tiny_match(tiny("bad", "--fault", fault), GOOD, games=1, conditions=quick),
        report=collect(records),
    )
    assert summary.first.faults == {ending: 1}
    assert summary.second.faults == {}
    assert summary.first.tally.losses == len(records) == 1
    for record in records:
        assert record.points("good") == 1
        assert record.result in ("W+F", "B+F")
        assert record.event is not None
        assert (record.event.engine, record.event.kind) == ("bad", ending)


@pytest.mark.parametrize(
    "fault", ["none", "late", "slow-start", "no-quit", "chatter", "error-flood"]
)
def test_oddities_that_do_no_harm_are_no_faults(fault: str) -> None:
    odd = replace(tiny("odd", "--fault", fault, "--at", 10, "--delay", 0.3), timeout=5.0)
    summary = run_match(tiny_match(odd, GOOD, games=1))
    assert summary.first.faults == summary.second.faults == {}
    assert summary.moves > 10


def test_resignation_is_no_fault() -> None:
    summary = run_match(tiny_match(tiny("shy", "--fault", "resign"), GOOD))
    assert summary.first.faults == {}
    assert summary.first.tally.losses == 2


def test_colors_take_turns_and_are_counted_apart() -> None:
    summary = run_match(tiny_match(tiny("bad", "--skill", 0), GOOD, games=5))
    assert (summary.first.as_black.games, summary.first.as_white.games) == (3, 2)
    assert (summary.second.as_black.games, summary.second.as_white.games) == (2, 3)
    assert summary.second.tally.wins >= 4


@pytest.mark.parametrize(
    ("clock", "ending"),
    [
        ("absolute:2", Ending.TIME),
        ("canadian:0+2/1", Ending.TIME),
        ("byoyomi:0.1+1x1.9", Ending.TIME),
        ("fischer:2+0.01", Ending.TIME),
        ("absolute:60", Ending.SCORE),
        ("canadian:0+30/1", Ending.SCORE),
        ("byoyomi:0+1x30", Ending.SCORE),
        ("fischer:30+1", Ending.SCORE),
    ],
)
def test_clocks_are_enforced(clock: str, ending: Ending) -> None:
    conditions = replace(SMALL, control=parse_time_control(clock))
    slow = tiny("slow", "--fault", "slow", "--delay", 2.6, "--at", 20 if ending == "score" else 1)
    with slow.start() as black, GOOD.start() as white:
        record = play_game(black, white, conditions).record
        assert record.ending == ending
        assert black.is_usable
    if ending == Ending.TIME:
        assert record.result == "W+T"
        assert record.event is not None
        assert record.event.text.startswith("took 2.")


def test_who_never_answers_hangs_also_with_a_clock() -> None:
    control = parse_time_control("absolute:1")
    conditions = replace(SMALL, control=control, grace_seconds=1.0)
    bad = tiny("bad", "--fault", "silence")
    with bad.start() as black, GOOD.start() as white:
        assert play_game(black, white, conditions).record.ending == Ending.HANG


@pytest.mark.parametrize("fault", ["dead-everything", "dead-nonsense"])
def test_disagreement_on_dead_stones_is_counted_and_the_board_stands(fault: str) -> None:
    summary = run_match(tiny_match(tiny("odd", "--fault", fault), GOOD, games=1))
    assert summary.disagreements == 1
    assert summary.first.faults == {}


def test_a_crash_while_counting_is_a_crash_and_the_result_stands() -> None:
    records: list[GameRecord] = []
    frail = tiny("frail", "--fault", "dead-exit")
    summary = run_match(tiny_match(frail, GOOD), report=collect(records))
    assert [record.ending for record in records] == [Ending.SCORE, Ending.SCORE]
    assert summary.first.faults == {Ending.CRASH: 2}
    assert summary.disagreements == 0
    assert summary.tally.games == 2


def test_agreement_on_dead_stones_takes_them_off() -> None:
    first = tiny("first", "--fault", "dead-everything")
    second = tiny("second", "--fault", "dead-everything", "--seed", 3)
    with first.start() as black, second.start() as white:
        record = play_game(black, white, SMALL).record
    assert record.event is None
    assert record.dead
    assert record.result == "W+0.5"


def test_a_referee_decides_instead() -> None:
    referee = tiny("referee", "--fault", "dead-everything")
    records: list[GameRecord] = []
    run_match(
        tiny_match(tiny("first", "--skill", 1), GOOD, games=2, referee=referee),
        report=collect(records),
    )
    assert [record.result for record in records] == ["W+0.5", "W+0.5"]


def test_nobody_is_asked_where_the_rules_remove_no_dead_stones() -> None:
    conditions = replace(SMALL, rules="tromp-taylor")
    match = tiny_match(tiny("first", "--skill", 1), GOOD, games=2, conditions=conditions)
    records: dict[str, list[GameRecord]] = {"alone": [], "refereed": []}
    run_match(match, report=collect(records["alone"]))
    referee = tiny("referee", "--fault", "dead-everything")
    run_match(replace(match, referee=referee), report=collect(records["refereed"]))
    results = [[record.result for record in found] for found in records.values()]
    assert results[0] == results[1]


def test_an_engine_that_never_answers_does_not_outlive_an_interrupt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[Engine] = []

    def interrupt(engine: Engine) -> None:
        started.append(engine)
        raise KeyboardInterrupt

    monkeypatch.setattr(Engine, "introduce", interrupt)
    with pytest.raises(KeyboardInterrupt):
        EngineSpec("deaf", "sleep 100").start()
    assert started[0]._process.poll() is not None


def test_names_with_brackets_are_shown_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = command_line(tiny("x").command, GOOD.command, "--names", "[/b]", "[red]c")
    assert main([*arguments, "--games", "2"]) == 0
    shown = capsys.readouterr().out
    assert "[/b]" in shown
    assert "[red]c" in shown


def test_a_referee_that_fails_is_counted_and_the_players_agree() -> None:
    referee = tiny("referee", "--fault", "dead-nonsense")
    summary = run_match(tiny_match(tiny("first"), GOOD, games=2, referee=referee))
    assert summary.referee_failures == 2
    assert summary.tally.games == 2


def test_a_game_without_end_is_a_draw_and_counted() -> None:
    conditions = replace(SMALL, move_limit=6)
    summary = run_match(tiny_match(tiny("first"), GOOD, games=1, conditions=conditions))
    assert summary.move_limits == 1
    assert summary.tally.draws == 1


def test_an_engine_that_cannot_start_ends_the_match() -> None:
    with pytest.raises(EngineError, match="cannot start"):
        run_match(tiny_match(EngineSpec("none", "/no/such/engine"), GOOD))


def test_both_engines_need_a_name_of_their_own() -> None:
    with pytest.raises(GoError, match="both engines are called 'good'"):
        run_match(tiny_match(GOOD, GOOD))


def test_everything_is_kept_and_opens_elsewhere(tmp_path: Path) -> None:
    match = tiny_match(tiny("first"), GOOD, games=3, seed=7)
    summary = run_match(match, tmp_path)
    records = read_records(tmp_path)
    assert [record.game for record in records] == [0, 1, 2]
    for record in records:
        assert record == GameRecord.from_json(record.to_json())
        assert record.seed == game_seed(7, record.game)
        assert record.black.version == "Tiny 1.0"
        record_sgf = (tmp_path / "sgf" / f"{record.game:05d}.sgf").read_bytes()
        other = sgf.Sgf_game.from_bytes(record_sgf)
        assert other.get_player_name("b") == record.black.name
        assert other.get_player_name("w") == record.white.name
        assert other.get_root().get("RE") == record.result
        assert other.get_komi() == 0.5
        assert len(other.get_main_sequence()) - 1 == len(record.moves)
        game = Game.from_sgf(record_sgf)
        assert tuple(move.vertex for move in game.moves) == record.moves
        assert game.result == record.result
    assert summary.tally.wins == sum(record.points("first") == 1 for record in records)


def test_another_program_finds_the_same_board_in_the_records(tmp_path: Path) -> None:
    run_match(tiny_match(tiny("first"), GOOD, games=2), tmp_path)
    with Engine([require_tool("gnugo"), "--mode", "gtp"]) as gnugo:
        for record in read_records(tmp_path):
            path = tmp_path / "sgf" / f"{record.game:05d}.sgf"
            gnugo.send(f"loadsgf {path}")
            game = Game.from_sgf_file(path)
            for color, number in (("black", BLACK), ("white", WHITE)):
                theirs = set(gnugo.send(f"list_stones {color}").split())
                rows = game.board.rows()
                ours = {
                    format_vertex((column, 4 - row))
                    for row in range(5)
                    for column in range(5)
                    if rows[row][column] == number
                }
                assert theirs == ours


def test_a_second_run_adds_nothing_and_a_longer_one_goes_on(tmp_path: Path) -> None:
    match = tiny_match(tiny("first"), GOOD, games=2, seed=7)
    first = run_match(match, tmp_path)
    before = (tmp_path / "games.jsonl").read_bytes()
    assert run_match(match, tmp_path) == first
    assert (tmp_path / "games.jsonl").read_bytes() == before
    assert run_match(replace(match, games=4), tmp_path).tally.games == 4
    assert (tmp_path / "games.jsonl").read_bytes().startswith(before)


def test_other_settings_need_another_folder(tmp_path: Path) -> None:
    match = tiny_match(tiny("first"), GOOD, games=1)
    run_match(match, tmp_path)
    with pytest.raises(GoError, match=r"other settings \(komi\)"):
        run_match(replace(match, conditions=replace(SMALL, komi=6.5)), tmp_path)


@pytest.mark.parametrize(
    ("variable", "before", "after", "words"),
    [
        ("TINY_VERSION", "1.0", "1.1", "it was 'Tiny 1.0' and is 'Tiny 1.1'"),
        ("TINY_SOURCES", "aaaa", "bbbb", "its sources were aaaa and are bbbb"),
        ("TINY_SOURCES", "", "bbbb", "its sources were unknown and are bbbb"),
        ("TINY_SOURCES", "aaaa", "", "its sources were aaaa and are unknown"),
    ],
)
def test_another_version_of_an_engine_does_not_go_on_with_a_match(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    before: str,
    after: str,
    words: str,
) -> None:
    match = tiny_match(tiny("first"), GOOD, games=2)
    monkeypatch.setenv(variable, before)
    run_match(match, tmp_path)
    monkeypatch.setenv(variable, after)

    with pytest.raises(GoError, match=f"has changed since the games that are kept: {words}"):
        run_match(replace(match, games=4), tmp_path)

    assert len(read_records(tmp_path)) == 2
    monkeypatch.setenv(variable, before)
    assert run_match(replace(match, games=4), tmp_path).tally.games == 4


def test_an_engine_does_not_change_in_the_middle_of_a_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = tiny_match(tiny("first", "--seed", "{seed}"), GOOD, games=2, seed=1)

    def change(_: object, record: GameRecord | None) -> bool:
        monkeypatch.setenv("TINY_VERSION", "1.0" if record is None else "2.0")
        return True

    with pytest.raises(GoError, match=r"it was 'Tiny 1\.0' and is 'Tiny 2\.0'"):
        run_match(match, report=change)


def test_games_that_do_not_say_by_which_sources_they_were_played_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = tiny_match(tiny("first"), GOOD, games=2)
    run_match(match, tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_text(path.read_text().replace('"sources":"",', ""))
    monkeypatch.setenv("TINY_SOURCES", "aaaa")

    assert run_match(replace(match, games=4), tmp_path).tally.games == 4

    assert [record.black.sources for record in read_records(tmp_path)] == [
        None,
        None,
        *2 * ["aaaa"],
    ]


def test_changed_openings_do_not_go_on_with_a_match(tmp_path: Path) -> None:
    openings = tmp_path / "openings"
    openings.mkdir()
    (openings / "one.sgf").write_text("(;SZ[5];B[cc])")
    folder = tmp_path / "games"

    def match() -> Match:
        return tiny_match(tiny("first"), GOOD, openings=read_openings(openings, 5))

    run_match(match(), folder)
    assert {record.opening_digest for record in read_records(folder)} == {
        match().openings[0].digest
    }
    (openings / "one.sgf").write_text("(;SZ[5]C[The same];B[cc])")
    run_match(match(), folder)
    (openings / "one.sgf").write_text("(;SZ[5];B[cd])")

    with pytest.raises(GoError, match=r"other settings \(openings_digest\).* --anew"):
        run_match(match(), folder)


def test_a_folder_without_the_digest_of_its_openings_gets_it(tmp_path: Path) -> None:
    match = tiny_match(tiny("first"), GOOD, openings=(Opening(moves=(("black", "C3"),)),))
    run_match(match, tmp_path)
    settings = tmp_path / "settings.json"
    digest = json.loads(settings.read_text())["openings_digest"]
    fields = json.loads(settings.read_text())
    del fields["openings_digest"]
    settings.write_text(json.dumps(fields))

    run_match(match, tmp_path)

    assert json.loads(settings.read_text())["openings_digest"] == digest


def test_a_match_begins_anew_by_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "games"
    arguments = command_line(tiny("x").command, GOOD.command, "--names", "a", "b")
    arguments += ["--output", str(folder), "--json", "--games"]
    assert main([*arguments, "1"]) == 0
    monkeypatch.setenv("TINY_VERSION", "2.0")
    assert main([*arguments, "2"]) == 1
    assert "--anew" in capsys.readouterr().err

    assert main([*arguments, "2", "--anew"]) == 0

    assert f"what was in {folder} is in {folder}.old-1 now" in capsys.readouterr().err
    assert {record.black.version for record in read_records(folder)} == {"Tiny 2.0"}
    assert len(read_records(tmp_path / "games.old-1")) == 1
    assert main([*arguments, "1", "--anew"]) == 0
    assert len(read_records(tmp_path / "games.old-2")) == 2


def test_a_folder_in_use_does_not_begin_anew(tmp_path: Path) -> None:
    match = tiny_match(tiny("first"), GOOD, games=1)

    def intrude(_: object, record: GameRecord | None) -> bool:
        if record is None:
            with pytest.raises(GoError, match="in use by another process"):
                set_aside(tmp_path / "games")
        return True

    assert run_match(match, tmp_path / "games", report=intrude).tally.games == 1
    assert set_aside(tmp_path / "none") is None


def test_the_progress_shows_the_likelihood_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = command_line(tiny("x").command, GOOD.command, "--names", "a", "b", "--games", 2)
    assert main([*arguments, "--sprt", "elo0=0,elo1=20"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert re.search(r"log-likelihood ratio [+-]\d\.\d\d in \[-2\.94, \+2\.94\]", line)


def test_the_limit_of_moves_can_be_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = command_line(tiny("x").command, GOOD.command, "--names", "a", "b", "--games", 1)
    arguments += ["--move-limit", "4", "--output", str(tmp_path), "--json"]
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["move_limits"] == 1
    assert [len(record.moves) for record in read_records(tmp_path)] == [4]
    arguments[arguments.index("4")] = "5"
    assert main(arguments) == 1
    assert "other settings (move_limit)" in capsys.readouterr().err


@pytest.mark.parametrize(("size", "count"), [(9, 50), (13, 50), (19, 22)])
def test_openings_come_along_for_the_usual_boards(size: int, count: int) -> None:
    openings = read_openings("balanced", size)

    assert len(openings) == count
    assert len({opening.digest for opening in openings}) == count
    for opening in openings:
        game = Game(size)
        opening.play_on(game)
        assert game.to_play == "black"
        assert len(game.moves) in (6, 8, 12)
    assert {*read_openings("balanced", size, seed=1)} == {*openings}


def test_a_folder_of_that_name_comes_before_the_openings_that_come_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "balanced").mkdir()
    (tmp_path / "balanced" / "one.sgf").write_text("(;SZ[9];B[cc])")
    assert [opening.name for opening in read_openings("balanced", 9)] == ["one.sgf"]


def test_a_board_without_balanced_openings_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = command_line(tiny("x").command, GOOD.command, "--openings", "balanced")
    assert main(arguments) == 1
    assert "no balanced openings for a board of 5, only for 9, 13 and 19" in capsys.readouterr().err


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    match = tiny_match(tiny("first"), GOOD, games=3, seed=1)
    summary = run_match(match, tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    again = run_match(match, tmp_path)
    assert again.tally == summary.tally
    assert [record.game for record in read_records(tmp_path)] == [0, 1, 2]


def test_two_matches_cannot_share_a_folder_at_a_time(tmp_path: Path) -> None:
    match = tiny_match(tiny("first"), GOOD, games=1)
    seen: list[str] = []

    def intrude(_: object, record: GameRecord | None) -> bool:
        if record is None:
            with pytest.raises(GoError, match="in use by another match") as caught:
                run_match(match, tmp_path)
            seen.append(str(caught.value))
        return True

    run_match(match, tmp_path, report=intrude)
    assert len(seen) == 1


KILLED_MATCH = """
import sys
sys.path[:0] = {path!r}
from arena_engines import tiny, tiny_match
from montego.arena.match import run_match
match = tiny_match(tiny("first"), tiny("good", "--skill", 1), games=6, seed=5, concurrency=2)
run_match(match, {folder!r})
"""


def test_a_match_that_was_killed_resumes_to_the_same_totals(tmp_path: Path) -> None:
    match = tiny_match(tiny("first"), tiny("good", "--skill", 1), games=6, seed=5, concurrency=2)
    whole = run_match(match, tmp_path / "whole")
    folder = tmp_path / "killed"
    script = KILLED_MATCH.format(path=sys.path, folder=str(folder))
    process = subprocess.Popen([sys.executable, "-c", script])
    games = folder / "games.jsonl"
    while process.poll() is None and not (games.exists() and games.stat().st_size):
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = read_records(folder)
    assert kept
    resumed = run_match(match, folder)
    assert resumed.to_dict()["wins"] == whole.to_dict()["wins"]
    moves = {record.game: record.moves for record in read_records(tmp_path / "whole")}
    assert {record.game: record.moves for record in read_records(folder)} == moves


def test_a_seed_in_the_command_makes_games_repeat() -> None:
    match = tiny_match(tiny("first", "--seed", "{seed}"), GOOD, games=2, seed=9)

    def play() -> list[tuple[str, ...]]:
        records: list[GameRecord] = []
        run_match(match, report=collect(records))
        return [record.moves for record in records]

    assert play() == play()


def test_assignments_number_the_games() -> None:
    with tiny("first").start() as black, GOOD.start() as white:
        assert play_game(black, white, SMALL, Assignment(number=17)).record.game == 17


def test_the_summary_is_json() -> None:
    match: Match = tiny_match(tiny("first"), GOOD, games=1)
    figures = json.loads(json.dumps(run_match(match).to_dict()))
    assert figures["games"] == 1
    assert figures["engines"][0]["faults"]["crash"] == 0


def command_line(*arguments: object) -> list[str]:
    return ["match", *map(str, arguments), "--size", "5", "--komi", "0.5"]


def test_the_command_prints_a_summary_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = command_line(tiny("x").command, GOOD.command, "--names", "a", "b", "--games", 2)
    assert main([*arguments, "--json", "--output", str(tmp_path), "--concurrency", "2"]) == 0
    captured = capsys.readouterr()
    figures = json.loads(captured.out)
    assert figures["games"] == figures["wanted"] == 2
    assert figures["wins"] + figures["losses"] + figures["draws"] == 2
    assert [engine["name"] for engine in figures["engines"]] == ["a", "b"]
    assert captured.err.count("\n") == 2
    assert "game 0: a (B), b (W)" in captured.err
    assert len(read_records(tmp_path)) == 2


def test_the_command_prints_a_table_and_names_engines_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(command_line(tiny("x").command, GOOD.command, "--games", 1)) == 0
    table = capsys.readouterr().out
    assert "1 of 1 games" in table
    assert "Tiny 1.0 (1)" in table
    assert "likelihood of superiority" in table


def test_openings_are_played_once_with_each_color(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    openings = tmp_path / "openings"
    openings.mkdir()
    for number, point in enumerate(("bb", "cc")):
        (openings / f"{number}.sgf").write_text(f"(;SZ[5]AB[{point}]AW[dd]PL[B])")
    arguments = command_line(tiny("x").command, GOOD.command, "--names", "a", "b")
    folder = tmp_path / "games"
    main([*arguments, "--openings", str(openings), "--output", str(folder), "--json"])
    capsys.readouterr()
    played = [(record.opening, record.black.name) for record in read_records(folder)]
    assert played == [("0.sgf", "a"), ("0.sgf", "b"), ("1.sgf", "a"), ("1.sgf", "b")]
    assert b"AB[bb]AP" in (folder / "sgf" / "00000.sgf").read_bytes().replace(b"\n", b"")


def test_the_second_engine_takes_the_handicap_stones_in_every_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["match", tiny("x").command, GOOD.command, "--names", "a", "b", "--size", "7"]
    arguments += ["--games", "3", "--handicap", "4", "--output", str(tmp_path), "--json"]
    assert main(arguments) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["games"] == 3
    for record in read_records(tmp_path):
        assert (record.black.name, record.white.name) == ("b", "a")
        assert (record.opening, record.first, record.komi) == ("handicap 4", "white", 0.5)
    sgf = Game.from_sgf_file(tmp_path / "sgf" / "00002.sgf")
    assert sgf.handicap == 4
    # The same match goes on, another handicap is another match.
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 3
    arguments[arguments.index("4")] = "3"
    assert main(arguments) == 1
    assert "other settings (handicap)" in capsys.readouterr().err


def test_a_test_ends_the_match_when_it_is_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shy = tiny("x", "--fault", "resign").command
    arguments = command_line(GOOD.command, shy, "--names", "a", "b", "--games", 400, "--json")
    arguments += ["--sprt", "elo0=0,elo1=300,alpha=0.2,beta=0.2", "--output", str(tmp_path)]
    assert main(arguments) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["sprt"]["decision"] == "H1"
    assert figures["sprt"]["model"] == "trinomial"
    assert 2 <= figures["games"] < 20
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["games"] == figures["games"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--games", "0"], "cannot play 0 games"),
        (["--concurrency", "0"], "games at a time"),
        (["--clock", "sun"], "invalid time control"),
        (["--clock", "absolute:3", "--seconds", "2"], "not both"),
        (["--seconds", "-1"], "invalid --seconds"),
        (["--seconds", "inf"], "invalid --seconds inf: say seconds above 0"),
        (["--timeout", "nan"], "invalid --timeout nan"),
        (["--clock", f"absolute:{10**12}"], "has times from 0 to 1e+09 s"),
        (["--sprt", "x"], "invalid test"),
        (["--openings", "/no/such/folder"], "cannot read the openings"),
        (["--rules", "mine"], "unknown rules"),
        (["--handicap", "2"], "a 5x5 board has no fixed handicap"),
        (["--handicap", "-1"], "invalid handicap -1"),
        (["--referee", "/no/such/engine", "--games", "1"], "cannot start"),
    ],
)
def test_wrong_options_are_one_sentence(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    arguments = ["match", tiny("x").command, GOOD.command, "--size", "5", "--names", "a", "b"]
    assert main([*arguments, *options]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_ctrl_c_ends_all_engines_and_keeps_what_is_done(tmp_path: Path) -> None:
    script = KILLED_MATCH.format(path=sys.path, folder=str(tmp_path)).replace(
        "games=6", "games=999"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE)
    games = tmp_path / "games.jsonl"
    while process.poll() is None and not (games.exists() and games.stat().st_size):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert b"KeyboardInterrupt" in error
    assert read_records(tmp_path)


def test_the_public_names_are_there() -> None:
    import montego.arena

    names: list[str] = montego.arena.__all__  # type: ignore[attr-defined]
    assert names == sorted(names)
    for name in names:
        assert hasattr(montego.arena, name)
