"""Whether a stronger playout is a better one: policies alone, and inside a search (001 6).

Alone a policy plays each move that one of its playouts would begin with; in a search it plays the
simulations to the end. Either way the opponent is the same with random playouts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from montego.arena.drawing import Curve, Dot
from montego.engine.knowledge.definition import go_game
from montego.experiments.document_001 import mogo
from montego.experiments.games import KOMI, RULES, play_match_trial
from montego.experiments.verdict import Check, more
from montego.experiments.win_rates import WinRates, game_experiment, held_out
from montego.go.kernels.layout import PASSES, TO_PLAY
from montego.go.kernels.position import LEGAL, move_fault
from montego.go.playout.policy import find_policy
from montego.go.vocabulary.color import BLACK
from montego.jit.index import Index
from montego.jit.state import LIMIT, TRACE, new_scratch

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON, Cells, Scale, Trial

SIZE = 9
OPPONENT = "uniform"
POLICIES = ("urgency", "sequence", "balanced")
SIMULATIONS = 300
ALONE, SEARCH = "{}, alone", "{}, in a search"
NOTE = (
    "Urgency and sequence have typed weights, the balanced playout learned ones; docs/learn.md "
    "tells how."
)


def _player(policy: str, simulations: int) -> dict[str, JSON]:
    return mogo.mc_rave(simulations) | {"playout": policy}


def _cells(scale: Scale) -> Cells:
    quick = scale == "quick"
    count = 30 if quick else SIMULATIONS
    cells: dict[str, tuple[dict[str, JSON], int]] = {}
    for policy in POLICIES:
        players = {"first": _player(policy, count), "second": _player(OPPONENT, count)}
        # Without a search a game takes no time, and the strongest two win nearly all.
        cells[ALONE.format(policy)] = (players | {"alone": True}, 2 if quick else 1000)
        cells[SEARCH.format(policy)] = (players, 1 if quick else 60)
    return cells


def play_trial(trial: Trial) -> dict[str, JSON]:
    """Play a game between two searches or, if the settings say alone, their two policies."""
    if not trial.settings.get("alone"):
        return play_match_trial(trial)
    names = [str(trial.settings[side]["playout"]) for side in ("first", "second")]
    began = trial.number % 2 == 0
    score, moves = play_alone(names if began else names[::-1], trial.seed)
    score = score if began else -score
    result = 1.0 if score > 0 else 0.0 if score < 0 else 0.5
    return {"result": result, "began": began, "score": score, "moves": moves}


def play_alone(policies: list[str], seed: int) -> tuple[float, int]:
    """Play a game in which each move is one that a playout begins with; Black's policy is first.

    Returns Black's score, komi included, and how many moves there were. A move that superko forbids
    is a pass.
    """
    found = [find_policy(name) for name in policies]
    games = [go_game(SIZE, rules=RULES, komi=KOMI, playout=name) for name in policies]
    scratches = [
        new_scratch(games[0].longest_game, seed + number, policy.room(SIZE))
        for number, policy in enumerate(found)
    ]
    state, before, moves = games[0].initial_state(), set[int](), 0
    while state[PASSES] < 2 and moves < games[0].longest_game:
        turn = 0 if int(state[TO_PLAY]) == BLACK else 1
        game, scratch = games[turn], scratches[turn]
        limit, scratch[LIMIT] = scratch[LIMIT], np.uint64(1)
        found[turn].playout(state.copy(), game.knowledge, scratch)
        move = Index(scratch[TRACE])
        scratch[LIMIT] = limit
        before.add(int(game.hash(state, game.knowledge, scratch)))
        after = state.copy()
        if move != 0 and move_fault(state, move, int(state[TO_PLAY])) != LEGAL:
            move = Index(0)
        game.play(after, game.knowledge, scratch, move)
        if move != 0 and int(game.hash(after, game.knowledge, scratch)) in before:
            after = state.copy()
            game.play(after, game.knowledge, scratch, Index(0))
        state, moves = after, moves + 1
    return float(games[0].score(state, games[0].knowledge, scratches[0])), moves


def _checks(wins: WinRates) -> list[Check]:
    """Check that who is best alone is not best in a search.

    Who they are is found in a quarter of the games, and the others say whether it is so.
    """
    choosing, counting = (WinRates(results) for results in held_out(wins.results))
    if any(name.format(policy) not in choosing for policy in POLICIES for name in (ALONE, SEARCH)):
        return [more(None, None)]
    strongest = max(POLICIES, key=lambda policy: choosing[ALONE.format(policy)].ours)
    others = [policy for policy in POLICIES if policy != strongest]
    rival = max(others, key=lambda policy: choosing[SEARCH.format(policy)].ours)
    return [
        more(counting.get(ALONE.format(strongest)), counting.get(ALONE.format(rival))),
        more(counting.get(SEARCH.format(rival)), counting.get(SEARCH.format(strongest))),
    ]


def _curves(wins: WinRates) -> list[Curve]:
    found = []
    for policy in POLICIES:
        alone, search = wins.get(ALONE.format(policy)), wins.get(SEARCH.format(policy))
        if alone is not None and search is not None:
            place = Dot(100 * alone.ours, 100 * search.ours, 100 * search.low, 100 * search.high)
            found.append(Curve(policy, [place]))
    return found


STRONGER_PLAYOUTS = game_experiment(
    name="stronger-playouts",
    document="001",
    section="6",
    question="Is the playout that plays best also the one that a search plays best with?",
    claim="That a stronger default policy performs better in Monte-Carlo search is often incorrect "
    "(no figure is given); simulation balancing tunes it to be right in the mean instead.",
    cells=_cells,
    checks=_checks,
    plot="strength",
    caption="Games won against random moves by the policy alone, and against the same search with "
    "random playouts.",
    axes=("alone, games won, %", "in a search, games won, %"),
    log_x=False,
    curves=_curves,
    simulations=SIMULATIONS,
    notes=[NOTE],
    run=play_trial,
    cost={"quick": 0.3, "full": 8},
)
