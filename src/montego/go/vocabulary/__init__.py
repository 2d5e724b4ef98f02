"""The words of Go: colors, vertices, rules, and what can be wrong with them."""
