"""A game on the server, without threads or engines."""
