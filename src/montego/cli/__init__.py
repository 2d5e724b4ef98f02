"""The command ``montego``: one module for each subcommand."""
