"""What the network of a player says of a position of Go before any search, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from montego.engine.knowledge.definition import position_of
from montego.engine.knowledge.features import within_komi
from montego.engine.knowledge.judged import open_network
from montego.go.kernels.layout import format_move, parse_move
from montego.go.vocabulary.errors import GoError
from montego.network.opinion import opinion_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.engine.options.options import Options
    from montego.go.game import Game


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
