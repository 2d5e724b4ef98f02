"""The commands, a module for each chapter of ``docs/gtp.md``; ``play`` is the place to begin.

:mod:`montego.gtp.registry` loads them all by name. They see the player through the session, and
the text of analyses is made in :mod:`montego.gtp.analyze`.
"""
