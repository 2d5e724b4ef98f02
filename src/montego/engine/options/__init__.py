"""Everything that can be set about the player, and levels for people.

Start with :mod:`montego.engine.options.options`.
"""
