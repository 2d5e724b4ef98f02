"""The end of a game: whose points, which stones are dead, when to pass.

Start with :mod:`montego.engine.ending.judgement`.
"""
