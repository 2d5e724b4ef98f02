"""Document 004's own: three ways of random games, and key positions."""
