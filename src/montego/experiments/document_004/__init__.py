"""Experiments of document 004 (Chelaru): random games, changes to UCT, and alpha-beta."""
