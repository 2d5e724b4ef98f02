"""A search that follows the moves of a game of Go and speaks in vertices.

Start with :mod:`montego.engine.searching.searcher`.
"""
