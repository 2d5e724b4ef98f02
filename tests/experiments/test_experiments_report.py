"""The report: every figure and sentence is there, and its files find one another."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from montego.arena.drawing import Curve, Dot, curve_chart
from montego.experiments import registry
from montego.experiments.document_000.heat_map import Labels, heat_map
from montego.experiments.experiment import Summary, TrialResult, program_version
from montego.experiments.figures import share_row
from montego.experiments.report import essays_in, read_runs, row_table, save_report, strangers_in
from montego.experiments.results import ResultFile, stem_of
from montego.go.vocabulary.errors import GoError
from toy_experiments import toy

if TYPE_CHECKING:
    from pathlib import Path

    from montego.experiments.experiment import Experiment, Scale


def experiment_of() -> Experiment:
    return toy(count=12, unit="games")


def keep(folder: Path, scale: Scale, seed: int, count: int | None = None) -> None:
    """Write results as a run would."""
    experiment = experiment_of()
    plan = experiment.plan(scale, seed)
    with ResultFile(folder / f"{stem_of('toy', scale, seed)}.jsonl") as file:
        for trial in plan[:count]:
            file.add(experiment, TrialResult(trial, int(trial.cell == "tails"), 30.0))


def test_the_page_and_the_readme_say_everything(tmp_path: Path) -> None:
    keep(tmp_path, "full", 1)
    keep(tmp_path, "full", 2, count=3)
    runs = read_runs(tmp_path, [experiment_of()])
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "coins.md").write_text("# Coins surprise\n\nThey do.", encoding="utf-8")
    page = save_report(runs, tmp_path / "docs").read_text(encoding="utf-8")
    readme = (tmp_path / "docs" / "README.md").read_text(encoding="utf-8")

    for text in (page, readme):
        assert "24 trials in 12 min; 12 games a point were affordable" in text
        assert "1 experiment in 2 runs, 27 trials, 14 min one after another" in text
        assert "3 of 24 trials" in text
        assert "1 to 2 of 12 games a point were affordable" in text
        assert f"by Montego {program_version()}" in text
        assert "Of 1 only a part of the plan was run" in text
        assert "tails" in text
        assert "100 %" in text
        assert "[76, 100]" in text
        assert "Toys." in text
        assert "undecided: 1" in text
        assert "differs: 1" in text
    assert "Is &lt;this&gt; a coin &amp; fair?" in page
    assert (
        "Differs: heads (0 % [0, 24]) is not above 50 %; while tails (100 % [76, 100]) is above "
        "50 %." in page
    )
    assert page.count("<svg") == 2
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")  # It needs nothing else.
    assert "| differs | 12 games a point |" in readme
    assert "| undecided | 1 to 2 of 12 games a point |" in readme
    assert "- [Coins surprise](coins.md)" in readme
    links = re.findall(r"\]\(([^)#]+\.svg)\)", readme)
    assert links == ["toy.shares.svg", "toy.seed2.shares.svg"]
    for link in links:
        ET.parse(tmp_path / "docs" / link)  # noqa: S314  # Our own.
    anchors = re.findall(r"\(#([^)]+)\)", readme)
    headings = re.findall(r"^## (.+)$", readme, flags=re.MULTILINE)
    assert anchors == [re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in headings]


def test_full_runs_go_before_quick_ones(tmp_path: Path) -> None:
    keep(tmp_path, "quick", 1)
    assert [(run.scale, run.seed) for run in read_runs(tmp_path, [experiment_of()])] == [
        ("quick", 1)
    ]

    keep(tmp_path, "full", 1, count=1)
    assert [(run.scale, run.seed) for run in read_runs(tmp_path, [experiment_of()])] == [
        ("full", 1)
    ]


def test_the_guide_is_linked_where_it_is(tmp_path: Path) -> None:
    keep(tmp_path, "full", 1)
    runs = read_runs(tmp_path, [experiment_of()])
    save_report(runs, tmp_path / "docs" / "experiments")
    save_report(runs, tmp_path / "elsewhere")
    pages = [tmp_path / name / "README.md" for name in ("docs/experiments", "elsewhere")]
    assert ["experiments.md" in page.read_text(encoding="utf-8") for page in pages] == [False] * 2

    (tmp_path / "docs" / "experiments.md").touch()
    save_report(runs, tmp_path / "docs" / "experiments")
    assert "(../experiments.md)" in pages[0].read_text(encoding="utf-8")


def test_an_essay_that_cannot_be_read_goes_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Coins surprise\n", encoding="utf-8")
    (tmp_path / "b.md").write_bytes("# Münzen\n".encode("latin-1"))
    (tmp_path / "c.md").mkdir()
    (tmp_path / "d.md").touch()

    assert list(essays_in(tmp_path).values()) == ["Coins surprise", "b", "c", "d"]


def test_every_version_that_made_figures_is_named(tmp_path: Path) -> None:
    keep(tmp_path, "full", 1)
    path = tmp_path / "toy.jsonl"
    older, unknown, *rest = path.read_text(encoding="utf-8").splitlines()
    older = older.replace(program_version(), "0.0.9+abc")
    unknown = unknown.replace('"program"', '"was"')
    path.write_text("\n".join([older, unknown, *rest]) + "\n", encoding="utf-8")
    (run,) = read_runs(tmp_path, [experiment_of()])
    page = save_report([run], tmp_path).read_text(encoding="utf-8")

    assert run.programs == {"0.0.9+abc": 1, "": 1, program_version(): 22}
    assert "Montego 0.0.9+abc (1 trials), a version not known (1 trials)" in page


def test_results_of_experiments_that_are_not_known_are_named(tmp_path: Path) -> None:
    keep(tmp_path, "full", 1)
    keep(tmp_path, "quick", 2)
    (tmp_path / "mine.quick.seed3.jsonl").touch()

    assert strangers_in(tmp_path, [experiment_of()]) == ["mine"]
    assert strangers_in(tmp_path, []) == ["mine", "toy"]


def test_a_row_without_games_is_said_to_have_none(tmp_path: Path) -> None:
    experiment = replace(
        experiment_of(),
        summarize=lambda _results: Summary.of([share_row("nobody", 0, 0, 0.4)], []),
    )
    keep(tmp_path, "full", 1)
    save_report(read_runs(tmp_path, [experiment]), tmp_path)

    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| nobody | 40 % | no games yet |  | 0 |" in readme
    assert "50 %" not in readme


def test_nothing_to_report_is_said(tmp_path: Path) -> None:
    with pytest.raises(GoError, match="holds no results"):
        read_runs(tmp_path, [experiment_of()])


def test_a_table_is_aligned() -> None:
    rows = [share_row("a", 5, 10, 0.07), share_row("a long name", 10, 10)]

    assert row_table(rows).split("\n") == [
        "                 document       ours, 95 %   n",
        "    a                 7 %    50 % [24, 76]  10",
        "    a long name         –  100 % [72, 100]  10",
    ]


def test_charts_are_well_formed_and_show_what_they_are_given() -> None:
    curves = [
        Curve("ours & mine", [Dot(1, 10, 5, 20), Dot(100, 1000, 0, float("inf")), Dot(10, 0.0)]),
        Curve("document", [Dot(10, 50)], is_dashed=True),
    ]
    chart = ET.fromstring(curve_chart(curves, "x", "y", log_x=True, log_y=True))  # noqa: S314
    circles = chart.findall("{*}circle")
    error_bars = [line for line in chart.findall("{*}line") if line.get("stroke-width") == "1.5"]

    assert len([circle for circle in circles if circle.get("r") == "4" and len(circle)]) == 3
    assert len(error_bars) == 2
    assert curve_chart([], "x", "y") == curve_chart([Curve("none", [])], "x", "y") == ""
    across = [float(circle.get("cx", "0")) for circle in circles if len(circle)]
    assert across[0] < across[2] < across[1]
    assert across[2] == pytest.approx((across[0] + across[1]) / 2, abs=0.1)


def test_a_heat_map_is_darkest_where_most_is() -> None:
    picture = ET.fromstring(heat_map([[0, 5], [10, 0]]))  # noqa: S314
    squares = picture.findall("{*}g/{*}rect")
    numbers = [text.text for text in picture.findall("{*}g/{*}text")]

    assert [float(square.get("fill-opacity", "0")) for square in squares] == [0, 0.5, 1, 0]
    assert numbers == ["5", "10"]
    assert heat_map([]) == ""


def test_a_heat_map_with_labels_is_a_table() -> None:
    each = ["1,000", "10,000"]
    rows, columns = Labels("Black & more", each), Labels("White", each)
    svg = heat_map([[50, 0], [100, 50]], rows=rows, columns=columns, show_zeros=True)
    picture = ET.fromstring(svg)  # noqa: S314
    texts = picture.findall("{*}text")
    places = [
        (float(text.get("x", "0")), float(text.get("y", "0")))
        for text in texts
        if text.text in each
    ]
    squares = picture.findall("{*}g/{*}rect")
    corners = [(float(one.get("x", "0")), float(one.get("y", "0"))) for one in squares]
    side = float(squares[0].get("width", "0"))

    assert [text.text for text in texts] == ["White", *each, "Black & more", *each]
    assert [text.text for text in picture.findall("{*}g/{*}text")] == ["50", "0", "100", "50"]
    above, beside = places[:2], places[2:]
    assert [x for x, _ in above] == [x + side / 2 for x, _ in corners[:2]]
    assert all(y < corners[0][1] for _, y in above)
    assert all(x < corners[0][0] for x, _ in beside)
    assert all(top < y < top + side for (_, y), (_, top) in zip(beside, corners[::2], strict=True))
    assert side >= 6 * 7  # As wide as the longest label.


@pytest.mark.parametrize(
    "picture",
    [
        heat_map([[1], [0]], columns=Labels("W" * 40, ["a"])),
        heat_map([[1], [0]], rows=Labels("a", ["W" * 40, "b"])),
    ],
    ids=["columns", "rows"],
)
def test_a_heat_map_is_as_wide_as_its_words(picture: str) -> None:
    assert int(ET.fromstring(picture).get("width", "0")) >= 40 * 7  # noqa: S314


def test_the_registry_knows_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "empty_file_of_mine.py").write_text("", encoding="utf-8")

    with pytest.raises(GoError, match="holds no experiment"):
        registry.read_experiments(str(tmp_path / "empty_file_of_mine.py"))
    for name, text in {"wrong_of_mine.py": "1 +", "dotted.of.mine.py": "x = 1\n"}.items():
        (tmp_path / name).write_text(text)
        with pytest.raises(GoError, match="cannot be loaded"):
            registry.read_experiments(str(tmp_path / name))


def test_a_file_with_the_name_of_another_module_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    source = "from toy_experiments import toy\nTOY = toy()\n"
    twins = [tmp_path / folder / "twin_of_mine.py" for folder in ("one", "other")]
    for file in [tmp_path / "json.py", tmp_path / "sys.py", *twins]:
        file.parent.mkdir(exist_ok=True)
        file.write_text(source, encoding="utf-8")

    for name in ("json.py", "sys.py"):
        with pytest.raises(GoError, match=f"{name} has the name of another module"):
            registry.read_experiments(str(tmp_path / name))
    assert [one.name for one in registry.read_experiments(str(twins[0]))] == ["toy"]
    assert [one.name for one in registry.read_experiments(str(twins[0]))] == ["toy"]
    with pytest.raises(GoError, match=re.escape(f"another module, {twins[0]}: ")):
        registry.read_experiments(str(twins[1]))
