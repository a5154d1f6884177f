"""``python -m royalcrypt``."""

import sys

from royalcrypt.cli import main

sys.exit(main())
