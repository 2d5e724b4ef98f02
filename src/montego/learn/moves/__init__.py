"""Which moves strong players choose, learned from their games (000 3.2.2, 001 3.6).

What plays by it is :mod:`montego.go.prediction`.
"""
