"""A game in the terminal, as a written conversation."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from montego.engine.searching.searcher import MESSAGE
from montego.go import Game

if TYPE_CHECKING:
    from pathlib import Path

WAITING = "I am getting ready"
"""Said on slow machines only, as MESSAGE is, so not expected in conversations."""


def talk(
    said: str | bytes, *arguments: str, status: int = 0, **environment: str
) -> tuple[list[str], str]:
    """The lines that the console answers with on a small board, and the same as one text."""
    return talk_about(said, "--size=5", *arguments, status=status, **environment)


def talk_about(
    said: str | bytes, *arguments: str, status: int = 0, **environment: str
) -> tuple[list[str], str]:
    """As :func:`talk`, about any game."""
    done = subprocess.run(
        [sys.executable, "-m", "montego", "console", "--simulations=200", *arguments],
        input=said if isinstance(said, bytes) else said.encode(),
        capture_output=True,
        timeout=300,
        check=False,
        env=os.environ | environment,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert done.returncode == status, done.stderr.decode()
    shown = done.stdout.decode() + done.stderr.decode()
    lines = [line for line in shown.splitlines() if not line.startswith((WAITING, MESSAGE))]
    return lines, "\n".join([*lines, ""])


@pytest.fixture(autouse=True)
def _data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results of these games are not the user's."""
    monkeypatch.setenv("MONTEGO_DATA_DIR", str(tmp_path / "data"))


def moves_in(text: str) -> list[str]:
    """What Montego did, in order."""
    return re.findall(r"^Montego (?:plays |)(.*)\.$", text, re.MULTILINE)


def test_a_conversation(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    said = f"""
help
c3
why
hint
score
level like-15k
level 20k
undo
D4
save {file}
resign
undo
quit
"""
    lines, text = talk(said)

    assert lines[0] == "You are black. Type a vertex such as D4, or help."
    assert "  hint           what I would play" in text
    assert text.count("Montego plays ") == 2
    assert "  I would play " in text
    assert re.search(r"^>   White plays [A-E][1-5]: the search prefers it\.$", text, re.MULTILINE)
    assert re.search(r"^>   If the game ended now: [BW]\+", text, re.MULTILINE)
    assert "  I choose what people of 15 kyu choose from now on, on a board of 9x9." in text
    assert "  I play like about 20k from now on." in text
    assert f"  saved as {file}" in text
    assert "The game is over: W+R. " in text
    assert "2, black to play." in text
    game = Game.from_sgf_file(file)
    assert [move.color for move in game.moves] == ["black", "white"]
    assert game.moves[0].vertex == "D4"


def test_a_program_of_the_documents_plays_when_it_is_asked_for() -> None:
    _, text = talk("preset v-run\nlevel 15k\npreset none\nquit\n")

    assert "  I play as V-Run did from now on." in text
    assert "the preset v-run plays as its document says, and has neither level nor style" in text
    assert "  I play as usual." in text


def test_a_style_is_asked_for_and_left() -> None:
    _, text = talk("style fighting\nstyle none\nquit\n")

    assert "  Of moves that are about as good I like those that touch your stones" in text
    assert "  I play in no style from now on." in text


NONSENSE = {
    "Z9": "illegal move black Z9: off the board",
    "I3": "I3: the letter I is not used; columns go from H to J",
    "hello": "hello: not a vertex; say one such as D4, or pass",
    "C3 D4": "say one move, or help",
    "why": "Nothing was decided yet.",
    "44": "44: not a vertex; say one such as D4, or pass",
    "undo": "you have not played yet",
    "save": "say save FILE",
    "level": "say level and a rank, such as level 15k, or level none",
    "preset": "say preset and a program, such as preset v-run, or preset none",
    "style": "say style and what I shall like, such as style calm, or style none",
    "style wild": "say one of calm, fighting, territory, influence, or none",
    "preset fuego": "say one of v-run, v-run-draft, mogo, rlgo, go-player, mcgnugo, or none",
    "level 31k": "like-2k, like-2d, or none",
    "save /no/such/folder/x.sgf": "No such file or directory: '/no/such/folder/x.sgf'",
    "';": "';: not a vertex; say one such as D4, or pass",
    "é": "é: not a vertex; say one such as D4, or pass",
}


def test_what_makes_no_sense_is_explained_and_the_game_goes_on() -> None:
    _, text = talk("\n".join([*NONSENSE, "quit"]), PYTHONUTF8="1")
    answers = [answer.strip() for answer in text.split("> ")[1:-1]]

    assert len(answers) == len(NONSENSE)
    for answer, expected in zip(answers, NONSENSE.values(), strict=True):
        assert answer.endswith(expected)
    assert text.count("Move 0, black to play.") == 1


def test_occupied_points() -> None:
    _, text = talk("C3\nC3\nquit\n")

    assert "illegal move black C3: the point is occupied" in text


def test_bytes_that_are_no_text() -> None:
    _, text = talk(b"\xff\xfe\nquit\n", PYTHONIOENCODING="utf-8:strict")

    assert "\\xff\\xfe: not a vertex" in text


@pytest.mark.parametrize("said", ["", "\n\n", "C3", "q\n", "exit\n", "QUIT\n"])
def test_the_end_of_the_input_ends_the_game(said: str) -> None:
    talk(said)


def test_the_other_color_and_other_rules() -> None:
    lines, text = talk("quit\n", "--color=white", "--rules=japanese", "--komi=0.5")

    assert lines[0].startswith("You are white.")
    assert "Montego plays " in text
    assert "Move 1, white to play." in text
    assert "Komi 0.5, japanese rules." in text


def test_two_passes_end_the_game_and_undo_goes_on() -> None:
    # Who imitates answers a pass with a pass, whatever the board.
    _, text = talk("pass\nC3\nhint\nundo\nquit\n", "--set", "mode=imitate")

    assert "Montego passes." in text
    assert "The game is over: W+7.5. Undo or quit?" in text
    assert text.count(">   the game is over: say undo or quit") == 2
    assert text.count("Move 0, black to play.") == 2


def test_a_handicap_goes_with_little_komi() -> None:
    _, text = talk_about("quit\n", "--size=7", "--handicap=4")

    assert "Move 0, white to play. Prisoners: Black 0, White 0. Komi 0.5, chinese rules." in text
    assert len(moves_in(text)) == 1

    _, text = talk_about("quit\n", "--size=7", "--handicap=2", "--komi=3.5")
    assert "Komi 3.5," in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size=1"], "montego: invalid size '1': say a whole number from 2 to 25"),
        (["--rules=chess"], "montego: unknown rules 'chess': say one of chinese, "),
        (["--komi=x"], "montego: invalid komi 'x': say a number from -1000 to 1000"),
        (["--color=red"], "montego: invalid color 'red': say black or white"),
        (["--simulations=0"], "montego: invalid simulations '0': say a whole number from 1"),
        (["--level=31k"], "montego: invalid level '31k': say one of 30k, 29k, "),
        (["--handicap=x"], "montego: invalid handicap 'x': say a whole number"),
        (["--handicap=4", "--size=4"], "montego: "),
        (["--set", "color"], "montego: "),
    ],
)
def test_bad_options_are_told_in_one_line(arguments: list[str], message: str) -> None:
    lines, _ = talk("", *arguments, status=1)

    assert len(lines) == 1
    assert lines[0].startswith(message)


def test_the_same_seed_plays_the_same_game() -> None:
    moves = "C3\nB2\nD4\nquit\n"

    assert moves_in(talk(moves, "--seed=5")[1]) == moves_in(talk(moves, "--seed=5")[1])


# Other games.


def test_a_conversation_about_tic_tac_toe() -> None:
    lines, text = talk_about("help\nhint\nB2\nundo\na1\nquit\n", "tic-tac-toe")

    assert lines[0] == "You are X. Type a move such as b2, or help."
    assert "undo           take back your last move and mine" in text
    assert re.search(r"^>   I would play [abc][123] \(.*\)", text, re.MULTILINE)
    assert text.count("Montego plays ") == 2
    assert text.count("3 . . .\n2 . . .\n1 . . .\n  a b c\n") == 2
    assert "3 . . .\n2 . . .\n1 X . .\n  a b c\nMontego plays " in text


@pytest.mark.parametrize(
    ("game", "answers"),
    [
        (
            ("tic-tac-toe",),
            {
                "z9": "invalid cell 'z9': say a letter a to c and a number 1 to 3",
                "b2 b3": "say one move, or help",
                "undo": "you have not played yet",
            },
        ),
        (
            ("connect-four",),
            {
                "8": "invalid column '8': say a number from 1 to 7",
                "pass": "invalid column 'pass': say a number from 1 to 7",
            },
        ),
        (
            ("hex", "--size=3"),
            {
                "d1": "invalid cell 'd1': say one from a1 to c3, or swap",
                "swap": "swap is not a legal move",
                "undo": "you have not played yet",
            },
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_nonsense_in_other_games(game: tuple[str, ...], answers: dict[str, str]) -> None:
    _, text = talk_about("\n".join([*answers, "quit"]), *game)

    assert [answer.strip() for answer in text.split("> ")[1:-1]] == list(answers.values())


def test_a_taken_cell() -> None:
    _, text = talk_about("b2\nb2\nquit\n", "tic-tac-toe")

    assert ">   b2 is not a legal move" in text


def test_a_lost_game_is_over_until_it_is_undone() -> None:
    # The corner without an answer to a fork: Montego, to move first, does not let it go.
    said = "a2\na2\nb1\na1\nc1\na3\nb2\nc2\nc3\nb3\nc1\nhint\nfoo\nundo\nquit\n"
    _, text = talk_about(said, "tic-tac-toe", "--color=second", "--simulations=5000")

    over = "The game is over: "
    assert over in text
    assert "you win" not in text
    after = text.split(over)[1]
    assert after.startswith(("Montego wins. Undo or quit?", "a draw. Undo or quit?"))
    assert ">   the game is over" in after


def test_the_swap_can_be_said_and_answered() -> None:
    _, text = talk_about("swap\nquit\n", "hex", "--size=4", "--color=white")
    assert "You are O." in text
    assert text.count("Montego plays ") == 2

    _, text = talk_about("b2\nquit\n", "hex", "--size=3", "--simulations=3000")
    assert "Montego plays swap." in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hex", "--size=1"], "montego: invalid size 1: Hex is played on 2 to 26 lines"),
        (["connect-four", "--size=8"], "montego: connect-four has only one size"),
        (["hex", "--size=x"], "montego: invalid size 'x': say a whole number"),
        (["hex", "--komi=5"], "montego: hex has no option komi"),
        (["hex", "--rules=japanese"], "montego: hex has no option rules"),
        (["hex", "--level=20k"], "montego: hex has no option level"),
        (["hex", "--handicap=2"], "montego: hex has no handicap"),
        (["hex", "--color=red"], "montego: invalid color 'red': say black or white"),
        (["hex", "--simulations=0"], "montego: invalid simulations '0': say "),
        (["hex", "--seed=-1"], "montego: invalid seed '-1': say "),
    ],
)
def test_bad_options_for_other_games(arguments: list[str], message: str) -> None:
    lines, _ = talk_about("", *arguments, status=1)

    assert len(lines) == 1
    assert lines[0].startswith(message)


def test_a_game_that_is_not_there() -> None:
    lines, _ = talk_about("", "chess", status=2)

    assert (
        "unknown game 'chess': say one of go, tic-tac-toe, connect-four, hex, or a file"
        in lines[-1]
    )


@pytest.mark.parametrize("game", ["go", "hex", "connect-four", "tic-tac-toe"])
def test_games_end_with_the_input(game: str) -> None:
    lines, _ = talk_about("", game)

    assert lines[-1] == "> "


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another thing there")
def test_ctrl_c_at_the_prompt_leaves() -> None:
    command = [sys.executable, "-m", "montego", "console", "tic-tac-toe"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        while running.stdout.read(1) not in (b">", b""):
            pass
        running.send_signal(signal.SIGINT)
        assert running.stdout.read().endswith(b"\nGoodbye.\n")
        assert running.wait(timeout=60) == 0
        assert running.stderr.read() == b""


def test_the_same_seed_plays_the_same_other_game() -> None:
    said = "hint\n4\n3\nhint\nquit\n"

    first = talk_about(said, "connect-four", "--seed=5")
    assert talk_about(said, "connect-four", "--seed=5") == first
