"""Experiments of document 003 (Pividori, Go-player). ``go_player`` is its program."""
