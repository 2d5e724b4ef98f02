"""How urgent a move is to try next: one small function for each formula of the literature.

A formula is given a move's statistics and returns a number; the move with the largest is tried. The
statistics come as sums, priors already mixed in, because RAVE then needs one division, not three.
A student's own formula is a kernel of the same signature, passed as ``Config(selection=...)``.

A move without any visits gets the first-play urgency (004 4.3.5): infinite means that each is
tried once before any is tried twice.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from montego.jit import kernel

if TYPE_CHECKING:
    from montego.mcts.kernels.settings import Settings


class Statistics(NamedTuple):
    """What is known of a move when it is judged."""

    parent: float  # N(s), visits of the position, and what its moves started with
    log_parent: float  # ln N(s)
    n: float  # N(s, a), visits of the move, the prior's included
    w: float  # sum of its rewards, the prior's included
    m: float  # visits as all-moves-as-first
    a: float  # sum of its all-moves-as-first rewards
    squares: float  # sum of its squared rewards, the prior's included as wins and losses
    p: float  # the prior value
    combined: float  # what ``rave-mse-exact`` returned last; 0 at first, and for other formulas


@kernel(inline=True)
def ucb1(move: Statistics, settings: Settings) -> float:
    """w/n + c √(ln N / n): UCB1. With c = √C it is document 000's form, with c = √2 004's."""
    if move.n <= 0.0:
        return settings.first_play_urgency
    share = 1.0 / move.n  # One division: this runs at every edge of every level.
    return move.w * share + settings.exploration * math.sqrt(move.log_parent * share)


@kernel(inline=True)
def ucb1_tuned(move: Statistics, settings: Settings) -> float:
    """w/n + c √(ln N / n · min(1/4, V)), V an upper bound of the variance (Auer et al. 2002).

    The minimum stands inside the root, as in the original; document 004 prints it outside.
    """
    if move.n <= 0.0:
        return settings.first_play_urgency
    mean = move.w / move.n
    variance = move.squares / move.n - mean * mean + math.sqrt(2.0 * move.log_parent / move.n)
    variance = min(0.25, max(variance, 0.0))  # Rounding may take it below 0.
    return mean + settings.exploration * math.sqrt(move.log_parent / move.n * variance)


@kernel(inline=True)
def greedy(move: Statistics, settings: Settings) -> float:
    """w/n, without exploration."""
    return move.w / move.n if move.n > 0.0 else settings.first_play_urgency


@kernel(inline=True)
def rave(move: Statistics, settings: Settings) -> float:
    """a/m: the all-moves-as-first value alone (001 section 4.2)."""
    return move.a / move.m if move.m > 0.0 else settings.first_play_urgency


@kernel(inline=True)
def mix(beta: float, n: float, w: float, m: float, a: float) -> float:
    """(1 - β) w/n + β a/m (001 equation 12); where only one exists, that one."""
    if n <= 0.0:
        return a / m
    if m <= 0.0:
        return w / n
    return (1.0 - beta) * (w / n) + beta * (a / m)


@kernel(inline=True)
def explore(log_parent: float, n: float, settings: Settings) -> float:
    """C √(ln N / n), the bonus of UCT-RAVE (001 equation 18), with n at least 1.

    The equation's bonus of a move without visits is infinite, so that every move would be tried
    once, as if nothing were known of it as first; and none at all would favor what was tried.
    """
    if settings.exploration == 0.0:
        return 0.0
    return settings.exploration * math.sqrt(log_parent / max(n, 1.0))


@kernel(inline=True)
def rave_hand(move: Statistics, settings: Settings) -> float:
    """MC-RAVE with β = √(k / (3 N(s) + k)), the hand-selected schedule (001 equation 19)."""
    if move.n <= 0.0 and move.m <= 0.0:
        return settings.first_play_urgency
    k = settings.rave_equivalence
    beta = math.sqrt(k / (3.0 * move.parent + k))
    return mix(beta, move.n, move.w, move.m, move.a) + explore(move.log_parent, move.n, settings)


@kernel(inline=True)
def rave_child(move: Statistics, settings: Settings) -> float:
    """MC-RAVE with β = √(k / (3 n + k)): document 003's form, by the move's own visits."""
    if move.n <= 0.0 and move.m <= 0.0:
        return settings.first_play_urgency
    k = settings.rave_equivalence
    beta = math.sqrt(k / (3.0 * move.n + k))
    return mix(beta, move.n, move.w, move.m, move.a) + explore(move.log_parent, move.n, settings)


@kernel(inline=True)
def rave_mse(move: Statistics, settings: Settings) -> float:
    """MC-RAVE with β = m / (n + m + 4 n m b²), the minimum-MSE schedule (001 equation 47).

    Written with one division: (w (1 + 4 m b²) + a) / (n + m + 4 n m b²).
    """
    if move.n <= 0.0 and move.m <= 0.0:
        return settings.first_play_urgency
    biased = 4.0 * settings.rave_bias * settings.rave_bias * move.m
    value = (move.w * (1.0 + biased) + move.a) / (move.n + move.m + move.n * biased)
    return value + explore(move.log_parent, move.n, settings)


@kernel(inline=True)
def rave_mse_exact(move: Statistics, settings: Settings) -> float:
    """MC-RAVE with β = m / (n + m + n m b² / (μ (1 - μ))), μ the last combined value (001 eq. 46).

    Without a last value μ is 1/2. A value at 0 or 1 would weigh AMAF with nothing; μ is kept away.
    """
    if move.n <= 0.0 and move.m <= 0.0:
        return settings.first_play_urgency
    mu = move.combined if move.combined > 0.0 else 0.5
    mu = min(max(mu, 0.05), 0.95)
    biased = settings.rave_bias * settings.rave_bias * move.m / (mu * (1.0 - mu))
    value = (move.w * (1.0 + biased) + move.a) / (move.n + move.m + move.n * biased)
    return value + explore(move.log_parent, move.n, settings)


@kernel(inline=True)
def variance_of_mean(n: float, w: float) -> float:
    """μ (1 - μ) / n, the variance of a mean of n wins and losses, with μ = (w + 1) / (n + 2).

    The mean of that Beta distribution is never 0 or 1, where a handful of games would be certain.
    """
    mu = min(max((w + 1.0) / (n + 2.0), 1e-6), 1.0 - 1e-6)
    return mu * (1.0 - mu) / n


@kernel(inline=True)
def rave_variance(move: Statistics, settings: Settings) -> float:
    """MC-RAVE with β = σ² / (σ² + σ'² + b²), each value by its own variance (001 equation 43).

    σ² is that of the move's own mean and σ'² that of its AMAF mean; equations 46 and 47 take both
    to be those of one combined value.
    """
    if move.n <= 0.0 and move.m <= 0.0:
        return settings.first_play_urgency
    beta = 0.5
    if move.n > 0.0 and move.m > 0.0:
        own = variance_of_mean(move.n, move.w)
        amaf = variance_of_mean(move.m, move.a)
        beta = own / (own + amaf + settings.rave_bias * settings.rave_bias)
    return mix(beta, move.n, move.w, move.m, move.a) + explore(move.log_parent, move.n, settings)


@kernel(inline=True)
def progressive_bias(move: Statistics, settings: Settings) -> float:
    """UCB1 + h p / (n + 1), p the prior value (Chaslot et al. 2008): knowledge that fades."""
    bonus = settings.progressive_bias * move.p / (move.n + 1.0)
    if move.n <= 0.0:
        return settings.first_play_urgency + bonus
    return move.w / move.n + settings.exploration * math.sqrt(move.log_parent / move.n) + bonus


@kernel(inline=True)
def puct(move: Statistics, settings: Settings) -> float:
    """w/n + c p √N / (1 + n), p the prior as a probability (Silver et al. 2016).

    A move without visits counts with the first-play urgency in place of w/n, if that is finite.
    """
    bonus = settings.exploration * move.p * math.sqrt(move.parent) / (1.0 + move.n)
    if move.n <= 0.0:
        first = settings.first_play_urgency
        return (0.5 if first == math.inf else first) + bonus
    return move.w / move.n + bonus
