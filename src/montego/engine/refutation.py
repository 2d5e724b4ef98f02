"""What would come of a move that a person asks about, in words: how the opponent answers it.

The search that decided has tried such a move a few times at best. So the position after it is
searched anew, in a tree of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.engine.decision import CLOSE, CONTINUATION, network_share
from montego.engine.searching.searcher import Searcher
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex, parse_vertex

if TYPE_CHECKING:
    import threading
    from collections.abc import Sequence

    from montego.engine.options.options import Options
    from montego.engine.searching.analysis import Analysis, MoveInfo
    from montego.go.game import Game

SIMULATIONS = 2000
SECONDS = 3.0
"""How long the position after the move is searched: as many, and for as long, at most."""

MEMORY = 96.0  # Megabytes of its tree.
BAD = 0.08  # Loss of the chance to win from which a move is called a mistake.


@dataclass(frozen=True, kw_only=True)
class AskedMove:
    """A move that a person asks about, and the position before it."""

    game: Game
    """Before the move; not changed."""
    color: str
    vertex: str
    """As a person wrote it."""
    found: Analysis | None
    """What a search found in that position, if there was one."""

    def checked(self) -> str:
        """Return the vertex as we write it.

        Raises:
            GoError: If it is none, or the move is illegal.
        """
        vertex = format_vertex(parse_vertex(self.vertex, self.game.size))
        fault = self.game.fault(self.color, vertex)
        if fault is not None:
            raise GoError(f"{self.color} cannot play {vertex}: {fault}")
        return vertex


def refute(
    asked: AskedMove, options: Options, interrupt: threading.Event | None = None
) -> list[str]:
    """Say in a few lines what comes of a move: its best answer, and what it is worth.

    Raises:
        GoError: If there is no such vertex, the move is illegal, or the search is not compiled yet.
    """
    vertex = asked.checked()
    game = asked.game.copy()
    game.play(asked.color, vertex)
    after = _search(game, options, interrupt)
    found = None if asked.found is None else asked.found.in_truth()
    lines = [] if found is None else _known(found, vertex)
    lines += _answer(asked, vertex, after)
    if found is not None and found.best is not None:
        lines += _verdict(found, vertex, 1.0 - after.value)
    return lines


def _search(game: Game, options: Options, interrupt: threading.Event | None) -> Analysis:
    """Search a position, for wins and by the true komi."""
    options = options.on_board(game.size).replace(
        book=None, with_=None, simulations=None, seconds=SECONDS, memory=MEMORY
    )
    searcher = Searcher(options, game.size, game.rules)

    def is_interrupted() -> bool:
        return interrupt is not None and interrupt.is_set()

    if not searcher.preparation.wait(SECONDS, is_interrupted):
        raise GoError("the search is still being compiled: ask again in a minute")
    searcher.follow(game, game.to_play, exact=True)
    searcher.run(
        simulations=SIMULATIONS,
        seconds=SECONDS,
        early_stop=False,
        watch=lambda _elapsed: is_interrupted(),
    )
    return searcher.analysis(sampled=True)


def _known(found: Analysis, vertex: str) -> list[str]:
    """Say what was known of the move when another was chosen, or the same."""
    move = next((info for info in found.moves if info.vertex == vertex), None)
    if move is None:
        return [f"{vertex} was not considered: it fills an eye, or was left out."]
    lines = []
    if found.network_value is not None:
        lines.append(f"Before any search the network gave {vertex} {network_share(found, move)}.")
    if move is found.best:
        return [*lines, f"It is the move that the search prefers, with {_percent(move.value)}."]
    if not move.visits:
        return [*lines, "The search never tried it."]
    times = "once" if move.visits == 1 else f"{move.visits} times"
    return [*lines, f"The search tried it {times} and found {_percent(move.value)} to win."]


def _answer(asked: AskedMove, vertex: str, after: Analysis) -> list[str]:
    """Say how the opponent answers, and where that leads."""
    mover, other = asked.color.capitalize(), after.to_play.capitalize()
    best = after.best
    if best is None:
        return [f"After {vertex} there is nothing left to play."]
    line = best.variation[:CONTINUATION]
    text = f"After {vertex}, by {after.visits} visits, {other} answers {line[0]}"
    if len(line) > 1:
        text += f", and then {' '.join(line[1:])}"
    taken = _captures(asked, vertex, line)
    lines = [f"{text}{f', which captures {taken}' if taken else ''}."]
    score = after.mean_score if best.score is None else best.score
    leader, points = ("Black", score) if score > 0 else ("White", -score)
    ends = f"{leader} ends {points:.1f} points ahead" if points >= 0.05 else "the score is even"
    lines.append(f"{mover}'s chance to win is then {_percent(1.0 - after.value)}; {ends}.")
    return lines


def _captures(asked: AskedMove, vertex: str, line: Sequence[str]) -> str:
    """Return how many stones of the one who moved the line takes, in words; nothing if none."""
    game = asked.game.copy()
    game.play(asked.color, vertex)
    other, own = ("white", "black") if asked.color == "black" else ("black", "white")
    taken = 0
    for number, answer in enumerate(line):
        color = (other, own)[number % 2]
        if game.fault(color, answer) is not None:
            break  # The search knows no more of superko than its tree.
        game.play(color, answer)
        taken += game.captured if color == other else 0
    return f"{taken} stone{'s' if taken > 1 else ''}" if taken else ""


def _verdict(found: Analysis, vertex: str, value: float) -> list[str]:
    """Compare with the move that the search preferred, or with the next if that is the same."""
    rival: MoveInfo | None = next((m for m in found.moves if m.vertex != vertex and m.visits), None)
    if rival is None:
        return []
    loss = rival.value - value
    against = f"{rival.vertex} ({_percent(rival.value)})"
    if loss >= BAD:
        return [f"That is a mistake: {against} is better by {100 * loss:.0f} in a hundred games."]
    if loss >= CLOSE:
        return [f"{against} is a little better."]
    if loss > -CLOSE:
        return [f"It is as good as {against}."]
    return [f"That is better than {against}, as far as this search sees."]


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}%"
