"""The subcommands about games between engines: how strong they, and people, are."""
