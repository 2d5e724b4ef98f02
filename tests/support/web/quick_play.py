"""``montego`` in a hurry, for tests: it waits for no person, and hints are short.

The time that a move takes at least is for people who watch; what the board does with it, and how
long Montego thinks where nobody says, is tested elsewhere.
"""

from __future__ import annotations

from montego.engine.knowledge import tuning

HINT_SECONDS = 0.5

if __name__ == "__main__":
    tuning.DEFAULT_SECONDS = HINT_SECONDS

    # Others read it when they are loaded.
    from montego.cli.main import main
    from montego.web.session.session import Session

    defaults = Session.__init__.__kwdefaults__
    assert defaults is not None
    defaults["pace"] = 0.0
    raise SystemExit(main())
