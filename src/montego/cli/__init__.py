"""The command ``montego``.

Start reading in :mod:`montego.cli.main`, which has the table of its subcommands;
:mod:`montego.cli.command` says how each is declared.
"""
