"""The version of Montego, for records, protocols and the package itself."""

__version__ = "0.1.0"
