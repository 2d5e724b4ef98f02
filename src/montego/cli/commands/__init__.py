"""The subcommands of ``montego``, a module each."""
