"""Writes the commands into ``docs/gtp.md``, below what people wrote there.

Run ``python docs/write_gtp.py`` after a change to a command; a test compares.
"""

from __future__ import annotations

from pathlib import Path

from montego.gtp.registry import MODULES, Entry, load_commands

PAGE = Path(__file__).resolve().parent / "gtp.md"
MARK = "<!-- What follows is written by `python docs/write_gtp.py`. -->\n"

HEADINGS = {
    "administration": "The engine itself",
    "setup": "Preparing a game, and looking at the board",
    "play": "Moves",
    "tournament": "Time, and the end of the game",
    "records": "Game records",
    "settings": "Rules and options",
    "analyze": "Analysis, explanations and the book",
    "gogui": "GoGui",
    "servers": "KGS and CGOS",
    "debugging": "Looking inside",
}


def reference() -> str:
    """Return what stands below the mark: every command, chapter by chapter."""
    commands = load_commands()
    chapters = []
    for module in MODULES:
        rows = [_row(entry) for entry in commands.values() if entry.section == module]
        table = "\n".join(["| command | what it does |", "|---|---|", *rows])
        chapters.append(f"### {HEADINGS[module]}\n\n{table}\n")
    return "\n## Commands\n\n" + "\n".join(chapters)


def with_reference(page: str) -> str:
    """Return *page* with everything below its mark written anew."""
    return page.partition(MARK)[0] + MARK + reference()


def _row(entry: Entry) -> str:
    note = "" if entry.listed else " Not in `list_commands`."
    return f"| `{_escaped(entry.call)}` | {_escaped(entry.help)}{note} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(with_reference(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
