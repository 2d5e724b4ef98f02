"""What several searches that share are worth, at fixed simulations and without a cluster.

A team is some searches of the same position, made in turn in one process: ``4x500`` are four with
500 simulations each, which exchange what they found every 50 (``--every``); ``4x500-voting`` are
four that know nothing of one another, and whose majority decides; ``2000`` is one alone. All are
the player without a network on 9x9 (``--size``), and keep their trees. Every game has a seed of its
own and is kept in OUTPUT/games.jsonl as it ends: the same command goes on.

    python benchmarks/strength/cluster_strength.py OUTPUT --games 400 \
        --pairings 4x500:500 4x500:2000

Games are dear. ``--positions N`` has single moves of ``--teams`` judged instead, by a search of
20,000 simulations: by how much each is below the best, on average over N positions. ``--cost``
measures what an exchange takes.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import statistics
import time
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from montego.arena.statistics import Tally, elo_interval, wilson_interval
from montego.engine.options.options import Options
from montego.go.kernels.layout import PASS
from montego.jit.state import new_scratch
from montego.mcts.config import SHARED_DEPTH, SHARED_LEAST
from montego.mcts.report import choose, elect
from montego.mcts.search import Search
from montego.mcts.sharing import SharedTable, total_of

if TYPE_CHECKING:
    from montego.jit.state import State
    from montego.mcts.report import Candidate

PAIRINGS = (
    "4x500:500", "4x500:4x500-voting", "4x500:2000", "2000:500", "2x500:500", "8x500:500",
)  # fmt: skip
RULES, KOMI = "chinese-kgs", 7.5
RESIGN_BELOW = 0.05
RESIGN_AFTER = 0.25
"""Share of the board's points that must have been played before anybody resigns."""
MEMORY = 60.0
JUDGE = 20_000
"""Simulations of the search that judges moves."""
STRANGE = 0.15
"""How often a game that leads to a position has a move that was merely thought of."""
DECIDED = 0.15
"""Chances below this, and above one minus it, are of decided games."""


@dataclass(frozen=True)
class Exchange:
    """How teams share: every so many simulations of a search, how deep, and what."""

    every: int = 50
    depth: int = SHARED_DEPTH
    least: float = SHARED_LEAST
    late: int = 0
    """Rounds that a table is under way, as over a slow network."""


class Team:
    """Searches of one side of a game."""

    def __init__(self, name: str, size: int, seed: int, exchange: Exchange) -> None:
        parsed = re.fullmatch(r"(?:(\d+)x)?(\d+)(-voting)?", name)
        if parsed is None:
            raise SystemExit(f"no team is called {name!r}: say 500, 4x500 or 4x500-voting")
        self.simulations = int(parsed[2])
        self.votes = parsed[3] is not None
        self.exchange = exchange
        self.value = 0.5
        options = Options(network=None, simulations=self.simulations, memory=MEMORY, threads=1)
        self.game = options.game_definition(size, RULES, KOMI)
        config = replace(options.search_config(size), early_stop=False)
        self.searches = [
            Search(self.game, replace(config, seed=seed + 1_000 * number))
            for number in range(int(parsed[1] or 1))
        ]

    def think(self) -> int | None:
        """Return the move that the team chooses; None where the game is over."""
        results = []
        if self.votes or len(self.searches) == 1:
            results = [search.run() for search in self.searches]
            chosen, _ = elect(results)
        else:
            self._share()
            chosen = choose(self.searches[0].candidates(), self.searches[0].config.final_move)
        if chosen is None:
            return None
        self.value = chosen.value
        if chosen.move != PASS or self._balance() > 0:
            return chosen.move
        # Nobody passes where the count would be lost, if there is another move.
        other = choose([move for move in self._found() if move.move != PASS], "robust")
        return chosen.move if other is None else other.move

    def _share(self) -> None:
        """Search by turns, and exchange after each turn."""
        way = self.exchange
        wire: deque[list[SharedTable]] = deque()
        for begun in range(0, self.simulations, way.every):
            for search in self.searches:
                search.run(simulations=min(way.every, self.simulations - begun))
            wire.append([search.share(way.depth, way.least) for search in self.searches])
            is_last = begun + way.every >= self.simulations
            while len(wire) > (0 if is_last else way.late):
                tables = wire.popleft()
                total = total_of(tables)
                for search, own in zip(self.searches, tables, strict=True):
                    search.absorb(total - own)

    def _found(self) -> list[Candidate]:
        return self.searches[0].candidates()

    def follow(self, move: int) -> None:
        """Play a move of either side."""
        for search in self.searches:
            search.play(move)

    def score(self) -> float:
        """Return Black's score of the position as it stands."""
        game = self.game
        scratch = new_scratch(game.longest_game, 0, game.scratch_room)
        return float(game.score(self.searches[0].state, game.knowledge, scratch))

    def _balance(self) -> float:
        """Return the score of the player to move."""
        is_black = self.game.to_play(self.searches[0].state) == 0
        return self.score() if is_black else -self.score()


def play(first: Team, second: Team, size: int, *, first_begins: bool) -> tuple[float, int]:
    """Return what the first team got of a game, and its moves."""
    order = [first, second] if first_begins else [second, first]
    moves = 0
    while moves < first.game.longest_game:
        mover, other = order[moves % 2], order[1 - moves % 2]
        move = mover.think()
        if move is None:
            break
        late = moves >= RESIGN_AFTER * size * size
        if late and mover.value < RESIGN_BELOW and other.value > 1 - RESIGN_BELOW:
            return float(mover is second), moves
        first.follow(move)
        second.follow(move)
        moves += 1
    score = first.score() if first_begins else -first.score()
    return (1.0 if score > 0 else 0.0 if score < 0 else 0.5), moves


def summary(lines: list[dict[str, object]], pairing: str) -> str:
    """Return how a pairing stands."""
    points = [float(str(line["result"])) for line in lines if line["pairing"] == pairing]
    wins, draws = sum(p == 1.0 for p in points), sum(p == 0.5 for p in points)
    tally = Tally(wins, len(points) - wins - draws, draws)
    if not points:
        return f"{pairing}: no games"
    low, high = wilson_interval(sum(points), len(points))
    elo, elo_low, elo_high = elo_interval(tally)
    return (
        f"{pairing}: {len(points)} games, {100 * tally.score:.1f} % "
        f"[{100 * low:.1f}, {100 * high:.1f}], Elo {elo:+.0f} [{elo_low:+.0f}, {elo_high:+.0f}]"
    )


def play_all(options: argparse.Namespace, exchange: Exchange) -> None:
    """Play what is missing, a game of each pairing in turn."""
    folder = Path(options.output)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "games.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    done = {(line["pairing"], line["game"]) for line in lines}
    with file.open("a", encoding="utf-8") as out:
        for number in range(options.first, options.first + options.games):
            for pairing in options.pairings:
                if (pairing, number) in done:
                    continue
                names = pairing.split(":")
                begun = time.process_time()
                teams = [
                    Team(name, options.size, 10_000 * number + 500_000_000 * side, exchange)
                    for side, name in enumerate(names)
                ]
                result, moves = play(teams[0], teams[1], options.size, first_begins=number % 2 == 0)
                line = {
                    "pairing": pairing,
                    "game": number,
                    "result": result,
                    "moves": moves,
                    "cpu_seconds": round(time.process_time() - begun, 2),
                }
                lines.append(line)
                out.write(json.dumps(line) + "\n")
                out.flush()
                print(summary(lines, pairing), flush=True)
    for pairing in options.pairings:
        print(summary(lines, pairing))


def judge_moves(options: argparse.Namespace, exchange: Exchange) -> None:
    """Print how good the moves of teams are, by a longer search."""
    names = options.teams
    losses: dict[str, list[float]] = {name: [] for name in names}
    agreed = dict.fromkeys(names, 0)
    dice = random.Random(options.seed)
    judge = Team(f"{JUDGE}", options.size, options.seed, exchange).searches[0]
    while len(losses[names[0]]) < options.positions:
        state = open_position(options.size, dice)
        if state is None:
            continue
        judge.set_state(state)
        judge.run()
        values: dict[int | None, float] = {one.move: one.value for one in judge.candidates()}
        best = max(judge.candidates(), key=lambda one: one.visits)
        for name in names:
            team = Team(name, options.size, dice.randrange(10**9), exchange)
            for search in team.searches:
                search.set_state(state)
            move = team.think()
            losses[name].append(max(best.value - values.get(move, 0.0), 0.0))
            agreed[name] += move == best.move
    for name, lost in losses.items():
        error = 100 * statistics.stdev(lost) / math.sqrt(len(lost))
        print(
            f"{name}: {100 * statistics.mean(lost):.2f} ± {error:.2f} % below the best of "
            f"{len(lost)} positions, the same move in {agreed[name]}",
            flush=True,
        )


def open_position(size: int, dice: random.Random) -> State | None:
    """Return a position of a quick game that neither side has won yet; None if it is over."""
    team = Team("200", size, dice.randrange(10**9), Exchange())
    for _ in range(dice.randrange(4, 34)):
        move = team.think()
        if move is None or move == PASS:
            return None
        if dice.random() < STRANGE:
            move = dice.choice([one.move for one in team.searches[0].candidates() if one.visits])
        team.follow(move)
    return team.searches[0].state if abs(team.value - 0.5) < 0.5 - DECIDED else None


def measure(options: argparse.Namespace, exchange: Exchange) -> None:
    """Print what share of its processor time a search spends on four exchanges a second."""
    teams = options.team
    team = Team(f"{teams}x500", options.size, 1, exchange)
    others = team.searches[1:]
    search = team.searches[0]
    for one in team.searches:
        one.run(simulations=2_000)
        one.share()
    spent, rows, size = 0.0, 0, 0
    rounds, begun = 40, time.process_time()
    for _ in range(rounds):
        for one in team.searches:
            one.run(seconds=0.25)
        tables = [one.share(exchange.depth, exchange.least) for one in others]
        began = time.process_time()
        own = search.share(exchange.depth, exchange.least)
        total = total_of([own, *tables])
        search.absorb(total - own)
        spent += time.process_time() - began
        rows += sum(len(gains.moves) for gains in own.nodes.values())
        size += sum(gains.sums.nbytes + gains.moves.nbytes for gains in own.nodes.values())
        for one, table in zip(others, tables, strict=True):
            one.absorb(total - table)
    searched = (time.process_time() - begun) / teams
    print(
        f"{teams} searches on {options.size}x{options.size}: {1000 * spent / rounds:.2f} ms an "
        f"exchange, {100 * 4 * spent / rounds:.2f} % of a core at four a second "
        f"({searched / rounds:.2f} s of searching between two); {rows / rounds:.0f} moves of nodes "
        f"and {size / rounds / 1000:.0f} kB a table"
    )


def main() -> None:
    """Play, or measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("output", nargs="?", default="cluster-strength")
    parser.add_argument("--pairings", nargs="+", default=list(PAIRINGS))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--first", type=int, default=0, help="number of the first game: its seed")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--every", type=int, default=Exchange.every)
    parser.add_argument("--depth", type=int, default=SHARED_DEPTH)
    parser.add_argument("--least", type=float, default=SHARED_LEAST)
    parser.add_argument("--late", type=int, default=0, help="rounds that tables are under way")
    parser.add_argument("--positions", type=int, help="judge moves of so many instead of games")
    parser.add_argument("--teams", nargs="+", default=["500", "4x500-voting", "4x500", "2000"])
    parser.add_argument("--seed", type=int, default=1, help="of --positions")
    parser.add_argument("--cost", action="store_true", help="measure what an exchange takes")
    parser.add_argument("--team", type=int, default=4, help="searches of --cost")
    options = parser.parse_args()
    exchange = Exchange(options.every, options.depth, options.least, options.late)
    if options.cost:
        measure(options, exchange)
    elif options.positions:
        judge_moves(options, exchange)
    else:
        play_all(options, exchange)


if __name__ == "__main__":
    main()
