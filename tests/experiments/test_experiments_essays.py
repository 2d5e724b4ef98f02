"""Figures in essays: written by the report, and the committed ones from the committed results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from montego.experiments.essays import MARKED, fill_in
from montego.experiments.experiment import TrialResult
from montego.experiments.registry import all_experiments
from montego.experiments.report import essays_in, read_runs, readme_text, save_report
from montego.experiments.results import ResultFile
from montego.experiments.runner import ExperimentRun
from montego.go.vocabulary.errors import GoError
from toy_experiments import toy

DOCS = Path(__file__).parents[2] / "docs"
REPORT = DOCS / "experiments"
EARLIER = "earlier.md"
"""What was reported before raw results were kept: nothing writes it again."""


def run_of() -> ExperimentRun:
    experiment = toy(count=12, unit="games")
    plan = experiment.plan("full")
    results = [TrialResult(trial, int(trial.cell == "tails"), 1.0) for trial in plan]
    return ExperimentRun(experiment, "full", 1, plan, results)


def test_figures_are_written_between_the_marks() -> None:
    text = "Tails: <!--= toy: tails -->old<!--/-->, <!--= toy: verdict --><!--/-->."
    filled = fill_in(text, [run_of()], "coins.md")

    assert filled == (
        "Tails: <!--= toy: tails -->100 % [76, 100]<!--/-->, <!--= toy: verdict -->differs<!--/-->."
    )
    assert fill_in(filled, [run_of()], "coins.md") == filled
    assert ">100 %<" in fill_in("<!--= toy: ours tails -->?<!--/-->", [run_of()], "coins.md")
    assert "12 games" in fill_in("<!--= toy: run -->?<!--/-->", [run_of()], "coins.md")


@pytest.mark.parametrize(
    ("mark", "reason"),
    [("toy: edge", "'edge' of toy, which has no such row"), ("dice: six", "dice, of which there")],
)
def test_a_figure_that_there_is_not_is_named(mark: str, reason: str) -> None:
    with pytest.raises(GoError, match=reason) as raised:
        fill_in(f"<!--= {mark} -->?<!--/-->", [run_of()], "coins.md")
    assert "\n" not in str(raised.value)
    assert str(raised.value).startswith("coins.md")


def test_the_report_fills_the_essays_in_and_has_a_row_for_each_claim(tmp_path: Path) -> None:
    run = run_of()
    with ResultFile(tmp_path / "toy.jsonl") as file:
        for result in run.results:
            file.add(run.experiment, result)
    essay = tmp_path / "coins.md"
    essay.write_text("# Coins\n\n<!--= toy: heads -->?<!--/-->\n", encoding="utf-8")
    save_report(read_runs(tmp_path, [run.experiment]), tmp_path)
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")

    assert ">0 % [0, 24]<" in essay.read_text(encoding="utf-8")
    (row,) = [line for line in readme.splitlines() if line.startswith("| [toy](#toy)")]
    assert "| It is. (000, 0.0) |" in row
    assert "heads (0 % [0, 24]); tails (100 % [76, 100])" in row
    assert "heads surely below 50 %; tails surely below 50 %" in row

    (tmp_path / "README.md").unlink()
    essay.write_text("<!--= toy: edge -->?<!--/-->", encoding="utf-8")
    with pytest.raises(GoError):
        save_report(read_runs(tmp_path, [run.experiment]), tmp_path)
    assert not (tmp_path / "README.md").exists(), "a report that fails changes nothing"


def test_what_the_documentation_says_is_what_its_results_say() -> None:
    runs = read_runs(REPORT / "results", all_experiments())
    essays = essays_in(REPORT)
    text = readme_text(runs, essays, "../experiments.md")

    assert (REPORT / "README.md").read_text(encoding="utf-8") == text, (
        "montego experiment report --results docs/experiments/results --output docs/experiments"
    )
    for name in essays:
        essay = (REPORT / name).read_text(encoding="utf-8")
        assert fill_in(essay, runs, name) == essay


@pytest.mark.parametrize("name", sorted(set(essays_in(REPORT)) - {EARLIER}))
def test_no_share_in_an_essay_is_typed_by_hand(name: str) -> None:
    essay = (REPORT / name).read_text(encoding="utf-8")
    typed = re.findall(r"\d+(?:\.\d+)? ?%", MARKED.sub("", essay))
    assert typed == []
