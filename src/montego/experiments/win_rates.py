"""Experiments made of games: matches of two settings, or of one against GNU Go.

:func:`game_experiment` declares one by what is its own: its cells, and what it checks and draws of
:class:`WinRates`, the share of games won in each cell. The value of each result is as
:func:`montego.experiments.games.play_match_trial` returns it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montego.arena.drawing import Bar, Curve, curve_chart, interval_plot
from montego.engine.options.presets import preset_settings
from montego.experiments.experiment import GAMES, Experiment, Plot, Summary, by_cell, in_proportion
from montego.experiments.figures import (
    EVEN,
    FigureRow,
    curve_of,
    exact_row,
    share_row,
    told_curve,
)
from montego.experiments.games import play_match_trial, tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from montego.experiments.experiment import JSON, Cells, Scale, Trial, TrialResult
    from montego.experiments.verdict import Check

CHOOSING = 4
"""Of so many pairs of games one serves to choose the best cell, the others to count its wins."""


def game_experiment(
    *,
    cells: Callable[[Scale], Cells],
    checks: Callable[[WinRates], Iterable[Check]],
    caption: str,
    plot: str = "games",
    curves: Callable[[WinRates], Sequence[Curve]] | None = None,
    axes: tuple[str, str] = ("", ""),
    log_x: bool = True,
    chart: Callable[[WinRates], str] | None = None,
    beside: Callable[[WinRates], Iterable[Plot]] = lambda _wins: (),
    figures: Mapping[str, float] | None = None,
    simulations: int = 0,
    empty_pools: bool = False,
    remarks: Callable[[WinRates], Iterable[str]] = lambda _wins: (),
    notes: Sequence[str] = (),
    run: Callable[[Trial], JSON] = play_match_trial,
    **facts: Any,
) -> Experiment:
    """Return an experiment whose trials are games.

    *plot* is the name of its picture: the share of each cell with its interval, or *curves* such as
    :meth:`WinRates.curve` returns, over *axes* with these labels, or what *chart* returns as SVG;
    *beside* returns more pictures, such as a document's own, drawn alike.
    *simulations*, if given, is the most that a full run has a move: a quick run with fewer says so,
    and the document's figures do not stand beside its own. With *empty_pools* those are shown as
    well that have no games yet. *notes* are said of every run, *remarks* are made of its games.
    *facts* are the experiment's other fields: name, document, section, question, claim and cost;
    needs and revision where they are not the usual ones.
    """

    def summarize(results: Sequence[TrialResult]) -> Summary:
        # A full run that has not come to its longest games yet is no quick one.
        wins = WinRates(results, figures, simulations if _is_quick(results, cells) else 0)
        checked = list(checks(wins))  # First: it makes the pools.
        told = [*remarks(wins), *notes, *wins.circumstances()]
        if chart is not None:
            svg = chart(wins)
        elif curves is not None:
            svg = curve_chart(curves(wins), *axes, log_x=log_x)
        else:
            svg = interval_plot(wins.bars, "% of the games")
        plots = [Plot(plot, svg, caption), *beside(wins)]
        rows = wins.shown(empty_pools=empty_pools)
        return Summary.of(rows, checked, plots=plots, notes=told)

    return Experiment(
        trials=lambda scale: in_proportion(cells(scale)),
        run=run,
        summarize=summarize,
        figures=figures or {},
        unit=GAMES,
        **facts,
    )


class WinRates(dict[str, FigureRow]):
    """The share of games that each cell's first contestant won, by cell; in the order of tables."""

    def __init__(
        self,
        results: Sequence[TrialResult],
        figures: Mapping[str, float] | None = None,
        simulations: int = 0,
    ) -> None:
        self.results = results
        self.pools: list[FigureRow] = []
        """The rows of several cells together that were asked for, in that order."""
        self.is_shortened = bool(simulations and results) and _most(results) < simulations
        """Whether no game had as many simulations a move as a full run has."""
        self._simulations = simulations
        known = {} if self.is_shortened else figures or {}
        super().__init__(
            {
                cell: share_row(cell, *tally(values), known.get(cell))
                for cell, values in by_cell(results).items()
            }
        )

    def rows_of(self, cells: Iterable[str]) -> list[FigureRow]:
        """Return the rows of some cells, in their order, as far as there are any."""
        return [self[cell] for cell in cells if cell in self]

    def pooled(self, name: str, cells: Iterable[str], document: float | None = None) -> FigureRow:
        """Return the share of won games in several cells together, which becomes a row as well."""
        return self._pool(name, self.results, cells, document)

    def best(self, name: str, cells: Iterable[str], document: float | None = None) -> FigureRow:
        """Return the share of won games in the best of several cells, which becomes a row as well.

        The best is chosen by a quarter of the games, and its share counted in the rest: counted in
        the games it was chosen by, the best of several equals would look better than it is.
        """
        choosing, counting = held_out(self.results)
        rows = WinRates(choosing).rows_of(cells)
        best = max(rows, key=lambda row: row.ours).cell if rows else ""
        return self._pool(f"{name}: {best}" if best else name, counting, [best], document)

    def _pool(
        self,
        name: str,
        results: Iterable[TrialResult],
        cells: Iterable[str],
        document: float | None,
    ) -> FigureRow:
        wanted = set(cells)
        values = [result.value for result in results if result.trial.cell in wanted]
        row = share_row(name, *tally(values), document)
        self.pools.append(row)
        return row

    def shown(self, *, empty_pools: bool = False) -> list[FigureRow]:
        """Return the rows of all cells, and below them the pools; those without games if told."""
        return [*self.values(), *(pool for pool in self.pools if pool.count or empty_pools)]

    @property
    def bars(self) -> list[Bar]:
        """The bars of all rows for an interval plot, below each the document's if it has one."""
        bars = []
        for row in self.shown():
            bars.append(row.bar)
            if row.document is not None:
                bars.append(Bar("in the document", *[100 * row.document] * 3))
        return bars

    def told(self, name: str, places: Mapping[str, float], number: int) -> Curve:
        """Return the document's curve of some cells, as :meth:`curve` returns ours.

        It is dashed, in the color of the chart's curve of that number, which is ours.
        """
        return told_curve(name, self, places, number)

    def curve(self, name: str, places: Mapping[str, float], even_at: float | None = None) -> Curve:
        """Return a curve of some cells: *places* says where on the axis each of them is.

        *even_at* is where the player that the others play against is, who wins one half.
        """
        if even_at is None:
            return curve_of(name, self, places)
        even = exact_row("", EVEN, 1)
        return curve_of(name, {"": even} | self, {"": even_at} | dict(places))

    @property
    def simulations(self) -> dict[str, float]:
        """The simulations a move of the first side in each cell, fewest first."""
        counts = {result.trial.cell: float(simulations_of(result.trial)) for result in self.results}
        return dict(sorted(counts.items(), key=lambda item: item[1]))

    def circumstances(self) -> list[str]:
        """Return which GNU Go played, as it says itself, and how much less a quick run did."""
        told = []
        versions = sorted({each.value["gnugo"] for each in self.results if "gnugo" in each.value})
        if versions:
            told.append(f"GNU Go is version {' and '.join(versions)} here.")
        if self.is_shortened:
            settings = [result.trial.settings for result in self.results]
            levels = {int(each["level"]) for each in settings if "level" in each}
            gnugo = f" and GNU Go at level {min(levels)}" if levels else ""
            told.append(
                f"A quick run: {_most(self.results):,} simulations a move in place of "
                f"{self._simulations:,}{gnugo}. It shows that the experiment works, and proves "
                "nothing."
            )
        return told


def _is_quick(results: Sequence[TrialResult], cells: Callable[[Scale], Cells]) -> bool:
    """Say whether none of the games is one of a full run."""
    full = {cell: settings for cell, (settings, _) in cells("full").items()}
    return not any(full.get(each.trial.cell) == each.trial.settings for each in results)


def held_out(results: Sequence[TrialResult]) -> tuple[list[TrialResult], list[TrialResult]]:
    """Return the trials to choose by, a quarter of each cell in pairs, and those to judge by."""
    choosing: list[TrialResult] = []
    counting: list[TrialResult] = []
    for result in results:
        is_for_choice = result.trial.number // 2 % CHOOSING == 0
        (choosing if is_for_choice else counting).append(result)
    return choosing, counting


def simulations_of(trial: Trial, side: str = "first") -> int:
    """Return how many simulations a move one side of a game has, its preset's if it names none."""
    player = trial.settings[side]
    named = player.get("search", {}).get("simulations")
    return int(preset_settings(player["preset"])["simulations"] if named is None else named)


def _most(results: Sequence[TrialResult]) -> int:
    return max(simulations_of(result.trial) for result in results)
