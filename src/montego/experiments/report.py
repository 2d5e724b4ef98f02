"""The report of all experiments: a page for browsers, and a README with its plots for the docs.

Every figure and every sentence comes from the results; nothing here knows an experiment.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from montego.arena.page import html_cells, html_page, html_table
from montego.experiments.essays import fill_in
from montego.experiments.results import save_text
from montego.experiments.runner import ExperimentRun, read_run, seeds_in
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from montego.experiments.experiment import Experiment, Scale
    from montego.experiments.figures import FigureRow

PAGE = "report.html"
README = "README.md"
DOCUMENTS = {
    "000": "Vandermosten, Monte Carlo Tree Search applied to Go: Reaching Ω, 2016",
    "001": "Gelly and Silver, Monte-Carlo tree search and rapid action value estimation, 2011",
    "002": "Vandermosten, the draft of 000",
    "003": "Pividori, Go-player, 2016",
    "004": "Chelaru, Artificial Intelligence in Computer Go, 2008",
}
CLAIM_COLUMNS = ["claim", "ours, 95 %", "verdict", "run", "what would refute it"]
SHOWN_CHECKS = 5
"""Parts of a claim whose figures its row has; the section below has all."""
GUIDE = "experiments.md"
"""The page about experiments; beside the folder of the report if that is the one in the docs."""
_HEADER = "Written by `montego experiment report`; every figure is computed from the results."


def read_runs(folder: Path, experiments: Iterable[Experiment]) -> list[ExperimentRun]:
    """Return what *folder* holds of some experiments, all seeds, full before quick.

    Raises:
        GoError: If it holds nothing of them.
    """
    runs: list[ExperimentRun] = []
    for experiment in experiments:
        scale: Scale
        for scale in ("full", "quick"):
            seeds = seeds_in(folder, experiment.name, scale)
            found = [read_run(experiment, folder, scale=scale, seed=seed) for seed in seeds]
            kept = [run for run in found if run.results]
            runs += kept
            if kept:
                break
    if not runs:
        raise GoError(f"{folder} holds no results: see 'montego experiment run'")
    return runs


def strangers_in(folder: Path, experiments: Iterable[Experiment]) -> list[str]:
    """Return the names of experiments that *folder* holds results of and that are not known."""
    known = {experiment.name for experiment in experiments}
    return sorted({path.name.partition(".")[0] for path in folder.glob("*.jsonl")} - known)


def save_report(runs: Sequence[ExperimentRun], folder: Path) -> Path:
    """Write the page, the README and the plots, and the figures of the essays; return the page.

    Raises:
        GoError: If something cannot be written, or an essay wants a figure that there is not.
    """
    # First, because it may fail: then nothing is written.
    essays = dict(_filled_essays(folder, runs))
    # A plot in a file of its own has no page to take its color from.
    style = "<style>svg{color:#333}@media(prefers-color-scheme:dark){svg{color:#ccc}}</style>"
    for run in runs:
        for plot in run.summary.plots:
            svg = plot.svg.replace("<style>", f"{style}<style>", 1)
            save_text(folder / f"{run.stem}.{plot.name}.svg", svg + "\n")
    guide = f"../{GUIDE}" if (folder.resolve().parent / GUIDE).is_file() else None
    for name, text in essays.items():
        save_text(folder / name, text)
    save_text(folder / README, readme_text(runs, essays_in(folder), guide))
    save_text(folder / PAGE, report_page(runs))
    return folder / PAGE


def _filled_essays(folder: Path, runs: Sequence[ExperimentRun]) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the essays in which a figure is another one than before."""
    for name in essays_in(folder):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            text = (folder / name).read_text(encoding="utf-8")
            filled = fill_in(text, runs, name)
            if filled != text:
                yield name, filled


def row_table(rows: Sequence[FigureRow]) -> str:
    """Return rows as text for a terminal: the cell, the document's figure, ours, its count."""
    cells = [(row.cell, row.shown_document or "–", row.shown, str(row.count)) for row in rows]  # noqa: RUF001
    cells.insert(0, ("", "document", "ours, 95 %", "n"))
    widths = [max(len(line[column]) for line in cells) for column in range(4)]
    return "\n".join(
        f"    {line[0]:{widths[0]}}  {line[1]:>{widths[1]}}  {line[2]:>{widths[2]}}  "
        f"{line[3]:>{widths[3]}}"
        for line in cells
    )


def report_page(runs: Sequence[ExperimentRun]) -> str:
    """Return the whole report as one page that needs nothing else."""
    rows = [
        f'<td><a href="#{run.stem}">{escape(_title(run))}</a></td>{html_cells(*_facts(run))}'
        for run in runs
    ]
    overview = html_table(["experiment", *CLAIM_COLUMNS], rows, kind="words")
    parts = [f"<p>{escape(_introduction(runs))}</p>", overview]
    for document, meaning in DOCUMENTS.items():
        own = [run for run in runs if run.experiment.document == document]
        if own:
            parts.append(f"<h2>{document}: {escape(meaning)}</h2>")
            parts += map(_html_run, own)
    parts += [_html_run(run) for run in runs if run.experiment.document not in DOCUMENTS]
    return html_page("The documents’ experiments", parts)  # noqa: RUF001


def essays_in(folder: Path) -> dict[str, str]:
    """Return the titles of the pages that people wrote beside the report, by file name.

    One that has no title, or cannot be read as UTF-8, goes by its name.
    """
    essays = {}
    for path in sorted(folder.glob("*.md")):
        if path.name != README:
            heading = ""
            with contextlib.suppress(OSError, UnicodeDecodeError):
                heading = path.read_text(encoding="utf-8").partition("\n")[0]
            essays[path.name] = heading.lstrip("# ").strip() or path.stem
    return essays


def readme_text(
    runs: Sequence[ExperimentRun], essays: Mapping[str, str], guide: str | None = None
) -> str:
    """Return the report as Markdown, with links to the plots and the essays beside it.

    *guide* is where the page is that says how to run experiments, if it can be reached from here.
    """
    more = f" [How to run them, and how to add one]({guide})." if guide else ""
    lines = [
        "# The documents' experiments, repeated",
        "",
        f"{_HEADER}{more}",
        "",
        _introduction(runs),
        "",
        f"| experiment | {' | '.join(CLAIM_COLUMNS)} |",
        f"|---|{'---|' * len(CLAIM_COLUMNS)}",
    ]
    for run in runs:
        # What GitHub makes of the title.
        anchor = _title(run).replace(",", "").replace(" ", "-")
        facts = [fact.replace("|", "/") for fact in _facts(run)]
        lines.append(f"| {' | '.join([f'[{_title(run)}](#{anchor})', *facts])} |")
    if essays:
        lines += ["", "Pages beside this one:", ""]
        lines += [f"- [{title}]({name})" for name, title in essays.items()]
    for run in runs:
        lines += ["", *_markdown_run(run)]
    return "\n".join(lines) + "\n"


def _html_run(run: ExperimentRun) -> str:
    experiment, summary = run.experiment, run.summary
    parts = [
        f'<h3 id="{run.stem}">{escape(_title(run))}</h3>',
        f'<p class="note">{escape(_circumstances(run))}</p>',
        f"<p>{escape(experiment.question)} <i>{escape(experiment.claim)}</i></p>",
        f'<p class="verdict">{escape(summary.sentence)}</p>',
        html_table(
            ["", "document", "ours", "95 %", "n"],
            [html_cells(*_cells(row)) for row in summary.rows],
        ),
    ]
    parts += [
        f'<figure>{plot.svg}<figcaption class="note">{escape(plot.caption)}</figcaption></figure>'
        for plot in summary.plots
    ]
    parts += [f'<p class="note">{escape(note)}</p>' for note in summary.notes]
    parts.append(_html_settings(run))
    return "\n".join(part for part in parts if part)


def _html_settings(run: ExperimentRun) -> str:
    """Return the settings of each cell, folded away."""
    plan = sorted(run.experiment.plan(run.scale, run.seed), key=lambda trial: trial.place)
    cells = {trial.cell: json.dumps(dict(trial.settings), ensure_ascii=False) for trial in plan}
    rows = [
        f'{html_cells(cell)}<td class="text"><code>{escape(settings)}</code></td>'
        for cell, settings in cells.items()
    ]
    table = html_table(["", ""], rows)
    return f'<details><summary class="note">settings</summary>{table}</details>'


def _markdown_run(run: ExperimentRun) -> list[str]:
    experiment, summary = run.experiment, run.summary
    lines = [
        f"## {_title(run)}",
        "",
        f"{_circumstances(run)}.",
        f"{experiment.question} *{experiment.claim}*",
        "",
        f"**{summary.sentence}**",
    ]
    if summary.rows:
        lines += ["", "| | document | ours | 95 % | n |", "|---|---:|---:|---:|---:|"]
        lines += [f"| {' | '.join(_cells(row))} |" for row in summary.rows]
    for plot in summary.plots:
        file = f"{run.stem}.{plot.name}.svg"
        lines += ["", f"![{plot.caption}]({file})", "", f"*{plot.caption}*"]
    for note in summary.notes:
        lines += ["", note]
    return lines


def _cells(row: FigureRow) -> list[str]:
    ours, bracket, interval = row.shown.partition(" [")
    return [row.cell, row.shown_document, ours, f"{bracket.lstrip()}{interval}", str(row.count)]


def _title(run: ExperimentRun) -> str:
    title = run.experiment.name.replace("-", " ")
    quick = ", quick" if run.scale == "quick" else ""
    return f"{title}{quick}{f', seed {run.seed}' if run.seed != 1 else ''}"


def _facts(run: ExperimentRun) -> list[str]:
    """Return the row of a claim: :data:`CLAIM_COLUMNS`."""
    return [
        f"{run.experiment.claim} ({_place(run)})",
        _decisive(run),
        str(run.summary.verdict),
        run.coverage.number,
        _refutation(run),
    ]


def _decisive(run: ExperimentRun) -> str:
    """Return the figures that the claim was judged by, with their intervals."""
    figures = {check.figure.told: None for check in run.summary.checks if check.figure}
    return _first(list(figures)) or "none yet"


def _refutation(run: ExperimentRun) -> str:
    """Say what the figures would have to be for the claim not to hold."""
    return _first(
        list({check.refuted_by: None for check in run.summary.checks if check.refuted_by})
    )


def _first(texts: Sequence[str]) -> str:
    rest = len(texts) - SHOWN_CHECKS
    return "; ".join(texts[:SHOWN_CHECKS]) + (f"; and {rest} more" if rest > 0 else "")


def _place(run: ExperimentRun) -> str:
    return f"{run.experiment.document}, {run.experiment.section}"


def _circumstances(run: ExperimentRun) -> str:
    """Say where the claim stands, how much was run, how long it took, and by which versions."""
    done, wanted = len(run.results), len(run.plan)
    number = f"{done}" if done == wanted else f"{done} of {wanted}"
    return (
        f"{_place(run)}; {number} trials in {_hours(run.seconds)}; {run.coverage.sentence}; "
        f"{_versions(run.programs)}"
    )


def _versions(programs: Mapping[str, int]) -> str:
    """Name the versions that ran trials, with their numbers if there are several."""
    names = [f"Montego {name}" if name else "a version not known" for name in programs]
    if len(names) == 1:
        return f"by {names[0]}"
    told = zip(names, programs.values(), strict=True)
    return "by " + ", ".join(f"{name} ({count:,} trials)" for name, count in told)


def _introduction(runs: Sequence[ExperimentRun]) -> str:
    verdicts = Counter(str(run.summary.verdict) for run in runs)
    words = ", ".join(f"{verdict}: {count}" for verdict, count in verdicts.items())
    programs: Counter[str] = Counter()
    for run in runs:
        programs.update(run.programs)
    partly = sum(not run.coverage.is_whole for run in runs)
    parts = f" Of {partly} only a part of the plan was run, and they say which." if partly else ""
    names = len({run.experiment.name for run in runs})
    trials = sum(len(run.results) for run in runs)
    hours = _hours(sum(run.seconds for run in runs))
    return (
        f"{_counted(names, 'experiment')} in {_counted(len(runs), 'run')}, {trials:,} trials, "
        f"{hours} one after another, {_versions(programs)}. Verdicts: {words}.{parts}"
    )


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _hours(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
