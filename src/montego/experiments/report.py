"""The report of all experiments: a page for browsers, and a README with its plots for the docs.

Every figure and every sentence comes from the results; nothing here knows an experiment.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from montego.experiments.results import save_text
from montego.experiments.runner import Run, read_run, seeds_in
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from montego.experiments.experiment import Experiment, Scale
    from montego.experiments.figures import Row

PAGE = "report.html"
README = "README.md"
DOCUMENTS = {
    "000": "Vandermosten, Monte Carlo Tree Search applied to Go: Reaching Ω, 2016",
    "001": "Gelly and Silver, Monte-Carlo tree search and rapid action value estimation, 2011",
    "002": "Vandermosten, the draft of 000",
    "003": "Pividori, Go-player, 2016",
    "004": "Chelaru, Artificial Intelligence in Computer Go, 2008",
}
GUIDE = "experiments.md"
"""The page about experiments; beside the folder of the report if that is the one in the docs."""
_HEADER = "Written by `montego experiment report`; every figure is computed from the results."
_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.3rem; margin-top: 3rem; } h3 { margin-top: 2.2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #8883; }
th:first-child, td:first-child, .text, .words th, .words td { text-align: left; }
.scroll { overflow-x: auto; } .note { opacity: .75; } figure { margin: 1rem 0; }
svg { max-width: 100%; height: auto; } .verdict { font-weight: 600; }
"""


def read_runs(folder: Path, experiments: Iterable[Experiment]) -> list[Run]:
    """Return what *folder* holds of some experiments, all seeds, full before quick.

    Raises:
        GoError: If it holds nothing of them.
    """
    runs: list[Run] = []
    for experiment in experiments:
        scale: Scale
        for scale in ("full", "quick"):
            seeds = seeds_in(folder, experiment.name, scale)
            found = [read_run(experiment, folder, scale=scale, seed=seed) for seed in seeds]
            kept = [run for run in found if run is not None]
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


def save_report(runs: Sequence[Run], folder: Path) -> Path:
    """Write the page, the README and the plots; return where the page is.

    Raises:
        GoError: If something cannot be written.
    """
    # A plot in a file of its own has no page to take its color from.
    style = "<style>svg{color:#333}@media(prefers-color-scheme:dark){svg{color:#ccc}}</style>"
    for run in runs:
        for plot in run.summary.plots:
            svg = plot.svg.replace("<style>", f"{style}<style>", 1)
            save_text(folder / f"{run.stem}.{plot.name}.svg", svg + "\n")
    guide = f"../{GUIDE}" if (folder.resolve().parent / GUIDE).is_file() else None
    save_text(folder / README, readme_text(runs, essays_in(folder), guide))
    save_text(folder / PAGE, html_page(runs))
    return folder / PAGE


def row_table(rows: Sequence[Row]) -> str:
    """Return rows as text for a terminal: the cell, the document's figure, ours, its count."""
    cells = [(row.cell, row.shown_document or "–", row.shown, str(row.count)) for row in rows]  # noqa: RUF001
    cells.insert(0, ("", "document", "ours, 95 %", "n"))
    widths = [max(len(line[column]) for line in cells) for column in range(4)]
    return "\n".join(
        f"    {line[0]:{widths[0]}}  {line[1]:>{widths[1]}}  {line[2]:>{widths[2]}}  "
        f"{line[3]:>{widths[3]}}"
        for line in cells
    )


def html_page(runs: Sequence[Run]) -> str:
    """Return the whole report as one page that needs nothing else."""
    overview = _html_table(
        ["experiment", "document", "verdict", "run"],
        [
            [f'<a href="#{run.stem}">{escape(_title(run))}</a>', *map(escape, _facts(run))]
            for run in runs
        ],
        kind="words",
    )
    chapters = []
    for document, meaning in DOCUMENTS.items():
        own = [run for run in runs if run.experiment.document == document]
        if own:
            chapters.append(f"<h2>{document}: {escape(meaning)}</h2>")
            chapters += [_html_run(run) for run in own]
    chapters += [_html_run(run) for run in runs if run.experiment.document not in DOCUMENTS]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>The documents’ experiments</title><style>{_STYLE}</style></head><body>\n"  # noqa: RUF001
        f"<h1>The documents’ experiments</h1>\n<p>{escape(_introduction(runs))}</p>\n"  # noqa: RUF001
        f"{overview}\n" + "\n".join(chapters) + "\n</body></html>\n"
    )


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


def readme_text(runs: Sequence[Run], essays: Mapping[str, str], guide: str | None = None) -> str:
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
        "| experiment | document | verdict | run |",
        "|---|---|---|---|",
    ]
    for run in runs:
        # What GitHub makes of the title.
        anchor = _title(run).replace(",", "").replace(" ", "-")
        lines.append(f"| {' | '.join([f'[{_title(run)}](#{anchor})', *_facts(run)])} |")
    if essays:
        lines += ["", "What surprised:", ""]
        lines += [f"- [{title}]({name})" for name, title in essays.items()]
    for run in runs:
        lines += ["", *_markdown_run(run)]
    return "\n".join(lines) + "\n"


def _html_run(run: Run) -> str:
    experiment, summary = run.experiment, run.summary
    parts = [
        f'<h3 id="{run.stem}">{escape(_title(run))}</h3>',
        f'<p class="note">{escape(_circumstances(run))}</p>',
        f"<p>{escape(experiment.question)} <i>{escape(experiment.claim)}</i></p>",
        f'<p class="verdict">{escape(summary.sentence)}</p>',
        _html_table(
            ["", "document", "ours", "95 %", "n"],
            [list(map(escape, _cells(row))) for row in summary.rows],
        ),
    ]
    parts += [
        f'<figure>{plot.svg}<figcaption class="note">{escape(plot.caption)}</figcaption></figure>'
        for plot in summary.plots
    ]
    parts += [f'<p class="note">{escape(note)}</p>' for note in summary.notes]
    parts.append(_html_settings(run))
    return "\n".join(part for part in parts if part)


def _html_settings(run: Run) -> str:
    """Return the settings of each cell, folded away."""
    plan = sorted(run.experiment.plan(run.scale, run.seed), key=lambda trial: trial.place)
    cells = {trial.cell: trial.settings for trial in plan}
    rows = "".join(
        f'<tr><td>{escape(cell)}</td><td class="text"><code>'
        f"{escape(json.dumps(dict(settings), ensure_ascii=False))}</code></td></tr>"
        for cell, settings in cells.items()
    )
    return (
        '<details><summary class="note">settings</summary>'
        f'<div class="scroll"><table>{rows}</table></div></details>'
    )


def _markdown_run(run: Run) -> list[str]:
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


def _cells(row: Row) -> list[str]:
    ours, bracket, interval = row.shown.partition(" [")
    return [row.cell, row.shown_document, ours, f"{bracket.lstrip()}{interval}", str(row.count)]


def _title(run: Run) -> str:
    title = run.experiment.name.replace("-", " ")
    quick = ", quick" if run.scale == "quick" else ""
    return f"{title}{quick}{f', seed {run.seed}' if run.seed != 1 else ''}"


def _facts(run: Run) -> list[str]:
    """Return where the claim stands, its verdict, and how much was run."""
    return [_place(run), str(run.summary.verdict), run.coverage.number]


def _place(run: Run) -> str:
    return f"{run.experiment.document}, {run.experiment.section}"


def _circumstances(run: Run) -> str:
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


def _introduction(runs: Sequence[Run]) -> str:
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


def _html_table(head: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "figures") -> str:
    if not rows:
        return ""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table class="{kind}"><tr>{top}</tr>{body}</table></div>'
