"""What the search is told about Go."""
