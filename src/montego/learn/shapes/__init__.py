"""Local shape by temporal differences from self-play (001 3.4; D. Silver and others, 2007)."""
