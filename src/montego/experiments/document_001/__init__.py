"""Experiments of document 001 (S. Gelly, D. Silver, on MC-RAVE and heuristics in MoGo).

``mogo`` is its program.
"""
