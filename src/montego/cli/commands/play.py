"""``montego play``: the board in the browser.

The server listens on this machine alone unless ``--host`` says otherwise. Nothing that takes long
is loaded before the address is printed, and Ctrl-C ends it at once: all games are on disk.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
import shutil
import signal
import socket
import sys
import threading
import time
import webbrowser
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from montego.cli.cluster_option import CLUSTER, search_cluster_of
from montego.cli.command import Namespace, argument, command
from montego.cli.output import tell
from montego.cli.own_game import is_game_file, own_game
from montego.cli.player_options import options_from, player_options
from montego.engine.options.options import DEFAULT_BOOK
from montego.engine.options.presets import GAMES
from montego.go.vocabulary.errors import GoError
from montego.gtp.client import Engine, split_command
from montego.web.messages.limits import MOST_FRAME_BYTES, MOST_SOCKETS, SEARCH_MEMORY_MB
from montego.web.server.store import FolderInUse, GameFiles, games_folder
from montego.web.thinking.thinker import Programs

if TYPE_CHECKING:
    from collections.abc import Callable

    import uvicorn

    from montego.engine.options.options import Options
    from montego.mcts.game import GameDefinition
    from montego.web.server.library import Library
    from montego.web.server.security import Site
    from montego.web.server.static_files import StaticFiles

_CHOSEN_ON_THE_PAGE = (
    "simulations", "seconds", "ponder", "size", "rules", "komi", "level", "style", "preset", "mode",
    "name", "log",
    "kgs-chat",
)  # fmt: skip  # A list to read, not a column.

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8087
PORTS_TRIED = 50
GNUGO_FLAGS = "--mode gtp --level 10 --chinese-rules"
ENGINE_SECONDS = 180.0
"""How long an engine may take to say its name: some compile or load for a while."""
ADVISER_SECONDS = 10.0
"""How long an adviser may take to say its name: the board does not wait for one that hangs."""
LISTEN_BACKLOG = 64
"""How many may wait to be connected; so many are also taken in at once, before any is counted."""
GETTING_UP_SECONDS = 30.0
"""How long the browser waits for the server to answer."""
GOODBYE_SECONDS = 3.0
"""How long pages and games may take to be closed; then the process ends, whatever still runs."""


@command(
    "Play in the browser: against Montego, another person or a GTP engine, on this machine and "
    "without a network. Games are kept, and Ctrl-C ends the server.",
    argument(
        "game FILE.py",
        "a game of your own to play as well: a file of Python that has one by the name 'game'",
        nargs="?",
    ),
    argument(
        "--port N", f"where to listen; the default is {DEFAULT_PORT}, or the next port that is free"
    ),
    argument(
        "--host ADDRESS",
        "listen on this address of the machine, for example 0.0.0.0 for a phone in the same "
        "network; whoever knows the address that is printed can then play; the default is "
        f"{DEFAULT_HOST}, this machine alone",
        default=DEFAULT_HOST,
    ),
    argument("--no-browser", "only print the address, open no browser"),
    argument(
        "--engine COMMAND",
        "a GTP engine to play against, or to let Montego play against: 'gnugo --mode gtp'",
    ),
    CLUSTER,
    player_options(without=_CHOSEN_ON_THE_PAGE, memory=f"{SEARCH_MEMORY_MB:g}", book=DEFAULT_BOOK),
    epilog="If no adviser is named by --with, GNU Go is one where it is installed; --with off "
    "does without. A game has an adviser only if you choose it.",
)
def play(arguments: Namespace) -> int:
    """Carry out ``montego play``. Returns only if nothing was started."""
    from montego.web.server.security import open_site  # These load the server.
    from montego.web.server.static_files import StaticFiles

    port = _parse_port(arguments.port)
    own = None if arguments.game is None else _own_game(arguments.game)
    page = StaticFiles()
    store = GameFiles(games_folder(), say=_say)
    try:
        store.open()
    except FolderInUse as running:
        wants_another = (
            any((arguments.port, arguments.engine, arguments.player_with_, arguments.player_book))
            or arguments.cluster is not None
            or own is not None
            or arguments.host != DEFAULT_HOST
        )
        if not running.address or wants_another:
            raise
        sys.stdout.write(f"Montego is already running at {running.address}\n")
        if not arguments.no_browser:
            webbrowser.open(running.address)
        return 0
    with contextlib.closing(store):
        cluster, options = search_cluster_of(arguments, options_from(arguments), tell)
        enlist = None if cluster is None else cluster.enlist
        programs = replace(_programs(arguments, options), own=own, enlist=enlist)
        with contextlib.closing(_listen(arguments.host, port)) as listener:
            from montego.web.server.library import Library  # Loads NumPy.

            site = open_site(arguments.host, listener.getsockname()[1])
            store.tell_address(site.address)
            library = Library(store, programs=programs)
            server = _make_server(library, site, page)
            _announce(site)
            if not arguments.no_browser:
                _in_background(_open_browser, server, site.address)
            _serve(server, listener, library)
            sys.stdout.write(f"Goodbye. {store.trouble or 'All games are kept.'}\n")
            sys.stdout.flush()
            # Threads that compile or search cannot be stopped, and Python would wait for them.
            os._exit(0)


def _own_game(name: str) -> GameDefinition:
    """Return the game in a file.

    Raises:
        GoError: If it is no file of Python, or has no game.
    """
    if not is_game_file(name):
        raise GoError(f"invalid game {name!r}: say a file of Python with a game of your own")
    return own_game(name)


def _make_server(library: Library, site: Site, page: StaticFiles) -> uvicorn.Server:
    import uvicorn  # Takes a quarter of a second.

    from montego.web.server.app import create_app
    from montego.web.server.callers import Callers, Patience, allow_descriptors

    # The other half is for games, books and programs, and for those who come before one is gone.
    callers = Callers(Patience(most=min(MOST_SOCKETS, allow_descriptors() // 2)))
    config = uvicorn.Config(
        create_app(library, site, page, callers),
        http=callers.protocol(),
        backlog=LISTEN_BACKLOG,
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        lifespan="on",
        ws="websockets-sansio",
        ws_max_size=MOST_FRAME_BYTES,
        ws_per_message_deflate=False,  # On one machine it costs time and saves none.
        timeout_graceful_shutdown=int(GOODBYE_SECONDS),
    )
    return uvicorn.Server(config)


def _serve(server: uvicorn.Server, listener: socket.socket, library: Library) -> None:
    """Serve on a socket; Ctrl-C and SIGTERM end it, and a second Ctrl-C ends it at once."""
    finished = threading.Event()

    def end_anyway() -> None:
        while not server.should_exit and not finished.is_set():
            time.sleep(0.1)
        if not finished.wait(2 * GOODBYE_SECONDS):
            os._exit(0)  # Every change was written when it was made.

    _in_background(end_anyway)
    # The server handles signals while it runs, and then raises them once more for others.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: setattr(server, "should_exit", True))
    server.run(sockets=[listener])
    library.close()
    finished.set()


def _in_background(work: Callable[..., None], *arguments: object) -> None:
    threading.Thread(target=work, args=arguments, name=work.__name__, daemon=True).start()


def _announce(site: Site) -> None:
    """Print where the board is."""
    from montego.web.server.security import shared_addresses

    sys.stdout.write(f"Montego is at {site.address}\n")
    if site.token:
        for address in shared_addresses(site):
            if address != site.address:
                sys.stdout.write(f"  from other machines: {address}\n")
        sys.stdout.write(
            "It is open to the network: whoever has the whole address can play and use this "
            "machine's time. The connection is not encrypted.\n"
        )
    sys.stdout.write("Press Ctrl-C to stop.\n")
    sys.stdout.flush()


def _open_browser(server: uvicorn.Server, address: str) -> None:
    """Open the page as soon as somebody answers."""
    deadline = time.monotonic() + GETTING_UP_SECONDS
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.05)
    if server.started and not webbrowser.open(address):
        _say("no browser could be opened; open the address above yourself")


def _programs(arguments: Namespace, options: Options) -> Programs:
    """Return the programs that may play; the engine is tried out once.

    Raises:
        GoError: If the engine does not start or answer.
    """
    adviser, adviser_name = _adviser(arguments, options.with_)
    programs = Programs(
        options=options.replace(with_=None),
        adviser=adviser,
        adviser_name=adviser_name,
        book=_book_file(options.book),
    )
    if arguments.engine is None:
        return programs
    from montego.web.thinking.engine_thinker import EngineThinker  # Loads NumPy.

    words = split_command(arguments.engine)
    name = _try_out(words)
    return replace(programs, engine=partial(EngineThinker, words, name=name), engine_name=name)


def _adviser(arguments: Namespace, command: str | None) -> tuple[str | None, str]:
    """Return the command and the name of the program that may advise Montego.

    That is the one that was named, or else GNU Go if it is installed. One that does not start is
    done without, and a line on standard error says so.
    """
    if command is not None:
        try:
            return command, _try_out(split_command(command), ADVISER_SECONDS)
        except GoError as error:
            _say(f"playing on without an adviser: {error}")
            return None, ""
    is_unwanted = arguments.player_with_ is not None  # It said "off".
    found = shutil.which("gnugo") or shutil.which("gnugo", path=GAMES)
    if is_unwanted or found is None:
        return None, ""
    return f"{shlex.quote(found)} {GNUGO_FLAGS}", "GNU Go"


def _try_out(words: list[str], patience: float = ENGINE_SECONDS) -> str:
    """Start an engine once, and return its name; wait *patience* seconds for each of its answers.

    Raises:
        GoError: If it does not start or answer.
    """
    _say(f"starting {words[0]}")
    with Engine(words, timeout=patience, start_timeout=patience) as engine:
        return engine.try_send("name") or engine.name


def _book_file(place: str | None) -> Path | None:
    """Return the file of the book that the option names; None if it is off."""
    if place is None:
        return None
    if place == DEFAULT_BOOK:
        from montego.book.store import default_book  # Loads SQLite.

        return default_book()
    return Path(place).absolute()


def _parse_port(text: str | None) -> int | None:
    """Return the port that was asked for; 0 for any free one.

    Raises:
        GoError: If it is none.
    """
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and int(text) < 65536):
        raise GoError(f"invalid port {text!r}: say a whole number from 1 to 65535")
    return int(text)


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens: at *port*, or at the default one or the next that is free.

    Raises:
        GoError: If there is none, or no such address.
    """
    for candidate in range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED) if port is None else [port]:
        try:
            family = socket.getaddrinfo(host, candidate, type=socket.SOCK_STREAM)[0][0]
            both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
            listener = socket.create_server(
                (host, candidate), family=family, backlog=LISTEN_BACKLOG, dualstack_ipv6=both
            )
        except OSError as error:
            is_busy = error.errno in (errno.EADDRINUSE, errno.EACCES)
            if is_busy and port is None:
                continue
            place = host if port is None else f"{host}, port {port}"
            reason = (error.strerror or str(error)).partition(" (while")[0].lower()
            hint = "; leave out --port to take one that is free" if is_busy else ""
            raise GoError(f"cannot listen on {place}: {reason}{hint}") from None
        if port is None and candidate != DEFAULT_PORT:
            _say(f"port {DEFAULT_PORT} is in use, so this is port {candidate}")
        return listener
    raise GoError(f"no free port from {DEFAULT_PORT} on; say --port N")


def _say(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # Closed: nobody wants to know.
        tell(f"montego: {text}")
