"""Games without threads or engines: rules, variations, clocks, records. Begin at ``live_game``."""
