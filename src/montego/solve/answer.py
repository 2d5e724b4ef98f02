"""What a solver answers: values, moves and lines, as plain data, and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from montego.go.vocabulary.color import Color
    from montego.solve.fight import Side

Value = Literal["lives", "dies", "seki", "ko", "unknown"]
Outside = Literal["closed", "independent", "attacker"]


MOST_THREATS = 3
"""Threats that a ko is tried with."""


@dataclass(frozen=True)
class Verdict:
    """What becomes of the stones if one side moves first."""

    value: Value
    favors: Side | None = None
    """Of a ko: who wins it if nobody has a threat."""
    threats: int | None = None
    """Of a ko: how many threats the other side needs, more than its opponent, to win it;
    MOST_THREATS + 1 if it needs more than so many, as in a ko that it can hold but never end. None
    if that is not known."""
    proven: bool = False
    """Whether it is certain. What depends on the outside is not."""

    def __str__(self) -> str:
        if self.value != "ko":
            return self.value
        if self.threats is None:
            needed = "some threats"
        elif self.threats > MOST_THREATS:
            needed = f"more than {MOST_THREATS} threats"
        else:
            needed = f"{self.threats} threat{'s' if self.threats > 1 else ''}"
        loser = "defender" if self.favors == "attacker" else "attacker"
        return f"ko in favor of the {self.favors}; the {loser} needs {needed}"


UNKNOWN = Verdict("unknown")


@dataclass(frozen=True)
class MoveAnswer:
    """A first move."""

    vertex: str
    works: bool | None
    """Whether it comes to as much as any move does; None if that is not known."""
    line: tuple[str, ...]
    """How play may go on, the move itself first; passes are ``"pass"``."""
    variations: tuple[tuple[str, ...], ...] = ()
    """The same for other replies of the side that does not get what it wants, as lines that begin
    like :attr:`line`."""


MOST_TOLD = 15
"""First moves that fail which are told in words, each with its refutation."""


@dataclass(frozen=True)
class Suggestion:
    """A first move that a search likes best, where none is proven."""

    vertex: str
    value: float
    """The chance that the side to move reaches what it wants, as the search sees it."""
    line: tuple[str, ...]
    """How play may go on, the move itself first."""
    simulations: int


@dataclass(frozen=True)
class Answer:
    """All that was found out about a problem."""

    defender: Color
    to_move: Color
    target: tuple[str, ...]
    """The stones to be captured, in reading order."""
    verdict: Verdict = UNKNOWN
    """With :attr:`to_move` to move."""
    other: Verdict = UNKNOWN
    """With the other side to move."""
    moves: tuple[MoveAnswer, ...] = ()
    """What was found about first moves; those that work come first. There are none if it
    :attr:`needs_no_move`."""
    outside: Outside = "attacker"
    """The part of the rest of the board: none, because walls close the fight; none, as it comes out
    the same whoever has the outside; or the verdict, which is not proven, holds if the outside is
    the attacker's, and its stones stay alive."""
    assumed: tuple[str, ...] = ()
    """Stones around it whose life was taken for granted."""
    possible: tuple[str, ...] = ()
    """Of an unknown verdict, and if it :attr:`needs_no_move`: the first moves that are not refuted,
    if the outside is the attacker's. None if that was not found out."""
    nodes: int = 0
    seconds: float = 0.0
    suggestion: Suggestion | None = None
    """What a search would play, if it was asked because no move is proven."""

    @property
    def correct(self) -> tuple[str, ...]:
        """The first moves that work."""
        return tuple(move.vertex for move in self.moves if move.works)

    @property
    def first_move(self) -> str | None:
        """The move to play: one that is proven, else the search's, else one that may work."""
        if self.verdict.proven and self.correct:
            return self.correct[0]
        if self.suggestion is not None:
            return self.suggestion.vertex
        return self.correct[0] if self.correct and self.is_success else None

    @property
    def is_success(self) -> bool:
        """Whether the side to move has something to gain: it gets more than by waiting."""
        return _worth(self.verdict, self.mover) > _worth(self.other, self.mover)

    @property
    def needs_no_move(self) -> bool:
        """Whether the attacker, to move, would get what it gets by waiting, and nothing is proven.

        The walls then stand so near that almost every move would seem to work.
        """
        if self.verdict.proven or self.mover == "defender":
            return False
        gets, waiting = self.verdict.value, self.other.value
        return gets in ("dies", "ko") and waiting != "unknown" and not self.is_success

    @property
    def mover(self) -> Side:
        """The side to move."""
        return "defender" if self.to_move == self.defender else "attacker"

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {
            "defender": self.defender,
            "toMove": self.to_move,
            "target": list(self.target),
            **_verdict_json(self.verdict),
            "ifOtherMoves": _verdict_json(self.other),
            "outside": self.outside,
            "assumedAlive": list(self.assumed),
            "moves": [
                {
                    "move": move.vertex,
                    "works": move.works,
                    "line": list(move.line),
                    "variations": [list(line) for line in move.variations],
                }
                for move in self.moves
            ],
            **({"possible": list(self.possible)} if self.possible else {}),
            **self._suggestion_json(),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
        }

    def _suggestion_json(self) -> dict[str, Any]:
        found = self.suggestion
        if found is None:
            return {}
        return {
            "suggestion": {
                "move": found.vertex,
                "value": round(found.value, 4),
                "line": list(found.line),
                "simulations": found.simulations,
            }
        }

    def in_words(self) -> str:
        """Return it as sentences, a line each."""
        defender = self.defender.capitalize()
        mover = self.to_move.capitalize()
        count = len(self.target)
        stones = "stone" if count == 1 else f"{count} stones"
        lines = [
            f"{defender}'s {stones} at {self.target[0]}: {_sentence(self.verdict, mover)}",
        ]
        works = [move.vertex for move in self.moves if move.works]
        if works and self.verdict.value != "unknown":
            verb = "works" if len(works) == 1 else "work"
            best = self.moves[0]
            ways = "; or ".join(" ".join(line) for line in (best.line, *best.variations))
            lines.append(f"{', '.join(works)} {verb}: {ways}")
        failing = [move for move in self.moves if move.works is False and len(move.line) > 1]
        lines += [f"{move.vertex} fails: {' '.join(move.line)}" for move in failing[:MOST_TOLD]]
        if len(failing) > MOST_TOLD:
            lines.append(f"{len(failing) - MOST_TOLD} other moves fail, too.")
        if self.possible:
            lines.append(
                f"Not refuted, if the outside is the attacker's: {', '.join(self.possible)}."
            )
        if self.suggestion is not None:
            lines.append(
                f"A search would play {self.suggestion.vertex}, with a chance of "
                f"{self.suggestion.value:.0%}, which is no proof: {' '.join(self.suggestion.line)}"
            )
        waiting = "Black" if self.to_move == "white" else "White"
        lines.append(f"If {waiting} moves first: {_sentence(self.other, waiting)}")
        if self.outside == "attacker" and self.verdict.value != "unknown":
            lines.append(
                "It depends on the outside: this holds if that is the attacker's, and lives."
            )
            if self.needs_no_move:
                lines.append(
                    f"{mover} would get as much by waiting: this does not tell which move to play."
                )
        if self.assumed:
            lines.append(f"Taken for alive: the chains at {', '.join(self.assumed)}.")
        lines.append(f"{self.nodes:,} nodes, {self.seconds:.1f} s")
        return "\n".join(lines)


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    found: dict[str, Any] = {"value": verdict.value, "proven": verdict.proven}
    if verdict.value == "ko":
        found |= {"favors": verdict.favors, "threatsNeeded": verdict.threats}
    return found


def _sentence(verdict: Verdict, mover: str) -> str:
    certainty = "proven" if verdict.proven else "not proven"
    if verdict.value == "unknown":
        return f"unknown if {mover} moves first."
    return f"{verdict} if {mover} moves first ({certainty})."


def _worth(verdict: Verdict, side: Side) -> float:
    """Return what a verdict is worth to a side, for comparisons alone."""
    if verdict.value == "unknown":
        return 0.0
    scale = {"dies": -2.0, "ko": 0.0, "seki": 1.0, "lives": 2.0}
    worth = scale[verdict.value]
    if verdict.value == "ko":
        steps = 1.0 / (1 + (verdict.threats or MOST_THREATS + 1))
        worth = 0.5 - 0.5 * steps if verdict.favors == "defender" else -0.5 + 0.5 * steps
    return worth if side == "defender" else -worth
