"""Ways of playing a random game to its end, behind one signature.

A playout takes ``(state, knowledge, scratch)``, plays *state* to the end and returns Black's area
minus White's, without komi. :mod:`policy` lists them, :mod:`knowledge` says what they
read and write, and there is one module for each way of playing. :mod:`montego.go.sampling` plays
many.
"""
