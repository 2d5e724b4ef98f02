"""Choices of which 000 and 003 say that they do not matter, and where in the tree a move is."""
