"""``montego setup``: compile everything now, so that nothing waits later.

With the name of another Go program it compiles what a game needs and says what to paste there. The
programs differ in what they do with blanks: some take words apart, some understand quotes, some
know no way around them.
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

from montego.cli.command import Namespace, argument, command
from montego.cli.commands.gtp import PRESETS
from montego.cli.output import progress_bar
from montego.cli.player_options import flags_of, options_from, player_options
from montego.engine.options.options import Options
from montego.jit import cache_folder, remove_stale_caches, repair_cache
from montego.jit.cache import write_trouble

if TYPE_CHECKING:
    from collections.abc import Sequence

WINDOWS = os.name == "nt"


@dataclass(frozen=True)
class Client:
    """A program that uses engines."""

    title: str
    text: str
    """What to paste where; :meth:`describe` says what is filled in."""
    command: str = "gtp"
    """The subcommand it starts."""
    options: tuple[tuple[str, str], ...] = ()
    """Options that it wants, unless a person says otherwise; servers have a flag for theirs."""
    splitter: str = ""
    """What splits the command line at every blank and knows no quotes, if something does."""

    def describe(self, words: Sequence[str]) -> str:
        """Return the text, for a Montego that is started by these words: its path and arguments."""
        program, *arguments = words
        quoted, plain = _quoted(words), " ".join(words)
        shell = quoted if WINDOWS else shlex.join(words)
        # Whoever ends the shell that it has started ends Montego, if Montego has taken its place.
        exec_shell = shell if WINDOWS else f"exec {shell}"
        text = self.text.format(
            program=program,
            arguments=_quoted(arguments),
            plain_arguments=" ".join(arguments),
            quoted=quoted,  # A command line with double quotes,
            plain=plain,  # without any,
            shell=shell,  # for the system's own shell,
            escaped=plain.replace("\\", "\\\\"),  # and for a file of Java properties.
            words_json=json.dumps(words, ensure_ascii=False),
            quoted_json=json.dumps(quoted, ensure_ascii=False),
            exec_shell=exec_shell,
            exec_shell_json=json.dumps(exec_shell, ensure_ascii=False),
        )
        if not self.splitter or not any(" " in word for word in words):
            return text
        advice = (
            "Install Montego in a folder without blanks in its path."
            if WINDOWS
            else "Make a link without blanks and use it instead of the path, for example\n"
            f"  ln -s {shlex.quote(program)} ~/montego\n"
            "and give options with blanks in a file: --config."
        )
        warning = f"{self.splitter} splits this at every blank and knows no quotes. {advice}"
        return f"{text}\nWarning: {warning}\n"


def _quoted(words: Sequence[str]) -> str:
    """Return a command line with double quotes where there are blanks."""
    return " ".join(f'"{word}"' if " " in word else word for word in words)


CLIENTS = {
    "sabaki": Client(
        "Sabaki",
        """\
In Sabaki: Engines > Manage Engines > Add, then fill in

  Name:             Montego
  Path:             {program}
  Arguments:        {arguments}
  Initial commands: (none)

Then Engines > Show Engines Sidebar, attach Montego, and play or press F4 to analyze.
""",
    ),
    "gogui": Client(
        "GoGui",
        """\
In GoGui: Program > New Program, then fill in

  Command:           {quoted}
  Working directory: (empty)

Tools > Analyze Commands shows what Montego can draw on the board.
""",
    ),
    "katrain": Client(
        "KaTrain",
        """\
In KaTrain: General and engine settings (F8); set the engine to custom, or in older
versions fill in the field that overrides the engine command:

  {exec_shell}

It is also the entry of "engine" in ~/.katrain/config.json:

  "altcommand": {exec_shell_json}
""",
        command="analysis",
    ),
    "lizzie": Client(
        "Lizzie and LizzieYzy",
        """\
In LizzieYzy: Engine > Manage engines, and paste the command line. In Lizzie:
Settings > Engine, or config.txt:

  {quoted}

In config.txt it is the entry of "leelaz":

  "engine-command": {quoted_json}

The name makes Lizzie speak the dialect that has scores and territory.
""",
        options=(("name", "KataGo-Montego"),),
    ),
    "q5go": Client(
        "q5go",
        """\
In q5go: Settings > Preferences > Computer Go > New, then fill in

  Name:       Montego
  Executable: {program}
  Arguments:  {plain_arguments}

Tick it for analysis to use it there as well.
""",
        splitter="q5go",
    ),
    "ogs": Client(
        "OGS by gtp2ogs",
        """\
For OGS you need a bot account with its API key, and gtp2ogs. In its config.json5:

  {{
    apikey: "YOUR KEY",
    bot: {{ command: {words_json} }},
  }}

Older versions take everything on the command line:

  gtp2ogs --apikey KEY --username NAME -- {shell}

OGS does not tell an engine the rules: accept only games by Chinese rules, or by those
that you name with --rules.
Dead stones are captured before passing, because the server counts by itself.
""",
    ),
    "cgos": Client(
        "CGOS",
        """\
For CGOS: a configuration of the Python client. Ask the server's page for its host and
the port of your board size; user and password become yours when you first connect.

  Common:
    KillFile = kill.txt

  GTPEngine:
    Name = Montego
    CommandLine = {plain}
    ServerHost = HOST
    ServerPort = PORT
    ServerUser = USER
    ServerPassword = PASSWORD
    NumberOfGames = 100

CGOS removes no dead stones: Montego captures them before it passes.
""",
        splitter="the client",
    ),
    "kgs": Client(
        "KGS by kgsGtp",
        """\
For KGS: a file kgs.properties for kgsGtp, started by java -jar kgsGtp.jar kgs.properties

  engine={escaped}
  name=ACCOUNT
  password=PASSWORD
  room=Computer Go
  mode=custom
  rules=chinese
  rules.boardSize=19
  rules.time=10:00
  reconnect=t

kgsGtp tells Montego the rules of each game.
""",
        splitter="kgsGtp",
    ),
}
"""The programs we know, by the name that ``montego setup`` takes."""


@command(
    "Compile all kernels into the cache folder. Not necessary: what a command needs is compiled "
    "when it first runs. With the name of a program, compile what a game needs and print what to "
    "paste there; options of the player become part of it.",
    argument("program PROGRAM", "see below", nargs="?", choices=tuple(CLIENTS)),
    player_options(),
    epilog="programs: " + "; ".join(f"{name}: {client.title}" for name, client in CLIENTS.items()),
)
def setup(options: Namespace) -> None:
    """Carry out ``montego setup``."""
    from montego.engine.compilation import compile_kernels, compile_player  # Loads NumPy.

    folder = cache_folder()
    if folder is not None:
        repair_cache(folder)
    if options.program is None:
        with progress_bar("compiling") as show:
            count = compile_kernels(show)
        remove_stale_caches()
        sys.stdout.write(f"{count} groups of kernels are compiled{_whereabouts()}\n")
        return
    client = CLIENTS[options.program]
    preset = PRESETS.get(options.program, {})
    given = Options()
    for name, value in preset.items():
        given = given.set(name, value)
    options.player_defaults = preset | dict(client.options)
    wanted = options_from(options)
    with progress_bar("compiling") as show:
        show(0.0, "the player")
        compile_player(wanted)
    server = [f"--{options.program}"] if preset else []
    words = [*montego_words(), client.command, *server, *flags_of(wanted, given)]
    sys.stdout.write(client.describe(words))


def _whereabouts() -> str:
    """Say where compiled code is, and why it is not if it cannot be kept."""
    folder = cache_folder()
    if folder is None:
        return ", but there is no place to keep them"
    trouble = write_trouble(folder)
    return f" in {folder}" + (f"; nothing new can be kept there: {trouble}" if trouble else "")


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
