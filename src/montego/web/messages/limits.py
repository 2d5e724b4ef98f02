"""How much the server does for the pages that ask: every limit, in one place, with its reason.

They are meant to be out of the way of people and in the way of accidents: a page in a loop, a
record of a hundred thousand moves, a folder that grows for years.
"""

MOST_MESSAGE_BYTES = 64 * 1024
"""Most bytes of one message of a page. The longest honest one is a comment of 4000 characters."""

MOST_FRAME_BYTES = 1024 * 1024
"""Most bytes that a page may send at once and be told that it is too long; more is cut off."""

MOST_UPLOAD_BYTES = 1024 * 1024
"""Most bytes of an SGF file. A long game with many variations and comments has a tenth of that."""

MESSAGES_PER_SECOND = 40.0
"""What a page may send for long. Somebody who holds an arrow key down sends about thirty."""

MESSAGES_AT_ONCE = 120
"""What a page may send in a burst: all positions of a game, asked for when it is opened."""

MOST_CONNECTIONS = 200
"""Most pages at the same time. Each has a queue and a task."""

MOST_SOCKETS = 400
"""Most connections at the same time, whatever they are for; less where the system allows fewer open
files. A page has one for good and, for moments, a few more."""

MOST_SOCKETS_OF_ONE_ADDRESS = 256
"""Most connections from one address: more than all pages need, so that a proxy may stand for many
people, and less than all, so that others are served, too."""

WAIT_SECONDS = 10.0
"""How long a connection may take until a whole request is there, and stay open after its reply."""

REQUEST_SECONDS = 60.0
"""How long a request may take, from its head to the end of the reply: a slow phone sends the
largest record in half of that."""

CLOSING_SECONDS = 10.0
"""How long a connection that is closed may take to take in what it was sent."""

MOST_GAMES = 500
"""Most games that are kept. The start page lists them all, and each is a file."""

MOST_OPEN_SESSIONS = 64
"""Most games in memory at the same time. Those that nobody watches leave first."""

MOST_QUEUED_MESSAGES = 400
"""Most messages that wait for a page that does not read. States and reports replace one another and
do not add up; a page that is further behind is gone, and gets everything when it comes back."""

SESSION_IDLE_SECONDS = 120.0
"""After which a game that nobody watches leaves the memory. A reload takes a second or two."""

HIDDEN_SECONDS = 180.0
"""How long a page may be hidden before its game counts as unwatched: long enough to look something
up in another tab, short enough to spare the battery."""

LIST_SECONDS = 0.5
"""Time between two lists of games that start pages are sent."""

MOST_SIMULATIONS = 1_000_000
"""Most simulations of a move that may be asked for: ten minutes' worth on a fast machine."""

MOST_SECONDS = 600.0
"""Longest time for a move that may be asked for. Nobody waits longer for one."""

MOST_ANALYSIS_SIMULATIONS = 5_000_000
"""Most simulations of an analysis that nobody switches off: it has long stopped changing then."""

SEARCH_MEMORY_MB = 256.0
"""Memory for the tree of one game, which bounds its nodes: several games are open at a time."""

MOST_MOVES = 30
"""Most moves in what a search found."""

MOST_ALTERNATIVES = 6
"""Most moves beside one that is explained, itself included."""

MOST_BOARD = 25
"""Points on a side of the largest board, as GTP has it."""

MOST_TREE_NODES = 20_000
"""Most moves in all variations of one game. The page draws them, and every change sends them."""

MOST_RECORD_NODES = MOST_TREE_NODES + 5_000
"""Most semicolons in an SGF file, each of which begins a move unless it is in a comment: to read
more takes seconds, and nobody has played such a game."""

MOST_UPLOADS = 4
"""Most SGF files in hand at the same time. One is read after another, so that a large one takes the
time and the memory of one; whoever comes then is asked to try again."""

GIF_SECONDS = 0.8
"""How long a moving picture shows each move."""

GIF_LAST_SECONDS = 4.0
"""How long it shows the last one."""

LARGE_UPLOAD_BYTES = 64 * 1024
"""Bytes of an SGF file from which memory is given back after it was read: some milliseconds."""

BOARD_SIZES = {
    "go": (2, MOST_BOARD),
    "hex": (2, MOST_BOARD),
    "connect-four": (7, 7),
    "tic-tac-toe": (3, 3),
}
"""The smallest and largest board of each kind of game."""

WORKER_THREADS = 32
"""Threads that carry out what pages ask. Nearly all of it takes a few milliseconds."""
