"""All games of the server: those on disk, and the sessions of those that somebody looks at.

A session is made when a game is opened and leaves the memory some time after the last page has
gone. Every change is written at once. Methods may be called from any thread; some take a moment,
so they are not for the event loop. What a person asks for in vain raises ``GoError``.
"""

from __future__ import annotations

import contextlib
import io
import re
import threading
import time
import zipfile
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from montego.engine.options.levels import LEVELS
from montego.go.game import Game
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rank import format_rank
from montego.go.vocabulary.rules import PRESETS
from montego.ladder.home import HOME_FILE, PERSON, Home
from montego.ladder.scale import rank_of
from montego.ladder.standing import course, standing
from montego.web.game.live_game import LiveGame
from montego.web.game.sgf_exchange import read_game, write_game
from montego.web.game.tree import SavedGame
from montego.web.messages.limits import (
    LARGE_UPLOAD_BYTES,
    MOST_GAMES,
    MOST_OPEN_SESSIONS,
    MOST_RECORD_NODES,
    MOST_UPLOAD_BYTES,
    SESSION_IDLE_SECONDS,
)
from montego.web.messages.replies import Failure, LadderReply
from montego.web.problems.mistakes import ReviewedMistake
from montego.web.server.store import ID_PATTERN, StoreError
from montego.web.session.players import begin, ladder_game
from montego.web.session.scheduler import Gate
from montego.web.session.session import Session
from montego.web.session.teaching import mistakes_in
from montego.web.thinking.thinker import Programs, give_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.ladder.home import LadderGame
    from montego.web.messages.replies import GameSummary, Position, Reply
    from montego.web.messages.requests import GameKind, NewGame, ShowLadder
    from montego.web.server.store import GameFiles

    Listener = Callable[[Reply], None]


@dataclass(eq=False)
class _Open:
    """A game in memory."""

    session: Session
    written: bytes = b""
    noted: LadderGame | None = None
    """What the ladder has of it."""
    deleted: bool = False


class Library:
    """The games in a store, which is open, and the sessions over them."""

    def __init__(
        self, store: GameFiles, *, gate: Gate | None = None, programs: Programs | None = None
    ) -> None:
        self.store = store
        self.gate = gate or Gate()
        self.programs = programs or Programs()
        self.home = Home(store.folder.parent / HOME_FILE)
        """Of the person's results, beside the games."""
        self.version = 0
        """Changes with the list of games."""
        self._summaries = store.listing()
        self._open: dict[str, _Open] = {}
        self._lock = threading.Lock()  # For the two above, held for moments.
        self._opening = threading.Lock()  # For making and closing sessions, held for longer.
        self._is_closed = False

    @property
    def notice(self) -> str:
        """What a person should know about the store; empty if all is well."""
        return " ".join(filter(None, (self.store.trouble, *self.store.notices[-3:])))

    @property
    def open_sessions(self) -> int:
        """How many games are in memory."""
        return len(self._open)

    def summaries(self) -> list[GameSummary]:
        """Return all games, the latest first."""
        with self._lock:
            games = list(self._summaries.values())
        return sorted(games, key=lambda game: game.changed, reverse=True)

    def new(self, request: NewGame) -> str:
        """Begin a game and return its id."""
        self._check_number()
        return self._add(begin(request, self.programs, self.home))

    def upload(self, data: bytes, name: str = "") -> str:
        """Make a game of an SGF record and return its id."""
        if len(data) > MOST_UPLOAD_BYTES:
            raise GoError(f"the file is larger than {MOST_UPLOAD_BYTES // 1024} KB")
        if not data.strip():
            raise GoError("the file is empty")
        if data.count(b";") > MOST_RECORD_NODES:
            raise GoError(f"the record has more than {MOST_RECORD_NODES} moves")
        self._check_number()
        try:
            return self._add(read_game(data, name))
        finally:
            if len(data) > LARGE_UPLOAD_BYTES:
                give_back()

    def watch(self, id: str, listener: Listener) -> tuple[Session, Callable[[], None]]:  # noqa: A002
        """Open a game and tell *listener* what happens in it; return how to end that, too.

        See :meth:`Session.watch` for what a listener may do. It also learns if the game is deleted.
        """
        with self._opening:
            session = self._find(id).session
            return session, session.watch(listener)

    def sgf(self, id: str) -> tuple[str, str]:  # noqa: A002
        """Return the name of a game, and its record."""
        with self._opening:
            session = self._find(id).session
        return session.summary().name, session.to_sgf()

    def ladder(self, request: ShowLadder) -> LadderReply:
        """Return how strong the person is on a board, and fair terms against a level."""
        games = self.home.games(PERSON)
        found = standing(games, request.size)
        level = request.level if request.level in LEVELS else format_rank(found.rank)
        color, terms = found.terms_against(LEVELS[level], PRESETS["chinese"].komi)
        least, most = found.ranks
        return LadderReply(
            request=request.number,
            size=request.size,
            sizes=sorted({request.size, *(game.size for game in games)}),
            games=found.games,
            rank=format_rank(found.rank),
            least=format_rank(least),
            most=format_rank(most),
            climbed=None if found.climbed is None else format_rank(found.climbed),
            next=format_rank(found.next_rung),
            course=[round(rank_of(known.elo), 1) for known in course(games, request.size)],
            level=level,
            color="black" if color == "black" else "white",
            handicap=terms.handicap,
            komi=terms.komi,
        )

    def archive(self, id: str, *, archived: bool) -> None:  # noqa: A002
        """Put a game away, or take it out again."""
        with self._opening:
            entry = self._find(id)
        entry.session.archive(archived=archived)
        self._save(entry)

    def pictures(self, id: str, node: int | None) -> tuple[str, GameKind, list[Position]]:  # noqa: A002
        """Return name and kind of a game, and its positions up to a node."""
        with self._opening:
            session = self._find(id).session
        kind, positions = session.pictures(node)
        return session.summary().name, kind, positions

    def export(self) -> bytes:
        """Return all games as a ZIP archive: Go as SGF, others as Montego itself keeps them.

        What cannot be read is left out, and told in a file of its own.
        """
        file, used, trouble = io.BytesIO(), set[str](), []
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for summary in self.summaries():
                try:
                    name, content = self._exported(summary)
                except (msgspec.MsgspecError, ValueError) as error:
                    trouble.append(f"{summary.name} ({summary.id}): {error}")
                    continue
                stem, _, suffix = name.rpartition(".")
                number = 1
                while name.lower() in used:
                    number += 1
                    name = f"{stem} {number}.{suffix}"
                used.add(name.lower())
                archive.writestr(name, content)
            if trouble:
                archive.writestr("not-exported.txt", "\n".join(trouble) + "\n")
        return file.getvalue()

    def _exported(self, summary: GameSummary) -> tuple[str, bytes]:
        """Return a game as a file. One that is not in memory stays on the disk."""
        with self._lock:
            entry = self._open.get(summary.id)
        stem = re.sub(r'[\\/:*?"<>|\x00-\x1f]+', "-", summary.name).strip(" .") or "game"
        if summary.kind == "go" and entry is not None:
            return f"{stem}.sgf", entry.session.to_sgf().encode()
        if entry is not None:
            return f"{stem}.json", msgspec.json.encode(entry.session.saved())
        data = self.store.load(summary.id)
        if summary.kind != "go":
            return f"{stem}.json", data
        saved = msgspec.json.decode(data, type=SavedGame)
        return f"{stem}.sgf", write_game(saved, saved.player_names).encode()

    def mistakes(self) -> Iterator[ReviewedMistake]:
        """Yield what reviews found wrong with people's moves in games of Go, the latest first.

        Games that cannot be read are passed over: opening them tells why.
        """
        for summary in self.summaries():
            if summary.kind != "go":
                continue
            try:
                game = LiveGame(msgspec.json.decode(self.store.load(summary.id), type=SavedGame))
                line = game.tree.line(game.head)
            except (msgspec.MsgspecError, ValueError):
                continue
            for mistake in mistakes_in(line):
                node = game.tree[mistake.node]
                if node.parent is None or node.color is None or node.move is None:
                    continue
                before = game.state(node.parent)
                if game.sides[node.color] == "human" and isinstance(before, Game):
                    yield ReviewedMistake(
                        game=before,
                        played=node.move,
                        better=mistake.better,
                        name=f"{summary.name}, {node.number}",
                        key=f"{summary.id}-{node.id}",
                    )

    def delete(self, id: str) -> None:  # noqa: A002
        """Forget a game; pages that show it are told."""
        with self._opening:
            with self._lock:
                if id not in self._summaries:
                    raise StoreError("there is no such game; it may have been deleted")
                entry = self._open.get(id)
            if entry is None:
                self.store.delete(id)
            else:
                with entry.session.lock:  # Nobody writes it again in between.
                    self.store.delete(id)
                    entry.deleted = True
            with self._lock:
                self._open.pop(id, None)
                self._summaries.pop(id, None)
                self.version += 1
        if entry is not None:
            entry.session.tell(Failure("This game was deleted."))
            entry.session.close()
            give_back()

    def tidy(self) -> None:
        """Let games leave the memory that nobody has watched for a while; save what was not."""
        now = time.monotonic()
        with self._opening:
            self._save_again()
            old = [
                entry
                for entry in self._open.values()
                if (left := entry.session.unwatched_since) is not None
                and now - left >= SESSION_IDLE_SECONDS
            ]
            for entry in old:
                self._unload(entry)
            if old:
                give_back()

    def close(self) -> None:
        """Save and close all games, and the store."""
        with self._opening:
            if self._is_closed:
                return
            self._is_closed = True
            for entry in list(self._open.values()):
                self._unload(entry)
            self._save_again()
            self.store.close()

    def _check_number(self) -> None:
        if len(self._summaries) >= MOST_GAMES:
            raise GoError(
                f"there are {MOST_GAMES} games already, and no more are kept; delete some of them "
                "on the start page first"
            )

    def _add(self, saved: SavedGame) -> str:
        """Put a new game among the others, and return its id."""
        with self._opening:
            self._make_room()
            entry = self._enter(saved)
        self._save(entry)
        return saved.id

    def _find(self, id_: str) -> _Open:
        """Return the game in memory, from the store if need be. Holds ``_opening``."""
        if self._is_closed:
            raise GoError("Montego is about to end; the game is kept")
        entry = self._open.get(id_)
        if entry is not None:
            return entry
        if not ID_PATTERN.fullmatch(id_) or id_ not in self._summaries:
            raise StoreError("there is no such game; it may have been deleted")
        self._make_room()
        saved = None
        try:
            saved = msgspec.json.decode(self.store.load(id_), type=SavedGame)
            return self._enter(saved)
        except (msgspec.MsgspecError, ValueError) as error:
            sentence = str(error)
            if saved is not None and saved.agreement.kind == "own":
                raise GoError(sentence) from None  # Its rules are elsewhere: nothing is damaged.
            if not isinstance(error, StoreError):
                sentence = self.store.set_aside(id_)
            with self._lock:
                self._summaries.pop(id_, None)
                self.version += 1
            raise StoreError(sentence) from None

    def _enter(self, saved: SavedGame) -> _Open:
        """Make a session of a game. Holds ``_opening``."""
        entry = _Open(Session(saved, programs=self.programs, gate=self.gate))
        entry.noted = self._result(entry)
        with self._lock:
            self._open[saved.id] = entry
        entry.session.on_change = partial(self._save, entry)
        return entry

    def _make_room(self) -> None:
        """See that one more session fits. Holds ``_opening``."""
        if len(self._open) < MOST_OPEN_SESSIONS:
            return
        unwatched = [
            (left, id_)
            for id_, entry in self._open.items()
            if (left := entry.session.unwatched_since) is not None
        ]
        if not unwatched:
            raise GoError(
                f"{MOST_OPEN_SESSIONS} games are open at the same time, and no more fit; close a "
                "page with another game first"
            )
        self._unload(self._open[min(unwatched)[1]])
        give_back()

    def _unload(self, entry: _Open) -> None:
        """Close a session after it was saved. Holds ``_opening``."""
        entry.session.close()
        self._save(entry)
        entry.session.on_change = lambda: None
        with self._lock:
            self._open.pop(entry.session.id, None)

    def _save_again(self) -> None:
        """Try to write what could not be written. Holds ``_opening``."""
        for id_ in self.store.unsaved:
            entry = self._open.get(id_)
            with entry.session.lock if entry else contextlib.nullcontext():
                self.store.save_again(id_)

    def _save(self, entry: _Open) -> None:
        """Write a game unless it is written already, and refresh the list."""
        with entry.session.lock:  # The last to write has the latest.
            if entry.deleted:
                return
            summary = entry.session.summary()
            game = msgspec.json.encode(entry.session.saved())
            if game == entry.written:
                return
            self.store.save(summary, game)
            entry.written = game
            with self._lock:
                self._summaries[summary.id] = summary
                self.version += 1
            self._note(entry)

    def _note(self, entry: _Open) -> None:
        """Tell the ladder how a game ended, or that its end was taken back."""
        found, noted = self._result(entry), entry.noted
        if found is None and noted is not None:
            found = replace(noted, score=None)
        if found is None or (noted is not None and found.score == noted.score):
            return
        with contextlib.suppress(GoError):  # A full disk costs no more than the rating.
            self.home.add([found])
            entry.noted = None if found.score is None else found

    def _result(self, entry: _Open) -> LadderGame | None:
        """Return a game that is over as the ladder keeps it; None for others."""
        session = entry.session
        over = session.game.phase == "over"
        return ladder_game(session.saved(), session.game.winner) if over else None
