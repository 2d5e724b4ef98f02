"""Those who think about games: Montego itself and GTP engines. Begin at ``thinker``."""
