"""The board in the browser: a server for pages, and the games that are played on it.

Its rooms import one another from left to right: ``server``, ``session``, ``thinking``, ``game``,
``messages``. Begin with :mod:`montego.web.session.session`, where a click arrives and is answered.
"""
