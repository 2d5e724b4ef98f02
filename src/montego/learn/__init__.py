"""What the documents learn: moves of strong players, local shape from self-play, playouts.

Beside ``book``, ``network`` and ``solve``: it knows positions of Go and what is read there of what
was learned, and neither search nor player, who hand it what it needs of them.
"""
