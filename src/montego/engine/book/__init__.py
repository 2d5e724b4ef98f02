"""The book in the hands of the player."""
