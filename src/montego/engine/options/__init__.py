"""Everything about a player that can be set."""
