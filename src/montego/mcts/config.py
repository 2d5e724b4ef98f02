"""Every setting of a search, in one immutable value.

Each field says what it means, the value that switches it off, and where it comes from; "000" to
"004" are the documents listed in ``docs/architecture.md``. Impossible values are refused when the
configuration is made, before any search.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from inspect import isfunction
from typing import TYPE_CHECKING

from montego.jit import Kernel
from montego.mcts.errors import InvalidConfig
from montego.mcts.kernels.settings import TALLY_OFF, TALLY_SQUARES, TALLY_WINS, Settings
from montego.setting import setting, wanted_instead

if TYPE_CHECKING:
    from montego.mcts.game import GameDefinition

SELECTIONS = (
    "ucb1",
    "ucb1-tuned",
    "greedy",
    "rave",
    "rave-hand",
    "rave-child",
    "rave-mse",
    "rave-mse-exact",
    "rave-variance",
    "progressive-bias",
    "puct",
    "flat",
    "progressive-pruning",
    "objective",
    "gaussian",
    "softmax",
    "gumbel",
)
WITHOUT_EVALUATION = tuple(name for name in SELECTIONS if name != "gumbel")
"""Selections for any game; the others want it to have an evaluation."""
WITH_AMAF = ("rave", "rave-hand", "rave-child", "rave-mse", "rave-mse-exact", "rave-variance")
ONE_MOVE_DEEP = ("flat", "progressive-pruning")
EXPANSIONS = ("all", "one")
MOVE_ORDERS = ("random", "game")
AMAF_UPDATES = ("first", "every")
AMAF_SCOPES = ("subtree", "tree")
FINAL_MOVES = ("robust", "max", "robust-max", "confident", "combined")
REWARDS = ("win", "score", "bounded-score")
PARALLELS = ("tree", "lock", "root", "joined")

SHARED_DEPTH = 6
"""Moves from the root whose statistics searches on several machines share: those of the root, and
five plies below."""
SHARED_LEAST = 0.01
"""Share of the root's visits that a node below it must have to be shared."""

SEEDS = 1 << 63
"""How many seeds there are, from 0 on."""


@dataclass(frozen=True, kw_only=True)
class Config:
    """Settings of a search. Immutable, so a logged configuration is the one that ran.

    Raises:
        InvalidConfig: If a field has a value it cannot have; the message names it.
    """

    # Budget

    simulations: int | None = setting(
        10_000,
        "Simulations a move; None for no limit, when seconds or a stop signal must end it.",
        bounds=(1, 10**18),
    )
    seconds: float | None = setting(
        None, "Wall-clock seconds a move; None for no limit.", bounds=(0.0, 1e9)
    )
    early_stop: bool = setting(
        True, "Whether to stop when the leading move can no longer be overtaken in visits."
    )

    # Selection

    selection: str | Kernel[..., float] = setting(
        "rave-mse",
        "Which move to follow: a name, or a formula of one's own (see "
        "`montego.mcts.kernels.formula`). `ucb1`, `ucb1-tuned`, `greedy`, `progressive-bias`, "
        "`puct`; with all moves as first `rave` (alone), `rave-hand`, `rave-child`, `rave-mse`, "
        "`rave-mse-exact`, `rave-variance`; `flat` Monte Carlo, one move deep, and the same with "
        "`progressive-pruning`; drawn by chance `objective` Monte Carlo, `gaussian`, `softmax`; "
        "`gumbel`, for few simulations with an evaluation.",
        choices=SELECTIONS,
    )
    exploration: float = setting(
        0.3,
        "The constant c of UCB1, RAVE and PUCT; 0 explores nothing, the documents' choice with "
        "RAVE. Document 000 writes the constant inside the root: its C = 2 is c = 1.41. PUCT with "
        "an evaluation wants more, such as 0.7.",
        bounds=(0.0, 1e6),
    )
    exploration_growth: float = setting(
        0.45,
        "How much c of PUCT grows with the visits of a node that was evaluated: by this times the "
        "logarithm of 1 + N / 500.",
        bounds=(0.0, 1e6),
    )
    first_play_urgency: float = setting(
        math.inf, "Urgency of a move never tried; infinite tries each once first (004 4.3.5)."
    )
    first_play_reduction: float = setting(
        0.2,
        "How much less than its node's mean a move never tried is worth to PUCT, where nodes are "
        "evaluated: this times the root of the chances of those that were tried.",
        bounds=(0.0, 1.0),
    )
    rave_equivalence: float = setting(
        1000.0,
        "k: visits at which a move's own value and its RAVE weigh the same (001 equation 19).",
        bounds=(0.0, 1e9),
    )
    rave_bias: float = setting(
        0.1,
        "b: the error assumed in RAVE values by the minimum-MSE schedules (001 equations 46, 47).",
        bounds=(0.0, 1e6),
    )
    rave_bias_learned: bool = setting(
        False,
        "Whether b becomes what AMAF values were off by in this search's own trees, from the "
        "second search on (001 4.6.2); `rave_bias` is where it begins.",
    )
    selection_temperature: float = setting(
        0.1,
        "τ of `softmax`: the higher, the more alike are the chances of all moves (001 3.5).",
        bounds=(1e-3, 1e6),
    )
    pruning_errors: float = setting(
        2.0,
        "Standard errors by which a move must be worse than the best one, each way, for "
        "`progressive-pruning` to leave it out.",
        bounds=(0.0, 1e6),
    )
    pruning_after: int = setting(
        30, "Visits of a move before `progressive-pruning` judges it.", bounds=(1, 10**9)
    )
    progressive_bias: float = setting(
        1.0, "Weight of the prior value in `progressive-bias`.", bounds=(-1e6, 1e6)
    )
    widening: float = setting(
        0.0, "μ > 1 considers 1 + ln n / ln μ moves, best prior first (000 3.2.2); 0 considers all."
    )

    # Expansion

    expansion: str = setting(
        "all",
        "`all`: a node's moves compete from the start; `one`: one untried move a simulation.",
        choices=EXPANSIONS,
    )
    expand_after: int = setting(
        1,
        "A leaf gets children when it is visited again after this many visits. 0: at once, and the "
        "playout's first move counts as one of its moves (001 algorithm 2).",
        bounds=(0, 10**9),
    )
    expand_nodes: int = setting(
        1,
        "Nodes that an expansion adds, with a playout from each (000 3.1.2).",
        bounds=(1, 10**6),
    )
    move_order: str = setting(
        "random",
        "`random`: of moves that seem equal any may be tried first; `game`: the one that the game "
        "lists first (004 4.3.4).",
        choices=MOVE_ORDERS,
    )

    # Priors, as equivalent experience (001 section 5)

    prior_even: float = setting(
        0.0, "Visits that every move starts with, at value 1/2; 0 for none.", bounds=(0.0, 1e6)
    )
    prior_grandfather: float = setting(
        0.0,
        "Visits that the value of the same move two plies before is worth (001 5.1); a move that "
        "has none starts at one half, with as many. 0 for none.",
        bounds=(0.0, 1e6),
    )
    prior_grandparent: float = setting(
        0.0,
        "Share of the uncle's own visits that a move inherits when its node is expanded (004 "
        "4.3.6.1 has it at each real move: `grandparent` of the player); 0 for none.",
        bounds=(0.0, 1e6),
    )
    prior_game: float = setting(
        1.0, "Scale of the game's own priors; 0 does without them.", bounds=(0.0, 1e6)
    )
    prior_to_visits: float = setting(
        1.0, "How much of a prior's worth enters a move's own statistics.", bounds=(0.0, 1e6)
    )
    prior_to_amaf: float = setting(
        1.0, "How much of a prior's worth enters its RAVE statistics.", bounds=(0.0, 1e6)
    )

    # Experience of earlier searches (004 4.3.6.2)

    experience: float = setting(
        1.0,
        "How much of the visits that a game's experience tells of a node starts with; 0 does "
        "without experience.",
        bounds=(0.0, 1e6),
    )

    # All moves as first

    amaf_update: str = setting(
        "first",
        "`first`: a move counts for who first played at its place (001); `every`: for each player "
        "who played it at all (004 equation 4.4).",
        choices=AMAF_UPDATES,
    )
    amaf_scope: str = setting(
        "subtree",
        "`subtree`: a position's moves have the simulations through it (001); `tree`: those of the "
        "whole search, one value W(a)/N(a) a move and player, wherever it was played (002).",
        choices=AMAF_SCOPES,
    )
    amaf_opposite: bool = setting(
        False,
        "Whether moves that the other player made count with the opposite reward (004 1.2.2).",
    )
    amaf_earliness: bool = setting(
        False,
        "Whether earlier moves weigh more: 2 for the next, down to 1 for the last of the game.",
    )

    # Back-up

    backup_maximum: float = setting(
        0.0,
        "0 backs up the mean, 1 the best move's mean, and in between (001 2.4).",
        bounds=(0.0, 1.0),
    )
    reward: str = setting(
        "win",
        "`win`: 1 and 0; `score`: win + score / `reward_scale` (000 7.6); `bounded-score`: the "
        "same with 0.9 for a win and 0.1 for a loss.",
        choices=REWARDS,
    )
    reward_scale: float = setting(
        100.0, "Points that are worth as much as a win.", bounds=(0.1, 1e9)
    )
    reward_temperature: float = setting(
        0.0,
        "0 rewards wins alone, 1 a smooth function of the score (004 5.2).",
        bounds=(0.0, 1.0),
    )
    reward_average: bool = setting(
        False, "Whether a win is a score above the running average (004 5.2), not above 0."
    )
    reward_window: int = setting(
        0,
        "Simulations that the running average is of, the latest ones (004 5.2); 0 for all since "
        "the position came up.",
        bounds=(0, 100_000),
    )
    reward_adapts: bool = setting(
        False,
        "Whether `reward_temperature` adapts (004 5.2): nothing of it in an even game, all of it "
        "in one that is decided.",
    )
    reward_points: float = setting(
        0.0,
        "How much of the reward is for a score above the running average; the rest is for the "
        "win. Above 0 it tells moves apart where every one of them wins, or none. Not with "
        "`ucb1-tuned`, the solver, or a formula of one's own.",
        bounds=(0.0, 1.0),
    )

    # Evaluation

    evaluation: float = setting(
        0.0,
        "How much the game's own evaluation of a position counts: 0 plays out alone, 1 plays out "
        "nothing, and in between they are mixed.",
        bounds=(0.0, 1.0),
    )

    cutoff: int = setting(
        0,
        "Moves after which a playout is cut off and judged: by the game's evaluation if it has "
        "one, else by the score as it stands (001 2.3). 0 plays to the end.",
        bounds=(0, 10**9),
    )
    root_noise: float = setting(
        0.0,
        "Noise at the root, where variety is asked for; 0 for none. With `gumbel`, how much of "
        "Gumbel's is added; with `puct` and an evaluation, the share of the moves' chances that is "
        "Dirichlet's instead, at most 1: 0.25 is usual.",
        bounds=(0.0, 10.0),
    )
    root_temperature: float = setting(
        1.0,
        "Makes the chances that an evaluation gives the moves at the root more alike if it is "
        "above 1, for variety, and less if it is below: they are raised to the power of one by it.",
        bounds=(0.01, 100.0),
    )
    considered: int = setting(16, "Moves that `gumbel` considers at the root.", bounds=(1, 100_000))
    gumbel_visits: float = setting(
        50.0,
        "Visits from which on a move's value counts more than its chance with `gumbel` (c_visit).",
        bounds=(0.0, 1e9),
    )
    gumbel_scale: float = setting(
        0.4, "How much a move's value counts with `gumbel` (c_scale).", bounds=(0.0, 1e6)
    )

    # The end

    final_move: str = setting(
        "robust",
        "`robust`: most visits; `max`: best mean; `robust-max`: best in both, searching on with "
        "up to half as many simulations, and within the seconds, if no move is; `confident`: best "
        "lower confidence bound; `combined`: greatest value by the selection's own formula, "
        "without exploration (001 algorithm 2).",
        choices=FINAL_MOVES,
    )
    decisive: bool = setting(
        True,
        "Whether a move that ends the game and wins it is taken wherever it is found (Teytaud and "
        "Teytaud 2010). Only where a win is all that is rewarded.",
    )
    solver: bool = setting(False, "Whether proven wins, losses and draws propagate up the tree.")

    # Majority voting (000 7.5)

    votes: int = setting(
        1,
        "d: that many searches of a d-th of the simulations each, and the move most of them chose.",
        bounds=(1, 10_000),
    )
    votes_threshold: float = setting(
        0.0,
        "k: vote only where there are more than k simulations a legal move; else search once. "
        "Where only `seconds` are given it is not asked: nobody knows the simulations beforehand.",
        bounds=(0.0, 1e18),
    )

    # Resources

    threads: int = setting(1, "Threads. One is deterministic by the seed.", bounds=(1, 1024))
    parallel: str = setting(
        "tree",
        "`tree`: one tree, without locks; `lock`: one tree, one lock for it (003); `root`: a tree "
        "for each thread, their roots added up; `joined`: a tree for each thread, joined into one "
        "when the search is over (003).",
        choices=PARALLELS,
    )
    virtual_loss: int = setting(
        1, "Visits that a simulation under way counts for.", bounds=(1, 1000)
    )
    memory: float = setting(
        500.0,
        "Megabytes for the tree. When it is full the least visited nodes are pruned.",
        bounds=(1.0, 200_000.0),
    )  # More edges have no number of 32 bits.
    seed: int = setting(0, "Of the random numbers.", bounds=(0, SEEDS - 1))

    def __post_init__(self) -> None:
        for declared in fields(self):
            name, value = declared.name, getattr(self, declared.name)
            if name == "selection" and isinstance(value, Kernel):
                continue
            wanted = wanted_instead(declared, value)
            if name == "selection" and isfunction(value):
                wanted = "@kernel(inline=True) above its def, from montego.jit import kernel"
            if wanted is not None:
                raise InvalidConfig(f"invalid {name} {value!r}: say {wanted}")
        if self.seconds == 0:
            raise InvalidConfig("invalid seconds 0: say a number above 0")
        if self.first_play_urgency == -math.inf:
            raise InvalidConfig("invalid first_play_urgency -inf: no move would ever be tried")
        if self.widening != 0.0 and not 1.0 < self.widening < math.inf:
            raise InvalidConfig(f"invalid widening {self.widening!r}: say 0, or a number above 1")
        if self.simulations is None and self.seconds is None and self.votes > 1:
            raise InvalidConfig("votes want a number of simulations or seconds to divide")
        if self.reward_points > 0.0 and self._tally == TALLY_SQUARES:
            raise InvalidConfig("reward_points wants another selection: this one tallies squares")
        if self.selection == "gumbel" and self.evaluation == 0.0:
            raise InvalidConfig("gumbel wants an evaluation above 0")
        if self.selection == "puct" and self.root_noise > 1.0:
            raise InvalidConfig(f"invalid root_noise {self.root_noise:g}: with puct at most 1")
        if self.reward_points > 0.0 and self.solver:
            raise InvalidConfig("reward_points cannot be used with the solver")

    @property
    def uses_amaf(self) -> bool:
        """Whether all-moves-as-first statistics are kept; a formula of one's own gets them."""
        return isinstance(self.selection, Kernel) or self.selection in WITH_AMAF

    @property
    def _tally(self) -> int:
        if self.selection == "ucb1-tuned" or isinstance(self.selection, Kernel):
            return TALLY_SQUARES
        return TALLY_WINS if self.reward_points > 0.0 else TALLY_OFF

    @property
    def trees(self) -> int:
        """How many trees grow at the same time and share the memory."""
        return self.threads if self.parallel in ("root", "joined") else 1

    @property
    def experience_per_tree(self) -> float:
        """The scale of experience in one tree; those of root parallel search are added up."""
        return self.experience / self.trees

    def settings(self, game: GameDefinition) -> Settings:
        """Return the numbers that compiled code takes.

        Raises:
            InvalidConfig: If the selection wants an evaluation that the game does not have.
        """
        from montego.mcts.game import (  # noqa: PLC0415
            alternating,
            no_evaluation,
            no_experience,
            no_hash,
            no_playout,
            no_priors,
        )

        amaf = {"first": 1, "every": 2}[self.amaf_update] if self.uses_amaf else 0
        bounded = self.reward == "bounded-score"
        own_priors = game.priors is not no_priors and self.prior_game > 0
        own_hash = game.hash is not no_hash
        own_experience = game.experience is not no_experience and self.experience > 0
        priors = self.prior_even + self.prior_grandfather + self.prior_grandparent
        evaluation = 0.0 if game.evaluate is no_evaluation else float(self.evaluation)
        if self.selection == "gumbel" and evaluation == 0.0:
            raise InvalidConfig(f"gumbel wants an evaluation, and {game.name} has none")
        # Nothing is written to an edge's prior: no priors, and no edges closed.
        plain = priors == 0 and not (own_priors or own_hash or self.solver or evaluation)
        # Where scores count as well, to win at once is not all.
        only_wins = self.reward == "win" and not (
            self.reward_temperature or self.reward_average or self.reward_points
        )
        alone = self.threads == 1 or self.parallel in ("root", "joined")
        return Settings(
            exploration=float(self.exploration),
            exploration_growth=float(self.exploration_growth),
            first_play_urgency=float(self.first_play_urgency),
            first_play_reduction=float(self.first_play_reduction),
            rave_equivalence=float(self.rave_equivalence),
            rave_bias=float(self.rave_bias),
            progressive_bias=float(self.progressive_bias),
            widening=float(self.widening),
            selection_temperature=float(self.selection_temperature),
            pruning_errors=float(self.pruning_errors),
            prior_to_visits=float(self.prior_to_visits),
            prior_to_amaf=float(self.prior_to_amaf),
            prior_even=float(self.prior_even),
            prior_grandfather=float(self.prior_grandfather),
            prior_grandparent=float(self.prior_grandparent),
            prior_game=float(self.prior_game),
            experience=self.experience_per_tree,
            backup_maximum=float(self.backup_maximum),
            reward_win=0.9 if bounded else 1.0,
            reward_loss=0.1 if bounded else 0.0,
            reward_score=0.0 if self.reward == "win" else 1.0 / self.reward_scale,
            reward_blend=float(self.reward_temperature),
            reward_scale=float(self.reward_scale),
            reward_points=float(self.reward_points),
            evaluation=evaluation,
            root_noise=float(self.root_noise),
            root_temperature=float(self.root_temperature),
            gumbel_visits=float(self.gumbel_visits),
            gumbel_scale=float(self.gumbel_scale),
            gumbel=int(self.selection == "gumbel"),
            considered=self.considered,
            # The first simulation only judges the root.
            planned=0 if self.simulations is None else min(self.simulations - 1, 1 << 30),
            reward_average=int(self.reward_average),
            reward_window=self.reward_window,
            reward_adapts=int(self.reward_adapts),
            pruning_after=self.pruning_after,
            judge_cut=int(self.cutoff > 0 and game.evaluate is not no_evaluation),
            expand_after=self.expand_after,
            expand_one=int(self.expansion == "one"),
            expand_nodes=self.expand_nodes,
            shuffle=int(self.move_order == "random"),
            # Deeper than any game no path can be stored; a cycle may well lead there.
            depth_limit=1 if self.selection in ONE_MOVE_DEEP else game.longest_game + 1,
            amaf=amaf,
            amaf_opposite=int(self.amaf_opposite),
            amaf_earliness=int(self.amaf_earliness),
            amaf_tree=int(amaf != 0 and self.amaf_scope == "tree"),
            tally=self._tally,
            # What is kept is rounded to 32 bits, which would decide between equals where there is
            # no exploration; and threads that count several visits at a time could leave it far
            # off.
            keep_inverse_sqrt=int(
                self.selection == "ucb1"
                and self.exploration > 0.0
                and plain
                and not own_experience
                and (alone or self.virtual_loss == 1)
            ),
            decisive=int(self.decisive and only_wins),
            solver=int(self.solver),
            virtual_loss=self.virtual_loss,
            global_lock=int(self.parallel == "lock"),
            alone=int(alone),
            plain=int(plain),
            own_playout=int(game.playout is not no_playout),
            own_priors=int(own_priors),
            own_experience=int(own_experience),
            own_hash=int(own_hash),
            own_turn=int(game.turn is not alternating),
            apart=0,
        )
