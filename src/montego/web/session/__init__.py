"""One game with its pages and those who think about it. Begin at ``session``."""
