"""A game of Go: a board with its history, the rules, and how it ends.

The position after every step is kept, which makes taking back trivial and superko a look into the
past: *positional* superko compares the stones, *situational* superko also whose turn it is, both by
hashes of 64 bits. Copies of a game share their positions, as none changes. Records are read and
written by :mod:`montego.go.transcript`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from montego.go.board import Board, Captures
from montego.go.diagram import format_diagram
from montego.go.handicap import fixed_handicap_points, handicap_of_moves
from montego.go.kernels.layout import (
    AROUND,
    AROUND_EMPTY,
    CAPTURED,
    KO,
    PASS,
    PASSES,
    SUICIDE,
    TO_PLAY,
    all_points,
    format_move,
    parse_move,
)
from montego.go.kernels.position import LEGAL, move_fault, play, position_hash
from montego.go.result import Result
from montego.go.scoring import Score, score_position
from montego.go.svg import board_svg
from montego.go.vocabulary.color import (
    BLACK,
    EMPTY,
    WHITE,
    Color,
    format_color,
    opponent,
    parse_color,
)
from montego.go.vocabulary.errors import GoError, IllegalMove, InvalidVertex
from montego.go.vocabulary.rules import Rules, parse_komi, parse_rules
from montego.go.vocabulary.vertex import format_vertex, parse_vertex, vertex_list
from montego.jit.index import Index

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from montego.go.sgf.record import Record
    from montego.jit.state import State

SUPERKO = "superko: the position was on the board before"

Key = tuple[int, int]
"""What superko compares: the hash of the stones, and the player to move, EMPTY for either."""


class Move(NamedTuple):
    """A move as it was played."""

    color: Color
    vertex: str


class Setup(NamedTuple):
    """Stones put on the board, or taken off, outside of play."""

    black: frozenset[str]
    white: frozenset[str]
    empty: frozenset[str]
    to_play: Color


class Step(NamedTuple):
    """What was done, and what came of it."""

    done: Move | Setup | None  # None for the beginning
    board: Board
    key: Key
    handicap: int  # handicap stones given so far, not those played as moves


class Game:
    """A game under a rule set, from the empty board or a record.

    >>> game = Game(9, rules="chinese", komi=7.5)
    >>> game.play("black", "E5")
    >>> game.to_play
    'white'
    >>> len(game.legal_moves("white"))
    80
    """

    def __init__(
        self, size: int = 19, *, rules: str | Rules = "chinese", komi: float | str | None = None
    ) -> None:
        """Start on an empty board. Without *komi* it is the rule set's own.

        Raises:
            InvalidSize: If *size* is not a whole number from 2 to 25.
            InvalidRules: If there is no such rule set; the message lists them.
            InvalidKomi: If *komi* is no sensible number.
        """
        self._rules = parse_rules(rules)
        self._komi = self._rules.komi if komi is None else parse_komi(komi)
        self._record: Record | None = None
        board = Board(size, suicide=self._rules.suicide)
        self._steps = [Step(None, board, _key_of(board.state), 0)]
        self._resigned: Color | None = None
        # What the players agreed about, until the next step.
        self._dead: frozenset[str] = frozenset()
        self._seki: frozenset[str] = frozenset()

    @classmethod
    def from_sgf(cls, text: str | bytes) -> Game:
        """Read the main line of the first game in an SGF text; variations stay in the record.

        Tolerant of what real files contain; :attr:`warnings` lists what was passed over. A move
        that cannot be played ends the line, except one that only superko forbids: the players were
        free to play without it.

        Raises:
            SgfError: If it is no game of Go; the message says where.
        """
        from montego.go.sgf.record import parse_sgf  # noqa: PLC0415  # Loaded only by who reads records.

        return cls.from_record(parse_sgf(text))

    @classmethod
    def from_sgf_file(cls, path: str | os.PathLike[str]) -> Game:
        """Read a game from a file as :meth:`from_sgf` does, in whatever character set it is.

        Raises:
            SgfError: If the file cannot be read, or is no game of Go.
        """
        from montego.go.sgf.record import read_sgf_file  # noqa: PLC0415

        return cls.from_record(read_sgf_file(path))

    @classmethod
    def from_record(cls, record: Record) -> Game:
        """Play through the main line of a record. See :meth:`from_sgf`."""
        from montego.go.transcript import replay  # noqa: PLC0415

        game = cls(record.size, rules=record.rules or "chinese", komi=record.komi)
        game._record = record
        replay(record, game)
        return game

    def copy(self) -> Game:
        """Return an independent copy, quickly: positions of the past are shared.

        A record that the game was read from is left behind.
        """
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__, _steps=list(self._steps), _record=None)
        return twin

    def to_sgf(self) -> str:
        """Return the game as SGF text, to be written as UTF-8.

        A game that was read from a record comes back with everything the record had. Its main
        line is the game as it stands: what was played otherwise becomes the first variation, and
        the record's result then gives way to the game's own. Moves that were only taken back are
        still there; ``game.copy().to_sgf()`` is without the record.
        """
        from montego.go.transcript import transcribe  # noqa: PLC0415

        return transcribe(self, self._record).to_sgf()

    @property
    def warnings(self) -> list[str]:
        """What was passed over when the game was read from a record."""
        return [] if self._record is None else list(self._record.warnings)

    @property
    def size(self) -> int:
        """The number of lines of the board."""
        return self.board.size

    @property
    def rules(self) -> Rules:
        """The rule set. Set it by name or value; the moves already played stay as they are."""
        return self._rules

    @rules.setter
    def rules(self, rules: str | Rules) -> None:
        self._rules = parse_rules(rules)
        self._forget_marks()
        for number, step in enumerate(self._steps):
            if bool(step.board.state[SUICIDE]) != self._rules.suicide:
                board = step.board.copy()  # Copies of the game share the old one.
                board.state[SUICIDE] = int(self._rules.suicide)
                self._steps[number] = step._replace(board=board)

    @property
    def komi(self) -> float:
        """White's compensation for moving second."""
        return self._komi

    @komi.setter
    def komi(self, komi: float | str) -> None:
        self._komi = parse_komi(komi)

    @property
    def board(self) -> Board:
        """The board as it stands. It belongs to the game: copy it before playing on it."""
        return self._steps[-1].board

    @property
    def history(self) -> list[Move | Setup]:
        """Everything done so far, stones set up included, in order."""
        return [step.done for step in self._steps if step.done is not None]

    @property
    def moves(self) -> list[Move]:
        """The moves played so far, passes included."""
        return [done for done in self.history if isinstance(done, Move)]

    @property
    def to_play(self) -> Color:
        """Whose turn it would be. Moves may come in any order all the same."""
        return format_color(int(self.board.state[TO_PLAY]))

    @property
    def captures(self) -> Captures:
        """The prisoners taken by Black and by White."""
        return self.board.captures

    @property
    def captured(self) -> int:
        """How many enemy stones the last move took; 0 if the last step was no move."""
        done = self._steps[-1].done
        if not isinstance(done, Move):
            return 0
        before: int = getattr(self._steps[-2].board.captures, done.color)
        after: int = getattr(self.captures, done.color)
        return after - before

    @property
    def handicap(self) -> int:
        """Handicap stones given, or two and more moves of Black's before White's first.

        Some programs send them so; see :func:`montego.go.handicap.handicap_of_moves`.
        """
        return self._steps[-1].handicap or handicap_of_moves(
            parse_color(done.color) if isinstance(done, Move) and done.vertex != "pass" else EMPTY
            for done in self.history
        )

    @property
    def positions(self) -> list[Key]:
        """Hash and player to move (BLACK or WHITE) of each position since stones were set up.

        From the latest back. This is what superko forbids to come again. Taking the button begins
        anew, too: without it, the same stones are another position.
        """
        button = self._button_step
        found = []
        for number, step in reversed(list(enumerate(self._steps))):
            found.append(step.key)
            if not isinstance(step.done, Move) or number == button:
                break
        return found

    @property
    def button(self) -> Color | None:
        """The first player to pass, under rules that give half a point for that."""
        number = self._button_step
        done = None if number is None else self._steps[number].done
        return done.color if isinstance(done, Move) else None

    @property
    def _button_step(self) -> int | None:
        """The number of the step that took the button: the first pass of the game."""
        passes = (
            number
            for number, step in enumerate(self._steps)
            if isinstance(step.done, Move) and step.done.vertex == "pass"
        )
        return next(passes, None) if self._rules.button else None

    @property
    def compensation(self) -> float:
        """All that White gets beside the points: komi, handicap, and the button or its loss."""
        button = {None: 0.0, "black": -0.5, "white": 0.5}[self.button]
        return self._komi + self._rules.handicap_points(self.handicap) + button

    @property
    def passes(self) -> int:
        """How many passes were just played in a row; the one that takes a button is none."""
        passes, button = int(self.board.state[PASSES]), self._button_step
        return passes - (button is not None and button >= len(self._steps) - passes)

    @property
    def ko(self) -> str | None:
        """The vertex barred by simple ko, or None. Superko may bar others."""
        return self.board.ko

    @property
    def resigned(self) -> Color | None:
        """The player who gave up, or None."""
        return self._resigned

    @property
    def is_over(self) -> bool:
        """Whether a player resigned, or the last two moves were passes."""
        return self._resigned is not None or self.passes >= 2

    @property
    def ended_by_passes(self) -> bool:
        """Whether the game is over and has to be counted: nobody resigned."""
        return self._resigned is None and self.passes >= 2

    @property
    def result(self) -> str | None:
        """``"B+3.5"``, ``"W+R"``, ``"0"`` and the like once the game is over, else None.

        After two passes the stones marked by :meth:`mark_dead` are taken off and the rest counted.
        """
        if self._resigned is not None:
            return str(Result(opponent(self._resigned), "resignation"))
        return str(self.score(dead=self._dead, seki=self._seki)) if self.is_over else None

    def fault(self, color: str | int, vertex: str) -> str | None:
        """Return why the move is illegal, or None if it is legal. A pass is always legal.

        Raises:
            InvalidColor: If there is no such player.
            InvalidVertex: If *vertex* is no vertex at all.
        """
        fault = self.board.fault(color, vertex)
        if fault is None and self._rules.ko != "simple":
            point = parse_move(vertex, self.size)
            if point != PASS and self._repeats(point, parse_color(color), self._forbidden()):
                return SUPERKO
        return fault

    def play(self, color: str | int, vertex: str) -> None:
        """Play a move; ``"pass"`` is one. :attr:`captured` tells how many stones it took.

        Colors may come in any order. A game that ended by two passes goes on.

        Raises:
            IllegalMove: If the point is occupied, barred by ko or superko or off the board, or
                the move is suicide.
            InvalidColor: If there is no such player.
            InvalidVertex: If *vertex* is no vertex at all.
            GoError: If a player has resigned.
        """
        self._play(color, vertex, superko=True)

    def play_unless_impossible(self, color: str | int, vertex: str) -> None:
        """As :meth:`play`, but superko does not count. For records of games played without it."""
        self._play(color, vertex, superko=False)

    def _play(self, color: str | int, vertex: str, *, superko: bool) -> None:
        player = format_color(parse_color(color))
        self.refuse_after_resignation()
        fault = self.fault(player, vertex)
        if fault is not None and (superko or fault != SUPERKO):
            raise IllegalMove(player, vertex.strip().upper(), fault)
        board = self.board.copy()
        board.play(player, vertex)
        self._add(Move(player, format_vertex(parse_vertex(vertex, self.size))), board)

    def _add(self, done: Move | Setup, board: Board) -> None:
        self._steps.append(Step(done, board, _key_of(board.state), self._steps[-1].handicap))
        self._forget_marks()

    def resign(self, color: str | int | None = None) -> None:
        """End the game: *color*, or the player to move, gives up.

        Raises:
            InvalidColor: If there is no such player.
            GoError: If a player has resigned already.
        """
        player = format_color(self._player(color))
        self.refuse_after_resignation()
        self._resigned = player

    def refuse_after_resignation(self) -> None:
        """Do nothing while a move could be played; two passes do not prevent that.

        Raises:
            GoError: If a player has resigned.
        """
        if self._resigned is not None:
            raise GoError(f"the game is over: {self._resigned} resigned")

    def undo(self, count: int = 1) -> None:
        """Take back the last *count* steps: moves, stones set up together, or a resignation.

        Raises:
            GoError: If there are not that many; then nothing is taken back.
        """
        available = len(self._steps) - 1 + (self._resigned is not None)
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise GoError(f"cannot undo {count!r} moves: say a whole number from 1")
        if count > available:
            raise GoError(f"cannot undo {count} moves: there are {available}")
        self._resigned = None
        self._forget_marks()
        del self._steps[1 + available - count :]

    def _player(self, color: str | int | None) -> int:
        """Return BLACK or WHITE for *color*; the player to move without one."""
        return parse_color(self.to_play if color is None else color)

    def legal_moves(self, color: str | int | None = None) -> list[str]:
        """Return the vertices where *color*, or the player to move, may play, without pass.

        In reading order: the top row first, from left to right.

        Raises:
            InvalidColor: If there is no such player.
        """
        player, state = self._player(color), self.board.state
        suspects = set() if self._rules.ko == "simple" else self._may_repeat(player)
        forbidden = self._forbidden() if suspects else set()
        return [
            format_move(point, self.size)
            for point in all_points(self.size)
            if move_fault(state, point, player) == LEGAL
            and not (point in suspects and self._repeats(point, player, forbidden))
        ]

    def _may_repeat(self, player: int) -> set[int]:
        """Return the points where a move of *player* might bring back an earlier position.

        That has a stone of the player there, so one was put there before; unless the move is
        suicide, which needs a point without empty neighbors.
        """
        state, color = self.board.state, format_color(player)
        vertices: set[str] = set()
        for done in self.history:
            if isinstance(done, Setup):
                vertices |= done.black if color == "black" else done.white
            elif done.color == color:
                vertices.add(done.vertex)
        found = {parse_move(vertex, self.size) for vertex in vertices}
        if self._rules.suicide:
            points = all_points(self.size)
            found |= {point for point in points if state[point + int(AROUND)] < AROUND_EMPTY}
        return found

    def _forbidden(self) -> set[Key]:
        """Return the positions that superko forbids to come again."""
        return {self._compared(key) for key in self.positions}

    def _repeats(self, point: int, player: int, forbidden: set[Key]) -> bool:
        """Say whether a move that is legal otherwise would bring back one of *forbidden*."""
        after = self.board.state.copy()
        play(after, point, player)
        return self._compared(_key_of(after)) in forbidden

    def _compared(self, key: Key) -> Key:
        return key if self._rules.ko == "situational" else (key[0], EMPTY)

    def setup(
        self,
        *,
        black: Iterable[str] = (),
        white: Iterable[str] = (),
        empty: Iterable[str] = (),
        to_play: str | int | None = None,
    ) -> None:
        """Put stones on the board, or take them off, outside of play; one step to ``undo``.

        History for superko begins anew. Prisoners stay counted.

        Raises:
            InvalidVertex: If a vertex is no point of the board.
            GoError: If a point is named twice, or a chain would have no liberty.
        """
        player = self._player(to_play)
        rows = self.board.rows()
        named: set[str] = set()
        groups: list[frozenset[str]] = []
        for color, vertices in ((BLACK, black), (WHITE, white), (EMPTY, empty)):
            group = set()
            for vertex in vertex_list(vertices):
                coordinates = parse_vertex(vertex, self.size)
                if coordinates is None:
                    raise InvalidVertex("pass: a point of the board is wanted here")
                name = format_vertex(coordinates)
                if name in named:
                    raise GoError(f"{name} is named twice")
                named.add(name)
                group.add(name)
                rows[self.size - 1 - coordinates[1]][coordinates[0]] = color
            groups.append(frozenset(group))
        board = Board.from_rows(rows, suicide=self._rules.suicide)
        for color in (BLACK, WHITE):
            field = CAPTURED + Index(color)
            board.state[field] = self.board.state[field]
        board.state[TO_PLAY] = player
        self._add(Setup(groups[0], groups[1], groups[2], format_color(player)), board)

    def give_turn(self, color: str | int) -> None:
        """Say whose turn it is. No step of its own: ``undo`` takes it back with the last one.

        If it was the opponent's, no point is barred by simple ko any more.

        Raises:
            InvalidColor: If there is no such player.
        """
        player = parse_color(color)
        if player == self.board.state[TO_PLAY]:
            return
        board = self.board.copy()  # Copies of the game share the old one.
        board.state[TO_PLAY] = player
        board.state[KO] = PASS
        self._steps[-1] = self._steps[-1]._replace(board=board, key=_key_of(board.state))

    def fixed_handicap(self, stones: int) -> list[str]:
        """Give Black handicap stones on their fixed points, and return these. White plays next.

        Raises:
            GoError: If the game has begun, or the board has no such handicap.
        """
        vertices = [format_vertex(point) for point in fixed_handicap_points(self.size, stones)]
        self.free_handicap(vertices)
        return vertices

    def free_handicap(self, vertices: Iterable[str]) -> None:
        """Give Black handicap stones on these points, two or more. White plays next.

        Raises:
            InvalidVertex: If a vertex is no point of the board.
            GoError: If the game has begun, there are fewer than two points, or one comes twice.
        """
        stones = vertex_list(vertices)
        if self.history:
            raise GoError("handicap stones come before everything else")
        if len(stones) < 2:
            raise GoError("a handicap has at least 2 stones")
        self.setup(black=stones, to_play="white")
        self._steps[-1] = self._steps[-1]._replace(handicap=len(stones))

    def mark_dead(self, vertices: Iterable[str], *, seki: Iterable[str] = ()) -> None:
        """Say which chains both players agree are dead; :attr:`result` takes them off.

        *seki* names chains as :meth:`score` understands it. Replaces what was said before; a move
        or an ``undo`` forgets it.

        Raises:
            GoError: If a vertex has no stone, or the rules know no removal of dead stones.
        """
        dead, shared = vertex_list(vertices), vertex_list(seki)
        self.score(dead=dead, seki=shared)
        self._dead, self._seki = frozenset(dead), frozenset(shared)

    def _forget_marks(self) -> None:
        self._dead = self._seki = frozenset()

    def score(self, *, dead: Iterable[str] = (), seki: Iterable[str] = ()) -> Score:
        """Count the position by the rules, komi, handicap and button included.

        *dead* names stones to take off first, *seki* chains whose eyes do not count where the rules
        say so; one stone stands for its chain. Everything else is taken to be alive.

        Raises:
            GoError: If a vertex has no stone, or the rules know no removal of dead stones.
        """
        rows, taken = self.board.rows(), self.captures
        return score_position(
            rows, self._rules, self.compensation, dead=dead, captures=taken, seki=seki
        )

    @property
    def _last_point(self) -> tuple[int, int] | None:
        """Where the last step put a stone; None if it was no move, or a pass."""
        done = self._steps[-1].done
        return parse_vertex(done.vertex, self.size) if isinstance(done, Move) else None

    def __str__(self) -> str:
        taken = self.captures
        state = self.result if self.is_over else f"{self.to_play} to play"
        return (
            f"{format_diagram(self.board.rows(), last=self._last_point)}\n"
            f"Move {len(self.moves)}, {state}. "
            f"Prisoners: Black {taken.black}, White {taken.white}. "
            f"Komi {self._komi:g}, {self._rules} rules."
        )

    def __repr__(self) -> str:
        return f"<Game {self.size}x{self.size}, {len(self.moves)} moves, {self._rules} rules>"

    def _repr_svg_(self) -> str:
        return board_svg(self.board.rows(), last=self._last_point)


def _key_of(state: State) -> Key:
    return int(position_hash(state)), int(state[TO_PLAY])
