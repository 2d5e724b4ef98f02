"""Many playouts of one position of any game: on threads, or on a GPU, and searches made of them.

:mod:`playouts` plays them, :mod:`tally` counts, :mod:`blocks` searches.
"""
