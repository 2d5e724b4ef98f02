"""KataGo's JSON protocol: ``query`` reads a question, ``analysis`` searches and replies.

What is told of a position, and in which figures, is said in :mod:`montego.gtp.analyze`.
"""
