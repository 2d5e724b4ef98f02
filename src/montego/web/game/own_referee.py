"""The rules of a game of one's own, for a session: a definition that a file had.

Nothing is known of its board: pages show the game's picture of a position as text, and its moves as
a list to choose from. Black is the first player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.web.game.search_referee import SearchReferee, SearchState, Words
from montego.web.messages.replies import Position
from montego.web.messages.requests import MOST_MOVE_TEXT

if TYPE_CHECKING:
    from montego.mcts.game import GameDefinition
    from montego.web.messages.requests import Color

MOST_PICTURE = 20_000
"""Characters of a picture that are shown."""

WORDS = Words("First player", "Second player", 1, 1, 0, "{move} is not legal here")


class OwnReferee(SearchReferee):
    """Referee of a game that Montego was given as a file."""

    def __init__(self, definition: GameDefinition) -> None:
        """Take the rules as they are: what is wrong with them was found before."""
        self.kind = "own"
        self.words = WORDS
        self.definition = definition
        self.width = self.height = self.size = 1
        self.names = {"black": WORDS.black, "white": WORDS.white}

    @property
    def title(self) -> str:
        """What people call the game."""
        return self.definition.name

    @property
    def moves_expected(self) -> int:
        """How many moves a game may have, for the clock."""
        return self.definition.longest_game

    def move_name(self, state: SearchState, move: str) -> str:
        """Return a move as the game writes it."""
        return self.definition.format_move(state.cells, self._parse(state, move))

    def play(self, state: SearchState, color: Color, move: str) -> SearchState:
        """Return the position after a move; ValueError if it is not that color's turn, too."""
        number = self._parse(state, move)
        legal = self._legal(state)
        if not legal:
            raise ValueError("the game is over")
        if color != self.to_play(state):
            raise ValueError(f"it is not the {self.names[color].lower()}'s turn")
        text = self.definition.format_move(state.cells, number)
        if number not in legal:
            raise ValueError(self.words.full.format(move=text))
        cells = state.cells.copy()
        self._ask(self.definition.play, cells, number)
        return SearchState(cells, text)

    def position(self, state: SearchState, *, game: str, node: int) -> Position:
        """Return the position as pages show it: a picture, and what can be played."""
        texts = [self.definition.format_move(state.cells, move) for move in self._legal(state)]
        return Position(
            game=game,
            node=node,
            width=self.width,
            height=self.height,
            cells="",
            picture=self.definition.format_state(state.cells)[:MOST_PICTURE],
            to_play=self.to_play(state),
            last=state.last,
            # Longer ones could not be sent.
            moves=[text for text in texts if 0 < len(text) <= MOST_MOVE_TEXT],
        )

    def result(self, state: SearchState) -> str | None:
        """Return how the game ended, in words; None while it goes on."""
        if self._legal(state):
            return None
        winner = self.winner(state)
        return "A draw" if winner is None else f"{self.names[winner]} wins"

    def _parse(self, state: SearchState, move: str) -> int:
        try:
            return int(self.definition.parse_move(state.cells, move))
        except Exception as error:  # noqa: BLE001  # Whatever a stranger's function raises.
            raise ValueError(f"{move!r} is no move of {self.definition.name}: {error}") from None
