"""Commands about the engine itself: what it is, what it can do, how it ends."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from montego.engine.options.options import find_option
from montego.gtp.registry import Arguments, GtpError, command
from montego.sources import sources_digest
from montego.version import __version__

if TYPE_CHECKING:
    from montego.gtp.session import GtpSession


@command("protocol_version")
def protocol_version(_session: GtpSession, _arguments: Arguments) -> str:
    """Answer 2, the version of the protocol."""
    return "2"


@command("name")
def name(session: GtpSession, _arguments: Arguments) -> str:
    """Answer the engine's name, or the one given with `--name`."""
    return session.options.name


@command("version")
def version(_session: GtpSession, _arguments: Arguments) -> str:
    """Answer the engine's version, three numbers with dots."""
    return __version__


@command("montego-sources")
def montego_sources(_session: GtpSession, _arguments: Arguments) -> str:
    """Answer a digest of the sources that Montego plays by. `montego match` and its relatives do
    not mix games of two of them.
    """
    return sources_digest()


@command("known_command", "NAME")
def known_command(session: GtpSession, arguments: Arguments) -> str:
    """Answer whether there is such a command, `true` or `false`."""
    return "true" if arguments[0] in session.commands else "false"


@command("list_commands")
def list_commands(session: GtpSession, _arguments: Arguments) -> str:
    """List the commands, one on a line."""
    chat = session.options.kgs_chat
    return "\n".join(
        entry.name
        for entry in session.commands.values()
        if entry.listed or (chat and entry.name == "kgs-chat")
    )


@command("help", "[COMMAND]")
def help_(session: GtpSession, arguments: Arguments) -> str:
    """Say how a command is used and what it does; without one, show the usage of all."""
    if not arguments.words:
        return "\n".join(entry.call for entry in session.commands.values())
    entry = session.commands.get(arguments[0])
    if entry is None:
        raise GtpError("unknown command")
    return f"{entry.call}\n{entry.help}"


@command("quit")
def quit_(session: GtpSession, _arguments: Arguments) -> None:
    """Answer, then end."""
    session.quitting = True


@command("stop-ponder", "", "The same as `stop`; LizzieYzy says so.")
@command("stop", "", "End pondering. An analysis ends at any input, so also at this command.")
def stop(session: GtpSession, _arguments: Arguments) -> None:
    """End pondering."""
    if session.has_player:
        with session.player.alone():
            pass


@command("clear_cache")
def clear_cache(session: GtpSession, _arguments: Arguments) -> None:
    """Forget the search tree and what was found out about dead stones."""
    session.player.clear_cache()


@command("gomill-cpu_time")
@command("cputime")
def cputime(_session: GtpSession, _arguments: Arguments) -> str:
    """Answer the processor time used so far, in seconds; all threads count."""
    return f"{time.process_time():.3f}"


@command("gomill-describe_engine")
def describe_engine(session: GtpSession, _arguments: Arguments) -> str:
    """Describe the engine and its options in a few lines, and whether a network judges."""
    options, size = session.player.options, session.player.game.size
    changed = (f"{find_option(name).name} {options.text(name)}" for name in options.changes())
    told = ", ".join(changed) or "all at their defaults"
    network = options.network_name(size)
    judge = "classical, by playouts" if network is None else f"judged by the network {network}"
    return f"{options.name} {__version__}\nMonte-Carlo tree search for Go, {judge}\nOptions: {told}"
