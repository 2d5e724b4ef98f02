"""Experiments of document 003 (M. Pividori, "Go-player")."""
