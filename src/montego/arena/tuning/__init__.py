"""Finding good values for parameters of an engine by games."""
