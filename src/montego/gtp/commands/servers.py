"""Commands of the servers KGS and CGOS that are not about time (see ``tournament``) or analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.gtp.commands.play import genmove
from montego.gtp.registry import SYNTAX_ERROR, Arguments, GtpError, command

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession

KGS_RULES = {
    "japanese": "japanese",
    "chinese": "chinese-kgs",
    "aga": "aga",
    "new_zealand": "new-zealand",
}


@command("kgs-rules", "NAME", words=1)
def kgs_rules(session: GtpSession, arguments: Arguments) -> None:
    """Set the rules by the name that KGS uses: `japanese`, `chinese`, `aga` or `new_zealand`."""
    name = KGS_RULES.get(arguments[0].lower().replace("-", "_"))
    if name is None:
        raise GtpError(SYNTAX_ERROR)
    with session.player.alone() as game:
        game.rules = name


@command("kgs-genmove_cleanup", "COLOR", words=1)
def kgs_genmove_cleanup(session: GtpSession, arguments: Arguments) -> str:
    """As `genmove`, but capture all dead stones before passing, and never resign."""
    return genmove(session, arguments, cleanup=True)


@command(
    "cgos-gameover",
    "RESULT",
    "End pondering, and learn from the game if there is a book. The board stays.",
)
@command(
    "kgs-game_over",
    "",
    "End pondering, and learn from the game if there is a book. The board stays: the game may be "
    "resumed.",
)
def game_over(session: GtpSession, _arguments: Arguments) -> None:
    """Rest until the next game."""
    if session.has_player:
        session.player.learn()


@command("kgs-chat", "KIND NAME TEXT", listed=False)
def kgs_chat(session: GtpSession, arguments: Arguments) -> str:
    """Answer a person's chat line: `winrate` and `pv` are understood.

    Listed with `--kgs-chat` only, because some versions of kgsGtp crash if it is.
    """
    if len(arguments.words) < 2 or arguments[0].lower() not in ("game", "private"):
        raise GtpError(SYNTAX_ERROR)
    said = " ".join(arguments.words[2:]).lower()
    decision = session.player.last_decision if session.has_player else None
    analysis = decision.analysis.in_truth() if decision and decision.analysis else None
    about_chances = "winrate" in said or "winning" in said
    if not (about_chances or "pv" in said or "variation" in said):
        network = session.player.options.network_name(session.player.game.size)
        kind = "classical, without a network" if network is None else f"with the network {network}"
        return f"I am a program, {kind}. I understand 'winrate' and 'pv'."
    if about_chances and analysis is not None:
        return f"At my last move I gave myself {analysis.value:.0%}{analysis.proviso}."
    if analysis is not None and analysis.best is not None:
        return f"I expected {' '.join(analysis.best.variation[:8])}."
    return "I have not thought about this game yet."


@command("cgos-opponent_rating", "RATING", "Take note of the opponent's rating.")
@command("cgos-opponent_name", "NAME", "Take note of the opponent.")
def cgos_opponent(_session: GtpSession, _arguments: Arguments) -> None:
    """Accept what CGOS tells; every opponent is played alike."""
