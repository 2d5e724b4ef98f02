"""Who thinks about a game: the player, the search, any engine."""
