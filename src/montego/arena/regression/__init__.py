"""Test positions with wanted answers, and what an engine says to them."""
