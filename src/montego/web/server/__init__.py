"""The application: connections, games, files."""
