"""Which moves strong players choose, learned from games."""
