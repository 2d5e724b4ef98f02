"""Where positions to learn from come from: games against oneself, and records of others."""
