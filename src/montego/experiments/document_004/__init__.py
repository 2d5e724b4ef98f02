"""Experiments of document 004: random games, and the search beside GNU Go."""
