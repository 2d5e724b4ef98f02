"""Playouts whose moves are drawn by learned weights, as simulation balancing learns them."""
