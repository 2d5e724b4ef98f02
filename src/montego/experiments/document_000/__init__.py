"""Experiments of document 000 (T. Vandermosten, "Reaching Ω"), chapter 7.

``v_run`` is its program and ``problems`` are its problems of life and death; each other module has
the experiments of a section.
"""
