"""Many machines: searches that share what they find, and games and trials spread over them.

Needs the extra ``montego[cluster]``: Ray. Only the command line knows this package: a player is
handed fellows, the arena tables, and experiments a pool. Ray itself runs in a process of its own,
the *broker*, so that nothing that becomes of a cluster can end a game.

Start with :mod:`montego.cluster.crew`, how searches exchange, and
:mod:`montego.cluster.cluster`, the machines as the command line sees them.
"""
