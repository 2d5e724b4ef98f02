"""Simulation balancing: playouts whose mean result is right (D. Silver and G. Tesauro, 2009)."""
