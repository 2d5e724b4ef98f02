"""The commands, a module for each chapter of ``docs/gtp.md``; see :mod:`montego.gtp.registry`."""
