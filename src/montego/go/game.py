"""A game of Go: a board with its history, the rules, and how it ends.

Here the rules are applied; :mod:`montego.go.past` keeps what was done, and the position after each
step. Records are read and written by :mod:`montego.go.sgf.transcript`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.board import Board
from montego.go.diagram import format_diagram
from montego.go.handicap import fixed_handicap_points
from montego.go.kernels.layout import TO_PLAY
from montego.go.past import Past
from montego.go.result import Result
from montego.go.scoring import Score, score_position
from montego.go.step import Captures, Move, Setup
from montego.go.superko import SUPERKO
from montego.go.svg import board_svg
from montego.go.vocabulary.color import format_color, opponent, parse_color
from montego.go.vocabulary.errors import GoError, IllegalMove
from montego.go.vocabulary.rules import Rules, parse_komi, parse_rules
from montego.go.vocabulary.vertex import format_vertex, parse_vertex, vertex_list

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from montego.go.sgf.record import Record

__all__ = ["SUPERKO", "Captures", "Game", "Move", "Setup"]


class Game:
    """A game under a rule set, from the empty board or a record.

    >>> game = Game(9, rules="chinese", komi=7.5)
    >>> game.play("black", "E5")
    0
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
        self._past = Past(Board(size, suicide=self._rules.suicide))

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
        from montego.go.sgf.transcript import replay  # noqa: PLC0415

        game = cls(record.size, rules=record.rules or "chinese", komi=record.komi)
        game._record = record
        replay(record, game)
        return game

    def copy(self) -> Game:
        """Return an independent copy, quickly: positions of the past are shared, as none changes.

        A record that the game was read from is left behind.
        """
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._record = None  # noqa: SLF001  # Its own class.
        twin._past = self._past.copy()  # noqa: SLF001
        return twin

    def to_sgf(self) -> str:
        """Return the game as SGF text, to be written as UTF-8.

        A game that was read from a record comes back with everything the record had. Its main
        line is the game as it stands: what was played otherwise becomes the first variation, and
        the record's result then gives way to the game's own. Moves that were only taken back are
        still there; ``game.copy().to_sgf()`` is without the record.
        """
        from montego.go.sgf.transcript import transcribe  # noqa: PLC0415

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
        self._past.adopt(self._rules)

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
        return self._past.board

    @property
    def history(self) -> list[Move | Setup]:
        """Everything done so far, stones set up included, in order."""
        return self._past.done

    @property
    def moves(self) -> list[Move]:
        """The moves played so far, passes included."""
        return [done for done in self.history if isinstance(done, Move)]

    @property
    def to_play(self) -> str:
        """Whose turn it would be. Moves may come in any order all the same."""
        return format_color(int(self.board.state[TO_PLAY]))

    @property
    def captures(self) -> Captures:
        """The prisoners taken by Black and by White."""
        return self._past.captures

    @property
    def handicap(self) -> int:
        """Handicap stones given, or two and more moves of Black's before White's first.

        Some programs send them so; see :func:`montego.go.handicap.handicap_of_moves`.
        """
        return self._past.handicap

    @property
    def positions(self) -> list[tuple[int, int]]:
        """Hash and player to move (BLACK or WHITE) of each position since stones were set up.

        From the latest back. This is what superko forbids to come again.
        """
        return self._past.positions(self._rules)

    @property
    def button(self) -> str | None:
        """The first player to pass, under rules that give half a point for that."""
        return self._past.button_taker(self._rules)

    @property
    def compensation(self) -> float:
        """All that White gets beside the points: komi, handicap, and the button or its loss."""
        button = {None: 0.0, "black": -0.5, "white": 0.5}[self.button]
        return self._komi + self._rules.handicap_points(self.handicap) + button

    @property
    def passes(self) -> int:
        """How many passes were just played in a row; the one that takes a button is none."""
        return self._past.passes(self._rules)

    @property
    def ko(self) -> str | None:
        """The vertex barred by simple ko, or None. Superko may bar others."""
        return self.board.ko

    @property
    def is_over(self) -> bool:
        """Whether a player resigned, or the last two moves were passes."""
        return self._past.resigned is not None or self.passes >= 2

    @property
    def ended_by_passes(self) -> bool:
        """Whether the game is over and has to be counted: nobody resigned."""
        return self.is_over and self._past.resigned is None

    @property
    def result(self) -> str | None:
        """``"B+3.5"``, ``"W+R"``, ``"0"`` and the like once the game is over, else None.

        After two passes the stones marked by :meth:`mark_dead` are taken off and the rest counted.
        """
        past = self._past
        if past.resigned is not None:
            return str(Result(opponent(past.resigned), "resignation"))
        return str(self.score(dead=past.dead, seki=past.seki)) if self.is_over else None

    def fault(self, color: str | int, vertex: str) -> str | None:
        """Return why the move is illegal, or None if it is legal. A pass is always legal.

        Raises:
            InvalidColor: If there is no such player.
            InvalidVertex: If *vertex* is no vertex at all.
        """
        fault = self.board.fault(color, vertex)
        if fault is None and self._past.would_repeat(parse_color(color), vertex, self._rules):
            return SUPERKO
        return fault

    def play(self, color: str | int, vertex: str) -> int:
        """Play a move and return how many enemy stones it captured. ``"pass"`` is a move.

        Colors may come in any order. A game that ended by two passes goes on.

        Raises:
            IllegalMove: If the point is occupied, barred by ko or superko or off the board, or
                the move is suicide.
            InvalidColor: If there is no such player.
            InvalidVertex: If *vertex* is no vertex at all.
            GoError: If a player has resigned.
        """
        return self._play(color, vertex, superko=True)

    def play_unless_impossible(self, color: str | int, vertex: str) -> int:
        """As :meth:`play`, but superko does not count. For records of games played without it."""
        return self._play(color, vertex, superko=False)

    def _play(self, color: str | int, vertex: str, *, superko: bool) -> int:
        player = parse_color(color)
        self.refuse_after_resignation()
        fault = self.fault(player, vertex)
        if fault is not None and (superko or fault != SUPERKO):
            raise IllegalMove(format_color(player), vertex.strip().upper(), fault)
        move = Move(format_color(player), format_vertex(parse_vertex(vertex, self.size)))
        return self._past.play(move)

    def resign(self, color: str | int | None = None) -> None:
        """End the game: *color*, or the player to move, gives up.

        Raises:
            InvalidColor: If there is no such player.
            GoError: If a player has resigned already.
        """
        player = parse_color(self.to_play if color is None else color)
        self.refuse_after_resignation()
        self._past.resigned = player

    def refuse_after_resignation(self) -> None:
        """Do nothing while a move could be played; two passes do not prevent that.

        Raises:
            GoError: If a player has resigned.
        """
        if self._past.resigned is not None:
            raise GoError(f"the game is over: {format_color(self._past.resigned)} resigned")

    def undo(self, count: int = 1) -> None:
        """Take back the last *count* steps: moves, stones set up together, or a resignation.

        Raises:
            GoError: If there are not that many; then nothing is taken back.
        """
        self._past.take_back(count)

    def legal_moves(self, color: str | int | None = None) -> list[str]:
        """Return the vertices where *color*, or the player to move, may play, without pass.

        In reading order: the top row first, from left to right.

        Raises:
            InvalidColor: If there is no such player.
        """
        player = parse_color(self.to_play if color is None else color)
        return self._past.legal_moves(player, self._rules)

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
        player = self.to_play if to_play is None else format_color(parse_color(to_play))
        self._past.set_up(black, white, empty, player, suicide=self._rules.suicide)

    def give_turn(self, color: str | int) -> None:
        """Say whose turn it is. No step of its own: ``undo`` takes it back with the last one.

        If it was the opponent's, no point is barred by simple ko any more.

        Raises:
            InvalidColor: If there is no such player.
        """
        self._past.give_turn(parse_color(color))

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
        self._past.give_handicap(vertex_list(vertices), suicide=self._rules.suicide)

    def mark_dead(self, vertices: Iterable[str], *, seki: Iterable[str] = ()) -> None:
        """Say which chains both players agree are dead; :attr:`result` takes them off.

        *seki* names chains as :meth:`score` understands it. Replaces what was said before; a move
        or an ``undo`` forgets it.

        Raises:
            GoError: If a vertex has no stone, or the rules know no removal of dead stones.
        """
        dead, shared = vertex_list(vertices), vertex_list(seki)
        self.score(dead=dead, seki=shared)
        self._past.dead, self._past.seki = frozenset(dead), frozenset(shared)

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

    def __str__(self) -> str:
        taken = self.captures
        state = self.result if self.is_over else f"{self.to_play} to play"
        return (
            f"{format_diagram(self.board.rows(), last=self._past.last_point)}\n"
            f"Move {len(self.moves)}, {state}. "
            f"Prisoners: Black {taken.black}, White {taken.white}. "
            f"Komi {self._komi:g}, {self._rules} rules."
        )

    def __repr__(self) -> str:
        return f"<Game {self.size}x{self.size}, {len(self.moves)} moves, {self._rules} rules>"

    def _repr_svg_(self) -> str:
        return board_svg(self.board.rows(), last=self._past.last_point)
