"""Game records in SGF: from bytes to a tree, to a record, to a game."""
