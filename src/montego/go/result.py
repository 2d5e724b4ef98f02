"""How a game ended, and the text for it that SGF (``RE[]``) and GTP (``final_score``) share."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

from montego.go.vocabulary.color import Color, format_color, parse_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.number import read_number

How = Literal["score", "draw", "resignation", "time", "forfeit", "win", "void", "unknown"]

_LETTERS: dict[How, str] = {"resignation": "R", "time": "T", "forfeit": "F", "win": ""}
_WORDS: dict[str, How] = {
    "": "win",
    "r": "resignation",
    "resign": "resignation",
    "resignation": "resignation",
    "t": "time",
    "time": "time",
    "f": "forfeit",
    "forfeit": "forfeit",
}
_WITHOUT_WINNER: dict[str, How] = {
    "0": "draw",
    "draw": "draw",
    "jigo": "draw",
    "void": "void",
    "?": "unknown",
    "": "unknown",
}
_WIN = re.compile(r"(b|w|black|white)\s*\+\s*(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Result:
    """Who won, and how; as text ``"B+3.5"``, ``"W+R"``, ``"W+T"``, ``"0"``, ``"Void"``, ``"?"``.

    ``winner`` is ``"black"``, ``"white"``, or None for a draw, a void game and an unknown result.
    ``margin`` is how many points the winner is ahead, with ``how == "score"`` only.
    """

    winner: Color | None
    how: How
    margin: float | None = None

    @classmethod
    def by_score(cls, score: float) -> Result:
        """Return the result of a *score* (Black's points minus White's, komi included)."""
        if score == 0:
            return cls(None, "draw")
        return cls("black" if score > 0 else "white", "score", abs(score))

    def __str__(self) -> str:
        if self.winner is None:
            return {"draw": "0", "void": "Void"}.get(self.how, "?")
        initial = self.winner[0].upper()
        return f"{initial}+{_LETTERS[self.how] if self.margin is None else f'{self.margin:.10g}'}"


def parse_result(text: str) -> Result:
    """Return the result that *text* means, in any case, with words or letters.

    A margin of zero is a draw, whoever is named. Draws have one text, ``"0"``, on the way out.

    Raises:
        GoError: If it is none of the forms in use.
    """
    plain = text.strip()
    without_winner = _WITHOUT_WINNER.get(plain.lower())
    if without_winner is not None:
        return Result(None, without_winner)
    match = _WIN.fullmatch(plain)
    if match:
        winner = format_color(parse_color(match[1]))
        rest = match[2].lower()
        if rest in _WORDS:
            return Result(winner, _WORDS[rest])
        number = rest.replace(",", ".")
        margin = read_number(number)
        if math.isfinite(margin) and margin >= 0:
            return Result.by_score(margin if winner == "black" else -margin)
    raise GoError(f"invalid result {text!r}: say B+3.5, W+R, W+T, W+F, 0, Void or ?")
