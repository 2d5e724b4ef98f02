"""Learn which moves strong players choose, for :mod:`montego.go.prediction.prediction`.

    python benchmarks/learn_moves.py prediction_9.npz GAMES... [--size 9] [--least 15] [--passes 2]

GAMES are SGF files, or JSON lines (also gzipped) with ``size``, ``first`` and ``moves``, two
letters a move as in SGF. Shapes that were played *least* times are learned. Every tenth game of
each file, up to 150, is held back and says how often the favorite was played.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.go import Game
from montego.go.kernels.eye import is_eye
from montego.go.kernels.layout import (
    EMPTY_COUNT,
    FIRST_EMPTY,
    PASS,
    TO_PLAY,
    empty_state,
    point_at,
)
from montego.go.kernels.position import LEGAL, move_fault, play
from montego.go.prediction.prediction import prediction_room, save_prediction
from montego.go.prediction.shapes import RINGS, begin_shape, grow_shape
from montego.go.prediction.traits import MOST_TRAITS, TRAITS, find_traits, list_of, prepare_traits
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.vertex import parse_vertex
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import new_scratch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

HELD_BACK = 150
RATE = 0.1
_BOTH = BLACK + WHITE
_NEGLIGIBLE = 1e-4  # Errors below this teach nothing.


class Lesson(NamedTuple):
    """A game to learn from."""

    first: int
    moves: NDArray[np.int64]


class Model(NamedTuple):
    """What is learned: a table from keys to features, and the features' strengths."""

    keys: NDArray[np.uint64]
    features: NDArray[np.int32]
    strengths: NDArray[np.float64]
    squares: NDArray[np.float64]


def read_games(path: Path, size: int) -> Iterator[Lesson]:
    """Yield the games of a file that were played on such a board, without handicap or set-up."""
    if path.suffix == ".sgf":
        game = Game.from_sgf_file(path)
        if game.size == size and len(game.moves) == len(game.history):
            points = []
            for move in game.moves:
                at = parse_vertex(move.vertex, size)
                points.append(int(PASS) if at is None else point_at(*at, size))
            first = WHITE if game.moves and game.moves[0].color == "white" else BLACK
            yield Lesson(first, np.array(points, np.int64))
        return
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            game = json.loads(line)
            text = game["moves"]
            if game["size"] != size or game.get("ab") or game.get("aw") or len(text) < 4 * size:
                continue
            points = [
                int(PASS)
                if text[at : at + 2] == "--"
                else point_at(ord(text[at]) - 97, size - 1 - (ord(text[at + 1]) - 97), size)
                for at in range(0, len(text), 2)
            ]
            yield Lesson(
                BLACK if game.get("first", "B") == "B" else WHITE, np.array(points, np.int64)
            )


@kernel
def collect_keys(state: Any, scratch: Any, moves: Any, first: int, keys: Any) -> int:
    """Write the keys of the shapes that were played, RINGS a move; return how many keys."""
    color, count = first, 0
    shape = list_of(state, scratch) + Index(MOST_TRAITS)
    for number in range(len(moves)):
        point = Index(moves[number])
        if point != PASS:
            if move_fault(state, point, color) != LEGAL:
                return count
            begin_shape(scratch, shape)
            for ring in range(RINGS):
                keys[count] = grow_shape(state, scratch, shape, point, color, ring)
                count += 1
        state[TO_PLAY] = color
        play(state, point, color)
        color = _BOTH - color
    return count


@kernel
def feature_of(keys: Any, features: Any, key: int) -> int:
    """Return the feature with a key, or -1 if there is none."""
    mask = Index(len(keys) - 1)
    slot = (key >> Index(20)) & mask
    while keys[slot] != key:
        if keys[slot] == Index(0):
            return -1
        slot = (slot + Index(1)) & mask
    return int(features[slot])


@kernel
def learn_game(
    state: Any,
    scratch: Any,
    moves: Any,
    first: int,
    keys: Any,
    features: Any,
    strengths: Any,
    squares: Any,
    rate: float,
    found: Any,
    counts: Any,
    chances: Any,
    tally: Any,
) -> None:
    """Go through a game; learn from each move at that rate, by Adagrad (J. Duchi and others 2011).

    Adds to the tally: positions, favorites played, played among the first five, loss. *found* has
    a row for each move of a position, for its features; *counts* and *chances* an entry.
    """
    color = first
    listed = list_of(state, scratch)
    shape = listed + Index(MOST_TRAITS)
    for number in range(len(moves)):
        played = Index(moves[number])
        if played != PASS and move_fault(state, played, color) != LEGAL:
            return
        state[TO_PLAY] = color
        if played != PASS:
            suggested = prepare_traits(state, scratch, color)
            choices, chosen = 0, 0
            begin = Index(state[FIRST_EMPTY])
            for slot in range(begin, begin + Index(state[EMPTY_COUNT])):
                point = Index(state[Index(slot)])
                if point == played:
                    chosen = choices
                elif is_eye(state, point, color) or move_fault(state, point, color) != LEGAL:
                    continue
                count = find_traits(state, scratch, point, color, suggested)
                strength = 0.0
                for trait in range(count):
                    feature = int(scratch[listed + Index(trait)])
                    found[choices, trait] = feature
                    strength += strengths[feature]
                begin_shape(scratch, shape)
                for ring in range(RINGS):
                    key = grow_shape(state, scratch, shape, point, color, ring)
                    feature = feature_of(keys, features, key)
                    if feature < 0:
                        break
                    found[choices, count] = feature
                    strength += strengths[feature]
                    count += 1
                counts[choices] = count
                chances[choices] = strength
                choices += 1
            rank = 0
            for choice in range(choices):
                rank += int(chances[choice] > chances[chosen])
            total = 0.0
            for choice in range(choices):
                chances[choice] = math.exp(chances[choice])
                total += chances[choice]
            tally[0] += 1.0
            tally[1] += 1.0 if rank == 0 else 0.0
            tally[2] += 1.0 if rank < 5 else 0.0
            tally[3] -= math.log(chances[chosen] / total)
            for choice in range(choices if rate > 0.0 else 0):
                error = (1.0 if choice == chosen else 0.0) - chances[choice] / total
                if abs(error) > _NEGLIGIBLE:
                    for place in range(counts[choice]):
                        feature = found[choice, place]
                        squares[feature] += error * error
                        strengths[feature] += rate * error / math.sqrt(squares[feature] + 1.0)
        play(state, played, color)
        color = _BOTH - color


class School:
    """Buffers, and the way through many games."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.scratch = new_scratch(1, 1, prediction_room(size))
        points = size * size
        self.buffers = (
            np.zeros((points, MOST_TRAITS + RINGS), np.int64),
            np.zeros(points, np.int64),
            np.zeros(points, np.float64),
        )

    def find_shapes(self, lessons: list[Lesson], least: int) -> NDArray[np.uint64]:
        """Return the keys of all shapes that were played at least that often."""
        played = []
        for lesson in lessons:
            keys = np.zeros(RINGS * len(lesson.moves), np.uint64)
            count = collect_keys(
                empty_state(self.size), self.scratch, lesson.moves, lesson.first, keys
            )
            played.append(keys[:count])
        keys, counts = np.unique(np.concatenate(played), return_counts=True)
        return np.asarray(keys[counts >= least])

    def go_through(self, lessons: list[Lesson], model: Model, rate: float) -> NDArray[np.float64]:
        """Learn from the games, or only judge them at rate 0; return the tally."""
        tally = np.zeros(4, np.float64)
        begun = time.monotonic()
        for number, lesson in enumerate(lessons, 1):
            learn_game(
                empty_state(self.size),
                self.scratch,
                lesson.moves,
                lesson.first,
                *model,
                rate,
                *self.buffers,
                tally,
            )
            if number % 1000 == 0:
                seconds = time.monotonic() - begun
                say(f"{number} of {len(lessons)} games, {seconds:.0f} s; so far {_told(tally)}")
        return tally


def new_model(shapes: NDArray[np.uint64]) -> Model:
    """Return a model in which everything is worth the same."""
    slots = 1 << (3 * len(shapes)).bit_length()
    keys, features = np.zeros(slots, np.uint64), np.zeros(slots, np.int32)
    for feature, key in enumerate(shapes.tolist(), TRAITS):
        slot = (key >> 20) % slots
        while keys[slot]:
            slot = (slot + 1) % slots
        keys[slot], features[slot] = key, feature
    count = TRAITS + len(shapes)
    return Model(keys, features, np.zeros(count), np.zeros(count))


def _told(tally: NDArray[np.float64]) -> str:
    positions, first, among_five, loss = tally.tolist()
    return (
        f"{positions:.0f} moves, {first / positions:.1%} foretold, {among_five / positions:.1%} "
        f"among the first five, loss {loss / positions:.3f}"
    )


def say(text: str) -> None:
    """Tell people how far it is."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Learn, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("output", type=Path)
    parser.add_argument("games", type=Path, nargs="+", help="FILE, or FILE:MOST for fewer games")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--least", type=int, default=15)
    parser.add_argument("--passes", type=int, default=2)
    arguments = parser.parse_args()
    lessons: list[Lesson] = []
    held: dict[str, list[Lesson]] = {}
    for text in arguments.games:
        name, _, most = str(text).partition(":")
        path = Path(name)
        for number, lesson in enumerate(read_games(path, arguments.size)):
            if most and number >= int(most):
                break
            kept = held.setdefault(path.name, [])
            if number % 10 == 0 and len(kept) < HELD_BACK:
                kept.append(lesson)
            else:
                lessons.append(lesson)
    school = School(arguments.size)
    say(f"{len(lessons)} games")
    shapes = school.find_shapes(lessons, arguments.least)
    say(f"{len(shapes)} shapes")
    model = new_model(shapes)
    random = np.random.default_rng(1)
    for _ in range(arguments.passes):
        school.go_through([lessons[at] for at in random.permutation(len(lessons))], model, RATE)
    for title, kept in held.items():
        print(f"held back from {title}: {_told(school.go_through(kept, model, 0.0))}")
    strengths = model.strengths
    save_prediction(arguments.output, shapes, strengths[TRAITS:], strengths[:TRAITS])


if __name__ == "__main__":
    main()
