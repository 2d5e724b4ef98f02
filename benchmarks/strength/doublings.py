"""What each doubling of the simulations is worth: the player against itself with half as many.

One match for each doubling, kept in a folder of its own, so that a run can be stopped, resumed, and
made longer with more games. Printed are the scores; the plot shows Elo against simulations, added
up from the least on, as in figure 7 of document 001. Intervals in the plot are those of the sums.

    python benchmarks/strength/doublings.py games --least 250 --most 8000 --games 200 \
        --output benchmarks/results/doublings_9x9.json --plot benchmarks/strength/doublings_9x9.svg
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.arena.contest import Conditions
from montego.arena.drawing import Curve, Dot, curve_chart
from montego.arena.match import Match, run_match
from montego.arena.statistics import Tally, elo_interval, wilson_interval
from montego.arena.workers import EngineSpec

if TYPE_CHECKING:
    from montego.arena.match import MatchSummary
    from montego.arena.record import GameRecord

ENGINE = "{engine} gtp --simulations {simulations} --threads 1 {same}"
SAME = "--rules chinese-kgs --mode strict --memory 200"


def play(options: argparse.Namespace, simulations: int) -> Tally:
    """Play what is missing of a match between twice as many *simulations* and as many."""

    def engine(number: int) -> EngineSpec:
        command = ENGINE.format(engine=options.engine, simulations=number, same=SAME)
        return EngineSpec(str(number), command)

    def report(summary: MatchSummary, _record: GameRecord | None) -> bool:
        if sys.stderr.isatty():
            tally = summary.tally
            print(f"\r{2 * simulations}: {tally.wins} of {tally.games} ", end="", file=sys.stderr)
        return True

    match = Match(
        first=engine(2 * simulations),
        second=engine(simulations),
        games=options.games,
        conditions=Conditions(size=options.size, komi=7.5, rules="chinese-kgs"),
        seed=options.seed,
        concurrency=options.concurrency,
    )
    return run_match(match, options.folder / str(simulations), report=report).tally


def sums(tallies: dict[int, Tally]) -> list[Dot]:
    """Return Elo above the least number of simulations, with the interval of the sum.

    Errors of independent matches add up by their squares; each half of an interval by itself.
    """
    dots = [Dot(min(tallies), 0.0)]
    below = above = 0.0
    for simulations, tally in sorted(tallies.items()):
        elo, low, high = elo_interval(tally)
        below, above = math.hypot(below, elo - low), math.hypot(above, high - elo)
        total = dots[-1].y + elo
        dots.append(Dot(2 * simulations, total, total - below, total + above))
    return dots


def document_of(options: argparse.Namespace, tallies: dict[int, Tally]) -> dict[str, Any]:
    """Return what is kept: a line for each doubling."""
    lines = []
    for simulations, tally in sorted(tallies.items()):
        low, high = wilson_interval(tally.wins + tally.draws / 2, tally.games)
        elo, elo_low, elo_high = (round(value, 1) for value in elo_interval(tally))
        lines.append(
            {
                "simulations": 2 * simulations,
                "against": simulations,
                "games": tally.games,
                "wins": tally.wins,
                "score": round(tally.score, 4),
                "low": round(low, 4),
                "high": round(high, 4),
                "elo": elo,
                "elo_low": elo_low,
                "elo_high": elo_high,
            }
        )
    return {"size": options.size, "seed": options.seed, "doublings": lines}


def main() -> None:
    """Play the matches, then print, write and draw what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="for the games")
    parser.add_argument("--least", type=int, default=250)
    parser.add_argument("--most", type=int, default=8000)
    parser.add_argument("--games", type=int, default=200, help="of each match")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--engine", default=f"{sys.executable} -m montego")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    tallies: dict[int, Tally] = {}
    simulations = options.least
    while 2 * simulations <= options.most:
        tallies[simulations] = play(options, simulations)
        simulations *= 2
    document = document_of(options, tallies)
    for line in document["doublings"]:
        print(
            f"{line['simulations']:6} against {line['against']:6}: {line['wins']} of "
            f"{line['games']} ({line['score']:.1%}, {line['low']:.1%} to {line['high']:.1%}), "
            f"{line['elo']:+.0f} Elo"
        )
    if options.output is not None:
        options.output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if options.plot is not None and tallies:
        curve = Curve(f"{options.size}x{options.size}", sums(tallies))
        chart = curve_chart([curve], "simulations a move", "Elo", log_x=True)
        options.plot.write_text(chart, encoding="utf-8")


if __name__ == "__main__":
    main()
