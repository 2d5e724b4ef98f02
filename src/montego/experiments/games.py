"""Games between two searches in one process, and against GNU Go.

A *contestant* is a game as one side sees it and how that side searches. In a trial's settings it is
written as JSON, see :func:`contestant`; so a match of two configurations, or of one against GNU Go,
needs no code of its own: its experiment runs :func:`play_match_trial`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from montego.engine.knowledge.definition import go_game
from montego.engine.knowledge.tuning import (
    DEFAULT_PLAYOUT,
    PriorWeights,
    tuned,
)
from montego.engine.options.options import Options
from montego.experiments.experiment import JSON, Trial, find_program
from montego.games import make_game
from montego.go.kernels.layout import PASS
from montego.go.playout.knowledge import KOMI as KOMI_INDEX
from montego.go.playout.rates import Rates
from montego.gtp.client import Engine
from montego.jit.state import State, new_scratch
from montego.mcts.config import Config
from montego.mcts.game import GameDefinition, no_hash
from montego.mcts.report import Candidate, SearchResult, choose
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


RESIGN_BELOW = 0.05
RESIGN_AFTER = 0.25
"""Share of the board's points that must have been played before anybody resigns."""
KOMI = 7.5
PRESET_MEMORY = 300.0
"""Megabytes for the tree of a document's own program: enough for its 30,000 simulations on 9x9."""
RULES = "chinese-kgs"
"""Area scoring with positional superko: no game goes in circles, and GNU Go refuses no move."""
UCT = {"selection": "ucb1", "exploration": 0.7, "rave_bias": 0.02}
"""How a contestant chooses moves in its tree, unless its settings or the player's say otherwise."""
GNUGO = "gnugo"
PATIENCE = 600.0
"""Seconds for a reply of GNU Go's: on a busy machine a move may take a minute."""
NO_WEIGHTS = {each.name: 0.0 for each in fields(PriorWeights) if each.name != "shape"}
"""Priors of which none counts. Local shape, which came last, does not unless it is named; so games
that were played before there was any are still games with these settings."""
_OTHER_SEED = 1_000_003  # Voters take the seeds that follow; the opponent's begin far away.


@dataclass(frozen=True)
class Contestant:
    """One side of a game: the game as it sees it (playouts, priors), and how it searches.

    Both sides must have the same rules: board, komi and states.
    """

    game: GameDefinition
    config: Config
    fresh: bool = False
    """Whether each search begins with an empty tree, as in the older documents.

    It makes budgets equal: who knows early what it wants stops early, and hands down less.
    """
    uncles: float = 0.0
    """Share of the visits that a move had in its side's search before, with which it begins at the
    root of the next one (004 4.3.6.1); 0 for none."""
    experience: int = 0
    """Simulations that the tree of the first position holds from before the game (004 4.3.6.2)."""


def contestant(settings: Mapping[str, JSON]) -> Contestant:
    """Return the contestant that JSON describes. Asked again, it is the same one.

    ``game``: ``"go"`` (if absent), ``"hex"``, ``"connect-four"``, ``"tic-tac-toe"``; ``size`` (9)
    and ``komi`` (7.5; area scoring, positional superko). For Go: ``playout`` (``"uniform"``),
    ``rates`` and ``priors`` (fields of Rates and PriorWeights; without ``priors`` none are used),
    ``key_positions``; ``uncles`` and ``experience`` as in :class:`Contestant`. ``search``: fields
    of Config, with those of :data:`UCT` unless named. With ``tuned`` true, playout, rates, priors
    and search are the player's own, but for the fields that are named. ``fresh``: begin each search
    with an empty tree.

    With ``preset``, a document's own program (``docs/presets.md``) with ``options`` on top of it,
    names and texts as people write them, and ``search``. It searches with one thread, without a
    book and without the help of another program.

    Raises:
        GoError: If a value is impossible; MctsError: likewise, of the search.
    """
    return _contestant(json.dumps(settings, sort_keys=True))


@lru_cache(maxsize=64)
def _contestant(text: str) -> Contestant:
    settings = json.loads(text)
    kind, size = settings.get("game", "go"), settings.get("size", 9)
    search = UCT | settings.get("search", {})
    fresh, uncles = bool(settings.get("fresh")), float(settings.get("uncles", 0.0))
    if kind != "go":
        game = make_game(kind, size=size if "size" in settings else None)
        return Contestant(game, Config(**search), fresh)
    if "preset" in settings:
        return _preset_contestant(settings)
    is_tuned = bool(settings.get("tuned"))
    rates, weights = settings.get("rates"), settings.get("priors")
    if is_tuned:
        search = tuned("search", size) | settings.get("search", {})
        rates = tuned("rates", size) | (rates or {})
        weights = tuned("weights", size) | (weights or {})
    game = go_game(
        size,
        rules=RULES,
        komi=settings.get("komi", KOMI),
        playout=settings.get("playout", DEFAULT_PLAYOUT if is_tuned else "uniform"),
        rates=None if rates is None else Rates(**rates),
        priors=None if weights is None else PriorWeights(**weights),
        key_positions=bool(settings.get("key_positions")),
    )
    return Contestant(game, Config(**search), fresh, uncles, int(settings.get("experience", 0)))


def _preset_contestant(settings: Mapping[str, Any]) -> Contestant:
    size = settings.get("size", 9)
    options = Options().replace(preset=settings["preset"], book=None)
    for name, text in settings.get("options", {}).items():
        options = options.set(name, text)
    game = options.game_definition(size, RULES, settings.get("komi"))
    alone = {"threads": 1, "memory": PRESET_MEMORY} | settings.get("search", {})
    config = replace(options.search_config(size), **alone)
    return Contestant(game, config, options.fresh_tree, options.grandparent)


def new_search(
    settings: Mapping[str, JSON], seed: int, state: State | None = None, **changes: Any
) -> Search:
    """Return the search of the contestant that JSON describes, from a position or the beginning.

    *changes* are fields of Config.
    """
    player = contestant(settings)
    return Search(player.game, replace(player.config, seed=seed, **changes), state=state)


def play_game(
    first: Contestant,
    second: Contestant,
    *,
    seed: int,
    first_begins: bool = True,
    may_resign: bool = True,
) -> dict[str, JSON]:
    """Play a game to the end of the rules, or until a contestant resigns.

    The player to move resigns in Go when both think its chance below 5 %, once a quarter of the
    board is played, unless *may_resign* is false. Nobody passes where the count would be lost, if
    there is another move. A game that is longer than any playout may be is counted as it stands.
    Returns the same as :func:`play_match_trial`.
    """
    players = [Seat(first, seed), Seat(second, seed + _OTHER_SEED)]
    order = players if first_begins else players[::-1]
    moves = 0
    while moves < first.game.longest_game:
        mover, other = order[moves % 2], order[1 - moves % 2]
        result = mover.think()
        if result.move is None:
            break
        if may_resign and mover.resigns(other, moves):
            return _outcome(float(mover is players[1]), first_begins, None, moves)
        move = mover.move_of(result)
        for player in players:
            player.follow(move)
        moves += 1
    return _counted(players[0], first_begins, moves)


def play_gnugo(
    player: Contestant, level: int, *, seed: int, first_begins: bool = True
) -> dict[str, JSON]:
    """Play a game of Go against GNU Go, with the same ends as :func:`play_game`.

    GNU Go is told to capture what is dead before it passes, so that the board can be counted as it
    stands; it may resign.

    Raises:
        EngineError: If GNU Go cannot be started, or fails.
    """
    seat = Seat(player, seed)
    words = f"--mode gtp --quiet --level {level} --chinese-rules --positional-superko"
    words += f" --capture-all-dead --play-out-aftermath --seed {seed % 100_000 + 1}"
    command = [find_program(GNUGO) or GNUGO, *words.split()]
    with Engine(command, timeout=PATIENCE) as engine:
        version = {"gnugo": engine.send("version")}
        engine.send(f"boardsize {_size_of(player.game)}")
        engine.send("clear_board")
        engine.send(f"komi {float(player.game.knowledge[KOMI_INDEX])}")
        moves = 0
        while moves < player.game.longest_game and seat.search.legal_moves():
            color = "black" if moves % 2 == 0 else "white"
            if (moves % 2 == 0) == first_begins:
                result = seat.think()
                if result.move is None:
                    break
                if seat.resigns(None, moves):
                    return _outcome(0.0, first_begins, None, moves) | version
                move = seat.move_of(result)
                text = player.game.format_move(seat.search.state, move)
                engine.send(f"play {color} {text}")
            else:
                text = engine.send(f"genmove {color}")
                if text.lower() == "resign":
                    return _outcome(1.0, first_begins, None, moves) | version
                move = player.game.parse_move(seat.search.state, text)
            seat.follow(move)
            moves += 1
    return _counted(seat, first_begins, moves) | version


def _counted(seat: Seat, began: bool, moves: int) -> dict[str, JSON]:
    """Return how a game ended for one side, counted as it stands after so many moves."""
    score = seat.score() if began else -seat.score()
    return _outcome(1.0 if score > 0 else 0.0 if score < 0 else 0.5, began, score, moves)


def _outcome(result: float, began: bool, score: float | None, moves: int) -> dict[str, JSON]:
    return {"result": result, "began": began, "score": score, "moves": moves}


def play_match_trial(trial: Trial) -> dict[str, JSON]:
    """Run a trial whose settings are ``first`` and ``second``, or ``first`` and GNU Go's ``level``.

    Players are as for :func:`contestant`. They begin by turns, unless ``first_begins`` says who
    does; with ``resign`` false two contestants play to the end. Returns ``result`` (the first's: 1,
    0.5 or 0), ``began``, ``score`` (its points, komi included; None after a resignation), ``moves``
    and, if it played, ``gnugo``: its version.
    """
    settings = trial.settings
    first = contestant(settings["first"])
    begins = bool(settings.get("first_begins", trial.number % 2 == 0))
    if "level" in settings:
        return play_gnugo(first, settings["level"], seed=trial.seed, first_begins=begins)
    return play_game(
        first,
        contestant(settings["second"]),
        seed=trial.seed,
        first_begins=begins,
        may_resign=bool(settings.get("resign", True)),
    )


play_gnugo_trial = play_match_trial
"""The same function, for experiments that say by its name against whom they play."""


class Seat:
    """A contestant in a game: its search, the past, and what it thought last."""

    def __init__(self, player: Contestant, seed: int) -> None:
        self.player = player
        self.search = Search(player.game, replace(player.config, seed=seed))
        if player.experience:
            self.search.run(simulations=player.experience, early_stop=False)
        self.value: float | None = None
        """Its own chance as it saw it at its last move; None if its rewards are no chances."""
        self._uncles: Sequence[Candidate] = ()  # The moves of its last search.
        self._history: list[int] = []
        self._scratch = new_scratch(player.game.longest_game, 0, player.game.scratch_room)

    def think(self) -> SearchResult:
        """Search the position, and remember what was found."""
        config = self.player.config
        if self.player.uncles > 0 and self._uncles and config.simulations is not None:
            self.search.run(simulations=1)  # Gives the root its moves.
            self.search.inherit(self._uncles, self.player.uncles)
            result = self.search.run(simulations=config.simulations - 1)
        else:
            result = self.search.run()
        self._uncles = result.candidates
        is_chance = config.reward == "win" and config.reward_temperature == 0
        self.value = result.value if is_chance and not config.reward_average else None
        return result

    def move_of(self, result: SearchResult) -> int:
        """Return the move that a search chose, but in Go no pass that loses if it is answered.

        A short search overlooks that answer, as it overlooks others at the second level, and the
        documents' programs pass only where no other move is left.
        """
        move, game = result.move, self.player.game
        assert move is not None  # noqa: S101  # The callers have looked.
        if move != PASS or not game.name.startswith("Go "):
            return move
        balance = self.score() if game.to_play(self.search.state) == 0 else -self.score()
        others = [candidate for candidate in result.candidates if candidate.move != PASS]
        other = choose(others, self.player.config.final_move)
        return move if balance > 0 or other is None else other.move

    def follow(self, move: int) -> None:
        """Play a move of either side. Legality is not checked: GNU Go may fill an eye."""
        game, search = self.player.game, self.search
        before = search.state
        if game.hash is not no_hash:
            self._history.append(int(game.hash(before, game.knowledge, self._scratch)))
        if not self.player.fresh and move in search.legal_moves():
            search.play(move)
        else:
            search.set_state(search.after(before, move), self._history)

    def score(self) -> float:
        """Return the score of the position as it stands, the player's who began."""
        game = self.player.game
        return float(game.score(self.search.state, game.knowledge, self._scratch))

    def resigns(self, other: Seat | None, moves: int) -> bool:
        """Say whether the player to move gives up: in Go, if nobody who knows thinks otherwise."""
        game = self.player.game
        if not game.name.startswith("Go ") or moves < RESIGN_AFTER * _size_of(game) ** 2:
            return False
        others = None if other is None else other.value
        hopeless = self.value is None or self.value < RESIGN_BELOW
        won = others is None or others > 1 - RESIGN_BELOW
        return hopeless and won and (self.value is not None or others is not None)


def _size_of(game: GameDefinition) -> int:
    return int(game.name.rpartition("x")[2])


def tally(values: list[Any]) -> tuple[float, int]:
    """Return the points of the first contestant and the number of games of a cell's values."""
    return sum(float(value["result"]) for value in values), len(values)
