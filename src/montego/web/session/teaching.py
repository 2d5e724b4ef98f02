"""A teacher's words: what a move cost, what refutes it, and what to learn from a whole game.

Nothing is searched here. What searches found in the positions before and after a move comes as
:class:`~montego.web.game.tree.Reviewed`; what a line of play does to stones is seen by playing it.
Losses are those of the player who moved: chances from 0 to 1, and points where the game has them.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from montego.engine.searching.analysis import error_of
from montego.go.game import Game
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import parse_vertex
from montego.web.game.go_referee import points_in_words
from montego.web.game.tree import Reviewed
from montego.web.messages.replies import Lesson, Mistake
from montego.web.thinking.thinker import chance_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from montego.web.game.referee import State
    from montego.web.game.tree import GameNode
    from montego.web.messages.replies import Findings
    from montego.web.messages.requests import Color

WORTH_A_WORD = 0.05
"""Chance that a move must have lost to be listed: less is within the error of the search."""

BLUNDER = 0.15
"""Chance that a bad mistake loses; others are shown as small ones."""

MOST_MISTAKES = 30
MOST_LESSONS = 3
LOOKED_AHEAD = 8  # Moves of a line that are played to see what becomes of stones.
WON_AHEAD = 3  # Moves within which a capture is one's own, not luck later on.
EARLY = 2  # Times the side of the board: moves with which corners and sides are shared out.
EDGE = 2  # Lines at the edge of the board.
FAR = 4  # Lines between a move and the better one, from which it was another part of the board.


class Loss(NamedTuple):
    """What a move cost."""

    chance: float
    points: float | None
    """None where scores are not known."""


def reviewed(findings: Findings) -> Reviewed:
    """Return what is kept of a search."""
    best = findings.moves[0] if findings.moves else None
    return Reviewed(
        value=findings.value,
        best=None if best is None else best.move,
        variation=() if best is None else tuple(best.variation),
        score=findings.score,
        simulations=findings.known,
    )


def loss_of(color: Color, before: Reviewed, after: Reviewed) -> Loss:
    """Return what *color* lost between two positions."""
    sign = 1.0 if color == "black" else -1.0
    points = None
    if before.score is not None and after.score is not None:
        points = sign * (before.score - after.score)
    return Loss(sign * (before.value - after.value), points)


def mistake_of(node: GameNode, before: Reviewed | None, after: Reviewed | None) -> Mistake | None:
    """Return what was wrong with a move; None if nothing worth a word is known."""
    if before is None or after is None or node.color is None or before.best == node.move:
        return None  # With the best move, what differs is only how long was searched.
    loss = loss_of(node.color, before, after)
    if loss.chance < max(WORTH_A_WORD, _error(before, after)):
        return None
    return Mistake(
        node=node.id,
        loss=round(loss.chance, 4),
        points=None if loss.points is None else round(max(loss.points, 0.0), 1),
        better=before.best,
        variation=list(before.variation),
        refutation=list(after.variation),
        bad=loss.chance >= BLUNDER,
    )


def mistakes_in(line: Sequence[GameNode]) -> list[Mistake]:
    """Return the moves of a line that lost some chance, the largest loss first.

    *line* goes from the root to the end; moves whose positions were not reviewed are left out.
    """
    found = [mistake_of(node, before.judged, node.judged) for before, node in pairwise(line)]
    known = [mistake for mistake in found if mistake is not None]
    return sorted(known, key=lambda mistake: -mistake.loss)[:MOST_MISTAKES]


# One move in words


def verdict(  # What a sentence is made of.
    color: Color, name: str, move: str, before: Reviewed, after: Reviewed, state: State
) -> list[str]:
    """Say what a move is worth beside the best one, and what answers it, in a line or two.

    *state* is the position before it.
    """
    best = before.best or "the best move"
    loss = loss_of(color, before, after)
    if move == best or loss.chance < max(WORTH_A_WORD, _error(before, after)):
        return [f"After {move} {name} has {_chance(color, after)} to win, by a short search."]
    cost = f"After {move} {name} has {_chance(color, after)} to win, by a short search; "
    cost += f"after {best} {_chance(color, before)}"
    if loss.points is not None and loss.points >= 1.0:
        cost += f", and {points_in_words(round(loss.points))} more"
    lines = [f"{cost}."]
    if after.variation:
        answer = " ".join(after.variation[:4])
        taken = stones_taken(state, color, [move, *after.variation])
        captures = f", which captures {_stones(taken)}" if taken else ""
        lines.append(f"The answer is {answer}{captures}.")
    return lines


def judged_since(color: Color, name: str, found: Reviewed) -> str:
    """Say what a search has found after a move that was explained by another one."""
    return f"Judged for itself since, the position gives {name} {_chance(color, found)} to win."


def in_one_sentence(  # As above.
    color: Color, name: str, move: str, before: Reviewed, after: Reviewed, state: State
) -> str:
    """Say what a move is worth in plain words, without numbers of a search."""
    loss = loss_of(color, before, after)
    place = "To pass" if move == "pass" else move
    if move == before.best:
        return f"{place} is what Montego would play, too."
    if loss.chance < max(WORTH_A_WORD, _error(before, after)):
        return f"{place} is a good move."
    worse = "a mistake" if loss.chance < BLUNDER else "a bad mistake"
    sentence = f"{place} is {worse}"
    taken = stones_taken(state, color, [move, *after.variation])
    if taken and after.variation:
        sentence += f": {after.variation[0]} leads to the capture of {_stones(taken)}"
    won = stones_won(state, color, before.variation[:WON_AHEAD])
    if before.best is None:
        return f"{sentence}."
    better = "to pass" if before.best == "pass" else before.best
    gain = f", which wins {_stones(won)}" if won and not taken else ""
    return f"{sentence}. {name} should have played {better}{gain}."


def _chance(color: Color, found: Reviewed) -> str:
    error = error_of(found.value, found.simulations)
    return f"{chance_for(color, found.value):.0%} (±{error:.0%})"


def _error(before: Reviewed, after: Reviewed) -> float:
    """Return what a difference may be by chance."""
    errors = (error_of(one.value, one.simulations) for one in (before, after))
    return math.hypot(*errors) / 2


def _stones(count: int) -> str:
    return "a stone" if count == 1 else f"{count} stones"


# What lines of play do to stones, in Go


def stones_taken(state: State, color: Color, moves: Sequence[str]) -> int:
    """Return how many stones *color*, who moves first, loses in a line of play; 0 but in Go."""
    return _captures(state, color, moves)[1]


def stones_won(state: State, color: Color, moves: Sequence[str]) -> int:
    """Return how many stones *color*, who moves first, captures in a line of play; 0 but in Go."""
    return _captures(state, color, moves)[0]


def _captures(state: State, color: Color, moves: Sequence[str]) -> tuple[int, int]:
    """Return what a color captures and what it loses, as far as the line can be played."""
    if not isinstance(state, Game):
        return 0, 0
    game, player = state.copy(), color
    begun = game.captures
    for move in moves[:LOOKED_AHEAD]:
        try:
            game.play(player, move)
        except GoError:
            break
        player = "white" if player == "black" else "black"
    black, white = game.captures.black - begun.black, game.captures.white - begun.white
    return (black, white) if color == "black" else (white, black)


# Lessons


def lessons_in(
    line: Sequence[GameNode], color: Color, state_at: Callable[[int], State]
) -> list[Lesson]:
    """Return what a person who played *color* can learn from a game: three lessons at most.

    The largest mistakes come first, and each kind of mistake only once.
    """
    nodes = {node.id: node for node in line}
    found: dict[str, Lesson] = {}
    for mistake in mistakes_in(line):
        node = nodes[mistake.node]
        if node.color != color or node.parent is None:
            continue
        title, text = _lesson(node, mistake, state_at(node.parent))
        found.setdefault(title, Lesson(node=node.id, title=title, text=text))
    return list(found.values())[:MOST_LESSONS]


def _lesson(node: GameNode, mistake: Mistake, state: State) -> tuple[str, str]:
    """Return what a mistake teaches: a rule, and the move that it comes from."""
    color, move, better = node.color or "black", node.move or "", mistake.better or ""
    where = f"At move {node.number}"
    should = f" {better} was better." if better not in ("", "pass") else ""
    answer = mistake.refutation[0] if mistake.refutation else ""
    if not isinstance(state, Game):
        return "Look for the best answer first", f"{where}, {move} lost ground.{should}"
    taken = stones_taken(state, color, [move, *mistake.refutation])
    won = stones_won(state, color, mistake.variation[:WON_AHEAD])
    title = "Ask what the opponent will answer"
    text = f"{where}, after {move} the opponent got the better of the fight"
    text += f" with {answer}.{should}" if answer else f".{should}"
    if move == "pass":
        title = "Do not pass while points are open"
        text = f"{where} you passed, and there was still something to gain.{should}"
    elif taken:
        title = "Count liberties before you play elsewhere"
        text = f"{where}, {move} let {_stones(taken)} be captured, beginning with {answer}.{should}"
    elif won:
        title = "Look for captures first"
        text = f"{where} {better} would have led to the capture of {_stones(won)}."
    elif node.number <= EARLY * state.size and _is_on_edge(move, state.size):
        title = "Stay off the edge in the opening"
        text = f"{where}, {move} on the edge gained little.{should}"
    elif _distance(move, better, state.size) >= FAR:
        title = "Play where it is largest"
        text = f"{where}, {move} was small; there was a larger move elsewhere.{should}"
    return title, text


def _is_on_edge(move: str, size: int) -> bool:
    """Say whether a move is on the first or second line."""
    point = parse_vertex(move, size)
    return point is not None and min(*point, *(size - 1 - place for place in point)) < EDGE


def _distance(one: str, other: str, size: int) -> int:
    """Return how many lines two moves are apart; 0 if one is not on the board."""
    here, there = parse_vertex(one, size), parse_vertex(other or "pass", size)
    if here is None or there is None:
        return 0
    return max(abs(here[0] - there[0]), abs(here[1] - there[1]))
