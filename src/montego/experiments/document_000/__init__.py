"""Experiments of document 000 (T. Vandermosten, "Reaching Ω"), chapters 2, 3 and 7.

``v_run`` is its program, and its problems of life and death have a room of their own; each other
module has the experiments of a section.
"""
