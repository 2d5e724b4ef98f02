"""Local shape: what every square of up to 3x3 points says of who wins, after document 001 (3.4)."""

LEAST_SIZE, MOST_SIZE = 5, 19
"""Lines of the boards that have weights for their local shape."""
