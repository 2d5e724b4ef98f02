"""``python -m montego`` is the command ``montego``."""

import sys

from montego.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
