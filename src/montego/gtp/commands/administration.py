"""Commands about the engine itself: what it is, what it can do, how it ends."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from montego.engine.options.table import find_option
from montego.gtp.protocol import GtpError
from montego.gtp.registry import Arguments, Entry, command

if TYPE_CHECKING:
    from montego.gtp.session import Session


@command("protocol_version", "", "Answer 2, the version of the protocol.")
def protocol_version(_session: Session, _arguments: Arguments) -> str:
    """Answer the protocol's version."""
    return "2"


@command("name", "", "Answer the engine's name, or the one given with `--name`.")
def name(session: Session, _arguments: Arguments) -> str:
    """Answer the engine's name."""
    return session.manners.name


@command("version", "", "Answer the engine's version, three numbers with dots.")
def version(session: Session, _arguments: Arguments) -> str:
    """Answer the engine's version."""
    return session.manners.version


@command("known_command", "NAME", "Answer whether there is such a command, `true` or `false`.")
def known_command(session: Session, arguments: Arguments) -> str:
    """Answer whether there is such a command."""
    return "true" if arguments[0] in session.commands else "false"


@command("list_commands", "", "List the commands, one on a line.")
def list_commands(session: Session, _arguments: Arguments) -> str:
    """List the commands that the session's manners want listed."""
    return "\n".join(entry.name for entry in session.commands.values() if session.lists(entry))


@command(
    "help",
    "[COMMAND]",
    "Say how a command is used and what it does; without one, show the usage of all.",
)
def help_(session: Session, arguments: Arguments) -> str:
    """Explain one command or list the usage of all."""
    if not arguments.words:
        return "\n".join(usage(entry) for entry in session.commands.values())
    entry = session.commands.get(arguments[0])
    if entry is None:
        raise GtpError("unknown command")
    return f"{usage(entry)}\n{entry.help}"


def usage(entry: Entry) -> str:
    """Return a command with its arguments."""
    return f"{entry.name} {entry.usage}".rstrip()


@command("quit", "", "Answer, then end.")
def quit_(session: Session, _arguments: Arguments) -> None:
    """End the session after the reply."""
    session.quitting = True


@command("stop", "", "End pondering. An analysis ends at any input, so also at this command.")
def stop(session: Session, _arguments: Arguments) -> None:
    """End what goes on in the background."""
    if session.has_player:
        session.player.stop_pondering()


@command("clear_cache", "", "Forget the search tree and what was found out about dead stones.")
def clear_cache(session: Session, _arguments: Arguments) -> None:
    """Forget what earlier searches found."""
    session.player.clear_cache()


CPU_TIME = "Answer the processor time used so far, in seconds; all threads count."


@command("gomill-cpu_time", "", CPU_TIME)
@command("cputime", "", CPU_TIME)
def cputime(_session: Session, _arguments: Arguments) -> str:
    """Answer the processor time of this process."""
    return f"{time.process_time():.3f}"


@command("gomill-describe_engine", "", "Describe the engine and its options in a few lines.")
def describe_engine(session: Session, _arguments: Arguments) -> str:
    """Describe the engine and which options differ from their defaults."""
    manners, options = session.manners, session.player.options
    changed = [f"{find_option(name).name} {options.text(name)}" for name in options.changes()]
    return "\n".join(
        [
            f"{manners.name} {manners.version}",
            "Monte-Carlo tree search for Go",
            f"Options: {', '.join(changed) if changed else 'all at their defaults'}",
        ]
    )
