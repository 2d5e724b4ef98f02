"""The application: connections, games on disk, the page and its book. Begin at ``app``."""
