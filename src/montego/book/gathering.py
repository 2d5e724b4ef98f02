"""Experience from many sources, added up in memory before the book sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from montego.book.experience import Experience, MoveExperience
from montego.book.position import canonical_move, move_at, pose_of_game, settings_of

if TYPE_CHECKING:
    from montego.book.position import GameSettings
    from montego.book.store import Book
    from montego.go.game import Game


@dataclass
class _Sums:
    """What was gathered of one move."""

    visits: float = 0.0
    value_sum: float = 0.0
    amaf_visits: float = 0.0
    amaf_sum: float = 0.0
    after: int | None = None

    def add(self, other: _Sums) -> None:
        self.visits += other.visits
        self.value_sum += other.value_sum
        self.amaf_visits += other.amaf_visits
        self.amaf_sum += other.amaf_sum
        self.after = other.after or self.after


@dataclass
class _Place:
    """What was gathered of one position."""

    depth: int
    visits: float = 0.0
    games: int = 0
    """How many games told of it."""
    moves: dict[int, _Sums] = field(default_factory=dict)

    def add(self, other: _Place) -> None:
        """Add what was told elsewhere."""
        self.depth = min(self.depth, other.depth)
        self.visits += other.visits
        self.games += other.games
        for move, sums in other.moves.items():
            self.moves.setdefault(move, _Sums()).add(sums)


class Gathering:
    """Moves of games, summed by position. Not thread-safe."""

    def __init__(self) -> None:
        self._places: dict[GameSettings, dict[int, _Place]] = {}
        self._games: dict[GameSettings, int] = {}

    @property
    def positions(self) -> int:
        """How many positions were gathered."""
        return sum(map(len, self._places.values()))

    def add_game(self, game: Game, told: Gathering, *, games: int = 1) -> None:
        """Add what a game told, and count it under its settings; a book stands for several."""
        settings = settings_of(game)
        self._games[settings] = self._games.get(settings, 0) + games
        for own, places in told._places.items():
            known = self._places.setdefault(own, {})
            for key, place in places.items():
                known.setdefault(key, _Place(place.depth)).add(place)

    def add_move(
        self,
        game: Game,
        vertex: str,
        *,
        visits: float,
        value_sum: float,
        amaf_visits: float = 0.0,
        amaf_sum: float = 0.0,
        after: Game | None = None,
    ) -> None:
        """Add visits to a move in the position of *game*; *after* is the game after the move."""
        place = self._place(game)
        pose = pose_of_game(game)
        sums = place.moves.setdefault(
            canonical_move(pose, game.size, move_at(vertex, game.size)), _Sums()
        )
        key_after = None if after is None else pose_of_game(after).key
        sums.add(_Sums(visits, value_sum, amaf_visits, amaf_sum, key_after))

    def add_visits(self, game: Game, visits: float, *, games: int = 1) -> None:
        """Add visits to the position itself, which :meth:`add_move` does not do."""
        place = self._place(game)
        place.visits += visits
        place.games = max(place.games, games)  # One game may come to a position twice.

    def _place(self, game: Game) -> _Place:
        places = self._places.setdefault(settings_of(game), {})
        depth = len(game.moves)
        place = places.setdefault(pose_of_game(game).key, _Place(depth))
        place.depth = min(place.depth, depth)
        return place

    def merge_into(self, book: Book) -> None:
        """Add everything to *book*, one transaction for each of the settings, and forget it here.

        Raises:
            BookError: If the book cannot be written; what is not in the book yet stays here.
        """
        for settings in list(self._places):
            experiences = [
                Experience(
                    key,
                    place.visits,
                    [
                        MoveExperience(
                            move,
                            sums.visits,
                            sums.value_sum,
                            sums.amaf_visits,
                            sums.amaf_sum,
                            sums.after,
                        )
                        for move, sums in place.moves.items()
                    ],
                    depth=place.depth,
                    games=place.games,
                )
                for key, place in self._places[settings].items()
            ]
            book.merge(settings, experiences, games=self._games.get(settings, 0), counted=True)
            del self._places[settings]
            self._games.pop(settings, None)
