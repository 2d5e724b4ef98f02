"""Positions as pictures, games as moving ones, addresses as codes: for people to pass on."""
