"""A book of earlier games in a player's hands. The book itself is :mod:`montego.book`.

Start with :mod:`montego.engine.book.keeper`.
"""
