"""What to paste into other Go programs, so that they use Montego as their engine.

Each function here writes the settings of one program. The programs differ in what they do with
blanks: some take words apart, some understand quotes, some know no way around them.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOWS = os.name == "nt"


@dataclass(frozen=True)
class Launch:
    """How Montego is started: an absolute path, and its arguments."""

    program: str
    arguments: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The program and its arguments."""
        return [self.program, *self.arguments]

    @property
    def has_blanks(self) -> bool:
        """Whether some word has a blank in it, which not every program can be told."""
        return any(" " in word for word in self.words)


@dataclass(frozen=True)
class Client:
    """A program that uses engines."""

    title: str
    describe: Callable[[Launch], str]
    command: str = "gtp"
    """The subcommand it starts."""
    options: tuple[tuple[str, str], ...] = ()
    """Options that it wants, unless a person says otherwise; servers have a flag for theirs."""


def montego_words() -> list[str]:
    """Return the words that start this Montego from anywhere, with absolute paths."""
    folder = Path(sys.executable).parent
    for name in ("montego.exe", "montego") if WINDOWS else ("montego",):
        if (folder / name).is_file():
            return [str(folder / name)]
    found = shutil.which("montego")
    if found is not None:
        return [str(Path(found).absolute())]
    return [sys.executable, "-m", "montego"]


def launch(command: str, flags: list[str]) -> Launch:
    """Return how to start a subcommand of this Montego with *flags*."""
    program, *first = montego_words()
    return Launch(program, (*first, command, *flags))


def _quoted(words: list[str]) -> str:
    """Return a command line with double quotes where there are blanks."""
    return " ".join(f'"{word}"' if " " in word else word for word in words)


def _for_shell(words: list[str]) -> str:
    """Return a command line for the system's own shell."""
    return _quoted(words) if WINDOWS else shlex.join(words)


def _fields(pairs: list[tuple[str, str]]) -> str:
    width = max(len(label) for label, _ in pairs) + 2
    return "\n".join(f"  {label + ':':<{width}}{value}" for label, value in pairs)


def _blank_warning(start: Launch, title: str) -> str:
    """Return what to do where blanks cannot be told; nothing if there are none."""
    if not start.has_blanks:
        return ""
    advice = (
        "Install Montego in a folder without blanks in its path."
        if WINDOWS
        else "Make a link without blanks and use it instead of the path, for example\n"
        f"  ln -s {shlex.quote(start.program)} ~/montego\n"
        "and give options with blanks in a file: --config."
    )
    return f"\nWarning: {title} splits this at every blank and knows no quotes. {advice}\n"


def sabaki(start: Launch) -> str:
    """Sabaki wants path and arguments apart."""
    fields = [
        ("Name", "Montego"),
        ("Path", start.program),
        ("Arguments", _quoted(list(start.arguments))),
        ("Initial commands", "(none)"),
    ]
    return (
        "In Sabaki: Engines > Manage Engines > Add, then fill in\n\n"
        f"{_fields(fields)}\n\n"
        "Then Engines > Show Engines Sidebar, attach Montego, and play or press F4 to analyze.\n"
    )


def gogui(start: Launch) -> str:
    """GoGui takes one command line and understands double quotes."""
    fields = [("Command", _quoted(start.words)), ("Working directory", "(empty)")]
    return (
        "In GoGui: Program > New Program, then fill in\n\n"
        f"{_fields(fields)}\n\n"
        "Tools > Analyze Commands shows what Montego can draw on the board.\n"
    )


def katrain(start: Launch) -> str:
    """KaTrain hands its command to a shell, and speaks the analysis protocol."""
    command = _for_shell(start.words)
    entry = json.dumps({"altcommand": command}, ensure_ascii=False)[1:-1]
    return (
        "In KaTrain: General and engine settings (F8); set the engine to custom, or in older\n"
        "versions fill in the field that overrides the engine command:\n\n"
        f"  {command}\n\n"
        'It is also the entry of "engine" in ~/.katrain/config.json:\n\n'
        f"  {entry}\n"
    )


def lizzie(start: Launch) -> str:
    """Lizzie and LizzieYzy take one command line and understand double quotes."""
    command = _quoted(start.words)
    entry = json.dumps({"engine-command": command}, ensure_ascii=False)[1:-1]
    return (
        "In LizzieYzy: Engine > Manage engines, and paste the command line. In Lizzie:\n"
        "Settings > Engine, or config.txt:\n\n"
        f"  {command}\n\n"
        'In config.txt it is the entry of "leelaz":\n\n'
        f"  {entry}\n\n"
        "The name makes Lizzie speak the dialect that has scores and territory.\n"
    )


def q5go(start: Launch) -> str:
    """Q5go wants path and arguments apart, and splits the arguments at blanks."""
    fields = [
        ("Name", "Montego"),
        ("Executable", start.program),
        ("Arguments", " ".join(start.arguments)),
    ]
    return (
        "In q5go: Settings > Preferences > Computer Go > New, then fill in\n\n"
        f"{_fields(fields)}\n\n"
        "Tick it for analysis to use it there as well.\n"
        f"{_blank_warning(start, 'q5go')}"
    )


def ogs(start: Launch) -> str:
    """Gtp2ogs takes the command as a list, or at the end of its own command line."""
    command = json.dumps(start.words, ensure_ascii=False)
    return (
        "For OGS you need a bot account with its API key, and gtp2ogs. In its config.json5:\n\n"
        "  {\n"
        '    apikey: "YOUR KEY",\n'
        f"    bot: {{ command: {command} }},\n"
        "  }\n\n"
        "Older versions take everything on the command line:\n\n"
        f"  gtp2ogs --apikey KEY --username NAME -- {_for_shell(start.words)}\n\n"
        "OGS does not tell an engine the rules: accept only games by Chinese rules, or by those\n"
        "that you name with --rules.\n"
        "Dead stones are captured before passing, because the server counts by itself.\n"
    )


def cgos(start: Launch) -> str:
    """The client of CGOS splits its command line at blanks."""
    return (
        "For CGOS: a configuration of the Python client. Ask the server's page for its host and\n"
        "the port of your board size; user and password become yours when you first connect.\n\n"
        "  Common:\n"
        "    KillFile = kill.txt\n\n"
        "  GTPEngine:\n"
        "    Name = Montego\n"
        f"    CommandLine = {' '.join(start.words)}\n"
        "    ServerHost = HOST\n"
        "    ServerPort = PORT\n"
        "    ServerUser = USER\n"
        "    ServerPassword = PASSWORD\n"
        "    NumberOfGames = 100\n\n"
        "CGOS removes no dead stones: Montego captures them before it passes.\n"
        f"{_blank_warning(start, 'the client')}"
    )


def kgs(start: Launch) -> str:
    """KgsGtp reads a Java properties file, where a backslash must be doubled."""
    engine = " ".join(start.words).replace("\\", "\\\\")
    return (
        "For KGS: a file kgs.properties for kgsGtp, started by java -jar kgsGtp.jar kgs.properties"
        "\n\n"
        f"  engine={engine}\n"
        "  name=ACCOUNT\n"
        "  password=PASSWORD\n"
        "  room=Computer Go\n"
        "  mode=custom\n"
        "  rules=chinese\n"
        "  rules.boardSize=19\n"
        "  rules.time=10:00\n"
        "  reconnect=t\n\n"
        "kgsGtp tells Montego the rules of each game.\n"
        f"{_blank_warning(start, 'kgsGtp')}"
    )


CLIENTS = {
    "sabaki": Client("Sabaki", sabaki),
    "gogui": Client("GoGui", gogui),
    "katrain": Client("KaTrain", katrain, command="analysis"),
    "lizzie": Client("Lizzie and LizzieYzy", lizzie, options=(("name", "KataGo-Montego"),)),
    "q5go": Client("q5go", q5go),
    "ogs": Client("OGS by gtp2ogs", ogs),
    "cgos": Client("CGOS", cgos),
    "kgs": Client("KGS by kgsGtp", kgs),
}
"""The programs we know, by the name that ``montego setup`` takes."""
