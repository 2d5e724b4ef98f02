"""What the network of a player says of a position of Go before any search, for people."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from montego.engine.knowledge.definition import go_game, position_of
from montego.engine.knowledge.features import go_features, within_komi
from montego.engine.knowledge.judged import open_network
from montego.go.kernels.layout import format_move, parse_move
from montego.go.playout.knowledge import KOMI
from montego.go.vocabulary.errors import GoError
from montego.network.opinion import opinion_of
from montego.network.ranked import people_chances, people_network

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.engine.options.options import Options
    from montego.go.game import Game
    from montego.mcts.game import GameDefinition


class NetworkOpinion(NamedTuple):
    """What a network says of a position of Go, before any search."""

    white_win: float
    """The probability; a draw counts half."""
    chances: dict[str, float]
    """By legal vertex, ``"pass"`` included; they sum to 1. Fills no eyes of its own."""
    black_ownership: tuple[float, ...] | None
    """By point, as asked for: 1 Black, -1 White; None if the network does not say."""
    black_score: float | None
    """By the network, or by the owners that it sees; None if it knows neither."""


def network_opinion(
    options: Options, game: Game, points: Iterable[str], symmetry: int = 0
) -> NetworkOpinion:
    """Return what the network of the options says of a position; owners are those of *points*.

    Raises:
        GoError: If the options have no network for this board.
        NetworkError: If it does not run, or there is no such symmetry.
    """
    size, options = game.size, options.on_board(game.size)
    path = options.network_path(size)
    if path is None:
        named = options.network is not None
        why = f" for {size}x{size}" if named else ": start with --network default, or with a file"
        raise GoError(f"there is no network{why}")
    network, plain = open_network(path), options.replace(network=None)
    definition = within_komi(
        plain.game_definition(size, game.rules, game.komi), network.description.komi
    )
    state = position_of(game, game.to_play)
    said = opinion_of(network, definition, state, symmetry)
    sign = 1.0 if game.to_play == "black" else -1.0
    owners, score = None, said.score
    if said.ownership is not None and definition.features is not None:
        cells = definition.features.outputs[[parse_move(vertex, size) for vertex in points]]
        owners = tuple(sign * float(owner) for owner in said.ownership[cells])
        if score is None:
            score = float(said.ownership.sum()) - sign * game.compensation
    win = said.win + said.draw / 2
    return NetworkOpinion(
        white_win=1.0 - win if sign > 0 else win,
        chances={format_move(move, size): chance for move, chance in said.chances.items()},
        black_ownership=owners,
        black_score=None if score is None else sign * score,
    )


def chances_of_people(
    definition: GameDefinition, game: Game, color: str, rank: int
) -> dict[int, float]:
    """Return how likely people of a rank, to move as *color*, are to choose each legal move.

    *definition* is Go on the game's board.

    Raises:
        GoError: If nobody knows people who play on such boards.
        NetworkError: If the network does not run.
    """
    network = people_network("go", (game.size, game.size))
    if network is None:
        raise GoError(f"there is no network that knows people on {game.size}x{game.size}")
    knowledge = definition.knowledge.copy()
    knowledge[int(KOMI)] = game.komi
    plain = replace(definition, knowledge=knowledge, features=go_features(game.size))
    return people_chances(network, plain, position_of(game, color), rank)


def vertex_chances_of_people(game: Game, color: str, rank: int) -> dict[str, float]:
    """Return what :func:`chances_of_people` does, by vertex."""
    definition = go_game(game.size, rules=game.rules, komi=game.komi)
    chances = chances_of_people(definition, game, color, rank)
    return {format_move(move, game.size): chance for move, chance in chances.items()}
