"""The command ``montego``: finds the subcommand, runs it, and turns errors into one line.

The module of a subcommand is loaded when it is asked for, what it needs when it runs: a program on
the other side of a pipe should not wait for NumPy and Numba.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from montego.cli.termination import INTERRUPTED, TERMINATED, asked_to_end, ending_as_by_ctrl_c
from montego.go.vocabulary.errors import GoError
from montego.jit.errors import DeviceError
from montego.mcts.errors import MctsError
from montego.version import __version__

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

COMMANDS = {
    "play": "the board in the browser",
    "console": "play in the terminal",
    "gtp": "a GTP engine, for Go programs and servers",
    "analysis": "KataGo's JSON protocol, for KaTrain and scripts",
    "solve": "life and death: who lives, by which moves, proven",
    "match": "two GTP engines against one another",
    "tournament": "several GTP engines: round robin, gauntlet, Swiss or a ladder",
    "regress": "regression suites and test positions for a GTP engine",
    "tune": "find good parameters of a GTP engine by playing",
    "ladder": "how strong you are, by games against the levels",
    "book": "the book: what was learned about openings",
    "network": "what a network is, whether it works, how fast; eight bits",
    "train": "a network from self-play",
    "learn": "the documents' own ways of learning",
    "bench": "measure speed",
    "experiment": "repeat the tables and figures of the documents",
    "setup": "compile everything now; print settings for other Go programs",
    "doctor": "check the installation",
}
"""What each subcommand is for. Each has a module, with a Command of its name."""

ARENA = {"match", "tournament", "regress", "tune", "ladder"}
"""Those whose module is in ``cli.commands.arena``; the others' are in ``cli.commands``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``montego`` with *arguments*, or the command line's; return the exit status.

    0 is success, 1 an error that was explained on standard error, 2 a wrong command line.
    """
    _prepare_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    named = [word for word in words if word in COMMANDS][:1]
    options = build_parser(named).parse_args(words)
    try:
        with ending_as_by_ctrl_c():
            status: int = options.run(options) or 0
            sys.stdout.flush()
    except (DeviceError, GoError, MctsError) as error:
        sys.stderr.write(f"montego: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nmontego: stopped\n")
        return TERMINATED if asked_to_end() else INTERRUPTED
    except OSError as error:
        # A reader that has gone knows it; a full disk is worth a word. Python would complain again
        # when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            place = "" if error.filename is None else f"{error.filename}: "
            sys.stderr.write(f"montego: {place}{error.strerror or error}\n")
        return 1
    return TERMINATED if asked_to_end() else status


def _prepare_streams() -> None:
    """Let no character that a terminal cannot show, and no stream that is closed, stop us."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            null = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115  # For good.
            setattr(sys, name, null)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def build_parser(names: Collection[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of ``montego``, with all that belongs to these subcommands.

    The modules of the others are not loaded: of them it knows the names.
    """
    parser = argparse.ArgumentParser(
        prog="montego",
        description="Monte-Carlo Go: play it, measure it, build on it.",
        epilog="'montego COMMAND --help' says more about each.",
    )
    parser.add_argument("--version", action="version", version=f"montego {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, purpose in COMMANDS.items():
        part = commands.add_parser(name, help=purpose)
        if name in names:
            getattr(import_module(module_of(name)), name).declare(part)
    return parser


def module_of(name: str) -> str:
    """Return the module of a subcommand."""
    return f"montego.cli.commands.{'arena.' if name in ARENA else ''}{name}"
