"""The Go Text Protocol: its text, the registry of commands, and the session that obeys them.

Importing anything here loads neither NumPy nor Numba: an engine must answer its first command
before it has a board.
"""
