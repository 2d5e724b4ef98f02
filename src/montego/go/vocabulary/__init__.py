"""The words of Go: colors, vertices, rules, time controls, and what can be wrong with them."""
