"""The command ``montego``: one module for each subcommand.

Start reading in :mod:`montego.cli.main`, which has the table of them; :mod:`montego.cli.command`
says how each is declared.
"""
