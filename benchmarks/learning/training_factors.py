"""What settings of ``montego train`` are worth in a short run: several at a time, on a GPU.

    python benchmarks/learning/training_factors.py go first_simulations=8 root_value=0.3
        random_moves=8 score=0.1,soft_policy=1 --size 9 --seconds 40 --set games=8192,reuse=3
        --output FILE

Each factor is one setting, or several that belong together, and is on in half of the runs and off
in the others: a design of 4, 8 or 16 runs from random weights, in which no two factors go together
more often than not (Plackett and Burman 1946). So every run says something of every factor, and
four on each side say more than one. At the end all networks play one another, half of the games
from random moves; the effect of a factor is the mean rating of the runs that had it above those
that had not.

What helps in the first minute need not help in the tenth. Runs differ by chance, too: columns of
the design that no factor has taken show by how much.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from montego.arena.rating import RatedGame, rate
from montego.train.bundle import Bundle
from montego.train.game import find_game
from montego.train.games.start import MOVES_FOR_A_RANDOM_ONE, make_table, start_selfplay
from montego.train.learning.judge import NetJudge
from montego.train.learning.net import Net
from montego.train.run import PlayedBoard, Run
from montego.train.settings import TrainingSettings

if TYPE_CHECKING:
    from montego.train.report import Row

QUICK = {"window": 1_000_000, "warm_up": 100, "rating": 0.0}
"""Settings that suit runs of a minute."""


class Trial(NamedTuple):
    """A run that has ended."""

    name: str
    factors: tuple[bool, ...]
    net: Net
    row: Row


def main() -> None:
    """Train all runs, let them play, print ratings and effects."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("game")
    parser.add_argument("factors", nargs="+", metavar="SETTING=VALUE[,SETTING=VALUE]")
    parser.add_argument("--size", type=int)
    parser.add_argument("--seconds", type=float, default=40.0, help="of a run")
    parser.add_argument("--set", metavar="SETTING=VALUE[,SETTING=VALUE]", help="in all runs")
    parser.add_argument("--games", type=int, default=1024, help="of a match")
    parser.add_argument("--simulations", type=int, default=16, help="of a move in matches")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="gpu")
    parser.add_argument("--output", metavar="FILE", help="of the results, as JSON")
    given = parser.parse_args()
    design = design_for(len(given.factors))
    game = find_game(given.game, given.size)
    usual = QUICK | {"minutes": given.seconds / 60.0} | values_of(given.set)
    trials = []
    for number, signs in enumerate(design):
        changes: dict[str, Any] = {}
        chosen = signs[: len(given.factors)]
        for factor, on in zip(given.factors, chosen, strict=True):
            changes |= values_of(factor) if on else {}
        settings = TrainingSettings(**{**usual, "seed": number, **changes})
        net, row = trained(game, settings, given.device)
        name = f"run {number}"
        trials.append(Trial(name, signs, net, row))
        told = [factor for factor, on in zip(given.factors, chosen, strict=True) if on]
        print(
            f"{name}: {' '.join(told) or 'nothing'}; "
            f"{row.games:,} games, {row.positions:,} positions, {row.steps:,} steps, "
            f"policy {row.policy:.3f}, value {row.value:.3f}, entropy {row.entropy:.2f}, "
            f"learning {row.learning:.0%}",
            flush=True,
        )
    games = played(game, trials, given)
    ratings = {rating.name: rating for rating in rate(games).ratings}
    for trial in trials:
        rating = ratings[trial.name]
        print(f"{trial.name}: {rating.elo:+.0f} Elo ({rating.low:+.0f} to {rating.high:+.0f})")
    effects = {}
    for place in range(len(design[0])):
        name = given.factors[place] if place < len(given.factors) else f"(chance {place})"
        sides: tuple[list[float], list[float]] = ([], [])
        for trial in trials:
            sides[trial.factors[place]].append(ratings[trial.name].elo)
        effects[name] = sum(sides[1]) / len(sides[1]) - sum(sides[0]) / len(sides[0])
        print(f"{name}: {effects[name]:+.0f} Elo")
    if given.output:
        found = {
            "command": sys.argv[1:],
            "runs": {
                trial.name: {
                    "factors": trial.factors[: len(given.factors)],
                    "elo": ratings[trial.name].elo,
                    "games": trial.row.games,
                    "positions": trial.row.positions,
                }
                for trial in trials
            },
            "effects": effects,
        }
        Path(given.output).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def design_for(factors: int) -> list[tuple[bool, ...]]:
    """Return for each run which columns are on; the first ones go together least.

    Columns are products of a run's binary digits: single digits first, then products of an odd
    number of them, then those of an even number.
    """
    digits = max(2, math.ceil(math.log2(factors + 1)))
    masks = sorted(
        range(1, 1 << digits),
        key=lambda mask: (mask.bit_count() > 1, mask.bit_count() % 2 == 0, mask),
    )
    return [
        tuple(bool((run & mask).bit_count() % 2) for mask in masks) for run in range(1 << digits)
    ]


def values_of(text: str | None) -> dict[str, Any]:
    """Return settings from a text such as ``score=0.1,soft_policy=1``."""
    values = {}
    for part in text.split(",") if text else ():
        name, _, value = part.partition("=")
        values[name.replace("-", "_")] = json.loads(value)
    return values


def trained(game: Any, settings: TrainingSettings, device: str) -> tuple[Net, Row]:
    """Return the averaged network of a run from random weights, and the run's last figures."""
    rows: list[Row] = []
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Bundle(folder) as bundle:
        source = start_selfplay(game, settings, device)
        run = Run([PlayedBoard(game.features, source)], settings, bundle, device)
        prepared = time.monotonic() - began
        run.go(rows.append)
        net = Net(run.learner.shape)
        net.load_state_dict(run.learner.averaged.state_dict())
    del source, run
    gc.collect()
    if device == "gpu":
        torch.cuda.empty_cache()
    print(f"prepared in {prepared:.1f} s", flush=True)
    return net, rows[-1]


def played(game: Any, trials: list[Trial], given: argparse.Namespace) -> list[RatedGame]:
    """Let each network play each other; return the games, draws as half a point."""
    table = make_table(
        game,
        TrainingSettings(
            simulations=given.simulations,
            random_moves=game.longest_game // MOVES_FOR_A_RANDOM_ONE,
        ),
        given.device,
        games=given.games,
        seed=1,
    )
    where = torch.device("cuda" if given.device == "gpu" else "cpu")
    judges = []
    for trial in trials:
        judges.append(NetJudge(trial.net.shape, where))
        judges[-1].refresh(trial.net)
    games = []
    for one, mine in zip(trials, judges, strict=True):
        for other, theirs in zip(trials, judges, strict=True):
            if one.name < other.name:
                share = table.match(mine, theirs)
                won = round(share * given.games)
                games += [RatedGame(one.name, other.name, 1.0)] * won
                games += [RatedGame(one.name, other.name, 0.0)] * (given.games - won)
    return games


if __name__ == "__main__":
    main()
