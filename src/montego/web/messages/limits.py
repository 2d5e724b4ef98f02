"""How much the server does for the pages that ask: every limit, in one place, with its reason.

They are meant to be out of the way of people and in the way of accidents: a page in a loop, a
record of a hundred thousand moves, a folder that grows for years.
"""

MOST_MESSAGE_BYTES = 64 * 1024
"""Of one message of a page. The longest honest one is a comment of 4000 characters."""

MOST_FRAME_BYTES = 1024 * 1024
"""Of what a page may send at once and still be told that it is too long; beyond it is cut off."""

MOST_UPLOAD_BYTES = 1024 * 1024
"""Of an SGF file. A long game with many variations and comments has a tenth of that."""

MESSAGES_PER_SECOND = 40.0
"""That a page may send for long. Somebody who holds an arrow key down sends about thirty."""

MESSAGES_AT_ONCE = 120
"""That a page may send in a burst: all positions of a game, asked for when it is opened."""

MOST_CONNECTIONS = 200
"""Pages at the same time. Each has a queue and a task."""

MOST_GAMES = 500
"""That are kept. The start page lists them all, and each is a file."""

MOST_OPEN_SESSIONS = 64
"""Games held in memory at the same time. Those that nobody watches leave first."""

MOST_QUEUED_MESSAGES = 400
"""That wait for one page that does not read. States and reports replace one another and do not
add up; a page behind this is gone, and gets everything again when it comes back."""

SESSION_IDLE_SECONDS = 120.0
"""After which a game that nobody watches leaves the memory. A reload takes a second or two."""

HIDDEN_SECONDS = 180.0
"""How long a page may be hidden before its game counts as unwatched: long enough to look something
up in another tab, short enough to spare the battery."""

LIST_SECONDS = 0.5
"""Between two lists of games sent to the start pages."""

MOST_SIMULATIONS = 1_000_000
"""Of a move. As long as ten minutes take on a fast machine."""

MOST_SECONDS = 600.0
"""Of a move. Nobody waits longer for one."""

MOST_ANALYSIS_SIMULATIONS = 5_000_000
"""Of an analysis that nobody switches off. By then it has long stopped changing its mind."""

SEARCH_MEMORY_MB = 256.0
"""Of the tree of one game, which bounds its nodes: several games are open at a time."""

MOST_BOARD = 25
"""Points a side, as GTP has it."""

MOST_TREE_NODES = 20_000
"""Moves in all variations of one game. The page draws them, and every change sends them."""

MOST_RECORD_NODES = 2 * MOST_TREE_NODES
"""Semicolons in an SGF file, each of which begins a move unless it is in a comment: to read more
takes many seconds."""

BOARD_SIZES = {
    "go": (2, MOST_BOARD),
    "hex": (2, MOST_BOARD),
    "connect-four": (7, 7),
    "tic-tac-toe": (3, 3),
}
"""The smallest and largest board of each kind of game."""

WORKER_THREADS = 32
"""That carry out what pages ask. Nearly all of it takes a few milliseconds."""
