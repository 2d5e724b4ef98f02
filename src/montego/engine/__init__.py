"""Where Go meets the search."""
