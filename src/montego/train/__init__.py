"""Self-play and learning: networks for any game, on a GPU or, for small games, on a CPU."""
