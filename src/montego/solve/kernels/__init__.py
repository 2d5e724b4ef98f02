"""The compiled part of the solver: small boards as bits, and a proof-number search over them."""
