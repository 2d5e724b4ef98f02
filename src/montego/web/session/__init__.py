"""One game with those who think about it."""
