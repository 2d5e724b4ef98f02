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

from montego.cli.departure import INTERRUPTED, TERMINATED, asked_to_end, ending_as_by_ctrl_c
from montego.go.vocabulary.errors import GoError
from montego.mcts.errors import MctsError
from montego.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (
    "play",
    "console",
    "gtp",
    "analysis",
    "match",
    "tournament",
    "regress",
    "tune",
    "book",
    "bench",
    "experiment",
    "setup",
    "doctor",
)
"""The subcommands, each a module of this package."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``montego`` with *arguments*, or the command line's; return the exit status.

    0 is success, 1 an error that was explained on standard error, 2 a wrong command line.
    """
    _prepare_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    named = words[:1] if words[:1] and words[0] in COMMANDS else COMMANDS
    options = build_parser(named).parse_args(words)
    try:
        with ending_as_by_ctrl_c():
            status: int = options.run(options)
            sys.stdout.flush()
    except (GoError, MctsError) as error:
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
            sys.stderr.write(f"montego: {error}\n")
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


def build_parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of these subcommands; each adds its own part."""
    parser = argparse.ArgumentParser(
        prog="montego",
        description="Monte-Carlo Go: play it, measure it, build on it.",
        epilog="'montego COMMAND --help' says more about each.",
    )
    parser.add_argument("--version", action="version", version=f"montego {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in names:
        import_module(f"montego.cli.{name}").add_parser(commands)
    return parser
