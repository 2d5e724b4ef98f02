"""KataGo's JSON protocol. Begin with ``analysis``; ``query`` reads and ``reply`` writes.

What is told of a position, and in which figures, is said in :mod:`montego.gtp.analyze`.
"""
