"""The report of a tournament: one HTML file that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from montego.arena.drawing.plot import Bar, Line, interval_plot, line_plot
from montego.arena.record import DISAGREEMENT, FORFEITS
from montego.arena.tournament import Tournament, game_points, rate_tournament

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.arena.rating import Ratings
    from montego.arena.record import GameRecord

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #8883; }
th:first-child, td:first-child, .text { text-align: left; } td.self { background: #8882; }
.scroll { overflow-x: auto; } .note { opacity: .75; } svg { width: 100%; height: auto; }
"""


def cross_table(
    names: Sequence[str], records: Sequence[GameRecord]
) -> dict[tuple[str, str], tuple[float, int]]:
    """Return points and games of each engine against each other, both directions."""
    cells: dict[tuple[str, str], tuple[float, int]] = {
        (own, other): (0.0, 0) for own in names for other in names if own != other
    }
    for record in records:
        points = game_points(record)
        pair = (record.black.name, record.white.name)
        for own, other in (pair, pair[::-1]):
            won, games = cells[own, other]
            cells[own, other] = won + points[own], games + 1
    return cells


def fault_counts(names: Sequence[str], records: Sequence[GameRecord]) -> dict[str, dict[str, int]]:
    """Return how often each engine crashed, hung, moved illegally and the like."""
    counts: dict[str, dict[str, int]] = {name: {} for name in names}
    for record in records:
        event = record.event
        if event is not None and event.kind in FORFEITS:
            own = counts[event.engine]
            own[event.kind] = own.get(event.kind, 0) + 1
    return counts


def html_report(tournament: Tournament, records: Sequence[GameRecord]) -> str:
    """Return the report as text, for a file beside the folder ``sgf``."""
    ratings = rate_tournament(tournament, list(records))
    names = [rating.name for rating in ratings.ratings]
    conditions = tournament.conditions
    facts = [
        tournament.kind,
        f"{len(records)} of {tournament.wanted} games",
        f"{conditions.size}x{conditions.size}",
        f"komi {conditions.komi:g}",
        f"{conditions.rules} rules",
        f"clock {conditions.control}" if conditions.control else "no clock",
    ]
    if tournament.openings:
        facts.append(f"{len(tournament.openings)} openings")
    title = escape(tournament.name)
    bars = [Bar(rating.name, rating.elo, rating.low, rating.high) for rating in ratings.ratings]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body>\n"
        f'<h1>{title}</h1><p class="note">{escape(", ".join(facts))}</p>\n'
        f"<h2>Ratings</h2>{interval_plot(bars, 'Elo, 95 %')}\n{_rating_table(ratings)}\n"
        f"<h2>Cross table</h2>{_cross_table(names, records)}\n"
        f"<h2>Points over time</h2>{_progress(names, records)}\n"
        f"<h2>Faults</h2>{_faults(names, records)}\n"
        f"<h2>Games</h2>{_games(records)}\n</body></html>\n"
    )


def _rating_table(ratings: Ratings) -> str:
    rows = []
    for place, rating in enumerate(ratings.ratings, 1):
        share = f"{100 * rating.points / rating.games:.1f} %" if rating.games else ""
        rows.append(
            [
                f"{place}. {rating.name}",
                f"{rating.elo:.0f}",
                f"[{rating.low:.0f}, {rating.high:.0f}]",
                f"{rating.points:g} of {rating.games}",
                share,
            ]
        )
    advantage = (
        f'<p class="note">Black’s advantage: {ratings.black_advantage:.0f} Elo '  # noqa: RUF001
        f"[{ratings.black_advantage_low:.0f}, {ratings.black_advantage_high:.0f}]</p>"
    )
    return _table(["engine", "Elo", "95 %", "points", "share"], rows) + advantage


def _cross_table(names: Sequence[str], records: Sequence[GameRecord]) -> str:
    cells = cross_table(names, records)
    head = "".join(f"<th>{number}</th>" for number in range(1, len(names) + 1))
    rows = []
    for number, own in enumerate(names, 1):
        row = [f"<td>{number}. {escape(own)}</td>"]
        for other in names:
            if own == other:
                row.append('<td class="self"></td>')
            else:
                points, games = cells[own, other]
                row.append(f"<td>{f'{points:g}/{games}' if games else ''}</td>")
        rows.append(f"<tr>{''.join(row)}</tr>")
    return (
        f'<div class="scroll"><table><tr><th>points of games against</th>{head}</tr>'
        f"{''.join(rows)}</table></div>"
    )


def _progress(names: Sequence[str], records: Sequence[GameRecord]) -> str:
    """Each engine's points above half, after each of its games."""
    curves: dict[str, list[tuple[float, float]]] = {name: [(0.0, 0.0)] for name in names}
    for record in records:
        for name, points in game_points(record).items():
            played, above = curves[name][-1]
            curves[name].append((played + 1, above + points - 0.5))
    lines = [Line(name, curves[name]) for name in names]
    return line_plot(lines, "games", "points above an even score")


def _faults(names: Sequence[str], records: Sequence[GameRecord]) -> str:
    counts = fault_counts(names, records)
    events = sum(bool(record.event and record.event.kind == DISAGREEMENT) for record in records)
    rows = [
        [name, *(str(counts[name].get(ending, 0)) for ending in FORFEITS)]
        for name in names
        if counts[name]
    ]
    note = f'<p class="note">Games without agreement on dead stones: {events}</p>'
    if not rows:
        return f"<p>None.</p>{note}"
    return _table(["engine", *map(str, FORFEITS)], rows) + note


def _games(records: Sequence[GameRecord]) -> str:
    rows = "".join(
        f'<tr><td><a href="sgf/{record.game:05d}.sgf">{record.game}</a></td>'
        f'<td class="text">{escape(record.black.name)}</td>'
        f'<td class="text">{escape(record.white.name)}</td>'
        f"<td>{escape(record.result)}</td><td>{len(record.moves)}</td>"
        f'<td class="text">{escape(_event(record))}</td></tr>'
        for record in records
    )
    head = "".join(
        f"<th>{name}</th>" for name in ("game", "Black", "White", "result", "moves", "event")
    )
    return (
        f"<details><summary>{len(records)} games</summary>"
        f'<div class="scroll"><table><tr>{head}</tr>{rows}</table></div></details>'
    )


def _event(record: GameRecord) -> str:
    return f"{record.event.kind}: {record.event.text}" if record.event else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f'<div class="scroll"><table><tr>{top}</tr>{body}</table></div>'
