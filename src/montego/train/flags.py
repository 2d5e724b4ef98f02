"""The command line of training, for ``montego train`` and ``python -m montego.train``.

Every setting is a flag. What is not said is taken from the file of settings, then from the run
in the folder, then from the defaults.
"""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

from montego.train.settings import TrainingSettings, read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

PURPOSE = (
    "Train a network by self-play, from nothing. The run is kept in a folder, from which the same "
    "command goes on after an interruption, with more minutes, or on another machine."
)

_KINDS = {"int": int, "float": float}


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add everything that the command line of training has."""
    parser.add_argument(
        "game",
        metavar="GAME|FILE.py",
        help="go, connect-four, hex, tic-tac-toe, or a file of Python with a game of your own: "
        "a GameDefinition named 'game', or a function of that name that makes one",
    )
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--size", metavar="N", type=int, help="lines of the board")
    sizes.add_argument(
        "--sizes",
        metavar="N,N",
        help="lines of several boards, 9,13,19, for one network that plays on all of them; each "
        "gets the same share of the time",
    )
    parser.add_argument(
        "--output", metavar="FOLDER", help="of the run (default: the game's name and size)"
    )
    parser.add_argument(
        "--records",
        metavar="FILE",
        nargs="+",
        help="learn from these games of Go instead of self-play: SGF files, folders of them, or "
        "JSON lines",
    )
    parser.add_argument(
        "--by-rank",
        action="store_true",
        help="learn from --records which moves people of each rank choose, the rank being shown to "
        "the network: for opponents that play like people",
    )
    parser.add_argument(
        "--begin-with",
        metavar="FOLDER",
        help="a run begins with the weights of another, of any board, as far as they fit",
    )
    parser.add_argument(
        "--teacher",
        metavar="FOLDER",
        help="a run whose network, of any shape, plays the games of the first --teacher-minutes, "
        "so that a larger one need not begin with random games",
    )
    parser.add_argument(
        "--boards",
        metavar="LEAST-MOST",
        help="sizes that the network's file is for, if it is for others as well: 9-19 (default: "
        "from the smallest to the largest that is trained on)",
    )
    parser.add_argument("--config", metavar="FILE.toml", help="settings by name, as below")
    parser.add_argument(
        "--device", choices=("cpu", "gpu"), help="where to train (default: a GPU if there is one)"
    )
    parser.add_argument(
        "--pause-after",
        metavar="MINUTES",
        type=float,
        help="end in order after these minutes from now, with the plan unchanged",
    )
    parser.add_argument(
        "--export", action="store_true", help="write the network every minute, not only at the end"
    )
    group = parser.add_argument_group("settings")
    for declared in dataclasses.fields(TrainingSettings):
        kind = str(declared.type)
        flag = "--" + declared.name.replace("_", "-")
        meaning = declared.metadata["meaning"].replace("%", "%%")
        if declared.default is not None:
            meaning += f" (default {_shown(declared.default)})"
        if kind == "bool":
            group.add_argument(
                flag, action=argparse.BooleanOptionalAction, default=None, help=meaning
            )
        else:
            number = _KINDS[kind.split(maxsplit=1)[0]]
            group.add_argument(flag, metavar="N", type=number, default=None, help=meaning)


def settings_of(arguments: argparse.Namespace, stored: Mapping[str, Any]) -> TrainingSettings:
    """Return the settings that a command line asks for, for a run with those *stored*.

    Raises:
        TrainError: If one is impossible, or the file of settings cannot be read.
    """
    names = [declared.name for declared in dataclasses.fields(TrainingSettings)]
    values = {name: stored[name] for name in names if name in stored}
    if arguments.config is not None:
        values |= read_settings(arguments.config)
    values |= {
        name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None
    }
    return TrainingSettings(**values)


def _shown(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value:,}"
