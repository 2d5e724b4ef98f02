"""The rule sets by the names that people know."""

RULES = {
    "chinese": "Chinese",
    "japanese": "Japanese",
    "korean": "Korean",
    "aga": "AGA (American)",
    "aga-button": "AGA, half a point for the first pass",
    "bga": "BGA (British)",
    "new-zealand": "New Zealand",
    "tromp-taylor": "Tromp-Taylor",
    "stone-scoring": "Stone scoring",
    "chinese-ogs": "Chinese, as on OGS",
    "chinese-kgs": "Chinese, as on KGS",
}
"""The rule sets that a new game offers, the most common first."""
