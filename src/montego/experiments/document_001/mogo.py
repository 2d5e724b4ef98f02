"""The program of document 001, MoGo, as contestants of :mod:`montego.experiments.games`.

Its playouts are our sequence-like ones. They hold MoGo's rules (001 3.6: save what was put into
atari, 3x3 patterns, captures, else at random) and what the field has added since, such as that most
self-ataris are refused: with the four rules alone, as the document tells them, our search wins far
fewer games against GNU Go than MoGo did, and a curve near 0 would tell nothing.

Each search begins with an empty tree, so that the number of simulations is what it says. Komi is
7.5, as on the server where MoGo played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montego.experiments.games import NO_WEIGHTS

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON

GNUGO_LEVEL = 10
"""Document 001 plays against GNU Go 3.7.10 at this level."""
EQUIVALENCE = 1000.0
"""k, the equivalence parameter, unless it is what is varied: 001 is best at 1,000 or more."""
EXPLORATION = 0.4
"""c of UCB1 without RAVE. 001 does not say its own."""
NOTE_PLAYOUTS = (
    "Playouts hold MoGo's rules and what the field has added since, such as that most self-ataris "
    "are refused: with the document's rules alone this search wins far fewer games against GNU Go "
    "than MoGo did. Figures against GNU Go are therefore of a like program, not of the same."
)
NOTE_PRESET = (
    "Playouts are the document's four rules and nothing else: the preset mogo, without its "
    "heuristic, with the patterns of MoGo's report, which the document names. Which eyes MoGo had "
    "it does not say."
)
NOTE_EXPLORATION = f"UCT explores with c = {EXPLORATION:g}; the document does not say its own."
NOTE_LEARNED = (
    "Local shape is the weights that come with the program, learned by temporal differences from "
    "its own games as the document's were; the document's own are not in it."
)

SHAPE = "local shape"
OURS = "strong players"
"""The one that the document has not."""

_IN_SEARCH = {"even game": "prior_even", "grandfather": "prior_grandfather"}
_IN_GAME = {
    # What rules of thumb are worth in the program's own weights, as parts of the equivalent
    # experience of a move that one of them speaks for; where none does, half of it says one half.
    "handcrafted": {
        "even": 0.5,
        "capture": 0.75,
        "escape": 0.75,
        "atari": 0.25,
        "self_atari": 0.5,
        "pattern": 0.5,
        "policy": 0.5,
        "eye": 0.5,
    },
    SHAPE: {"shape": 1.0},
    # In the proportion that the player uses a move that is surely foretold has eleven parts, and
    # one that nothing foretells has one. 001 gives each the same, so here their mean is the
    # equivalent experience: over the legal moves of games on 9x9 it is 1.9 parts.
    OURS: {"even": 1 / 1.9, "prediction": 10 / 1.9},
}
HEURISTICS = (*_IN_SEARCH, *_IN_GAME)


def plain(simulations: int, *, size: int = 9, **search: JSON) -> dict[str, JSON]:
    """Return MoGo without prior knowledge; *search* are fields of ``Config``."""
    return {
        "size": size,
        "playout": "sequence",
        "fresh": True,
        "search": {"simulations": simulations, **search},
    }


def uct(simulations: int, exploration: float = EXPLORATION, *, size: int = 9) -> dict[str, JSON]:
    """Return MoGo with UCB1 and without RAVE."""
    return plain(simulations, size=size, selection="ucb1", exploration=exploration)


def mc_rave(
    simulations: int, k: float = EQUIVALENCE, *, size: int = 9, **search: JSON
) -> dict[str, JSON]:
    """Return MoGo with MC-RAVE and the hand-selected schedule (001 equation 19)."""
    fields_of_search = {"selection": "rave-hand", "exploration": 0.0, "rave_equivalence": k}
    return plain(simulations, size=size, **fields_of_search | search)


def preset(simulations: int, **options: str) -> dict[str, JSON]:
    """Return MoGo as the document tells it, its four rules in the playouts and no heuristic.

    *options* are the player's, with underscores.
    """
    named = {name.replace("_", "-"): text for name, text in options.items()}
    return {
        "preset": "mogo",
        "options": {"prior-rules": "0"} | named,
        "search": {"simulations": simulations},
    }


def with_heuristic(player: dict[str, Any], heuristic: str, visits: float) -> dict[str, JSON]:
    """Return the player with one of :data:`HEURISTICS`, worth so many visits (001 5.1).

    As in the document's experiments they count as all-moves-as-first experience. *Handcrafted* are
    our rules of thumb about captures, atari, patterns and what playouts would play. *Local shape*
    was learned from the program's own games by temporal differences. *Strong players*, which the
    document has not, is what the program has learned about their choices, worth so many visits on
    average over the legal moves.

    Raises:
        ValueError: If there is no such heuristic.
    """
    search = player["search"] | {"prior_to_amaf": 1.0, "prior_to_visits": 0.0}
    if heuristic in _IN_SEARCH:
        return player | {"search": search | {_IN_SEARCH[heuristic]: visits}}
    if heuristic not in _IN_GAME:
        raise ValueError(f"unknown heuristic {heuristic!r}")
    parts = _IN_GAME[heuristic]
    weights = {name: visits * part for name, part in (NO_WEIGHTS | parts).items()}
    return player | {"search": search, "priors": weights}
