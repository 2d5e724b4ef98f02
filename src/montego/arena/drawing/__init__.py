"""Charts as SVG, for reports of tournaments and experiments."""
