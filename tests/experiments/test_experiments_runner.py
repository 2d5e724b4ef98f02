"""Running experiments: nothing is lost, nothing is run twice, whatever happens in between."""

from __future__ import annotations

import json
import resource
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from montego import __version__
from montego.experiments.experiment import TrialResult, program_version
from montego.experiments.results import ResultFile, read_lines
from montego.experiments.runner import (
    FAILURES,
    Coverage,
    precision,
    read_run,
    run_experiment,
    seeds_in,
)
from montego.experiments.verdict import ClaimVerdict
from montego.experiments.workers import WorkerPool
from montego.go.vocabulary.errors import GoError
from montego.jit.cache import source_digest
from toy_experiments import (
    CELLS,
    die_at_first,
    die_at_two,
    divide,
    forget,
    raise_at_two,
    return_a_set,
    toy,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from montego.experiments.experiment import Experiment, Trial
    from montego.experiments.runner import ExperimentRun


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(2) as shared:
        yield shared


def full(experiment: Experiment, folder: Path, pool: WorkerPool, seed: int = 1) -> ExperimentRun:
    return run_experiment(experiment, folder, pool, scale="full", seed=seed)


def lines_of(folder: Path, stem: str = "toy") -> list[dict[str, Any]]:
    text = (folder / f"{stem}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_every_trial_is_kept_as_a_line_and_summed_up(tmp_path: Path, pool: WorkerPool) -> None:
    seen: list[tuple[int, int]] = []
    run = run_experiment(
        toy(), tmp_path, pool, scale="full", report=lambda done, wanted: seen.append((done, wanted))
    )

    assert seen == [(done, 8) for done in range(9)]
    assert sorted((line["cell"], line["number"]) for line in lines_of(tmp_path)) == [
        (cell, number) for cell in CELLS for number in range(4)
    ]
    assert (len(run.results), len(run.plan)) == (8, 8)
    assert [row.count for row in run.summary.rows] == [4, 4]
    written = json.loads((tmp_path / "toy.json").read_text(encoding="utf-8"))
    assert written["sentence"] == run.summary.sentence
    assert written["rows"][1] == {
        "cell": "tails",
        "ours": 1.0,
        "low": pytest.approx(0.5101, abs=1e-4),
        "high": 1.0,
        "count": 4,
        "document": 0.5,
        "unit": "%",
    }
    assert (tmp_path / "toy.shares.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_part_of_the_plan_is_balanced_told_and_gone_on_with(
    tmp_path: Path, pool: WorkerPool
) -> None:
    seen: list[tuple[int, int]] = []
    part = run_experiment(
        toy(),
        tmp_path,
        pool,
        scale="full",
        games=3,
        report=lambda done, wanted: seen.append((done, wanted)),
    )
    left = read_run(toy(), tmp_path, scale="full").minutes_left()

    assert seen == [(done, 6) for done in range(7)]
    assert (len(part.results), len(part.plan)) == (6, 8)
    assert part.coverage.done == {"heads": 3, "tails": 3}
    assert part.coverage.sentence == "3 of 4 trials a point were affordable"
    assert left == pytest.approx(toy().cost["full"] * 2 / 8)
    assert part.minutes_left(games=3) == 0
    assert len(run_experiment(toy(), tmp_path, pool, scale="full", games=2).results) == 6
    assert full(toy(), tmp_path, pool).coverage.sentence == "4 trials a point"


def test_a_claim_does_not_hold_while_a_point_has_no_results(tmp_path: Path) -> None:
    experiment = toy(count=12)
    with ResultFile(tmp_path / "toy.jsonl") as file:
        for trial in experiment.plan("full"):
            if trial.cell == "tails":
                file.add(experiment, TrialResult(trial, 1, 0.5))
    run = read_run(experiment, tmp_path, scale="full")

    assert run.summary.verdict == ClaimVerdict.UNDECIDED
    assert run.summary.sentence == (
        "Undecided: no results yet for heads. So far: Holds: tails (100 % [76, 100]) is above 50 %."
    )


def test_no_trial_begins_when_the_time_is_over(tmp_path: Path) -> None:
    asked = iter([True] * 4 + [False] * 100)
    with WorkerPool(1) as pool:
        run = run_experiment(
            toy(count=20), tmp_path, pool, scale="full", may_begin=lambda: next(asked)
        )
        counts = list(run.coverage.done.values())
        none = run_experiment(toy(count=20), tmp_path, pool, scale="full", may_begin=lambda: False)

    assert 1 <= len(run.results) < 20
    assert len(run.results) == len(none.results) == len(lines_of(tmp_path)) == sum(counts)
    assert max(counts) - min(counts) <= 1


def test_every_line_says_which_version_ran_it(tmp_path: Path, pool: WorkerPool) -> None:
    run = full(toy(), tmp_path, pool)
    version, _, digest = program_version().partition("+")

    assert (version, digest) == (__version__, source_digest())
    assert {line["program"] for line in lines_of(tmp_path)} == {program_version()}
    assert run.programs == {program_version(): 8}
    assert run.as_json()["programs"] == {program_version(): 8}


def test_what_is_done_is_not_done_again(tmp_path: Path, pool: WorkerPool) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    first = full(toy(folder=str(notes)), tmp_path, pool)
    again = full(toy(folder=str(notes)), tmp_path, pool)

    assert len(list(notes.iterdir())) == 8
    read = read_run(toy(folder=str(notes)), tmp_path, scale="full")
    assert read.as_json() == again.as_json() == first.as_json()


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()

    def stop_at_three(done: int, _wanted: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    experiment = toy(folder=str(notes))
    with WorkerPool(1) as pool, pytest.raises(KeyboardInterrupt):
        run_experiment(experiment, tmp_path, pool, scale="full", report=stop_at_three)
    assert len(lines_of(tmp_path)) == 3
    assert json.loads((tmp_path / "toy.json").read_text(encoding="utf-8"))["done"] == 3

    with WorkerPool(1) as pool:
        run = full(experiment, tmp_path, pool)
    assert len(run.results) == 8
    names = [path.name.partition(".")[0] for path in notes.iterdir()]
    twice = len(names) - len(set(names))
    assert len(set(names)) == 8
    assert twice <= 1  # The one that was under way when it stopped.


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-9],
        lambda data: data.replace(b'"tails"', b'\x00\xff"', 1),
        lambda data: data[: data.rindex(b"\n", 0, -1) + 1],
        lambda data: data.replace(b'"digest"', b'"other"', 1),
        lambda data: data.replace(b'"seconds": ', b'"seconds": null, "was": ', 1),
        lambda data: data.replace(b'"value": ', b'"value": null, "was": ', 1),
        lambda data: b"[" * 100_000 + data,
    ],
    ids=["cut off", "spoilt", "missing", "nameless", "timeless", "valueless", "nested"],
)
def test_a_damaged_line_is_a_trial_to_be_run_again(
    spoil: object, tmp_path: Path, pool: WorkerPool
) -> None:
    assert callable(spoil)
    expected = full(toy(), tmp_path, pool)
    path = tmp_path / "toy.jsonl"
    path.write_bytes(spoil(path.read_bytes()))
    before = len(read_lines(path))
    run = full(toy(), tmp_path, pool)

    assert before == 7
    assert len(run.results) == 8
    assert run.summary == expected.summary


def test_a_changed_experiment_is_told_apart(tmp_path: Path, pool: WorkerPool) -> None:
    full(toy(), tmp_path, pool)

    assert not read_run(toy(sleep=0.001), tmp_path, scale="full").results
    assert not read_run(toy(revision=2), tmp_path, scale="full").results
    full(toy(revision=2), tmp_path, pool)
    assert len(lines_of(tmp_path)) == 16
    both = [read_run(toy(revision=revision), tmp_path, scale="full") for revision in (1, 2)]
    assert [len(run.results) for run in both] == [8, 8]
    more = full(toy(count=5), tmp_path, pool)
    assert (len(more.results), len(lines_of(tmp_path))) == (10, 18)


def test_seeds_and_scales_lie_beside_one_another(tmp_path: Path, pool: WorkerPool) -> None:
    values = {}
    for seed in (1, 2, 12):
        full(toy(count=12), tmp_path, pool, seed=seed)
        stem = "toy" if seed == 1 else f"toy.seed{seed}"
        found = {
            line["number"]: line["value"]
            for line in lines_of(tmp_path, stem)
            if line["cell"] == "heads"
        }
        values[seed] = [found[number] for number in range(12)]
    run_experiment(toy(), tmp_path, pool, scale="quick")

    assert len({tuple(drawn) for drawn in values.values()}) == 3
    assert seeds_in(tmp_path, "toy", "full") == [1, 2, 12]
    assert seeds_in(tmp_path, "toy", "quick") == [1]
    assert seeds_in(tmp_path, "toy-other", "full") == []


def test_a_worker_that_dies_costs_nothing(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    with WorkerPool(2) as pool:
        run = full(toy(die_at_first, count=2, folder=str(marks)), tmp_path, pool)

    assert len(run.results) == 4


def test_a_trial_that_always_kills_is_given_up_and_the_others_are_kept(tmp_path: Path) -> None:
    with WorkerPool(2) as pool, pytest.raises(GoError, match=r"2 of 8 .* ended by SIGKILL"):
        full(toy(die_at_two), tmp_path, pool)

    assert {line["number"] for line in lines_of(tmp_path)} == {0, 1, 3}
    assert len(lines_of(tmp_path)) == 6


def test_a_trial_that_fails_is_named_and_the_others_are_kept(tmp_path: Path) -> None:
    with WorkerPool(2) as pool, pytest.raises(GoError) as failed:
        full(toy(raise_at_two), tmp_path, pool)

    assert "toy: 2 of 8 trials failed, the first at " in str(failed.value)
    assert str(failed.value).endswith("number 2: GoError: there is no such thing")
    assert len(lines_of(tmp_path)) == 6


def test_an_experiment_that_fails_all_the_time_is_ended(tmp_path: Path) -> None:
    with WorkerPool(1) as pool, pytest.raises(GoError, match="ZeroDivisionError") as failed:
        full(toy(divide, count=50), tmp_path, pool)

    assert f"{FAILURES} of 100 trials failed" in str(failed.value)
    assert "in divide" in str(failed.value)  # Its author wants to know where.
    assert lines_of(tmp_path) == []


def test_what_json_cannot_hold_is_refused(tmp_path: Path) -> None:
    with WorkerPool(1) as pool, pytest.raises(GoError, match="not JSON serializable"):
        full(toy(return_a_set, count=1), tmp_path, pool)


def test_a_trial_that_returns_nothing_has_failed(tmp_path: Path) -> None:
    with WorkerPool(1) as pool, pytest.raises(GoError, match="'return' is missing") as failed:
        full(toy(forget, count=1), tmp_path, pool)

    assert str(failed.value).startswith("toy: 2 of 2 trials failed")
    assert "\n" not in str(failed.value)
    assert lines_of(tmp_path) == []


def test_a_function_that_no_process_can_find_is_refused(tmp_path: Path, pool: WorkerPool) -> None:
    def nested(trial: Trial) -> int:
        return trial.number

    for function in (nested, lambda _trial: 1):
        with pytest.raises(GoError, match="toy: 'run' must be a function of a module") as refused:
            full(toy(function), tmp_path, pool)
        assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", [{1, 2}, {(1, 2): 3}, object()])
def test_settings_that_json_cannot_hold_are_named(
    wrong: object, tmp_path: Path, pool: WorkerPool
) -> None:
    with pytest.raises(GoError, match="toy: JSON cannot hold the settings of heads number 0: "):
        full(toy(wrong=wrong), tmp_path, pool)


def test_digests_are_as_they_ever_were() -> None:
    """Results that people have would not count any more if they changed."""
    experiment = toy(count=1, inner={"b": [1, 2.5], "a": None})
    plan = experiment.plan("full")
    digests = ["725566d06405b4ea", "fc3713233b14e19a"]

    assert [experiment.digest(trial) for trial in plan] == digests
    assert [experiment.digest(replace(trial, place=7)) for trial in plan] == digests


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    experiment = toy()
    results = [TrialResult(trial, 1, 0.5) for trial in experiment.plan("full")]
    path = tmp_path / "toy.jsonl"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with ResultFile(path) as file:
        file.add(experiment, results[0])
        before = path.read_bytes()
        # Half a line fits.
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 60, limits[1]))
        try:
            with pytest.raises(GoError, match="what was done before is kept"):
                file.add(experiment, results[1])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert path.read_bytes() == before
        file.add(experiment, results[1])
        assert file.done(experiment, experiment.plan("full")) == results[:2]


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    with ResultFile(tmp_path / "toy.jsonl"), pytest.raises(GoError, match="another run"):
        ResultFile(tmp_path / "toy.jsonl")
    ResultFile(tmp_path / "toy.jsonl").close()


@pytest.mark.parametrize(
    ("done", "planned", "sentence"),
    [
        ((100, 100), (100, 100), "100 games a point, which tell a share to 10 points"),
        (
            (40, 12),
            (40, 12),
            "12 to 40 games a point were affordable, which tell a share to 25 points",
        ),
        (
            (12, 12),
            (100, 100),
            (
                "12 of 100 games a point were affordable, which tell a share to 25 points; the "
                "whole plan tells one to 10"
            ),
        ),
        (
            (10, 12),
            (10, 50),
            "10 to 12 of 10 to 50 games a point were affordable, which tell a share to 26 points",
        ),
        (
            (1, 0),
            (100, 50),
            "0 to 1 of 50 to 100 games a point were affordable; the whole plan tells one to 13",
        ),
    ],
)
def test_the_number_of_games_comes_with_what_it_can_tell(
    done: tuple[int, int], planned: tuple[int, int], sentence: str
) -> None:
    coverage = Coverage(
        "games", *(dict(zip("ab", counts, strict=True)) for counts in (done, planned))
    )

    assert coverage.sentence == sentence
    assert precision(400) == 5


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(GoError, match=r"cannot write .*toy\.jsonl"):
        ResultFile(tmp_path / "file" / "toy.jsonl")


def test_settings_are_written_once(tmp_path: Path) -> None:
    experiment = toy(count=3)
    plan = experiment.plan("full")
    with ResultFile(tmp_path / "toy.jsonl") as file:
        for trial in plan[:4]:
            file.add(experiment, TrialResult(trial, 1, 1.0))
    with ResultFile(tmp_path / "toy.jsonl") as file:
        assert len(file.done(experiment, plan)) == 4
        for trial in plan[4:]:
            file.add(experiment, TrialResult(trial, 1, 1.0))
    lines = [json.loads(line) for line in (tmp_path / "toy.jsonl").read_text().splitlines()]

    first, *others = lines
    assert "settings" in first
    assert all(line["settings_of"] == first["digest"] for line in others)
