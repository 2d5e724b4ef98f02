"""The network, how it learns, and how it is written down."""
