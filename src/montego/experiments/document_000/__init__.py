"""Experiments of document 000 (T. Vandermosten, "Reaching Ω"), chapter 7."""
