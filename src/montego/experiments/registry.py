"""All experiments by name. Adding one takes its file and a line here."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from montego.experiments.experiment import Experiment
from montego.go.vocabulary.errors import GoError

MODULES: dict[str, str] = {
    # Document 000.
    "iterations-against-iterations": "document_000.strength",
    "graded-opponents": "document_000.strength",
    "first-move-heat-maps": "document_000.first_moves",
    "tsumego-grades": "document_000.tsumego.grades",
    "hard-tsumego": "document_000.tsumego.hard",
    "exploration-constant": "document_000.tsumego.grades",
    "voting-on-tsumego": "document_000.voting",
    "voting-in-matches": "document_000.voting",
    "voting-rule": "document_000.voting",
    "score-balanced-reward": "document_000.reward",
    "time-against-iterations": "document_000.complexity",
    "time-against-board-size": "document_000.complexity",
    # Documents 000 and 002, boards; 000 and 003, choices said not to matter.
    "board-ladder": "boards.timing",
    "move-sets": "boards.timing",
    "guided-simulation": "document_000.simulation",
    "one-child-or-all": "document_000.choices",
    "final-move": "document_000.choices",
    "moves-and-depth": "document_000.tsumego.depth",
    "estimate-of-pi": "document_000.chance",
    "bandit-regret": "document_000.chance",
    "voting-crossover": "document_000.voting",
    "tree-levels": "document_000.tsumego.levels",
    # Document 001.
    "flat-or-tree": "document_001.simulations",
    "cut-off-or-end": "document_001.values",
    "mean-or-maximum": "document_001.values",
    "wins-or-points": "document_001.values",
    "rave-by-subtree": "document_001.values",
    "rave-constant": "document_001.rave",
    "prior-heuristics": "document_001.rave",
    "local-shape": "document_001.local_shape",
    "simulations-and-wins": "document_001.simulations",
    "elo-of-doublings": "document_001.simulations",
    "rave-schedules": "document_001.rave",
    "exploration-with-rave": "document_001.rave",
    "nakade-and-fill-board": "document_001.playouts",
    "stronger-playouts": "document_001.stronger_playouts",
    # Document 002, where 000 has something else.
    "objective-on-problems": "document_002.selection",
    "objective-in-matches": "document_002.selection",
    # Document 003.
    "rave-or-uct": "document_003.improvements",
    "patterns-or-random": "document_003.improvements",
    "improvements-against-gnugo": "document_003.improvements",
    "exploration-coefficient": "document_003.improvements",
    "rave-coefficient": "document_003.improvements",
    "number-of-simulations": "document_003.improvements",
    "threads-and-trees": "document_003.threads",
    "rave-in-hex": "document_003.hexa",
    # Document 004.
    "random-game-methods": "document_004.random_games",
    "random-game-spread": "document_004.random_games",
    "random-game-speeds": "document_004.speeds",
    "hybrid-against-gnugo": "document_004.hybrid",
    "moves-as-first": "document_004.moves_as_first",
    "hopeful-rewards": "document_004.rewards",
    "ucb1-tuned": "document_004.selection",
    "first-play-urgency": "document_004.selection",
    "grandparent-knowledge": "document_004.selection",
    "experience-tree": "document_004.selection",
    "key-positions": "document_004.selection",
    "uct-against-alpha-beta": "document_004.alpha_beta",
}
"""The module below ``montego.experiments`` that holds each experiment, in the order of lists."""


def find_experiment(name: str) -> Experiment:
    """Return the experiment of that name. Loads its module, and no other.

    Raises:
        GoError: If there is none.
    """
    if name not in MODULES:
        close = [known for known in MODULES if name in known]
        hint = f"; perhaps {', '.join(close)}" if close else ""
        raise GoError(f"unknown experiment {name!r}{hint}: see 'montego experiment list'")
    module = import_module(f"montego.experiments.{MODULES[name]}")
    for value in vars(module).values():
        if isinstance(value, Experiment) and value.name == name:
            return value
    raise AssertionError(f"{module.__name__} has no experiment {name}")


def read_experiments(path: str) -> list[Experiment]:
    """Return the experiments in a Python file of one's own, in its order.

    Its folder becomes a place to import from, so that worker processes find it too.

    Raises:
        GoError: If there is no such file, it cannot be loaded, another module has its name, or
            there is no experiment in it.
    """
    file = Path(path).resolve()
    if not file.is_file():
        raise GoError(f"there is no file {path}")
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    try:
        module = import_module(file.stem)
    except Exception as error:
        # Whatever is wrong in somebody's own file: a sentence that says where to look.
        raise GoError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    loaded = getattr(module, "__file__", None)
    if loaded is None or Path(loaded).resolve() != file:
        where = f", {loaded}" if loaded else ""
        raise GoError(f"{path} has the name of another module{where}: give it one of its own")
    found = [value for value in vars(module).values() if isinstance(value, Experiment)]
    if not found:
        raise GoError(f"{path} holds no experiment")
    return found


def all_experiments() -> list[Experiment]:
    """Return all experiments of the registry. Loads every module."""
    return [find_experiment(name) for name in MODULES]
