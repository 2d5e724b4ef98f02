"""Where Go meets search: a player, its options, its clock, and why it plays what it plays.

Start with :mod:`montego.engine.player`, then :mod:`montego.engine.thinking`. The rooms below, each
of which knows only those before it: knowledge, options, ending, book, searching.
"""
