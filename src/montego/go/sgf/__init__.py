"""Game records in SGF: from bytes to a tree, and to a record."""
