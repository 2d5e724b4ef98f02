"""How the programs of our users read an engine, written again from what is known of each.

Every parser takes text that an engine printed and either returns what its program would show or
raises ``ClientError`` where that program would stumble. They know nothing of Montego, and repeat
one another's work on purpose: what one program forgives breaks the next.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class ClientError(AssertionError):
    """What a program would stumble over."""


class Suggestion(NamedTuple):
    """A move as a program shows it. The win rate is a probability of the side to move."""

    move: str
    visits: int
    winrate: float
    score: float | None
    variation: list[str]


class Reply(NamedTuple):
    """A reply of the Go Text Protocol."""

    ok: bool
    number: int | None
    lines: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def split_replies(text: str) -> list[Reply]:
    """Cut standard output into replies as the protocol's definition has it, and nothing else."""
    if "\r" in text:
        raise ClientError("a carriage return in the output")
    if text and not text.endswith("\n\n"):
        raise ClientError(f"the last reply does not end with an empty line: {text[-60:]!r}")
    if "\n\n\n" in text or text.startswith("\n"):
        raise ClientError("an empty line too many")
    return [parse_reply(part) for part in text.split("\n\n")[:-1]]


def parse_reply(text: str) -> Reply:
    first, *lines = text.split("\n")
    match = re.fullmatch(r"([=?])(\d*)(?: (.*))?", first)
    if match is None:
        raise ClientError(f"a line that begins no reply: {first!r}")
    content = [] if match[3] is None else [match[3]]
    number = int(match[2]) if match[2] else None
    return Reply(match[1] == "=", number, [*content, *lines])


def check_vertex(text: str, size: int) -> str:
    """Return a vertex in the spelling that all programs read: D4, or pass in small letters."""
    if text == "pass":
        return text
    match = re.fullmatch(r"([A-HJ-Z])([1-9][0-9]?)", text)
    if match is None or LETTERS.index(match[1]) >= size or int(match[2]) > size:
        raise ClientError(f"no vertex of this board: {text!r}")
    return text


# Sabaki: segments of an info line, each of which must end with its variation.

_SABAKI_SEGMENT = re.compile(r"^((?:[A-Za-z]+ \S+ )+)pv ((?:(?:[A-HJ-Z][0-9]{1,2}|pass) ?)+)$")


def sabaki_suggestions(line: str, command: str) -> list[Suggestion]:
    """Read a line as current Sabaki does: the command's name says what a win rate is."""
    if not line.startswith("info "):
        raise ClientError(f"Sabaki knows no such line: {line[:60]!r}")
    found = []
    for segment in re.split(r"\s*info\s+", line)[1:]:
        match = _SABAKI_SEGMENT.match(segment.strip())
        if match is None:
            raise ClientError(f"Sabaki drops this segment: {segment[:200]!r}")
        words = match[1].split()
        values = dict(zip(words[::2], words[1::2], strict=True))
        missing = {"move", "visits", "winrate"} - values.keys()
        if missing:
            raise ClientError(f"Sabaki misses {missing}")
        rate = values["winrate"]
        is_float = command.startswith("kata")
        if is_float != ("." in rate):
            raise ClientError(f"old and new Sabaki read winrate {rate} differently")
        winrate = float(rate) if is_float else int(rate) / 10_000
        if not 0 <= winrate <= 1:
            raise ClientError(f"winrate {rate} is none")
        variation = match[2].split()
        if "pass" in variation:
            variation = variation[: variation.index("pass")]
        if values["move"] == "pass":
            continue
        score = values.get("scoreLead")
        found.append(
            Suggestion(
                values["move"],
                int(values["visits"]),
                winrate,
                None if score is None else float(score),
                variation,
            )
        )
    return found


# Lizzie: standard error comes with the output, replies have numbers, whole numbers are whole.

_LIZZIE_TAKES_FOR_OUTPUT = ("info", "play", "=", "?", "komi=", "opp_komi=", "Tuning")


def check_lizzie_stderr(text: str) -> None:
    """Complain about what Lizzie would take for output of the engine."""
    for line in text.splitlines():
        if line.startswith(_LIZZIE_TAKES_FOR_OUTPUT) or " -> " in line:
            raise ClientError(f"Lizzie takes this for output: {line!r}")


def check_lizzie_version(name: str, version: str) -> None:
    """Lizzie takes the second part of the version for a number, unless it meets KataGo."""
    if not name.startswith("KataGo") and not version.split(".")[1].isdigit():
        raise ClientError(f"Lizzie stumbles over version {version!r}")


def lizzie_suggestions(line: str, *, kata: bool) -> tuple[list[Suggestion], list[float]]:
    """Read an info line into moves and ownership, word by word as Lizzie does."""
    body, mark, tail = line.partition("ownership")
    ownership = [float(word) for word in tail.split()] if mark else []
    if not body.startswith("info "):
        raise ClientError(f"Lizzie knows no such line: {line[:60]!r}")
    found = []
    for segment in body[5:].split(" info "):
        words = segment.strip().split(" ")
        values: dict[str, str] = {}
        variation: list[str] = []
        place = 0
        while place < len(words):
            key = words[place]
            if key == "pv":
                variation = words[place + 1 :]
                break
            if place + 1 == len(words):
                raise ClientError(f"Lizzie finds no value for {key!r}")
            values[key] = words[place + 1]
            place += 2
        if not variation:
            raise ClientError("Lizzie finds no variation")
        if kata:
            winrate = float(values["winrate"])
        else:
            # Integer.parseInt of Java takes neither points nor exponents.
            for key in ("winrate", "prior", "lcb"):
                if not re.fullmatch(r"-?\d+", values[key]):
                    raise ClientError(f"Lizzie reads no integer in {key} {values[key]!r}")
            winrate = int(values["winrate"]) / 10_000
        score = float(values["scoreMean"]) if "scoreMean" in values else None
        found.append(Suggestion(values["move"], int(values["visits"]), winrate, score, variation))
    return found, ownership


def lizzieyzy_commands(name: str) -> tuple[str, str]:
    """Return the commands that LizzieYzy analyzes and plays with, which it picks by name."""
    lower = name.lower()
    if lower.startswith(("leela zero", "pachi")):
        return "lz-analyze {color} {interval}", "lz-genmove_analyze {color} {interval}"
    if lower.startswith("kata"):
        return "kata-analyze {color} {interval}", "kata-genmove_analyze {color} {interval}"
    return "lz-analyze {interval}", "genmove {color}"


# q5go: wants both the mean and the deviation of the score before it shows one.


def q5go_suggestions(line: str) -> list[Suggestion]:
    """Read a kata line as q5go does: the score is shown if its mean and deviation are there."""
    if not line.startswith("info "):
        raise ClientError(f"q5go knows no such line: {line[:60]!r}")
    found = []
    head = re.split(r"\b(?:rootInfo|ownership)\b", line)[0]
    for segment in head.split("info move ")[1:]:
        move, _, rest = segment.partition(" ")
        fields = re.search(r"visits (\d+)\b.*?winrate (\d*\.\d+)\b", rest)
        variation = re.search(r" pv ((?:\S+ ?)+)$", rest)
        if fields is None or variation is None:
            raise ClientError(f"q5go reads nothing from {segment!r}")
        mean = re.search(r"scoreMean (-?[\d.]+)", rest)
        deviation = re.search(r"scoreStdev (-?[\d.]+)", rest)
        if mean is None or deviation is None:
            raise ClientError("q5go would show no score")
        found.append(
            Suggestion(move, int(fields[1]), float(fields[2]), float(mean[1]), variation[1].split())
        )
    return found


# gtp2ogs: anything but success is the engine's failure.


def gtp2ogs_answer(text: str) -> str:
    """Return the first word of a reply; a failure or a stray line would lose the game."""
    reply = parse_reply(text.removesuffix("\n\n"))
    if not reply.ok:
        raise ClientError(f"gtp2ogs gives the game up: {text!r}")
    return reply.text.split()[0] if reply.lines else ""


def gtp2ogs_handicap(text: str, count: int, size: int) -> list[str]:
    """Return free handicap stones: exactly as many as asked for, or the bot resigns."""
    reply = parse_reply(text.removesuffix("\n\n"))
    vertices = [check_vertex(word, size) for word in reply.text.split(" ")]
    if len(reply.lines) != 1 or len(vertices) != count or len(set(vertices)) != count:
        raise ClientError(f"gtp2ogs wanted {count} stones: {text!r}")
    return vertices


# CGOS: words between single blanks; a variation ends only at "info" or "ownership".


def cgos_suggestions(line: str) -> tuple[list[Suggestion], list[float]]:
    """Read a line of genmove_analyze as the client of CGOS does, with its narrow grammar."""
    words = line.split(" ")
    if "" in words:
        raise ClientError("CGOS reads an empty word between two blanks")
    found: list[Suggestion] = []
    ownership: list[float] = []
    place = 0
    while place < len(words):
        if words[place] == "ownership":
            ownership = [float(word) for word in words[place + 1 :]]
            break
        if words[place] != "info":
            raise ClientError(f"CGOS expects info, not {words[place]!r}")
        place += 1
        values: dict[str, str] = {}
        variation: list[str] = []
        while place < len(words) and words[place] not in ("info", "ownership"):
            if words[place] == "pv":
                place += 1
                while place < len(words) and words[place] not in ("info", "ownership"):
                    variation.append(words[place])
                    place += 1
            else:
                values[words[place]] = words[place + 1]
                place += 2
        for vertex in variation:
            check_vertex(vertex, 25)
        rate = values["winrate"]
        found.append(
            Suggestion(
                values["move"],
                int(values["visits"]),
                float(rate) if "." in rate else int(rate) / 10_000,
                float(values["scoreLead"]) if "scoreLead" in values else None,
                variation,
            )
        )
    return found, ownership


_CGOS_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"


def cgos_report(line: str, points: int) -> dict[str, Any]:
    """Read the line of JSON that CGOS shows to those who watch."""
    report: dict[str, Any] = json.loads(line)
    if not 0 <= report["winrate"] <= 1 or not isinstance(report["visits"], int):
        raise ClientError(f"CGOS shows no such win rate or visits: {line[:80]!r}")
    float(report["score"])
    if "ownership" in report:
        owners = report["ownership"]
        if len(owners) != points or set(owners) - set(_CGOS_DIGITS):
            raise ClientError("CGOS reads no ownership")
        report["ownership"] = [_CGOS_DIGITS.index(digit) / 62 * 2 - 1 for digit in owners]
    for move in report["moves"]:
        check_vertex(move["move"], 25)
        for word in move["pv"].split(" ") if move["pv"] else []:
            check_vertex(word, 25)
        if move["move"] != "pass" and move["pv"].split(" ")[0] == move["move"]:
            raise ClientError("CGOS wants the variation without the move itself")
        if not all(math.isfinite(move[key]) for key in ("winrate", "score", "prior", "visits")):
            raise ClientError(f"not finite: {move}")
    return report


# kgsGtp: compares words exactly, and ends the engine over a vertex it does not know.


def kgs_move(text: str, size: int) -> str:
    """Return a move as kgsGtp reads it; what it does not know kills the engine."""
    reply = parse_reply(text.removesuffix("\n\n"))
    word = re.sub(r"#.*", "", reply.text).strip()
    if not reply.ok or reply.number is not None:
        raise ClientError(f"kgsGtp ends the engine: {text!r}")
    return word if word == "resign" else check_vertex(word, size)


def kgs_dead_stones(text: str, stones: set[str], size: int) -> set[str]:
    """Return dead stones; naming an empty point is fatal."""
    reply = parse_reply(text.removesuffix("\n\n"))
    if not reply.ok:
        raise ClientError(f"kgsGtp ends the engine: {text!r}")
    dead = {check_vertex(word, size) for word in reply.text.split()}
    if not dead <= stones:
        raise ClientError(f"kgsGtp ends the engine over empty points {dead - stones}")
    return dead


# GoGui: lists of analyze commands, and graphics in several forms.

_GOGUI_TYPES = re.compile(
    "bwboard|cboard|dboard|eplist|gfx|hstring|hpstring|none|param|plist|pspairs|pstring|sboard|"
    "string|var|varb|varc|varp|varpo|varw"
)


def gogui_response(reply: str) -> str:
    """Return what GoGui takes for the answer: what follows the first blank of the whole reply."""
    if not reply.startswith("="):
        raise ClientError(f"GoGui shows an error: {reply!r}")
    place = reply.find(" ")
    return reply[1 if place < 0 else place + 1 : -2]


def gogui_analyze_commands(text: str) -> list[tuple[str, str, str]]:
    """Return type, label and command of each line."""
    commands = []
    for line in text.splitlines():
        parts = line.split("/")
        if not _GOGUI_TYPES.fullmatch(parts[0].strip()) or len(parts) < 3:
            raise ClientError(f"GoGui knows no such command: {line!r}")
        commands.append((parts[0].strip(), parts[1].strip(), parts[2].strip()))
    return commands


def gogui_sboard(text: str, size: int) -> list[list[str]]:
    """Return the rows of a board of words, the first *size* words of every line that has any."""
    lines = [line for line in text.splitlines() if line.strip()][:size]
    rows = [re.findall(r'"[^"]*"|\S+', line)[:size] for line in lines]
    if len(rows) != size or any(len(row) != size for row in rows):
        raise ClientError("GoGui says: Incomplete string board")
    return rows


def gogui_dboard(text: str, size: int) -> list[list[float]]:
    """Return the rows of a board of numbers from -1 to 1."""
    rows = [[float(word) for word in row] for row in gogui_sboard(text, size)]
    if any(not -1 <= number <= 1 for row in rows for number in row):
        raise ClientError("GoGui wants numbers from -1 to 1")
    return rows


_GOGUI_MARKS = {"BLACK", "WHITE", "CIRCLE", "SQUARE", "TRIANGLE", "MARK"}


def gogui_graphics(text: str, size: int) -> set[str]:
    """Check every line of graphics and return the words they begin with."""
    begun = set()
    for line in text.splitlines():
        word, *words = line.split()
        begun.add(word)
        if word in _GOGUI_MARKS:
            gogui_points(" ".join(words), size)
        elif word in ("INFLUENCE", "LABEL"):
            gogui_points(" ".join(words[::2]), size)
            if word == "INFLUENCE":
                [float(value) for value in words[1::2]]
        elif word == "VAR":
            gogui_variation(" ".join(words), size)
        elif word not in ("TEXT", "CLEAR", "COLOR"):
            raise ClientError(f"GoGui draws nothing for {line!r}")
    return begun


def gogui_points(text: str, size: int) -> list[str]:
    """Return a list of points."""
    return [check_vertex(word, size) for word in text.split()]


def gogui_variation(text: str, size: int) -> list[tuple[str, str]]:
    """Return the moves of a variation, each after its color; a pass in any case of letters."""
    words = text.split()
    if set(words[::2]) - {"b", "w"} or len(words) % 2:
        raise ClientError(f"GoGui reads no variation in {text!r}")
    vertices = [check_vertex("pass" if word == "PASS" else word, size) for word in words[1::2]]
    return list(zip(words[::2], vertices, strict=True))


# LizGoban: wants the visits beside the variation, and forgives their absence.


def lizgoban_suggestions(line: str) -> list[dict[str, Any]]:
    """Read a kata line with everything LizGoban asks for: lists end where another key begins."""
    lists = {"pv", "pvVisits", "pvEdgeVisits", "movesOwnership"}
    body = re.split(r" (?=(?:rootInfo|ownership|ownershipStdev) )", line)[0]
    found = []
    for segment in body.split("info ")[1:]:
        values: dict[str, Any] = {}
        key = ""
        for word in segment.split():
            if word in lists:
                key = word
                values[key] = []
            elif key:
                values[key].append(word if key == "pv" else float(word))
            elif "" in values:
                values[values.pop("")] = word
            else:
                values[""] = word
        for key in ("pvVisits", "pvEdgeVisits"):
            if key in values and len(values[key]) != len(values["pv"]):
                raise ClientError(f"LizGoban finds {key} and variation of different lengths")
        found.append(values)
    return found


def kata_section(line: str, name: str) -> list[str]:
    """Return the words after *name* up to the next section of a kata line."""
    sections = {"rootInfo", "ownership", "ownershipStdev", "info"}
    words = line.split(" ")
    begin = words.index(name) + 1
    end = next((i for i in range(begin, len(words)) if words[i] in sections), len(words))
    return words[begin:end]


# KaTrain and Ogatak: JSON lines.

_KATRAIN_MOVE = {"move", "visits", "winrate", "scoreLead", "prior", "lcb", "order", "pv", "utility"}
_KATRAIN_ROOT = {"winrate", "scoreLead", "visits", "utility", "scoreStdev", "currentPlayer"}


@dataclass
class KaTrainNode:
    """What KaTrain keeps for a position."""

    winrate: float
    score: float
    visits: int
    moves: dict[str, dict[str, Any]]
    ownership: list[float] | None
    policy: list[float] | None


def katrain_node(reply: dict[str, Any], width: int, height: int) -> KaTrainNode | None:
    """Read a reply as KaTrain does; None for one without results."""
    if "error" in reply:
        raise ClientError(f"KaTrain shows an error: {reply['error']}")
    if reply.get("noResults"):
        return None
    if not isinstance(reply["isDuringSearch"], bool):
        raise ClientError("KaTrain wants to know whether the search goes on")
    root = reply["rootInfo"]
    if _KATRAIN_ROOT - root.keys():
        raise ClientError(f"KaTrain misses {_KATRAIN_ROOT - root.keys()} of the root")
    moves = {}
    for order, info in enumerate(reply["moveInfos"]):
        if _KATRAIN_MOVE - info.keys():
            raise ClientError(f"KaTrain misses {_KATRAIN_MOVE - info.keys()} of a move")
        if info["order"] != order or info["pv"][0] != info["move"]:
            raise ClientError(f"KaTrain wants moves in order, with their variations: {info}")
        moves[check_vertex(info["move"], max(width, height))] = info
    ownership, policy = reply.get("ownership"), reply.get("policy")
    if ownership is not None and len(ownership) != width * height:
        raise ClientError("KaTrain cannot draw this ownership")
    if policy is not None:
        if len(policy) != width * height + 1:
            raise ClientError("KaTrain cannot draw this policy")
        if any(not (value == -1 or 0 <= value <= 1) for value in policy):
            raise ClientError("KaTrain wants -1 or a probability")
    return KaTrainNode(root["winrate"], root["scoreLead"], root["visits"], moves, ownership, policy)


def ogatak_belongs(reply: dict[str, Any], running: str) -> bool:
    """Say whether a reply is about the position shown; Ogatak compares the whole id."""
    if "error" in reply:
        raise ClientError(f"Ogatak gives up: {reply['error']}")
    return bool(reply["id"] == running)
