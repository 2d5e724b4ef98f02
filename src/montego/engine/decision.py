"""What the player decided, and why, in words.

An explanation says what the search saw, not what a teacher would: visits, chances, alternatives,
the expected continuation, and what was believed before any simulation, by priors or by a network.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from montego.engine.searching.analysis import FEW_VISITS, agreeing_score, error_of
from montego.go.vocabulary.vertex import format_vertex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.engine.searching.analysis import Analysis, MoveInfo
    from montego.go.game import Game
    from montego.go.playout.order import RuleOrder

ALTERNATIVES = 3
CONTINUATION = 8
SWINGS = 5  # Points to name whose owner depends on the move.
SWING = 0.4  # What is worth naming.
CLOSE = 0.02  # Difference of values that means nothing.


class DecisionReason(Enum):
    """Why the player answers what it answers; the value is the reason in words."""

    SEARCH = "the search prefers it"
    EXPERIENCE = "it did best in earlier games"
    LEVEL = "the level plays less than its best"
    STYLE = "it is about as good as the best, and in the style that was asked for"
    COLD_START = "the search is still being compiled; a move by simple rules"
    NO_SEARCH = "the search cannot be compiled; a move by simple rules"
    NOTHING_TO_GAIN = "the result is settled and nothing is left to gain"
    ANSWERED_PASS = "the opponent passed, and the count is good enough"  # noqa: S105  # No password.
    IMITATED = "the opponent passed, and it does the same"
    CLEANUP = "dead stones are to be captured before the end"
    ADVICE = "the search and its adviser prefer it together"
    NO_MOVES = "there is no move left but to pass"
    RESIGNED = "the game is lost"
    CANCELLED = "the search was cancelled"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The answer to ``genmove``."""

    color: str
    """``"black"`` or ``"white"``: who is to play it."""
    vertex: str | None
    """``"D4"``, ``"pass"``, ``"resign"``; None if the search was cancelled."""
    reason: DecisionReason
    analysis: Analysis | None
    """What the search found; None if there was none. Its komi may be an imagined one."""
    seconds: float
    """Time it took to decide."""
    note: str = ""
    """More about the reason, in a few words: why it passes, or does not."""
    advice: tuple[str, ...] = ()
    """What an adviser said and what that changed, in words; nothing without one."""

    @property
    def is_move(self) -> bool:
        """Whether it can be played on the board: a point or a pass."""
        return self.vertex is not None and self.vertex != "resign"


def explain(decision: Decision, reasons: Sequence[str] = (), *, chance: bool = True) -> str:
    """Return a few lines of text, without empty ones.

    *reasons* are what the playout policy and the priors have to say about the move, in words.
    Without *chance* nothing is said of its own chance to win, for those who know it better.
    """
    lines = [_headline(decision)]
    found = None if decision.analysis is None else decision.analysis.in_truth()
    if found is not None and found.simulations and found.best is not None:
        chosen = next((m for m in found.moves if m.vertex == decision.vertex), found.best)
        lines.append(_search(found))
        lines.append(_chances(found, chosen) if chance else f"{_share_of_visits(found, chosen)}.")
        lines += _votes(found, chosen)
        lines += _experience(found, chosen)
        lines += _comparison(found, chosen)
        lines.append(f"Expected: {' '.join(chosen.variation[:CONTINUATION])}.")
        lines += _territory(found, chosen)
        lines += (
            [_beliefs(found, chosen)] if found.network_value is None else _network(found, chosen)
        )
    lines += decision.advice
    if reasons:
        lines.append(f"By shape and tactics: {'; '.join(reasons)}.")
    return "\n".join(lines)


def explain_in_game(
    decision: Decision,
    game: Game,
    patterns: str | None = None,
    order: RuleOrder | None = None,
    *,
    chance: bool = True,
) -> str:
    """Explain a decision made in *game*, in which it may have been played since.

    *patterns* and *order* are as in :func:`reasons_for`, *chance* as in :func:`explain`.
    """
    vertex, before = decision.vertex, game.copy()
    if before.moves and before.moves[-1] == (decision.color, vertex):
        before.undo()
    reasons = []
    if vertex not in (None, "pass", "resign") and before.fault(decision.color, vertex) is None:
        reasons = reasons_for(before, decision.color, vertex, patterns, order)
    return explain(decision, reasons, chance=chance)


def _headline(decision: Decision) -> str:
    name = decision.color.capitalize()
    act = {"pass": "passes", "resign": "resigns", None: "decides nothing"}.get(
        decision.vertex, f"plays {decision.vertex}"
    )
    note = f" ({decision.note})" if decision.note else ""
    return f"{name} {act}: {decision.reason.value}{note}."


def _search(found: Analysis) -> str:
    text = f"It made {found.simulations} simulations in {found.seconds:.1f} s"
    kept = found.visits - found.simulations
    if kept > 0:
        text += f" and knew {kept} from before"
    tried = sum(move.visits > 0 for move in found.moves)
    text += f"; {_moves(tried)} {'was' if tried == 1 else 'were'} tried."
    return f"{text} The game is decided, so points were counted." if found.points else text


def _chances(found: Analysis, chosen: MoveInfo) -> str:
    name = found.to_play.capitalize()
    went = _share_of_visits(found, chosen)
    if chosen.visits < FEW_VISITS:
        return f"{went}: too few to tell its chance to win."
    error = max(100 * error_of(chosen.value, chosen.visits), 1.0)
    chance = f"{100 * chosen.value:.0f}%{found.proviso}, give or take {error:.0f}"
    if found.scored_apart:
        return f"{went}. {name}'s chance to win is {chance}."
    score = found.mean_score if chosen.score is None else chosen.score
    score = agreeing_score(score, chosen.value if name == "Black" else 1.0 - chosen.value)
    leader, points = ("Black", score) if score > 0 else ("White", -score)
    ends = f"{leader} ends {points:.1f} points ahead" if points >= 0.05 else "the score is even"
    return f"{went}. {name}'s chance to win is {chance}; {ends} on average."


def _share_of_visits(found: Analysis, chosen: MoveInfo) -> str:
    return f"{100 * chosen.visits / max(found.visits, 1):.0f}% went through {chosen.vertex}"


def _votes(found: Analysis, chosen: MoveInfo) -> list[str]:
    """Say how the searches voted, if they did."""
    if not found.votes:
        return []
    searches = sum(votes for _, votes in found.votes)
    own = dict(found.votes).get(chosen.vertex, 0)
    others = [f"{vertex} {votes}" for vertex, votes in found.votes if vertex != chosen.vertex]
    text = f"Of {searches} searches {own} voted for it"
    return [f"{text}; {', '.join(others[:ALTERNATIVES])}." if others else f"{text}."]


def _experience(found: Analysis, chosen: MoveInfo) -> list[str]:
    """Say how much of it comes from the book."""
    if not found.book_visits:
        return []
    known = f"of {found.book_visits:,.0f} in this position"
    if not chosen.book_visits:
        return [f"The book has no visits on it, {known}."]
    won = f"{100 * chosen.book_value:.0f}% of them were won"
    return [f"The book has {chosen.book_visits:,.0f} visits on it, {known}; {won}."]


def _comparison(found: Analysis, chosen: MoveInfo) -> list[str]:
    others = [move for move in found.moves if move is not chosen and move.visits][:ALTERNATIVES]
    if not others:
        return ["Nothing else was worth a try."]
    lines = [f"Other moves: {', '.join(map(_in_short, others))}."]
    second = others[0]
    better = max(others, key=lambda move: move.value)
    if better.value > chosen.value + CLOSE and not found.points:
        lines.append(_rejected(better, chosen))
    elif second.visits > chosen.visits:
        lines.append(f"{second.vertex} was searched more, but is not played here.")
    elif 2 * second.visits > chosen.visits and (
        found.points or abs(second.value - chosen.value) < CLOSE
    ):
        lines.append(f"The choice between {chosen.vertex} and {second.vertex} is close.")
    elif chosen.visits > 4 * second.visits and chosen.visits >= FEW_VISITS:
        lines.append("The choice is clear.")
    return lines


def _in_short(move: MoveInfo) -> str:
    """Return ``"D4 (120 visits, 55%)"``, without a chance where visits are few."""
    visits = "1 visit" if move.visits == 1 else f"{move.visits} visits"
    chance = f", {100 * move.value:.0f}%" if move.visits >= FEW_VISITS else ""
    return f"{move.vertex} ({visits}{chance})"


def _rejected(better: MoveInfo, chosen: MoveInfo) -> str:
    """Say why a move with a higher value is not the one that is played."""
    if better.visits > chosen.visits:
        return f"{better.vertex} was searched more and looks better, but is not played here."
    if better.value - error_of(better.value, better.visits) < chosen.value:
        return f"{better.vertex} looks better, but was searched too little to be relied on."
    return f"{better.vertex} looks better, but was found late: more simulations went elsewhere."


def _territory(found: Analysis, chosen: MoveInfo) -> list[str]:
    """Say where the move makes a difference to the owner, compared with the next best."""
    rival = next((move for move in found.moves if move is not chosen and move.ownership), None)
    if chosen.ownership is None or rival is None or rival.ownership is None:
        return []
    size = round(len(chosen.ownership) ** 0.5)
    changes = sorted(
        (
            (abs(here - there), index)
            for index, (here, there) in enumerate(
                zip(chosen.ownership, rival.ownership, strict=True)
            )
        ),
        reverse=True,
    )
    named = [
        format_vertex((index % size, size - 1 - index // size))
        for change, index in changes[:SWINGS]
        if change >= SWING
    ]
    return [f"Compared with {rival.vertex} it decides about {', '.join(named)}."] if named else []


def _beliefs(found: Analysis, chosen: MoveInfo) -> str:
    rank = 1 + sum(move.prior > chosen.prior for move in found.moves)
    alike = sum(move.prior == chosen.prior for move in found.moves) > 1
    belief = "like others" if alike else f"number {rank} of {_moves(len(found.moves))}"
    text = f"At first sight it was {belief}"
    if chosen.rave_visits >= FEW_VISITS:
        text += f"; played there at any time, {100 * chosen.rave_value:.0f}% were won"
    return f"{text}."


def _network(found: Analysis, chosen: MoveInfo) -> list[str]:
    """Say what the network expected, and what the search made of it."""
    name, value = found.to_play.capitalize(), 100 * (found.network_value or 0.0)
    share = network_share(found, chosen)
    lines = [
        f"Before any search the network gave {name} {value:.0f}% to win, and its move {share}."
    ]
    first = max(found.moves, key=lambda move: move.prior)
    if first is not chosen:
        text = f"Its own choice was {first.vertex} ({_share(first.prior)})"
        if first.visits:
            text += f", but the search found {100 * first.value:.0f}%"
            answer = first.variation[1:CONTINUATION]
            text += f" after {' '.join(answer)}" if answer else ""
        lines.append(f"{text}.")
    return lines


def network_share(found: Analysis, move: MoveInfo) -> str:
    """Return the chance that a network gives a move, and its rank among all moves, in words."""
    rank = 1 + sum(other.prior > move.prior for other in found.moves)
    return f"{_share(move.prior)}, number {rank} of {_moves(len(found.moves))}"


def _share(chance: float) -> str:
    return f"{100 * chance:.0f}%" if chance >= 0.01 else "less than 1%"


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


def reasons_for(
    game: Game,
    color: str,
    vertex: str,
    patterns: str | None = None,
    order: RuleOrder | None = None,
) -> list[str]:
    """Return what the rules of the playout say for a move of *color* in a position, in words.

    *patterns* is the path of a file of 3x3 patterns, or None for our own, *order* that of the
    rules, or None for the usual one. Runs interpreted.
    """
    from montego.go.playout.explain import (  # noqa: PLC0415  # Only those who ask load it.
        matching_patterns,
        suggestions,
    )
    from montego.go.playout.reason import Reason  # noqa: PLC0415

    reasons = {
        suggestion.reason: suggestion.reason.meaning
        for suggestion in suggestions(game, color, patterns, order)
        if suggestion.vertex == vertex and suggestion.reason is not Reason.PATTERN
    }
    found = list(reasons.values())
    shapes = [name for at, name in matching_patterns(game, color, patterns) if at == vertex]
    if shapes:
        found.append(f"it makes the shape {', '.join(dict.fromkeys(shapes))}")
    return found
