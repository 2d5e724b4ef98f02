"""Conversations of the programs our users have, with a real engine and their own way of reading.

What each program sends, and what it cannot bear, is written down in its class. The parsers in
``client_parsers`` fail where the program would.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from client_parsers import (
    Reply,
    cgos_report,
    cgos_suggestions,
    check_lizzie_stderr,
    check_lizzie_version,
    check_vertex,
    gogui_analyze_commands,
    gogui_dboard,
    gogui_graphics,
    gogui_points,
    gogui_response,
    gogui_sboard,
    gogui_variation,
    gtp2ogs_answer,
    gtp2ogs_handicap,
    kata_section,
    kgs_dead_stones,
    kgs_move,
    lizgoban_suggestions,
    lizzie_suggestions,
    lizzieyzy_commands,
    parse_reply,
    q5go_suggestions,
    sabaki_suggestions,
    split_replies,
)
from engine_process import EngineProcess
from montego.cli.commands.gtp import READY

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALL = ("--simulations", "60", "--threads", "1", "--seed", "1", "--memory", "64")


@contextmanager
def running(*arguments: str, line_end: str = "\n", merged: bool = False) -> Iterator[EngineProcess]:
    """Give a running engine, and see that it is gone afterwards."""
    engine = EngineProcess(arguments, line_end=line_end, merge_stderr=merged)
    try:
        yield engine
    finally:
        engine.kill()


@pytest.fixture(scope="module")
def shared() -> Iterator[EngineProcess]:
    """An engine for all who leave it as they found it: running, and listening."""
    with running("gtp", *SMALL) as engine:
        yield engine


def stream(engine: EngineProcess, command: str, lines: int) -> list[str]:
    """Send a command that streams and return its first line and so many info lines."""
    engine.send(command)
    return [engine.line().rstrip("\n") for _ in range(lines + 1)]


def ended(engine: EngineProcess, command: str) -> Reply:
    """Send a line that ends a stream, and return its own reply."""
    engine.send(command)
    rest = engine.reply()
    assert all(line.startswith("info ") for line in rest.splitlines() if line)
    return parse_reply(engine.reply().removesuffix("\n\n"))


def quits(engine: EngineProcess) -> None:
    """See that quit is answered and that the engine ends."""
    assert parse_reply(engine.ask("quit").removesuffix("\n\n")).ok
    assert engine.wait() == 0


class TestSabaki:
    """Pipelines its start, picks the first analyze command it knows, interrupts by a command."""

    def test_conversation(self, shared: EngineProcess) -> None:
        shared.send("name", "version", "protocol_version", "list_commands")
        name, _version, protocol, commands = (
            parse_reply(shared.reply().removesuffix("\n\n")) for _ in range(4)
        )
        assert name.lines == ["Montego"]
        assert protocol.lines == ["2"]
        listed = commands.lines
        wanted = [name for name in listed if name in ("analyze", "kata-analyze", "lz-analyze")]
        analyze = wanted[0]
        assert analyze == "kata-analyze"
        assert "genmove_analyze" not in listed

        for command in ("boardsize 7", "clear_board", "komi 6.5", "play B D4", "play W C3"):
            assert shared.value(command) == ""
        first, line = stream(shared, f"{analyze} B 2", 1)
        assert first == "="
        moves = sabaki_suggestions(line, analyze)
        assert moves
        assert all(check_vertex(move.move, 7) and move.variation for move in moves)
        assert all(move.score is not None for move in moves)
        assert ended(shared, "protocol_version").lines == ["2"]

        assert shared.value("undo") == ""
        first, line = stream(shared, "lz-analyze W 2", 1)
        assert sabaki_suggestions(line, "lz-analyze")
        assert ended(shared, "protocol_version").lines == ["2"]

        for command in ("kata-genmove_analyze", "lz-genmove_analyze"):
            reply = parse_reply(shared.ask(f"{command} W 10").removesuffix("\n\n"))
            assert reply.ok
            *infos, last = reply.lines
            assert infos
            assert sabaki_suggestions(infos[-1], command)
            check_vertex(last.removeprefix("play "), 7)

    def test_stones_in_board_order_and_a_free_handicap(self, shared: EngineProcess) -> None:
        for command in ("boardsize 7", "clear_board", "play B A1", "play B B1", "play W C1"):
            assert shared.value(command) == ""
        for command in ("clear_board", "set_free_handicap C3 E5 C5"):
            assert shared.value(command) == ""


class TestGoGui:
    """Asks for everything it finds in the list; knows an engine's own analyze commands."""

    def test_conversation(self, shared: EngineProcess) -> None:
        listed = shared.value("list_commands").split("\n")
        for name in ("gogui-analyze_commands", "gogui-play_sequence", "gogui-setup"):
            assert name in listed
        for command in ("boardsize 5", "clear_board", "komi 5.5", "time_settings 0 1 0"):
            assert shared.value(command) == ""
        assert shared.value("gogui-play_sequence b C3 w D4 b B2") == ""
        assert shared.ask("gogui-play_sequence w A5 b A5").startswith("?")
        assert shared.value("gg-undo 2") == ""
        assert shared.value("gogui-play_sequence w D4 b B2") == ""
        vertex = gogui_response(shared.ask("genmove b"))
        check_vertex(vertex, 5)

    def test_every_picture_can_be_drawn(self, shared: EngineProcess) -> None:
        for command in ("boardsize 5", "clear_board", "play b C3"):
            assert gogui_response(shared.ask(command)) == ""
        check_vertex(gogui_response(shared.ask("genmove w")), 5)
        commands = gogui_analyze_commands(gogui_response(shared.ask("gogui-analyze_commands")))
        readers = {
            "sboard": gogui_sboard,
            "dboard": gogui_dboard,
            "gfx": gogui_graphics,
            "plist": gogui_points,
            "var": gogui_variation,
        }
        drawn = set()
        for kind, _label, command in commands:
            text = gogui_response(shared.ask(command.replace("%c", "b").replace("%p", "A1")))
            if kind in readers:
                readers[kind](text, 5)
                drawn.add(kind)
        assert drawn == readers.keys()

    def test_statistics_get_a_move_of_a_lost_game(self) -> None:
        lost = ("gogui-setup w A1 w B2 w C3 w D4 w E5 w B4 w D2", "komi 50")
        eager = ("--resign", "0.9", "--set", "resign-moves=1", "--set", "resign-after=0")
        with running("gtp", *SMALL, *eager, "--size", "5") as engine:
            for command in lost:
                assert gogui_response(engine.ask(command)) == ""
            check_vertex(gogui_response(engine.ask("reg_genmove b")), 5)
            assert gogui_response(engine.ask("kata-search b")) == "resign"
            assert gogui_response(engine.ask("genmove b")) == "resign"

    def test_a_comment_ends_the_thinking(self, shared: EngineProcess) -> None:
        for command in ("boardsize 5", "clear_board"):
            shared.value(command)
        assert "gogui-interrupt" in shared.value("list_commands")
        shared.send("kata-set-param simulations 100000000", "genmove b", "# interrupt")
        assert shared.reply() == "=\n\n"
        assert shared.reply().startswith("= ")
        shared.value("kata-set-param simulations 60")


class TestLizzie:
    """Reads standard error with the output, numbers its commands, stops with ``name``."""

    def test_conversation(self) -> None:
        with running("gtp", *SMALL, merged=True) as engine:
            assert engine.line() == f"{READY}\n"  # Of what comes first Lizzie makes nothing.
            engine.send("1 name", "2 version", "3 boardsize 7", "4 komi 7.5")
            replies = [parse_reply(engine.reply().removesuffix("\n\n")) for _ in range(4)]
            assert [reply.number for reply in replies] == [1, 2, 3, 4]
            check_lizzie_version(replies[0].text, replies[1].text)

            first, *lines = stream(engine, "5 lz-analyze 2", 2)
            assert first == "=5"
            for line in lines:
                moves, _ = lizzie_suggestions(line, kata=False)
                assert moves
            assert ended(engine, "6 name").number == 6

            assert engine.ask("7 play B D4") == "=7\n\n"
            first, line = stream(engine, "8 kata-analyze 2 ownership true", 1)
            moves, ownership = lizzie_suggestions(line, kata=True)
            assert moves[0].score is not None
            assert len(ownership) == 49
            assert ended(engine, "9 undo") == Reply(ok=True, number=9, lines=[])

            vertex = moves[0].move
            first, line = stream(engine, f"10 lz-analyze 2 avoid b {vertex},A1 50", 1)
            assert vertex not in [move.move for move in lizzie_suggestions(line, kata=False)[0]]
            assert ended(engine, "11 name").number == 11

            reply = parse_reply(engine.ask("12 lz-genmove_analyze B 10").removesuffix("\n\n"))
            assert reply.lines[-1].startswith("play ")
            assert len(engine.value("13 clear_board").split()) <= 1
            assert len(engine.value("14 fixed_handicap 2").split()[1:]) == 2
            assert engine.ask("15 time_settings 0 1 1") == "=15\n\n"
            engine.send("16 quit")
            assert engine.reply() == "=16\n\n"
            engine.wait()
            check_lizzie_stderr(READY)
            split_replies(engine.output.removeprefix(f"{READY}\n"))


class TestLizzieYzy:
    """Chooses its commands by the engine's name."""

    def test_conversation(self, shared: EngineProcess) -> None:
        name = shared.value("name")
        analyze, genmove = lizzieyzy_commands(name)
        shared.value("boardsize 5")
        shared.value("clear_board")
        first, line = stream(shared, analyze.format(color="B", interval=2), 1)
        assert first == "="
        assert lizzie_suggestions(line, kata="kata" in analyze)[0]
        assert ended(shared, "name").ok
        check_vertex(shared.value(genmove.format(color="B", interval=10)), 5)

    @pytest.mark.parametrize("name", ["leela zero", "KataGo"])
    def test_another_name_brings_another_dialect(self, shared: EngineProcess, name: str) -> None:
        analyze, genmove = lizzieyzy_commands(name)
        shared.value("boardsize 5")
        shared.value("clear_board")
        _, line = stream(shared, analyze.format(color="B", interval=2), 1)
        assert lizzie_suggestions(line, kata="kata" in analyze)[0]
        assert ended(shared, "stop").ok
        reply = parse_reply(shared.ask(genmove.format(color="B", interval=10)).removesuffix("\n\n"))
        assert reply.lines[-1].startswith("play ")
        for command in ("kata-get-rules", "clear_cache", "kata-get-param analysisWideRootNoise"):
            assert shared.ask(command).startswith("=")


class TestQ5go:
    """Asks for each command by name, and stops an analysis with such a question."""

    def test_conversation(self, shared: EngineProcess) -> None:
        assert shared.value("protocol_version") == "2"
        for name, known in (("lz-analyze", "true"), ("kata-analyze", "true"), ("moo", "false")):
            assert shared.value(f"known_command {name}") == known
        for rules in ("tromp-taylor", "japanese", "chinese-kgs", "new-zealand", '{"ko":"SIMPLE"}'):
            assert shared.value(f"kata-set-rules {rules}") == ""
        shared.value("kata-set-rules chinese")
        for command in ("boardsize 9", "clear_board", "komi 7.5", "1  play black E5"):
            assert shared.ask(command).startswith("=")
        first, line = stream(shared, "2  kata-analyze w 2", 1)
        assert first == "=2"
        moves = q5go_suggestions(line)
        assert all(check_vertex(move.move, 9) for move in moves)
        assert ended(shared, "3  known_command known_command").lines == ["true"]
        reply = parse_reply(shared.ask("4  kata-genmove_analyze white").removesuffix("\n\n"))
        assert reply.number == 4
        assert q5go_suggestions(reply.lines[0])
        assert reply.lines[-1].startswith("play ")


class TestLizGoban:
    """Finds out by trying; nothing it tries may change the game."""

    PROBES = (
        "lz-setoption name visits value 0",
        "kata-analyze interval 1",
        "kata-set-rules chinese",
        "set_free_handicap A1",
        "lz-analyze interval 1 minmoves 30",
        "endstate_map",
        "kata-raw-nn 0",
        "kata-analyze 1 pvVisits true",
        "kata-analyze 1 pvEdgeVisits true",
        "kata-analyze 1 ownershipStdev true",
        "kata-analyze 1 movesOwnership true",
        "kata-analyze 1 rootInfo true",
        "lz-analyze 1 allow B D4 1",
        "kata-get-param allowResignation",
        "kata-search_analyze_cancellable B",
    )

    def test_probes_change_nothing(self, shared: EngineProcess) -> None:
        for command in ("boardsize 7", "clear_board", "komi 5.5", "play b C3"):
            shared.value(command)
        before = shared.value("showboard"), shared.value("printsgf")

        shared.send(*self.PROBES, "name")
        replies = [parse_reply(shared.reply().removesuffix("\n\n")) for _ in self.PROBES]

        assert parse_reply(shared.reply().removesuffix("\n\n")).lines == ["Montego"]
        supported = {
            probe.split()[-2] if "true" in probe else probe.split()[0]
            for probe, reply in zip(self.PROBES, replies, strict=True)
            if reply.ok
        }
        assert {"kata-analyze", "pvVisits", "rootInfo", "movesOwnership"} <= supported
        assert (shared.value("showboard"), shared.value("printsgf")) == before

    def test_conversation(self, shared: EngineProcess) -> None:
        shared.value("set_position")
        shared.value("boardsize 7")
        shared.value("play b C3")
        command = (
            "kata-analyze W interval 2 ownership true ownershipStdev true minmoves 20 "
            "pvVisits true pvEdgeVisits true movesOwnership true rootInfo true"
        )
        first, line = stream(shared, command, 1)
        assert first == "="
        moves = lizgoban_suggestions(line)
        assert len(moves) >= 20
        assert all(len(move["pvVisits"]) == len(move["pv"]) for move in moves)
        assert any(len(move.get("movesOwnership", ())) == 49 for move in moves)
        assert len(kata_section(line, "ownership")) == 49
        assert len(kata_section(line, "ownershipStdev")) == 49
        root = kata_section(line, "rootInfo")
        assert root[0] == "visits"
        assert ended(shared, "name").ok

        shared.send("kata-set-param simulations 100000000")
        shared.reply()
        shared.send("kata-search_analyze_cancellable W interval 2", "name")
        assert shared.reply().endswith("play cancelled\n\n")
        assert shared.reply() == "= Montego\n\n"
        shared.value("kata-set-param simulations 60")


class TestGtp2ogs:
    """Ends lines with CR LF; a failure or a stray line loses the game; no rules are ever sent."""

    def test_conversation(self) -> None:
        with running("gtp", *SMALL, "--ogs", line_end="\r\n") as engine:
            listed = engine.value("list_commands").split("\n")
            assert "place_free_handicap" in listed
            for command in ("boardsize 9", "clear_board", "komi 6.5"):
                assert gtp2ogs_answer(engine.ask(command)) == ""
            gtp2ogs_handicap(engine.ask("place_free_handicap 3"), 3, 9)
            if "kata-list_time_settings" in listed:
                assert "fischer-capped" in engine.value("kata-list_time_settings")
                clocks = ["kata-time_settings fischer-capped 60 10 120 -1"]
            else:
                clocks = []
            for command in (
                *clocks,
                "time_settings 0 10 1",
                "kgs-time_settings byoyomi 60 5 3",
                "time_left black 30 0",
                "time_left white 0.5 1",
                "time_settings 0 1 0",
            ):
                assert gtp2ogs_answer(engine.ask(command)) == "", command
            move = gtp2ogs_answer(engine.ask("genmove white"))
            check_vertex(move, 9)
            assert gtp2ogs_answer(engine.ask("play black J9")) == ""
            check_vertex(gtp2ogs_answer(engine.ask("genmove white")), 9)
            assert re.match(r"[BW]\+|0", gtp2ogs_answer(engine.ask("final_score")))
            quits(engine)
            said = engine.errors
            assert "KataGo" in said
            assert re.search(
                r"^MALKOVICH:Visits \d+ Winrate \d+\.\d+% ScoreLead -?[\d.]+ "
                r"ScoreStdev [\d.]+ PV( \S+)+$",
                said,
                re.MULTILINE,
            )
            split_replies(engine.output)


class TestCgos:
    """Splits at single blanks; asks for a move without an interval; clocks in whole seconds."""

    def test_conversation(self) -> None:
        with running("gtp", *SMALL, "--cgos") as engine:
            listed = engine.value("list_commands").split("\n")
            assert {"cgos-genmove_analyze", "time_settings", "time_left"} <= set(listed)
            for command in (
                "boardsize 7",
                "komi 7.0",
                "time_settings 300 0 0",
                "cgos-opponent_name gnugo",
                "cgos-opponent_rating 1800",
                "clear_board",
                "time_left b 300 0",
            ):
                assert engine.value(command) == "", command
            reply = parse_reply(engine.ask("cgos-genmove_analyze b").removesuffix("\n\n"))
            assert len(reply.lines) == 2
            report = cgos_report(reply.lines[0], 49)
            assert report["moves"]
            check_vertex(reply.lines[1].removeprefix("play "), 7)
            engine.value("time_left w 299 0")
            text = engine.ask("kata-genmove_analyze w ownership true").removesuffix("\n\n")
            *infos, last = parse_reply(text).lines
            moves, ownership = cgos_suggestions(infos[-1])
            assert moves
            assert len(ownership) == 49
            check_vertex(last.removeprefix("play "), 7)
            text = engine.ask("lz-genmove_analyze b 100000").removesuffix("\n\n")
            *infos, last = parse_reply(text).lines
            assert cgos_suggestions(infos[-1])[0]
            assert engine.value("komi 7.0") == ""
            assert engine.value("cgos-gameover B+3.5") == ""
            quits(engine)


class TestKgs:
    """Sends the rules before the board, counts periods, and kills who names an empty point."""

    def test_conversation(self) -> None:
        with running("gtp", *SMALL, "--kgs") as engine:
            listed = engine.value("list_commands").split("\n")
            assert "kgs-chat" not in listed
            assert {"kgs-genmove_cleanup", "kgs-time_settings", "final_status_list"} <= set(listed)
            assert re.fullmatch(r"\d+\.\d+\.\d+", engine.value("version"))
            for command in (
                "kgs-rules chinese",
                "boardsize 5",
                "clear_board",
                "komi 7.5",
                "kgs-time_settings byoyomi 60 5 3",
                "time_left b 5 3",
            ):
                assert engine.value(command) == "", command
            stones: set[str] = set()
            for color, vertex in zip(
                "bw" * 5, ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5"], strict=True
            ):
                assert engine.value(f"play {color} {vertex}") == ""
                stones.add(vertex)
            assert engine.value("play w A1") == ""
            stones.add("A1")
            move = kgs_move(engine.ask("genmove b"), 5)
            stones.add(move)
            engine.value("undo")
            stones.discard(move)
            engine.value("play b pass")
            engine.value("play w pass")
            assert kgs_dead_stones(engine.ask("final_status_list dead"), stones, 5) == {"A1"}
            engine.value("undo")
            engine.value("undo")
            move = kgs_move(engine.ask("kgs-genmove_cleanup b"), 5)
            assert move != "pass"
            assert engine.value("kgs-game_over") == ""
            kgs_move(engine.ask("genmove w"), 5)
            quits(engine)
