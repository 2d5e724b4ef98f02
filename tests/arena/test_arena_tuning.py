"""Tuning: parameters, proposals, both methods on tiny engines, and going on after a stop."""

from __future__ import annotations

import json
import random
import tomllib
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from arena_engines import SMALL, tiny
from montego.arena.statistics import Tally, wilson_interval
from montego.arena.tuning import bayesian as bayesian_tuning
from montego.arena.tuning.bayesian import (
    GaussianProcess,
    TuningTrial,
    bayesian_report,
    best_setting,
    expected_improvement,
    propose,
    tune_bayesian,
)
from montego.arena.tuning.spsa import (
    SpsaStep,
    advance,
    directions,
    expected_score,
    final_setting,
    score_in_words,
    spsa_report,
    tune_spsa,
)
from montego.arena.tuning.tuning import (
    TunedParameter,
    Tuning,
    candidate,
    config_text,
    play_batch,
    read_tuning,
)
from montego.cli.main import main
from montego.engine.options.options import Options, read_options
from montego.go.vocabulary.errors import GoError
from montego.sources import sources_digest
from places import TINY

if TYPE_CHECKING:
    from pathlib import Path

    from montego.arena.tuning.tuning import Value

SKILL = TunedParameter(name="skill", low=0.0, high=1.0, default=0.2)
LEVEL = TunedParameter(name="level", kind="int", low=1, high=9)
RATE = TunedParameter(name="rate", low=0.01, high=100.0, is_logarithmic=True)
MODE = TunedParameter(name="mode", kind="choice", choices=("slow", "fast", "wild"))


def tuning(**fields: object) -> Tuning:
    defaults = {
        "command": tiny("x").command + " --skill {skill}",
        "opponent": tiny("x", "--skill", 0.5).command,
        "parameters": (SKILL,),
        "games": 2,
        "trials": 2,
        "conditions": SMALL,
    }
    return Tuning(**{**defaults, **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize("parameter", [SKILL, LEVEL, RATE, MODE])
def test_values_round_trip_through_the_unit_cube(parameter: TunedParameter) -> None:
    for step in range(21):
        value = parameter.from_unit(step / 20)
        assert parameter.from_unit(parameter.to_unit(value)) == value
    assert parameter.from_unit(-3) == parameter.from_unit(0)
    assert parameter.from_unit(7) == parameter.from_unit(1)


def test_ranges_are_spaced_as_they_are_meant() -> None:
    assert RATE.from_unit(0.5) == 1.0
    assert LEVEL.from_unit(0.5) == LEVEL.start == 5
    assert SKILL.start == 0.2
    assert MODE.start == "slow"


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"name": "x", "kind": "color"},
        {"name": "x", "low": 2.0, "high": 1.0},
        {"name": "x", "is_logarithmic": True},
        {"name": "x", "default": 3.0},
        {"name": "x", "default": "a"},
        {"name": "x", "kind": "choice", "choices": ("one",)},
        {"name": "x", "kind": "choice", "choices": ("a", "b"), "default": "c"},
    ],
)
def test_parameters_without_sense_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(GoError):
        TunedParameter(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "fields",
    [
        {"command": ""},
        {"opponent": ""},
        {"parameters": ()},
        {"parameters": (SKILL, SKILL)},
        {"method": "guess"},
        {"games": 1},
        {"step": 0.0},
        {"method": "spsa", "parameters": (MODE,)},
    ],
)
def test_tuning_without_sense_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(GoError):
        tuning(**fields)


def test_settings_reach_the_engine_by_name_or_by_file(tmp_path: Path) -> None:
    by_name = candidate(tuning(), {"skill": 0.25}, "a", tmp_path)
    assert by_name.command.endswith("--skill 0.25")
    by_file = candidate(tuning(command="montego gtp"), {"skill": 0.25}, "b", tmp_path)
    assert by_file.command == f"montego gtp --config {tmp_path / 'b.toml'}"
    by_place = candidate(tuning(command="x -c {config} -q"), {"skill": 1}, "c", tmp_path)
    assert by_place.command == f"x -c {tmp_path / 'c.toml'} -q"
    assert tomllib.loads((tmp_path / "b.toml").read_text()) == {"skill": 0.25}


def test_the_result_is_a_configuration_that_the_player_reads(tmp_path: Path) -> None:
    values: dict[str, Value] = {"simulations": 1234, "exploration": 0.25}
    path = tmp_path / "best.toml"
    path.write_text(config_text(values, ["why"]))
    options = Options().replace(**read_options(path))
    assert options.simulations == 1234
    assert path.read_text().startswith("# why\n")


def simulated(values: dict[str, Value], games: int, number: int) -> TuningTrial:
    """A trial whose true score is 0.3 at the ends of skill and 0.8 at 0.7."""
    chance = random.Random(number)
    score = 0.8 - 1.2 * (float(values["skill"]) - 0.7) ** 2
    wins = sum(chance.random() < score for _ in range(games))
    return TuningTrial(number, values, Tally(wins, games - wins))


def test_the_process_finds_a_hidden_maximum_under_noise() -> None:
    task = tuning(trials=30)
    trials: list[TuningTrial] = []
    for number in range(30):
        trials.append(simulated(propose(task, trials, number), 40, number))
    assert trials[0].values == {"skill": 0.2}
    best, mean, deviation = best_setting(task, trials)
    assert 0.5 < float(best["skill"]) < 0.9
    assert abs(mean - 0.8) < 0.08
    assert 0 < deviation < 0.08
    late = [float(trial.values["skill"]) for trial in trials[15:]]
    assert sum(0.45 < skill < 0.95 for skill in late) >= 12


def test_the_process_sees_through_noise() -> None:
    random_numbers = np.random.default_rng(3)
    places = random_numbers.random((60, 1))
    truth = 0.5 + 0.3 * np.sin(5 * places[:, 0])
    values = truth + random_numbers.normal(0, 0.1, 60)
    process = GaussianProcess(places, values, np.full(60, 0.01))
    grid = np.linspace(0.05, 0.95, 19)[:, None]
    means, deviations = process.predict(grid)
    errors = means - (0.5 + 0.3 * np.sin(5 * grid[:, 0]))
    assert float(np.abs(errors).max()) < 0.1
    assert float((np.abs(errors) < 2.5 * deviations).mean()) > 0.8


def test_the_process_believes_exact_values_and_doubts_noisy_ones() -> None:
    places = np.array([[0.0], [0.5], [1.0]])
    values = np.array([0.0, 1.0, 0.0])
    exact = GaussianProcess(places, values, np.full(3, 1e-6)).predict(places)[0]
    noisy = GaussianProcess(places, values, np.array([1e-6, 1.0, 1e-6])).predict(places)[0]
    assert exact == pytest.approx(values, abs=1e-2)
    assert noisy[1] < 0.5


def test_expected_improvement_weighs_mean_and_doubt() -> None:
    found = expected_improvement(np.array([0.5, 0.4, 0.4]), np.array([0.0, 0.2, 0.01]), 0.5)
    assert found[0] == pytest.approx(0.0, abs=1e-9)
    # E max(0, X - 0.5) for X ~ N(0.4, 0.2), by integration on paper: 0.2 * L(0.5) = 0.0396.
    assert found[1] == pytest.approx(0.0396, abs=1e-4)
    assert found[2] < 1e-6


def test_choices_have_no_order() -> None:
    task = tuning(parameters=(SKILL, MODE))
    places = bayesian_tuning._places(task, [{"skill": 0.5, "mode": "fast"}])
    assert places.tolist() == [[0.5, 0.0, 1.0, 0.0]]


def test_proposals_repeat_themselves() -> None:
    task = tuning(parameters=(SKILL, LEVEL, RATE, MODE))
    trials = [
        TuningTrial(number, propose(task, (), number), Tally(number % 7, 6 - number % 7))
        for number in range(8)
    ]
    assert len({json.dumps(trial.values) for trial in trials}) == 8
    assert propose(task, trials, 8) == propose(task, trials, 8)
    with pytest.raises(GoError, match="no trial"):
        best_setting(task, [])


def test_spsa_climbs_a_noisy_hill() -> None:
    parameters = tuple(TunedParameter(name=f"p{place}", default=0.2) for place in range(8))
    task = tuning(
        method="spsa", opponent="", parameters=parameters, trials=400, step=0.15, perturbation=0.15
    )
    chance = random.Random(4)
    steps: list[SpsaStep] = []

    def height(place: list[float]) -> float:
        return -sum((unit - 0.7) ** 2 for unit in place)

    for number in range(400):
        here = steps[-1].after if steps else task.units(task.start)
        signs = directions(task, number)
        sides = [
            height([unit + side * 0.1 * sign for unit, sign in zip(here, signs, strict=True)])
            for side in (1, -1)
        ]
        score = 0.5 + 0.5 * (sides[0] - sides[1])
        wins = sum(chance.random() < score for _ in range(10))
        steps.append(advance(task, number, here, signs, Tally(wins, 10 - wins), Tally()))
    found = [float(value) for value in final_setting(task, steps).values()]
    assert height(found) > -0.25 > height([0.2] * 8)
    assert "polyline" in spsa_report(task, steps)


def test_bayesian_tuning_runs_stops_and_goes_on(tmp_path: Path) -> None:
    seen: list[int] = []

    def stop_after_one(trials: list[TuningTrial]) -> bool:
        seen.append(len(trials))
        return len(trials) < 1

    task = tuning(trials=3)
    first = tune_bayesian(task, tmp_path, stop_after_one)  # type: ignore[arg-type]
    assert seen == [0, 1]
    assert first[0].values == {"skill": 0.2}
    assert first[0].tally.games == 2
    trials = tune_bayesian(task, tmp_path)
    assert len(trials) == 3
    assert trials[0] == first[0]
    assert "polyline" in bayesian_report(task, trials)
    with pytest.raises(GoError, match="another tuning"):
        tune_bayesian(tuning(games=4), tmp_path)


def test_an_interrupted_trial_keeps_its_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """Stands for the end of the process in the middle of a trial."""

    def play_and_die(*arguments: object) -> tuple[Tally, int]:
        play_batch(*arguments)  # type: ignore[arg-type]
        raise Killed

    task = tuning(trials=1)
    with monkeypatch.context() as patch:
        patch.setattr(bayesian_tuning, "play_batch", play_and_die)
        with pytest.raises(Killed):
            tune_bayesian(task, tmp_path)
    (kept,) = (tmp_path / "trials").glob("*/games.jsonl")
    before = kept.read_bytes()
    (trial,) = tune_bayesian(task, tmp_path)
    assert trial.values == {"skill": 0.2}
    assert trial.tally.games == 2
    assert kept.read_bytes() == before
    assert list((tmp_path / "trials").glob("*/games.jsonl")) == [kept]


@pytest.mark.parametrize("opponent", ["", tiny("x", "--skill", 0.5).command])
def test_spsa_runs_stops_and_goes_on(tmp_path: Path, opponent: str) -> None:
    task = tuning(method="spsa", opponent=opponent, trials=2)
    steps = tune_spsa(task, tmp_path, lambda steps: len(steps) < 1)
    assert len(steps) == 1
    assert steps[0].plus.games == 2
    assert steps[0].minus.games == (2 if opponent else 0)
    with (tmp_path / "steps.jsonl").open("a") as stream:
        stream.write('{"number": 1, "bef')
    again = tune_spsa(task, tmp_path)
    assert again[0] == steps[0]
    assert len(again) == 2


def spsa_steps(*sides: tuple[Tally, Tally]) -> list[SpsaStep]:
    return [
        SpsaStep(number, (0.5,), (0.5,), (1,), plus, minus)
        for number, (plus, minus) in enumerate(sides)
    ]


def test_spsa_tells_the_score_of_the_last_fifth_against_the_opponent() -> None:
    task = tuning(method="spsa", opponent="other", trials=10)
    lost, won = Tally(losses=4), Tally(wins=3, losses=1)
    steps = spsa_steps(*8 * [(lost, lost)], (won, won), (won, Tally(draws=4)))

    found = expected_score(task, steps)

    assert found is not None
    assert found[0] == 11 / 16
    assert found[1:] == wilson_interval(11, 16)
    assert score_in_words(task, steps) == "expected score 68.8 % [44.4, 85.8] against the opponent"
    assert "68.8 %" in spsa_report(task, steps)


def test_spsa_without_an_opponent_knows_no_score() -> None:
    task = tuning(method="spsa", opponent="", trials=10)
    steps = spsa_steps((Tally(wins=4), Tally()))

    assert expected_score(task, steps) is None
    assert "unknown" in score_in_words(task, steps)


def test_other_sources_of_montego_do_not_go_on_with_a_tuning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "task.toml"
    path.write_text(
        "[tune]\nmethod = 'spsa'\ncommand = 'montego gtp'\n[[parameter]]\nname = 'rave-bias'\n"
    )
    task, _ = read_tuning(path)
    assert task.identity()["sources"] == sources_digest()
    assert "sources" not in tuning(method="spsa").identity()

    def stop(_steps: object) -> bool:
        return False

    tune_spsa(task, tmp_path / "out", stop)
    monkeypatch.setattr("montego.arena.tuning.tuning.sources_digest", lambda: "other")

    with pytest.raises(GoError, match=r"another tuning \(sources\).* --anew"):
        tune_spsa(task, tmp_path / "out", stop)


def test_the_command_writes_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "skill.toml"
    command = json.dumps(tiny("x").command + " --skill {skill}")
    path.write_text(
        f"[tune]\nmethod = 'spsa'\ncommand = {command}\ngames = 2\ntrials = 9\n"
        "size = 5\nkomi = 0.5\n"
        "[[parameter]]\nname = 'skill'\nlow = 0\nhigh = 1\n"
    )
    task, folder = read_tuning(path)
    assert task.parameters == (TunedParameter(name="skill"),)
    assert main(["tune", str(path), "--trials", "2", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert set(result["parameters"]) == {"skill"}
    best = tomllib.loads((folder / "best.toml").read_text())
    assert cast("float", best["skill"]) == result["parameters"]["skill"]
    assert "<svg" in (folder / "report.html").read_text()
    assert TINY.exists()
    path.write_text(path.read_text().replace("games = 2", "games = 3"))
    assert main(["tune", str(path), "--trials", "1"]) == 1
    assert "another tuning (games)" in capsys.readouterr().err
    assert main(["tune", str(path), "--trials", "1", "--anew"]) == 0
    assert (folder.with_name(f"{folder.name}.old-1") / "steps.jsonl").is_file()
