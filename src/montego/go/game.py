"""A game of Go: a board with its history, the rules, and how it ends.

A game is the last link of a chain of steps, each of which knows the one before. A step never
changes, but for the board that it may let go, so copies of a game share their past. Boards are kept
for the latest steps and here and there for older ones, from which the others are played again when
moves are taken back. Superko is a look into the past: *positional* superko compares the stones,
*situational* superko also whose turn it is, both by hashes of 64 bits. Records are read and written
by :mod:`montego.go.transcript`.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from montego.go.board import Board, Captures, find_move
from montego.go.diagram import format_diagram
from montego.go.handicap import fixed_handicap_points, handicap_of_moves
from montego.go.kernels.layout import CAPTURED, KO, PASS, PASSES, SUICIDE, TO_PLAY, format_move
from montego.go.kernels.position import play
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
    from collections.abc import Iterable, Iterator

    from montego.go.sgf.record import Record

SUPERKO = "superko: the position was on the board before"

Key = tuple[int, int]
"""A position as situational superko knows it: the hash of the stones, and the player to move."""

LATEST_BOARDS = 16
"""How many boards a game holds ready at least, for moves that are taken back."""

BOARDS_APART = 64
"""Steps between two of its older boards. All boards of a long game would take gigabytes."""


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


class Past(NamedTuple):
    """What superko has to know of the positions since stones were last set up."""

    seen: tuple[frozenset[tuple[int, int, bool]], ...] = ()
    """The positions, and whether the button was taken: without it, the same stones are another
    position. In sets that fall in size, which many steps share."""
    emptied: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    """The vertices where stones of Black and of White were taken off. Only a stone that comes back
    to one of them can bring back a position, if it is not suicide."""

    def followed_by(self, key: Key, *, button: bool) -> Past:
        """Return the past with one position more.

        Sets of equal size become one: that is n log n for a game of n steps, and log n to look
        a position up.
        """
        seen, position = self.seen, (*key, button)
        if any(position in part for part in seen):
            return self
        new = frozenset((position,))
        while seen and len(seen[-1]) <= len(new):
            new |= seen[-1]
            seen = seen[:-1]
        return Past((*seen, new), self.emptied)

    def without(self, removed: tuple[frozenset[str], frozenset[str]]) -> Past:
        """Return the past with stones of Black and of White taken off at these vertices."""
        return Past(self.seen, (self.emptied[0] | removed[0], self.emptied[1] | removed[1]))

    def has(self, key: Key, rules: Rules, *, button: bool) -> bool:
        """Say whether there was such a position, as the rules compare them."""
        stones, player = key
        players = (player,) if rules.ko == "situational" else (BLACK, WHITE)
        buttons = (button,) if rules.button else (False, True)
        return any(
            (stones, one, other) in part
            for part in self.seen
            for one in players
            for other in buttons
        )


class Step:
    """What was done, and what came of it."""

    __slots__ = (
        "before",
        "board",
        "captured",
        "depth",
        "done",
        "first_pass",
        "handicap",
        "keeps_board",
        "key",
        "past",
    )

    def __init__(
        self,
        before: Step | None,
        done: Move | Setup | None,
        board: Board,
        key: Key,
        *,
        past: Past,
        captured: int = 0,
        handicap: int = 0,
    ) -> None:
        """Note a step. *past* is that of the positions before it."""
        self.before = before
        self.done = done  # None for the beginning
        self.board: Board | None = board  # None if it was let go
        self.captured = captured  # enemy stones taken
        self.handicap = handicap  # handicap stones given so far, not those played as moves
        self.depth: int = 0 if before is None else before.depth + 1
        self.first_pass: Step | None = None if before is None else before.first_pass
        if self.first_pass is None and isinstance(done, Move) and done.vertex == "pass":
            self.first_pass = self
        self.keeps_board = self.depth % BOARDS_APART == 0 or not isinstance(done, Move)
        self.key = key
        self.past = past.followed_by(self.key, button=self.first_pass is not None)


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
        self._board = Board(size, suicide=self._rules.suicide)
        self._last = Step(None, None, self._board, _key_of(self._board), past=Past())
        self._resigned: Color | None = None
        # What was agreed about, until the next step; None as long as nothing was.
        self._dead: frozenset[str] | None = None
        self._seki: frozenset[str] = frozenset()

    @classmethod
    def from_sgf(cls, text: str | bytes, number: int = 1) -> Game:
        """Read the main line of a game in an SGF text; variations stay in the record.

        Of a collection it is the first game, or the one of that *number*. Tolerant of what real
        files contain; :attr:`warnings` lists what was passed over. A move that cannot be played
        ends the line, except one that only superko forbids: the players were free to play without.

        Raises:
            SgfError: If it is no game of Go; the message says where.
        """
        from montego.go.sgf.record import parse_sgf  # noqa: PLC0415  # Loaded only by who reads records.

        return cls.from_record(parse_sgf(text, number))

    @classmethod
    def from_sgf_file(cls, path: str | os.PathLike[str], number: int = 1) -> Game:
        """Read a game from a file as :meth:`from_sgf` does, in whatever character set it is.

        Raises:
            SgfError: If the file cannot be read, or is no game of Go.
        """
        from montego.go.sgf.record import read_sgf_file  # noqa: PLC0415

        return cls.from_record(read_sgf_file(path, number))

    @classmethod
    def from_record(
        cls,
        record: Record,
        *,
        rules: str | Rules = "chinese",
        komi: float | str | None = None,
        moves: int | None = None,
        strict: bool = False,
    ) -> Game:
        """Play through the main line of a record, or its first *moves* moves. See :meth:`from_sgf`.

        *rules* and *komi* are for records that name none. *strict* refuses what cannot be played
        instead of passing over it.

        Raises:
            GoError: If *strict*, and something cannot be played or understood.
        """
        from montego.go.transcript import replay  # noqa: PLC0415

        game = cls(
            record.size,
            rules=record.rules or rules,
            komi=komi if record.komi is None else record.komi,
        )
        game._record = record
        replay(record, game, moves=moves, strict=strict)
        return game

    def copy(self) -> Game:
        """Return an independent copy, quickly: the past is shared.

        A record that the game was read from is left behind.
        """
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__, _record=None)
        return twin

    def to_sgf(self, *, as_played: bool = False) -> str:
        """Return the game as SGF text, to be written as UTF-8.

        A game that was read from a record comes back with everything the record had. Its main
        line is the game as it stands: what was played otherwise becomes the first variation, and
        the record's result then gives way to the game's own. Moves that were only taken back, or
        not yet made, are still there, unless it is to be *as_played*; ``game.copy().to_sgf()`` is
        without the record. The game's own result is written only if it :attr:`is_decided`.
        """
        from montego.go.transcript import transcribe  # noqa: PLC0415

        return transcribe(self, self._record, as_played=as_played).to_sgf()

    @property
    def warnings(self) -> list[str]:
        """What was passed over when the game was read from a record."""
        return [] if self._record is None else list(self._record.warnings)

    @property
    def size(self) -> int:
        """The number of lines of the board."""
        return self._board.size

    @property
    def rules(self) -> Rules:
        """The rule set. Set it by name or value; the moves already played stay as they are."""
        return self._rules

    @rules.setter
    def rules(self, rules: str | Rules) -> None:
        self._rules = parse_rules(rules)
        self._forget_marks()
        self._board = self._obeying(self._board)

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
        return self._board

    @property
    def history(self) -> list[Move | Setup]:
        """Everything done so far, stones set up included, in order."""
        done = [step.done for step in self._steps() if step.done is not None]
        done.reverse()
        return done

    def _steps(self) -> Iterator[Step]:
        """Yield the steps from the last back to the beginning, which is one."""
        step: Step | None = self._last
        while step is not None:
            yield step
            step = step.before

    @property
    def moves(self) -> list[Move]:
        """The moves played so far, passes included."""
        return [done for done in self.history if isinstance(done, Move)]

    @property
    def to_play(self) -> Color:
        """Whose turn it would be. Moves may come in any order all the same."""
        return format_color(int(self._board.state[TO_PLAY]))

    @property
    def captures(self) -> Captures:
        """The prisoners taken by Black and by White."""
        return self._board.captures

    @property
    def captured(self) -> int:
        """How many enemy stones the last move took; 0 if the last step was no move."""
        return self._last.captured

    @property
    def handicap(self) -> int:
        """Handicap stones given, or two and more moves of Black's before White's first.

        Some programs send them so; see :func:`montego.go.handicap.handicap_of_moves`.
        """
        return self._last.handicap or handicap_of_moves(
            parse_color(done.color) if isinstance(done, Move) and done.vertex != "pass" else EMPTY
            for done in self.history
        )

    @property
    def positions(self) -> list[Key]:
        """Hash and player to move (BLACK or WHITE) of each position since stones were set up.

        From the latest back. This is what superko forbids to come again. Taking the button begins
        anew, too: without it, the same stones are another position.
        """
        found = []
        for step in self._steps():
            found.append(step.key)
            is_button = self._rules.button and step is step.first_pass
            if is_button or not isinstance(step.done, Move):
                break
        return found

    @property
    def button(self) -> Color | None:
        """The first player to pass, under rules that give half a point for that."""
        taken = self._last.first_pass if self._rules.button else None
        return taken.done.color if taken is not None and isinstance(taken.done, Move) else None

    @property
    def compensation(self) -> float:
        """All that White gets beside the points: komi, handicap, and the button or its loss."""
        button = {None: 0.0, "black": -0.5, "white": 0.5}[self.button]
        return self._komi + self._rules.handicap_points(self.handicap) + button

    @property
    def passes(self) -> int:
        """How many passes were just played in a row; the one that takes a button is none."""
        passes, first = int(self._board.state[PASSES]), self._last.first_pass
        takes = self._rules.button and first is not None and self._last.depth - first.depth < passes
        return passes - takes

    @property
    def ko(self) -> str | None:
        """The vertex barred by simple ko, or None. Superko may bar others."""
        return self._board.ko

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

        After two passes the stones marked by :meth:`mark_dead` are taken off and the rest counted;
        :attr:`is_decided` says whether anybody has looked for dead ones.
        """
        if self._resigned is not None:
            return str(Result(opponent(self._resigned), "resignation"))
        if not self.is_over:
            return None
        return str(self.score(dead=self._dead or (), seki=self._seki))

    @property
    def is_decided(self) -> bool:
        """Whether the result is more than a count with every stone alive.

        A player has resigned; or two passes ended the game, and :meth:`mark_dead` was told which
        stones are dead, if only that none is, or the rules remove none. Records have the result
        only then.
        """
        if self._resigned is not None:
            return True
        return self.is_over and (self._dead is not None or not self._rules.dead_removal)

    def fault(self, color: str | int, vertex: str) -> str | None:
        """Return why the move is illegal, or None if it is legal. A pass is always legal.

        Raises:
            InvalidColor: If there is no such player.
            InvalidVertex: If *vertex* is no vertex at all.
        """
        fault = self._board.fault(color, vertex)
        if fault is None and self._rules.ko != "simple":
            point = find_move(vertex, self.size)
            if point != PASS and self._repeats(point, parse_color(color)):
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
        player, before = parse_color(color), self._board
        self.refuse_after_resignation()
        fault = before.fault(player, vertex)
        if fault is not None:
            raise IllegalMove(format_color(player), vertex.strip().upper(), fault)
        point, board = find_move(vertex, self.size), before.copy()
        captured = int(play(board.state, point, player))
        move = Move(format_color(player), format_move(point, self.size))
        key, past, handicap = _key_of(board), self._last.past, self._last.handicap
        if superko and point != PASS and self._is_forbidden(key):
            raise IllegalMove(move.color, move.vertex, SUPERKO)
        if captured or (self._rules.suicide and board.captures != before.captures):
            past = past.without(before.removed_in(board))
        step = Step(self._last, move, board, key, past=past, captured=captured, handicap=handicap)
        self._add(step, board)

    def _add(self, step: Step, board: Board) -> None:
        self._last, self._board = step, board
        self._forget_marks()
        if step.depth % LATEST_BOARDS == 0:
            for old in islice(self._steps(), LATEST_BOARDS, 2 * LATEST_BOARDS):
                if not old.keeps_board:
                    old.board = None

    def _board_at(self, step: Step) -> Board:
        """Return the board after a step, by the rules in use; play it again if it was let go."""
        missing = []
        while (board := step.board) is None and step.before is not None:
            missing.append(step)
            step = step.before
        assert board is not None  # noqa: S101  # The first step keeps its board.
        for later in reversed(missing):
            assert isinstance(later.done, Move)  # noqa: S101  # So do those that are no moves.
            board = board.copy()
            point = find_move(later.done.vertex, self.size)
            play(board.state, point, parse_color(later.done.color))
            later.board = board
        return self._obeying(board)

    def _obeying(self, board: Board) -> Board:
        """Return the board with suicide as the rules have it: itself, or a copy."""
        if bool(board.state[SUICIDE]) != self._rules.suicide:
            board = board.copy()  # Others share the old one.
            board.state[SUICIDE] = int(self._rules.suicide)
        return board

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
        available = self._last.depth + (self._resigned is not None)
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise GoError(f"cannot undo {count!r} moves: say a whole number from 1")
        if count > available:
            raise GoError(f"cannot undo {count} moves: there are {available}")
        back = count - (self._resigned is not None)
        self._resigned = None
        self._forget_marks()
        self._last = next(islice(self._steps(), back, None))
        self._board = self._board_at(self._last)

    def _player(self, color: str | int | None) -> int:
        """Return BLACK or WHITE for *color*; the player to move without one."""
        return parse_color(self.to_play if color is None else color)

    def legal_moves(self, color: str | int | None = None) -> list[str]:
        """Return the vertices where *color*, or the player to move, may play, without pass.

        In reading order: the top row first, from left to right.

        Raises:
            InvalidColor: If there is no such player.
        """
        player, board = self._player(color), self._board
        moves = board.legal_moves(player)
        if self._rules.ko == "simple":
            return moves
        suspects = self._last.past.emptied[player - 1]
        if self._rules.suicide:
            suspects = suspects.union(board.suicides(player))
        if suspects.isdisjoint(moves):
            return moves
        return [
            vertex
            for vertex in moves
            if vertex not in suspects or not self._repeats(find_move(vertex, self.size), player)
        ]

    def _repeats(self, point: int, player: int) -> bool:
        """Say whether superko forbids a move that is legal otherwise."""
        board = self._board.copy()
        play(board.state, point, player)
        return self._is_forbidden(_key_of(board))

    def _is_forbidden(self, key: Key) -> bool:
        """Say whether superko forbids a position after a stone was played."""
        if self._rules.ko == "simple":
            return False
        taken = self._last.first_pass is not None
        return self._last.past.has(key, self._rules, button=taken)

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
        self._set_up(black, white, empty, self._player(to_play), handicap=self._last.handicap)

    def _set_up(
        self,
        black: Iterable[str],
        white: Iterable[str],
        empty: Iterable[str],
        player: int,
        *,
        handicap: int,
    ) -> None:
        rows = self._board.rows()
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
            board.state[field] = self._board.state[field]
        board.state[TO_PLAY] = player
        done = Setup(groups[0], groups[1], groups[2], format_color(player))
        step = Step(self._last, done, board, _key_of(board), past=Past(), handicap=handicap)
        self._add(step, board)

    def give_turn(self, color: str | int) -> None:
        """Say whose turn it is. No step of its own: ``undo`` takes it back with the last one.

        If it was the opponent's, no point is barred by simple ko any more.

        Raises:
            InvalidColor: If there is no such player.
        """
        player = parse_color(color)
        if player == self._board.state[TO_PLAY]:
            return
        board = self._board.copy()  # Copies of the game share the old one.
        board.state[TO_PLAY] = player
        board.state[KO] = PASS
        last, past = self._last, Past()
        if last.before is not None and isinstance(last.done, Move):
            past = Past(last.before.past.seen, last.past.emptied)
        self._board = board
        self._last = Step(
            last.before,
            last.done,
            board,
            _key_of(board),
            past=past,
            captured=last.captured,
            handicap=last.handicap,
        )
        self._last.keeps_board = True

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
        if self._last.depth:
            raise GoError("handicap stones come before everything else")
        if len(stones) < 2:
            raise GoError("a handicap has at least 2 stones")
        self._set_up(stones, (), (), WHITE, handicap=len(stones))

    def mark_dead(self, vertices: Iterable[str], *, seki: Iterable[str] = ()) -> None:
        """Say which chains both players agree are dead, if any; :attr:`result` takes them off.

        *seki* names chains as :meth:`score` understands it. Replaces what was said before; a move
        or an ``undo`` forgets it.

        Raises:
            GoError: If a vertex has no stone, or the rules know no removal of dead stones.
        """
        dead, shared = vertex_list(vertices), vertex_list(seki)
        self.score(dead=dead, seki=shared)
        self._dead, self._seki = frozenset(dead), frozenset(shared)

    def _forget_marks(self) -> None:
        self._dead, self._seki = None, frozenset()

    def score(self, *, dead: Iterable[str] = (), seki: Iterable[str] = ()) -> Score:
        """Count the position by the rules, komi, handicap and button included.

        *dead* names stones to take off first, *seki* chains whose eyes do not count where the rules
        say so; one stone stands for its chain. Everything else is taken to be alive.

        Raises:
            GoError: If a vertex has no stone, or the rules know no removal of dead stones.
        """
        rows, taken = self._board.rows(), self.captures
        return score_position(
            rows, self._rules, self.compensation, dead=dead, captures=taken, seki=seki
        )

    @property
    def _last_point(self) -> tuple[int, int] | None:
        """Where the last step put a stone; None if it was no move, or a pass."""
        done = self._last.done
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


def _key_of(board: Board) -> Key:
    return board.hash, int(board.state[TO_PLAY])
