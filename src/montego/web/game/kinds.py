"""The kinds of games: who referees each, and who thinks; each loaded when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.web.game.saved import Agreement

if TYPE_CHECKING:
    from montego.engine.options.options import Options
    from montego.web.game.referee import Referee
    from montego.web.messages.requests import GameKind, NewGame
    from montego.web.thinking.thinker import Thinker

TITLES: dict[GameKind, str] = {
    "go": "Go",
    "hex": "Hex",
    "connect-four": "Connect 4",
    "tic-tac-toe": "Tic-tac-toe",
}


def agreement_for(request: NewGame) -> Agreement:
    """Return what a new game is played by.

    Raises:
        ValueError: If there is no such game; the message says what is wrong.
    """
    if request.kind == "go":
        from montego.web.game.go_referee import agree  # noqa: PLC0415  # Loads NumPy.

        return agree(request)
    if request.handicap or request.komi:
        raise ValueError(f"{TITLES[request.kind]} knows neither handicap nor komi")
    referee = referee_for(Agreement(kind=request.kind, size=request.size))
    return Agreement(kind=request.kind, size=referee.size)


def referee_for(agreement: Agreement) -> Referee:
    """Return the referee of a game.

    Raises:
        ValueError: If the agreement makes no sense.
    """
    if agreement.kind == "go":
        from montego.web.game.go_referee import GoReferee  # noqa: PLC0415  # Loads NumPy.

        return GoReferee(agreement)
    from montego.web.game.search_referee import SearchReferee  # noqa: PLC0415  # Loads NumPy.

    return SearchReferee(agreement.kind, agreement.size)


def thinker_for(
    agreement: Agreement,
    referee: Referee,
    options: Options | None = None,
    adviser: str | None = None,
) -> Thinker:
    """Return Montego for a game. Takes a moment: not for the event loop.

    *options*, and the command of an *adviser*, matter in Go.
    """
    if agreement.kind == "go":
        from montego.web.game.go_referee import GoReferee  # noqa: PLC0415  # Loads NumPy.
        from montego.web.thinking.go_thinker import GoThinker  # noqa: PLC0415

        if not isinstance(referee, GoReferee):
            raise TypeError("Go wants a referee of Go")
        return GoThinker(referee, options, adviser)
    from montego.web.game.search_referee import SearchReferee  # noqa: PLC0415  # Loads NumPy.
    from montego.web.thinking.search_thinker import SearchThinker  # noqa: PLC0415

    if not isinstance(referee, SearchReferee):
        raise TypeError("this game wants a referee of its own")
    return SearchThinker(referee)
