"""The settings of a search as compiled code takes them: plain numbers, one type for all searches.

People write a :class:`montego.mcts.config.Config`; its ``settings()`` makes one of these.
"""

from __future__ import annotations

from typing import NamedTuple

# What an edge tallies beside the rewards.
TALLY_OFF, TALLY_SQUARES, TALLY_WINS = 0, 1, 2


class Settings(NamedTuple):
    """Numbers only. Flags are 0 or 1. What they mean is documented in ``Config``."""

    exploration: float
    exploration_growth: float
    first_play_urgency: float
    first_play_reduction: float
    rave_equivalence: float
    rave_bias: float
    progressive_bias: float
    widening: float
    selection_temperature: float
    pruning_errors: float
    prior_to_visits: float
    prior_to_amaf: float
    prior_even: float
    prior_grandfather: float
    prior_grandparent: float
    prior_game: float
    experience: float
    backup_maximum: float
    reward_win: float
    reward_loss: float
    reward_score: float
    reward_blend: float
    reward_scale: float
    reward_points: float
    evaluation: float
    root_noise: float
    root_temperature: float
    gumbel_visits: float
    gumbel_scale: float
    gumbel: int
    considered: int
    planned: int
    reward_average: int
    reward_window: int
    reward_adapts: int
    pruning_after: int
    judge_cut: int
    expand_after: int
    expand_one: int
    expand_nodes: int
    shuffle: int
    depth_limit: int
    amaf: int
    amaf_opposite: int
    amaf_earliness: int
    amaf_tree: int
    tally: int
    keep_inverse_sqrt: int
    decisive: int
    solver: int
    virtual_loss: int
    global_lock: int
    alone: int
    plain: int
    own_playout: int
    own_priors: int
    own_experience: int
    own_hash: int
    own_turn: int
    apart: int


RUN_SETTINGS = tuple(
    name
    for name in Settings._fields
    if (name.startswith("reward_") and name != "reward_window")
    or name in {"tally", "decisive", "planned"}
)
"""Those that may be others at the next search with the same tree and threads."""
