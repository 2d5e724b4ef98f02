"""Regression suites and positions, put to tiny engines."""

from __future__ import annotations

import gzip
import json
import re
import shlex
from typing import TYPE_CHECKING

import pytest
from conftest import require_tool

from arena_engines import tiny, tiny_command
from montego.arena.regression import (
    Case,
    Status,
    commands_of_loadsgf,
    parse_position,
    parse_tst,
    read_baseline,
    read_positions,
    read_tst,
    results_json,
    run_suites,
    suites_of,
)
from montego.arena.workers import EngineSpec
from montego.cli.main import main
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from pathlib import Path

SUITE = """\
# Comments and empty lines are nothing.

boardsize 5
clear_board
10 name
#? [Tiny]
20 version   # what it is called
#? [2\\.0]*
30 version
#? [!2\\.0]
40 name
#? [Huge]
50 name
#? [T.*]*
version
#? [1.0|2.0]
60 version
#? [9]&
"""


def run(cases: list[Case], *options: object, **settings: object) -> dict[str, Status]:
    results = run_suites(suites_of(cases), tiny("tiny", *options), **settings)  # type: ignore[arg-type]
    return {result.case.name: result.status for result in results}


def test_patterns_negation_and_known_failures(tmp_path: Path) -> None:
    assert run(parse_tst(SUITE, "suite", tmp_path)) == {
        "10": Status.PASS,
        "20": Status.KNOWN_FAILURE,
        "30": Status.PASS,
        "40": Status.NEWLY_FAILING,
        "50": Status.NEWLY_PASSING,
        "line 15": Status.PASS,
        "60": Status.IGNORED,
    }


def test_an_ignored_case_counts_for_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite = tmp_path / "odd.tst"
    suite.write_text("10 name\n#? [Tiny]\n20 version\n#? [9]&\n30 version\n#? [1.0]&\n")
    baseline = tmp_path / "before.json"
    cases = {"odd:10": {"passed": True}, "odd:20": {"passed": True}, "odd:30": {"passed": False}}
    baseline.write_text(json.dumps({"cases": cases}))
    arguments = ["regress", str(suite), "--baseline", str(baseline)]

    assert main([*arguments, "--json", "--", *tiny_command()]) == 0
    counts = json.loads(capsys.readouterr().out)["suites"]["odd"]
    assert {name: count for name, count in counts.items() if count} == {"pass": 1, "ignored": 2}

    assert main([*arguments, "--", *tiny_command()]) == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "odd" in line]
    assert re.findall(r"\d+", row) == ["1", "1", "2"]


def test_a_pattern_must_match_the_whole_answer() -> None:
    case = Case(suite="s", name="1", setup=(), question="name", pattern="A1|B2")
    assert case.accepts("a1")
    assert not case.accepts("A11")
    assert case.wanted == "A1|B2"


def test_mistakes_in_a_suite_are_explained(tmp_path: Path) -> None:
    with pytest.raises(GoError, match="line 1: no command comes before"):
        parse_tst("#? [x]", "suite", tmp_path)
    with pytest.raises(GoError, match="no regular expression"):
        parse_tst("1 name\n#? [(]", "suite", tmp_path)
    with pytest.raises(GoError, match="cannot read"):
        read_tst(tmp_path / "none.tst")


def test_records_lie_beside_the_suite_and_any_engine_can_load_them(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.sgf").write_text("(;SZ[5]KM[2.5]AB[aa];W[bb];B[cc];W[dd])")
    path = tmp_path / "life.tst"
    path.write_text("loadsgf games/a.sgf 2\n1 reg_genmove black\n#? [[A-E][1-5]]\n")
    (case,) = read_tst(path)
    assert case.setup == (f"loadsgf {tmp_path / 'games' / 'a.sgf'} 2",)
    assert commands_of_loadsgf(case.setup[0]) == [
        "boardsize 5",
        "clear_board",
        "komi 2.5",
        "play black A5",
        "play white B4",
    ]
    assert run([case]) == {"1": Status.PASS}


def test_a_position_that_cannot_be_reached_fails_its_cases_only(tmp_path: Path) -> None:
    text = (
        "loadsgf none.sgf\n1 name\n#? [Tiny]\n2 name\n#? [Tiny]\nclear_board\n3 name\n#? [Tiny]\n"
    )
    assert run(parse_tst(text, "suite", tmp_path)) == {
        "1": Status.NEWLY_FAILING,
        "2": Status.NEWLY_FAILING,
        "3": Status.PASS,
    }


def test_an_engine_that_dies_fails_its_case_and_is_started_anew(tmp_path: Path) -> None:
    text = "clear_board\n1 genmove b\n#? [.*]\nclear_board\n2 name\n#? [Tiny]\n"
    cases = parse_tst(text, "suite", tmp_path)
    assert run(cases, "--fault", "exit", "--at", 0) == {
        "1": Status.NEWLY_FAILING,
        "2": Status.PASS,
    }


def test_a_baseline_goes_above_the_marks(tmp_path: Path) -> None:
    cases = parse_tst(SUITE, "suite", tmp_path)
    results = run_suites(suites_of(cases), tiny("tiny"))
    path = tmp_path / "before.json"
    path.write_text(json.dumps(results_json(results)))
    baseline = read_baseline(path)
    found = run(cases, baseline=baseline)
    assert set(found.values()) == {Status.PASS, Status.KNOWN_FAILURE, Status.IGNORED}
    baseline["suite:10"], baseline["suite:40"] = False, True
    found = run(cases, baseline=baseline)
    assert (found["10"], found["40"]) == (Status.NEWLY_PASSING, Status.NEWLY_FAILING)
    path.write_text("[]")
    with pytest.raises(GoError, match="no results of a regression"):
        read_baseline(path)


POSITION = {
    "suite": "corner",
    "id": 7,
    "size": 5,
    "komi": 0.5,
    "to_play": "W",
    "events": [["AB", ["aa", "ee"]], ["PL", "B"], ["B", "cc"], ["W", ""]],
    "accept": ["A1", "PASS"],
    "reject": None,
}


def test_positions_become_commands() -> None:
    case = parse_position(json.dumps(POSITION))
    assert case.key == "corner:7"
    assert case.setup == (
        *("boardsize 5", "clear_board", "komi 0.5"),
        *("play black A5", "play black E1", "play black C3", "play white pass"),
    )
    assert case.question == "reg_genmove white"
    assert case.accepts("pass")
    assert not case.accepts("B1")
    rejecting = parse_position(json.dumps({**POSITION, "accept": None, "reject": ["A1"]}))
    assert rejecting.accepts("B1")
    assert not rejecting.accepts("a1")


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        json.dumps({**POSITION, "accept": None}),
        json.dumps({**POSITION, "to_play": "green"}),
        json.dumps({**POSITION, "events": [["B", "zz"]]}),
    ],
)
def test_lines_that_are_no_position_are_named(line: str) -> None:
    with pytest.raises(GoError, match="positions, line 3"):
        parse_position(line, number=3)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(GoError, match="positions, line 1: the field 'size' is missing"):
        parse_position(json.dumps({"suite": "a"}), number=1)


def test_positions_are_dealt_out_among_engines(tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl.gz"
    lines = [json.dumps({**POSITION, "id": number}) for number in range(9)]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    cases = read_positions(path)
    found = run(cases, concurrency=3, is_independent=True)
    assert list(found) == [str(number) for number in range(9)]
    assert set(found.values()) <= {Status.PASS, Status.FAIL}


def test_a_choice_among_some_moves_needs_an_engine_that_can() -> None:
    case = parse_position(
        json.dumps({**POSITION, "restrict": ["A1", "B1"], "accept": ["A1", "B1"]})
    )
    (refused,) = run_suites(suites_of([case]), tiny("tiny"))
    assert refused.fault == "cannot choose among some moves only"
    gnugo = EngineSpec("gnugo", f"{require_tool('gnugo')} --mode gtp --level 1")
    (answered,) = run_suites(suites_of([case]), gnugo)
    assert answered.fault == ""
    assert answered.answer in ("A1", "B1", "PASS")


def test_the_command_sums_up_and_tells_what_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "suite.tst"
    path.write_text(SUITE)
    output = tmp_path / "out.json"
    engine = ["--", *tiny_command()]
    assert main(["regress", str(path), "--output", str(output), *engine]) == 1
    text = capsys.readouterr().out
    assert "suite:40  name: Tiny, wanted Huge" in text
    assert "suite:50  name: Tiny, wanted T.*" in text
    assert main(["regress", "--baseline", str(output), "--json", str(path), *engine]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["suites"]["suite"]["newly failing"] == 0
    assert document["cases"]["suite:10"]["answer"] == "Tiny"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.tst"], "say the engine's command after --"),
        (["a.tst", "b.jsonl", "--", "x"], "one after the other"),
        (["a.tst", "--suite", "z", "--", "x"], "there is no suite 'z'"),
        (["a.tst", "--concurrency", "0", "--", "x"], "cannot run 0 engines"),
        (["a.tst", "--", "/no/such/engine"], "cannot start"),
        (["a.tst", "--timeout", "-1", "--", "x"], "invalid --timeout -1"),
        (["a.tst", "--output", "no/such/folder.json", "--", "x"], "cannot write no/such/folder"),
    ],
)
def test_wrong_command_lines_are_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    (tmp_path / "a.tst").write_text(SUITE)
    (tmp_path / "b.jsonl").write_text(json.dumps(POSITION))
    monkeypatch.chdir(tmp_path)
    assert main(["regress", *arguments]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_commands_with_quotes_survive() -> None:
    words = [*tiny_command(), "--fault", "none"]
    spec = EngineSpec("tiny", shlex.join(words))
    with spec.start() as engine:
        assert engine.command == words
