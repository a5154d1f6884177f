"""``python -m royalcrypt``."""

import sys

from royalcrypt.cli import main

if __name__ == "__main__":  # Processes in which bots think import this too.
    sys.exit(main())
