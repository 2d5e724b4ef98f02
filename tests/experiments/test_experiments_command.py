"""``montego experiment``: its lists, its runs stopped by force, the page in the docs come true."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from montego.cli.commands.experiment import Allowance
from montego.cli.main import main
from montego.experiments.registry import MODULES, find_experiment
from places import ROOT

TOY = """
from toy_experiments import toy
TOY = toy(count=20, folder={folder!r}, sleep=0.05)
"""


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["list"], ["run"], ["report"]):
        with pytest.raises(SystemExit) as left:
            main(["experiment", *words, "--help"])
        assert left.value.code == 0
        assert capsys.readouterr().out.startswith(" ".join(["usage: montego experiment", *words]))


def test_the_list_names_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", "list"]) == 0
    shown = capsys.readouterr().out

    assert [line.split()[0] for line in shown.splitlines()[: len(MODULES)]] == list(MODULES)
    assert f"{len(MODULES)} experiments, " in shown


def test_one_experiment_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", "list", "score-balanced-reward"]) == 0
    shown = capsys.readouterr().out
    assert main(["experiment", "list", "score-balanced-reward", "--json"]) == 0
    (facts,) = json.loads(capsys.readouterr().out)

    assert all(word in shown for word in ("question", "56 %", "k = 100", "reward_scale", "trials"))
    assert facts["figures"] == {"k = 100": 0.56}


def test_a_description_has_the_settings_of_every_point(capsys: pytest.CaptureFixture[str]) -> None:
    experiment = find_experiment("score-balanced-reward")
    assert main(["experiment", "list", experiment.name]) == 0
    _, _, shown = capsys.readouterr().out.partition("  settings  ")
    first, *others = shown.splitlines()
    common = json.loads(first)
    plan = {trial.cell: trial.settings for trial in experiment.plan("full")}

    # As the table has them, though the one with most games begins.
    assert next(iter(plan)) == "k = 100"
    cells = [line.strip().partition("  ")[0] for line in others]
    assert cells[:3] == ["k = 25", "k = 50", "k = 100"]
    assert set(cells) == set(plan)
    for cell, line in zip(cells, others, strict=True):
        own = json.loads(line[line.index("{") :])
        assert joined(common, own) == plan[cell]
        assert not has_part_of(common, own)
    assert common["second"] == plan["k = 100"]["second"]


def joined(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return what both of two settings say."""
    inner = {
        key: joined(value, other[key]) if isinstance(value, dict) and key in other else value
        for key, value in one.items()
    }
    return {**other, **inner}


def has_part_of(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Say whether two settings say something twice."""
    both = set(one) & set(other)
    return any(not isinstance(one[key], dict) or has_part_of(one[key], other[key]) for key in both)


POOR = """
from dataclasses import replace
from montego.experiments.experiment import Trial
from toy_experiments import toy

def by_trial(scale):
    return [Trial("heads", number, {"same": 1, "number": number}) for number in range(3)]

POOR = replace(toy(), name="poor", cost={"full": 1}, trials=lambda scale: [])
VARIED = replace(toy(), name="varied", cost={}, trials=by_trial)
WRONG = replace(toy(wrong={1}), name="wrong")
"""


def test_what_a_file_of_ones_own_lacks_is_left_out_of_its_description(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    file = tmp_path / "poor_of_mine.py"
    good, _, _ = POOR.partition("WRONG")
    file.write_text(good, encoding="utf-8")
    assert main(["experiment", "list", str(file)]) == 0
    poor, varied = capsys.readouterr().out.split("\n\n")
    (tmp_path / "wrong_settings_of_mine.py").write_text(POOR, encoding="utf-8")

    assert poor.splitlines()[3:] == [
        "  quick     0 trials at 0 points",
        "  full      0 trials at 0 points, about 1 min of processor time",
    ]
    assert varied.splitlines()[3:] == [
        "  quick     3 trials at 1 point",
        "  full      3 trials at 1 point",
        '  settings  {"same": 1}',
        "    heads  and more that differs by trial",
    ]
    assert main(["experiment", "list", str(tmp_path / "wrong_settings_of_mine.py")]) == 1
    complaint = capsys.readouterr().err
    assert complaint.startswith("montego: wrong: JSON cannot hold the settings of heads number 0")
    assert complaint.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["run", "rave"], "unknown experiment 'rave'; perhaps "),
        (["run", "no-such-thing"], "unknown experiment 'no-such-thing': see"),
        (["run", "nowhere.py"], "there is no file nowhere.py"),
        (["run", "voting-rule", "--seed", "0"], "invalid seed 0"),
        (["run", "voting-rule", "--processes", "0"], "invalid number of processes 0"),
        (["run", "voting-rule", "--games", "0"], "invalid number of games 0"),
        (["run", "voting-rule", "--minutes", "0"], "invalid number of minutes 0"),
        (["run", "voting-rule", "--minutes", "nan"], "invalid number of minutes nan"),
        (["report", "nowhere.py"], "there is no file nowhere.py"),
        (["report", "--results", "nowhere"], "nowhere holds no results"),
    ],
)
def test_mistakes_are_one_line(
    words: list[str],
    complaint: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)

    assert main(["experiment", *words]) == 1
    shown = capsys.readouterr().err
    assert shown.startswith(f"montego: {complaint}")
    assert shown.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_missing_program_is_told_and_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda *_words, **_names: None)

    assert main(["experiment", "run", "graded-opponents", "--output", str(tmp_path)]) == 0
    assert "graded-opponents: skipped, gnugo is not installed" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_experiment_that_fails_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    file = tmp_path / "two_of_mine.py"
    file.write_text(
        "from dataclasses import replace\n"
        "from toy_experiments import raise_at_two, toy\n"
        "BAD = toy(raise_at_two)\n"
        "GOOD = replace(toy(), name='good')\n",
        encoding="utf-8",
    )
    words = ["experiment", "run", str(file), "--full", "--output", str(tmp_path)]

    assert main([*words, "--processes", "1"]) == 1
    shown = capsys.readouterr()
    assert "montego: toy: 2 of 8 trials failed, the first at heads number 2" in shown.err
    assert "good (000 0.0), full: 8 of 8 trials" in shown.out
    assert "toy (" not in shown.out


MINE = """
from dataclasses import replace
from toy_experiments import toy
DEAR = replace(toy(count=3), name="dear", document="mine", cost={{"quick": 1, "full": 60}})
CHEAP = replace(toy(), name="cheap", document="mine", cost={{"quick": 1, "full": {cheap}}})
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a file with two experiments, one of which costs more."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    file = tmp_path / f"mine_{tmp_path.name}.py".replace("-", "_")
    file.write_text(MINE.format(cheap=2), encoding="utf-8")
    return str(file)


def test_several_run_cheapest_first_and_their_cost_is_told(
    mine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["experiment", "run", mine, mine, "--full", "--output", str(tmp_path), "--json"]
    assert main([*words, "--processes", "1", "--games", "2"]) == 0
    first = capsys.readouterr()
    assert main([*words, "--processes", "1"]) == 0
    second = capsys.readouterr()

    assert "2 of 2 experiments have trials left, about 41 min of processor time" in first.err
    runs = json.loads(first.out)
    assert [(run["name"], run["done"], run["wanted"]) for run in runs] == [
        ("cheap", 4, 8),
        ("dear", 4, 6),
    ]
    assert runs[0]["effort"] == "2 of 4 trials a point were affordable"
    assert "1/2 cheap: 4 of 4 trials, 2% of all" in first.err
    assert "2/2 dear: 4 of 4 trials, 100% of all" in first.err
    assert "about 21 min of processor time, 21 min on 1 core" in second.err
    assert [run["done"] for run in json.loads(second.out)] == [8, 6]


def test_when_the_time_is_over_the_rest_is_not_begun(
    mine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["experiment", "run", mine, "--full", "--output", str(tmp_path), "--processes", "1"]
    assert main([*words, "--minutes", "1e-9"]) == 0
    shown = capsys.readouterr()

    assert "no trial begins after 1e-09 min" in shown.err
    assert "cheap: not begun, the time is over\ndear: not begun, the time is over\n" in shown.err
    assert shown.out == ""
    assert not list(tmp_path.glob("*.json*"))


def test_time_is_shared_and_what_is_not_needed_passed_on() -> None:
    clock = [0.0]
    allowance = Allowance(10.0, lambda: clock[0])
    first = allowance.part(5)
    clock[0] = 119.0
    assert first()
    clock[0] = 121.0
    assert not first()
    clock[0] = 120.0  # It took no more than its fifth; the next one needs next to nothing.
    allowance.part(4)
    last = [allowance.part(count) for count in (3, 1)]
    clock[0] = 279.0
    assert [part() for part in last] == [True, True]
    clock[0] = 281.0
    assert [part() for part in last] == [False, True]
    assert not allowance.is_over
    clock[0] = 600.0
    assert allowance.is_over
    assert not last[1]()
    assert Allowance(None).part(3)()
    assert not Allowance(None).is_over


def test_an_experiment_of_ones_own_is_in_the_report(
    mine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results, output = tmp_path / "results", tmp_path / "docs"
    run = ["experiment", "run", mine, "--full", "--output", str(results), "--processes", "1"]
    report = ["--results", str(results), "--output", str(output)]

    assert main(run) == 0
    assert f"'montego experiment report {mine} --results {results}'" in capsys.readouterr().out
    assert main(["experiment", "report", *report]) == 1
    assert "holds no results" in capsys.readouterr().err
    assert main(["experiment", "report", mine, *report]) == 0
    assert capsys.readouterr().out == f"2 runs: {output / 'report.html'}\n"
    readme = (output / "README.md").read_text(encoding="utf-8")
    assert "## cheap" in readme
    assert "(cheap.shares.svg)" in readme
    assert (output / "dear.shares.svg").exists()


@pytest.mark.parametrize(
    ("sign", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)],
    ids=["ctrl-c", "kill", "kill -9"],
)
def test_a_run_stopped_by_force_goes_on(sign: signal.Signals, status: int, tmp_path: Path) -> None:
    notes, results = tmp_path / "notes", tmp_path / "results"
    notes.mkdir()
    mine = tmp_path / "mine.py"
    mine.write_text(TOY.format(folder=str(notes)), encoding="utf-8")
    words = [sys.executable, "-m", "montego", "experiment", "run", str(mine), "--full"]
    words += ["--output", str(results), "--processes", "2"]
    path = os.pathsep.join([str(ROOT / "tests" / "support"), *sys.path])
    environment = os.environ | {"PYTHONPATH": path}
    file = results / "toy.jsonl"

    stopped = subprocess.Popen(
        words, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    wait_for(lambda: file.exists() and file.read_bytes().count(b"\n") >= 4)
    if sign == signal.SIGINT:
        os.killpg(stopped.pid, sign)  # As a terminal does: the workers hear it, too.
    else:
        stopped.send_signal(sign)
    complaint = stopped.communicate(timeout=30)[1]
    kept = file.read_bytes().count(b"\n")
    workers = {int(note.suffix[1:]) for note in notes.iterdir()}
    wait_for(lambda: not any(is_running(worker) for worker in workers))

    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert stopped.returncode == status
    assert "Traceback" not in complaint
    assert ("the same command goes on from there" in complaint) == (status > 0)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert 4 <= kept < 40
    assert len({line["digest"] for line in lines}) == len(lines) == 40
    assert len(list(notes.iterdir())) <= 40 + 2  # Each worker may have been at one.
    assert "40 of 40 trials" in done.stdout


def wait_for(condition: object, seconds: float = 60.0) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split()[2] != "Z"
    except OSError:
        return False


def test_the_experiment_in_the_docs_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"^```python\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    file = tmp_path / "beginning.py"
    file.write_text(source, encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))

    status = main(["experiment", "run", str(file), "--output", str(tmp_path), "--json"])
    (summary,) = json.loads(capsys.readouterr().out)

    assert status == 0
    assert (summary["name"], summary["done"]) == ("beginning", 40)
    assert [row["count"] for row in summary["rows"]] == [20, 20]
    assert summary["verdict"] in {"holds", "undecided"}
    assert (tmp_path / "beginning.quick.json").exists()
