"""A player's study: the searcher of its game, and the book that it learns from and for.

A searcher serves as long as options, board and rules stay the same. Whatever its tree has found is
noted for the book before the tree goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.engine.book.keeping import BookKeeper
from montego.mcts.config import SEEDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.engine.options.options import Options
    from montego.engine.searching.searcher import Searcher
    from montego.go.game import Game

SEED_STEP = 1_000_003  # From game to game: far above the seeds that people choose.


class Study:
    """What a player's searches have found. Not thread-safe; the player takes care of that."""

    def __init__(self, options: Options, tell: Callable[[str], None]) -> None:
        """Get ready for games with these options; *tell* gets a line about trouble with the book.

        Makes no searcher and opens no book yet.
        """
        self.searcher: Searcher | None = None
        """The latest, as long as its tree is of use."""
        self.keeper = BookKeeper(options, tell)
        """Has the book, if the options want one."""
        self._tell = tell
        self._games = 0  # in which something was decided, before this one

    def configure(self, options: Options) -> None:
        """Use the book that the options want; the one before gets what was found."""
        if not self.keeper.serves(options):
            self.close()
            self.keeper = BookKeeper(options, self._tell)

    def searcher_for(self, game: Game, options: Options) -> Searcher:
        """Return the searcher for *game* as it is; the same one as long as it can be."""
        from montego.engine.searching.searcher import Searcher  # noqa: PLC0415  # Not before it is needed.

        options = options.on_board(game.size)
        if self._games:
            seed = (options.drawn_seed + self._games * SEED_STEP) % SEEDS
            options = options.replace(seed=seed)
        key = (options, game.size, game.rules)
        if self.searcher is None or self.searcher.key != key:
            self.forget()  # Its memory is free before the next one takes its own.
            self.searcher = Searcher(options, game.size, game.rules, keeper=self.keeper)
        return self.searcher

    def end_game(self, *, decided: bool) -> None:
        """Go on to another game; *decided* says whether a decision was made in this one.

        Another game, another seed: whoever plays the same moves gets other answers.
        """
        self._note()
        self.keeper.end_game()
        self._games += decided

    def begin_again(self) -> None:
        """Let the seed of the options be that of this game."""
        self._games = 0

    def learn(self) -> int:
        """Add what was found to the book, if there is one, and return how many positions."""
        self._note()
        return self.keeper.learn()

    def forget(self) -> None:
        """Give up the tree. What the book is to get is kept."""
        self._note()
        self.searcher = None

    def close(self) -> None:
        """Give up the tree, and put the book away with what was found."""
        self.learn()
        self.keeper.close()
        self.searcher = None

    def _note(self) -> None:
        if self.searcher is not None:
            self.searcher.note()
