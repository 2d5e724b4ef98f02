"""The report of a tournament: one HTML file that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from montego.arena.drawing import Bar, Curve, curve_chart, interval_plot
from montego.arena.page import html_cells, html_page, html_table
from montego.arena.record import DISAGREEMENT, FORFEITS
from montego.arena.tournament import Tournament, rate_tournament

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.arena.rating import Ratings
    from montego.arena.record import GameRecord


def cross_table(
    names: Sequence[str], records: Sequence[GameRecord]
) -> dict[tuple[str, str], tuple[float, int]]:
    """Return points and games of each engine against each other, both directions."""
    cells: dict[tuple[str, str], tuple[float, int]] = {
        (own, other): (0.0, 0) for own in names for other in names if own != other
    }
    for record in records:
        pair = (record.black.name, record.white.name)
        for own, other in (pair, pair[::-1]):
            won, games = cells[own, other]
            cells[own, other] = won + record.points(own), games + 1
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
    bars = [Bar(rating.name, rating.elo, rating.low, rating.high) for rating in ratings.ratings]
    parts = [
        f'<p class="note">{escape(", ".join(facts))}</p>',
        f"<h2>Ratings</h2>{interval_plot(bars, 'Elo, 95 %')}\n{_rating_table(ratings)}",
        f"<h2>Cross table</h2>{_cross_table(names, records)}",
        f"<h2>Points over time</h2>{_progress(names, records)}",
        f"<h2>Faults</h2>{_faults(names, records)}",
        f"<h2>Games</h2>{_games(records)}",
    ]
    return html_page(tournament.name, parts)


def _rating_table(ratings: Ratings) -> str:
    rows = [
        html_cells(
            f"{place}. {rating.name}",
            f"{rating.elo:.0f}",
            f"[{rating.low:.0f}, {rating.high:.0f}]",
            f"{rating.points:g} of {rating.games}",
            f"{100 * rating.points / rating.games:.1f} %" if rating.games else "",
        )
        for place, rating in enumerate(ratings.ratings, 1)
    ]
    advantage = (
        f'<p class="note">Black’s advantage: {ratings.black_advantage:.0f} Elo '  # noqa: RUF001
        f"[{ratings.black_advantage_low:.0f}, {ratings.black_advantage_high:.0f}]</p>"
    )
    return html_table(["engine", "Elo", "95 %", "points", "share"], rows) + advantage


def _cross_table(names: Sequence[str], records: Sequence[GameRecord]) -> str:
    cells = cross_table(names, records)
    rows = []
    for number, own in enumerate(names, 1):
        row = html_cells(f"{number}. {own}")
        for other in names:
            points, games = cells.get((own, other), (0.0, 0))
            score = html_cells(f"{points:g}/{games}" if games else "")
            row += '<td class="self"></td>' if own == other else score
        rows.append(row)
    numbers = map(str, range(1, len(names) + 1))
    return html_table(["points of games against", *numbers], rows)


def _progress(names: Sequence[str], records: Sequence[GameRecord]) -> str:
    """Each engine's points above half, after each of its games."""
    curves: dict[str, list[tuple[float, float]]] = {name: [(0.0, 0.0)] for name in names}
    for record in records:
        for player in (record.black, record.white):
            played, above = curves[player.name][-1]
            curves[player.name].append((played + 1, above + record.points(player.name) - 0.5))
    lines = [Curve.through(name, curves[name], without="points") for name in names]
    return curve_chart(lines, "games", "points above an even score")


def _faults(names: Sequence[str], records: Sequence[GameRecord]) -> str:
    counts = fault_counts(names, records)
    events = sum(bool(record.event and record.event.kind == DISAGREEMENT) for record in records)
    rows = [
        html_cells(name, *(str(counts[name].get(ending, 0)) for ending in FORFEITS))
        for name in names
        if counts[name]
    ]
    table = html_table(["engine", *FORFEITS], rows) or "<p>None.</p>"
    return f'{table}<p class="note">Games without agreement on dead stones: {events}</p>'


def _games(records: Sequence[GameRecord]) -> str:
    rows = [
        f'<td><a href="sgf/{record.game:05d}.sgf">{record.game}</a></td>'
        + html_cells(record.black.name, record.white.name, kind="text")
        + html_cells(record.result, str(len(record.moves)))
        + html_cells(
            f"{record.event.kind}: {record.event.text}" if record.event else "",
            kind="text",
        )
        for record in records
    ]
    table = html_table(["game", "Black", "White", "result", "moves", "event"], rows)
    return f"<details><summary>{len(records)} games</summary>{table}</details>"
