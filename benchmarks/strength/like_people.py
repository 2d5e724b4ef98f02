"""How often Montego makes the move that people made: opponents like people, and plain levels.

    python benchmarks/strength/like_people.py FILE... --positions 300

The files are as ``montego train go --by-rank --records`` takes them, in the same order: of their
games those are looked at that it holds back, one in fifty. For each band of ranks it draws
positions, and asks in each the opponent that chooses what people choose and the plain level, both
of the very rank of the person who moved. Passes are left out: no level decides them.
"""

from __future__ import annotations

import argparse
import json
from random import Random
from typing import TYPE_CHECKING, Any

from montego.engine.opinion import vertex_chances_of_people
from montego.engine.options.levels import LEVELS, moves_like_people
from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.go import Game
from montego.go.kernels.layout import parse_move
from montego.go.vocabulary.rank import format_rank
from montego.go.vocabulary.vertex import format_vertex
from montego.network.ranked import BANDS
from montego.train.games.files import HELD_BACK, read_records

if TYPE_CHECKING:
    from montego.train.games.files import RecordedGame

SIZE = 9
WEAKEST, STRONGEST = min(LEVELS.values()), max(LEVELS.values())


def positions(
    records: list[RecordedGame], band: tuple[int, int], count: int, random: Random
) -> list[tuple[RecordedGame, int]]:
    """Return records with numbers of moves that somebody in the band made, drawn at random."""
    found = []
    for record in records:
        for number, cell in enumerate(record.cells.tolist()):
            rank = (record.ranks or (0, 0))[number % 2]
            if band[0] <= rank <= band[1] and cell < SIZE * SIZE:
                found.append((record, number))
    return random.sample(found, min(count, len(found)))


def vertex(cell: int) -> str:
    """Return the name of a cell."""
    return format_vertex((cell % SIZE, SIZE - 1 - cell // SIZE))


def asked(record: RecordedGame, number: int, seed: int) -> dict[str, float] | None:
    """Return who makes the move of the record, 1 or 0 or how likely; None if it is illegal.

    The likeliest move is that of people; an opponent like them draws.
    """
    game = Game(SIZE, komi=record.komi)
    colors = ("black", "white")
    for turn, cell in enumerate(record.cells[:number].tolist()):
        move = vertex(cell) if cell < SIZE * SIZE else "pass"
        if game.fault(colors[turn % 2], move) is not None:
            return None
        game.play(colors[turn % 2], move)
    color, made = colors[number % 2], vertex(int(record.cells[number]))
    rank = (record.ranks or (0, 0))[number % 2]
    chances = vertex_chances_of_people(game, color, rank)
    chances.pop("pass", None)
    likeliest = max(chances, key=lambda at: chances[at])
    by_move = {parse_move(at, SIZE): chance for at, chance in chances.items()}
    drawn = moves_like_people(by_move, rank)
    level = format_rank(min(max(rank, WEAKEST), STRONGEST))
    player = Player(Options(size=SIZE, level=level, threads=1, seed=seed, memory=50.0))
    player.load(game)
    plain = player.choose(color, never_resigns=True).vertex
    player.close()
    return {
        "likeliest": float(likeliest == made),
        "drawn": drawn.get(parse_move(made, SIZE), 0.0),
        "plain": float(plain == made),
    }


def main() -> None:
    """Print the shares by band, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bands", nargs="+", choices=tuple(BANDS), default=tuple(BANDS))
    given = parser.parse_args()
    random = Random(given.seed)
    held = read_records(given.files, SIZE, ranked=True)[::HELD_BACK]
    for name in given.bands:
        band = BANDS[name]
        answers: list[dict[str, float]] = []
        for record, number in positions(held, band, given.positions, random):
            answer = asked(record, number, random.randrange(1 << 30))
            if answer is not None:
                answers.append(answer)
        figures: dict[str, Any] = {
            key: round(sum(one[key] for one in answers) / len(answers), 4) for key in answers[0]
        }
        print(json.dumps({"band": name, "positions": len(answers), **figures}), flush=True)


if __name__ == "__main__":
    main()
