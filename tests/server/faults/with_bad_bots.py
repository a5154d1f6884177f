"""``python -m tests.server.faults.with_bad_bots`` is ``royalcrypt`` with the BAD_BOTS of the environment."""

import os
import sys
from functools import partial

from royalcrypt.cli import main
from royalcrypt.server import service
from royalcrypt.server.bots.pool import BotRunner
from tests.server.faults import bad_bots

if __name__ == "__main__":
    bad = getattr(bad_bots, os.environ["BAD_BOTS"])
    service.BotRunner = partial(BotRunner, choice=bad)  # pyright: ignore[reportAttributeAccessIssue]
    sys.exit(main())
