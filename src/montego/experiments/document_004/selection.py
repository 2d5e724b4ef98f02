"""What a search visits first: five changes to UCT, each in matches against the search without it.

UCB1-TUNED (004 4.3.2), key positions (4.3.4), first-play urgency (4.3.5), grandparent knowledge
(4.3.6.1) and the experience tree (4.3.6.2). The document gives no figures for any of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from montego.experiments.figures import EVEN
from montego.experiments.verdict import Check, above, more
from montego.experiments.win_rates import WinRates, game_experiment

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON, Cells, Scale

UCB1_TUNED = {"selection": "ucb1-tuned", "exploration": 1.0}

# UCB1-TUNED against UCB1.
PRINTED, TUNED = "UCB1 as printed", "UCB1 with c = 0.5"
UCB1 = {PRINTED: math.sqrt(2.0), TUNED: 0.5}
"""The constants of the opponents. The document's formula is √(2 ln n / T); the other is ours."""
FORMULA_GAMES: dict[Scale, dict[tuple[str, int], int]] = {
    "quick": {(PRINTED, 200): 4, (PRINTED, 800): 4, (TUNED, 200): 4},
    "full": {(PRINTED, 1000): 200, (PRINTED, 4000): 120, (TUNED, 1000): 100},
}
"""Games of a match, by opponent and simulations a move."""
SUBSTANTIAL = 0.1
"""Share of games beyond one half without which it is surely not substantially better."""
FORMULA_NOTES = (
    (
        "The variance in UCB1-TUNED is at most 1/4, and its upper bound is hardly ever less while "
        "a move has few visits; so the formula is nearly UCB1 with c = √(1/4) = 0.5. Games against "
        "that one tell how near; the document does not claim to beat it."
    ),
    (
        "The document prints the minimum of 1/4 and the variance beside the root; here it stands "
        "within, as in its source (Auer, Cesa-Bianchi and Fischer 2002)."
    ),
    "The document takes the comparison from its sources and uses UCB1-TUNED alone.",
)


def _formula_cells(scale: Scale) -> Cells:
    cells = {}
    for (name, simulations), games in FORMULA_GAMES[scale].items():
        plain = {"selection": "ucb1", "exploration": round(UCB1[name], 4)}
        first, second = (
            {"fresh": True, "search": search | {"simulations": simulations}}
            for search in (UCB1_TUNED, plain)
        )
        cell = f"against {name}, {simulations:,} simulations"
        cells[cell] = ({"first": first, "second": second}, games)
    return cells


BANDIT_FORMULAS = game_experiment(
    name="ucb1-tuned",
    document="004",
    section="4.3.2",
    question="Is UCB1-TUNED better than UCB1 on 9x9 with random games?",
    claim="UCB1-TUNED performs substantially better than UCB1 in all experiments.",
    cells=_formula_cells,
    checks=lambda wins: [
        above(row, EVEN, at_least=SUBSTANTIAL) for cell, row in wins.items() if PRINTED in cell
    ],
    caption="Games won by UCB1-TUNED.",
    notes=FORMULA_NOTES,
    cost={"quick": 0.15, "full": 10.0},
)

# Key positions: trying moves near the key points of the board first.
KEY_GAMES: dict[Scale, dict[tuple[int, int], int]] = {
    "quick": {(9, 100): 6, (9, 500): 6},
    "full": {(9, 200): 300, (9, 1000): 300, (19, 500): 100, (19, 1000): 100},
}
"""Games of a match, by the size of the board and simulations a move."""
KEY_NOTES = (
    (
        "The order matters only for nodes with fewer visits than moves, which are most of a tree, "
        "but not its root once there are more simulations than points."
    ),
    (
        "The order puts the pass last; the opponent's random one puts it anywhere, and so now and "
        "then spends a node's visit on a pass. What key positions win may be that in part."
    ),
)


def _key_cells(scale: Scale) -> Cells:
    cells = {}
    for (size, simulations), games in KEY_GAMES[scale].items():
        search = UCB1_TUNED | {"simulations": simulations}
        base: dict[str, JSON] = {"size": size, "fresh": True, "search": search}
        ordered = {"key_positions": True, "search": search | {"move_order": "game"}}
        match = {"first": base | ordered, "second": base}
        cells[f"{size}x{size}, {simulations:,} simulations"] = (match, games)
    return cells


KEY_POSITIONS = game_experiment(
    name="key-positions",
    document="004",
    section="4.3.4, figure 4.20",
    question="Is a search stronger that first tries moves near the key points of the board?",
    claim="It is a minor fix for nodes whose significant children were not explored in time "
    "(no figure is given).",
    cells=_key_cells,
    # Over all boards: a minor fix shows in many games alone.
    checks=lambda wins: [above(wins.pooled("key positions first, all boards", wins), EVEN)],
    caption="Games won by trying key positions first.",
    notes=KEY_NOTES,
    cost={"quick": 0.1, "full": 42.0},
)

# First-play urgency: following a good move before all alternatives were tried once.
URGENCIES = (0.6, 0.8, 1.0, 1.2)
URGENCY_GAMES: dict[Scale, dict[int, int]] = {"quick": {9: 4}, "full": {9: 200, 13: 100}}
"""Games of a match, by the size of the board."""
SIMULATIONS: dict[Scale, int] = {"quick": 300, "full": 1000}
"""Simulations a move in games of urgencies and of grandparent knowledge."""


def _urgency_places(size: int) -> dict[str, float]:
    """Return the cells of a board, and the urgency of each."""
    return {f"urgency {urgency:g}, {size}x{size}": urgency for urgency in URGENCIES}


def _urgency_cells(scale: Scale) -> Cells:
    cells = {}
    search = UCB1_TUNED | {"simulations": SIMULATIONS[scale]}
    for size, games in URGENCY_GAMES[scale].items():
        base: dict[str, JSON] = {"size": size, "fresh": True, "search": search}
        for cell, urgency in _urgency_places(size).items():
            first = base | {"search": search | {"first_play_urgency": urgency}}
            cells[cell] = ({"first": first, "second": base}, games)
    return cells


def _tried(wins: WinRates) -> dict[str, dict[str, float]]:
    """Return the cells with games, and the urgency of each, by board."""
    boards = {
        f"{size}x{size}": {cell: x for cell, x in _urgency_places(size).items() if cell in wins}
        for size in URGENCY_GAMES["full"]
    }
    return {board: places for board, places in boards.items() if places}


FIRST_PLAY_URGENCY = game_experiment(
    name="first-play-urgency",
    document="004",
    section="4.3.5",
    question="Does a finite urgency of moves never tried make UCT stronger?",
    claim="Exploring each move once first can be inefficient where visits are few beside the "
    "moves; a smaller urgency exploits good moves earlier (no figure is given).",
    cells=_urgency_cells,
    empty_pools=True,
    # Board by board: the best one that was tried.
    checks=lambda wins: [
        above(wins.best(f"best urgency, {board}", places), EVEN)
        for board, places in _tried(wins).items()
    ],
    plot="games",
    caption="Games won by a finite first-play urgency.",
    axes=("first-play urgency", "% won against infinite urgency"),
    curves=lambda wins: [wins.curve(board, places) for board, places in _tried(wins).items()],
    log_x=False,
    cost={"quick": 0.1, "full": 33.0},
)

# Grandparent knowledge: a move begins with the statistics of the same move two plies before.
WHOLE, TENTH = "all of it", "a tenth"
SHARES = {WHOLE: 1.0, TENTH: 0.1}
"""How much of the uncle's visits a move inherits: all, as in the document, and less on 9x9."""
UNCLE_GAMES: dict[Scale, dict[tuple[str, int], int]] = {
    "quick": {(WHOLE, 9): 6, (TENTH, 9): 6},
    "full": {(WHOLE, 9): 300, (TENTH, 9): 100, (WHOLE, 13): 100, (WHOLE, 19): 100},
}
"""Games of a match, by share and board; one on 19x19 costs as much as twenty on 9x9."""
VERY_WELL = 0.1
"""Share of games beyond one half without which it surely does not work very well."""
UNCLE_NOTES = (
    (
        "After each actual move the root's moves begin with what the side's last search found of "
        "the same moves, as the document's mean has it: as many simulations as the uncle had. By "
        "the assignment that it prints a son would keep the number of its own visits, and one "
        "without visits would inherit nothing; with so few simulations that is nearly every son."
    ),
    "Section 1.2.4 calls the results of the technique not spectacular, but worth mentioning.",
)


def _uncle_cells(scale: Scale) -> Cells:
    cells = {}
    for (name, size), games in UNCLE_GAMES[scale].items():
        # A search that stops early has less to hand down.
        search = UCB1_TUNED | {"early_stop": False, "simulations": SIMULATIONS[scale]}
        plain: dict[str, JSON] = {"size": size, "search": search}
        match = {"first": plain | {"uncles": SHARES[name]}, "second": plain}
        cells[f"{name}, {size}x{size}"] = (match, games)
    return cells


def _check_uncles(wins: WinRates) -> list[Check]:
    small, middle, large = (wins.get(f"{WHOLE}, {size}x{size}") for size in (9, 13, 19))
    checks = [above(row, EVEN, at_least=VERY_WELL) for row in (small, middle, large) if row]
    return [*checks, more(large, small)] if large else checks


GRANDPARENT_KNOWLEDGE = game_experiment(
    name="grandparent-knowledge",
    document="004",
    section="4.3.6.1, 1.2.4",
    question="Does a search gain from combining a move's value with that of the same move before?",
    claim="It works very well, especially on the 19x19 board (no figure is given).",
    cells=_uncle_cells,
    checks=_check_uncles,
    caption="Games won with grandparent knowledge.",
    notes=UNCLE_NOTES,
    cost={"quick": 0.1, "full": 28.0},
)

# The experience tree: a game begins with what earlier searches of its first moves found.
EXPERIENCE: dict[Scale, dict[int, int]] = {"quick": {500: 4}, "full": {20_000: 150, 100_000: 50}}
"""Games of a match, by the simulations that the tree holds before the game."""
EXPERIENCE_NOTES = (
    (
        "The experience is of one long search of the empty board, another one for each game; the "
        "document's is of earlier games. Either side keeps its tree from move to move, so that "
        "what there is of it is searched on, and lost once a move was hardly looked at."
    ),
    "The document sees results at the beginning of the game alone; here it must win games by them.",
)


def _experience_cells(scale: Scale) -> Cells:
    search = UCB1_TUNED | {"early_stop": False, "simulations": SIMULATIONS[scale]}
    plain: dict[str, JSON] = {"search": search}
    return {
        f"{held:,} simulations before": (
            {"first": plain | {"experience": held}, "second": plain},
            games,
        )
        for held, games in EXPERIENCE[scale].items()
    }


EXPERIENCE_TREE = game_experiment(
    name="experience-tree",
    document="004",
    section="4.3.6.2",
    question="Does a search gain from a tree of its first moves that was grown before the game?",
    claim="It speeds up the beginning of the game and increases the accuracy of Monte Carlo, which "
    "can search deeper (no figure is given).",
    cells=_experience_cells,
    checks=lambda wins: [above(row, EVEN) for row in wins.values()],
    caption="Games won with an experience tree.",
    notes=EXPERIENCE_NOTES,
    cost={"quick": 0.1, "full": 12.0},
)
