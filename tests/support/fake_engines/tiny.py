"""A GTP engine of its own, good or bad on purpose, to try the arena with.

It imports nothing of Montego. ``--skill`` is the chance to play a sensible move instead of a random
one; ``--fault`` names a way to misbehave, ``--at`` after how many calls of genmove. The environment
says its version, and the digest of its sources if it is to have one.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time

SOURCES = os.environ.get("TINY_SOURCES", "")
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
FAULTS = (
    "none",
    "occupied",
    "off-board",
    "nonsense",
    "empty",
    "no-sign",
    "wrong-number",
    "late",
    "silence",
    "exit",
    "close-output",
    "flood",
    "noise-flood",
    "error-flood",
    "slow",
    "slow-start",
    "resign",
    "refuse-play",
    "refuse-genmove",
    "refuse-komi",
    "no-quit",
    "never-pass",
    "chatter",
    "dead-nonsense",
    "dead-everything",
    "dead-exit",
)


class Board:
    """Stones by point, with captures and simple ko."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stones: dict[tuple[int, int], str] = {}
        self.ko: tuple[int, int] | None = None

    def neighbors(self, point: tuple[int, int]) -> list[tuple[int, int]]:
        x, y = point
        around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return [(i, j) for i, j in around if 0 <= i < self.size and 0 <= j < self.size]

    def chain(self, point: tuple[int, int]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
        color = self.stones[point]
        chain, liberties, waiting = {point}, set(), [point]
        while waiting:
            for near in self.neighbors(waiting.pop()):
                if near not in self.stones:
                    liberties.add(near)
                elif self.stones[near] == color and near not in chain:
                    chain.add(near)
                    waiting.append(near)
        return chain, liberties

    def after(self, color: str, point: tuple[int, int]) -> Board | None:
        if point in self.stones or point == self.ko:
            return None
        board = Board(self.size)
        board.stones = {**self.stones, point: color}
        taken: set[tuple[int, int]] = set()
        for near in self.neighbors(point):
            if board.stones.get(near, color) != color:
                chain, liberties = board.chain(near)
                if not liberties:
                    taken |= chain
        for stone in taken:
            del board.stones[stone]
        chain, liberties = board.chain(point)
        if not liberties:
            return None
        if len(taken) == len(chain) == len(liberties) == 1:
            board.ko = next(iter(liberties))
        return board

    def is_eye(self, color: str, point: tuple[int, int]) -> bool:
        return all(self.stones.get(near) == color for near in self.neighbors(point))

    def worth(self, color: str) -> float:
        total = 0.0
        for stone, owner in self.stones.items():
            total += (1.0 + 0.1 * len(self.chain(stone)[1])) * (1 if owner == color else -1)
        return total


class Tiny:
    """The engine."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.random = random.Random(options.seed)
        self.board = Board(5)
        self.past: list[Board] = []
        self.calls = 0

    def genmove(self, color: str) -> str:
        points = [
            (x, y)
            for x in range(self.board.size)
            for y in range(self.board.size)
            if not self.board.is_eye(color, (x, y))
        ]
        self.random.shuffle(points)
        moves = [(point, after) for point in points if (after := self.board.after(color, point))]
        self.past.append(self.board)
        if not moves:
            self.board.ko = None
            return "pass"
        if self.random.random() < self.options.skill:
            moves.sort(key=lambda move: -move[1].worth(color))
        (x, y), self.board = moves[0]
        return f"{LETTERS[x]}{y + 1}"

    def play(self, color: str, vertex: str) -> None:
        self.past.append(self.board)
        if vertex == "pass":
            self.board.ko = None
            return
        point = LETTERS.index(vertex[0].upper()), int(vertex[1:]) - 1
        after = self.board.after(color, point)
        if after is None:
            raise ValueError("illegal move")
        self.board = after

    def occupied(self) -> str:
        x, y = next(iter(self.board.stones), (0, 0))
        return f"{LETTERS[x]}{y + 1}"

    def answer(self, words: list[str]) -> str:
        name, arguments = words[0], words[1:]
        fault = self.options.fault
        if name == "boardsize":
            self.board = Board(int(arguments[0]))
        elif name == "clear_board":
            self.board = Board(self.board.size)
        elif name == "play":
            if fault == "refuse-play":
                raise ValueError("I would rather not")
            self.play(arguments[0][0].lower(), arguments[1].lower())
        elif name == "genmove":
            return self.genmove(arguments[0][0].lower())
        elif name == "undo":
            self.board = self.past.pop()
        elif name == "name":
            return "Tiny"
        elif name == "version":
            return os.environ.get("TINY_VERSION", "1.0")
        elif name == "montego-sources" and SOURCES:
            return SOURCES
        elif name == "list_commands":
            return (
                "boardsize\nclear_board\nkomi\nplay\ngenmove\nname\nversion\nlist_commands\nquit\n"
                "final_status_list\ntime_settings\ntime_left\nset_random_seed\nundo"
                + ("\nmontego-sources" if SOURCES else "")
            )
        elif name == "set_random_seed":
            self.random.seed(int(arguments[0]))
        elif name == "final_status_list":
            if fault == "dead-exit":
                os._exit(4)
            if fault == "dead-nonsense":
                return "Z99 hello"
            if fault == "dead-everything":
                return " ".join(f"{LETTERS[x]}{y + 1}" for x, y in self.board.stones)
        elif name == "komi" and fault == "refuse-komi":
            raise ValueError("no komi for me")
        elif name not in ("komi", "quit", "time_settings", "time_left"):
            raise ValueError("unknown command")
        return ""


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def misbehave(tiny: Tiny, number: str) -> bool:
    """Do something bad instead of answering genmove; return whether that was the answer."""
    fault = tiny.options.fault
    answers = {
        "occupied": f"={number} {tiny.occupied()}\n\n",
        "off-board": f"={number} T19\n\n",
        "nonsense": f"={number} hello world\n\n",
        "empty": f"={number}\n\n",
        "no-sign": "D4\n\n",
        "wrong-number": f"={int(number or 0) + 1000} A1\n\n",
        "resign": f"={number} resign\n\n",
        "refuse-genmove": f"?{number} I have no idea\n\n",
    }
    if fault in answers:
        write(answers[fault])
    elif fault == "late":
        write(f"={int(number) - 1} B2\n\n= B3\n\n")
        return False
    elif fault == "silence":
        time.sleep(1000)
    elif fault == "exit":
        sys.stderr.write("out of luck\n")
        sys.stderr.flush()
        os._exit(3)
    elif fault == "close-output":
        os.close(1)
        time.sleep(1000)
    elif fault == "flood":
        write(f"={number} ")
        while True:
            write("D4 " * 100000)
    elif fault == "noise-flood":
        while True:
            write("nothing to see here\n" * 10000)
    elif fault == "error-flood":
        sys.stderr.write("complaint\n" * 200000)
        return False
    elif fault == "slow":
        time.sleep(tiny.options.delay)
        return False
    else:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", choices=FAULTS, default="none")
    parser.add_argument("--at", type=int, default=2)
    parser.add_argument("--skill", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--delay", type=float, default=1.0)
    tiny = Tiny(parser.parse_args())
    if tiny.options.fault == "slow-start":
        time.sleep(tiny.options.delay)
    for line in sys.stdin:
        words = line.split("#")[0].split()
        if not words:
            continue
        number = words.pop(0) if words[0].isdigit() else ""
        if tiny.options.fault == "chatter":
            write("thinking ...\n")
        if words[0] == "genmove":
            tiny.calls += 1
            if tiny.calls > tiny.options.at and misbehave(tiny, number):
                continue
        if words[0] == "quit" and tiny.options.fault == "no-quit":
            time.sleep(1000)
        try:
            reply = tiny.answer(words)
            if tiny.options.fault == "never-pass" and reply == "pass":
                reply = "A1"
            write(f"={number} {reply}\n\n")
        except (ValueError, IndexError) as error:
            write(f"?{number} {error}\n\n")
        if words[0] == "quit":
            return


if __name__ == "__main__":
    main()
