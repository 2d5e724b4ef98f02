"""Many playouts of one position: on threads, or on a GPU, and what they come to.

:mod:`run` plays them, :mod:`tally` counts, :mod:`gpu` does both on a card.
"""
