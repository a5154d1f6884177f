"""Runs the command line and kills the process with a signal at a given point of a database move.

python -m tests.cli.crash_runner SIGNAL MOMENT TIME ARGUMENTS: at the TIME-th occurrence of MOMENT.
"""

import os
import signal
import sys
from typing import Any

from asyncpg import Connection

from royalcrypt.cli import main
from royalcrypt.storage import transfer
from royalcrypt.storage.transfer import TransferTarget

MOMENTS: dict[str, tuple[Any, str, bool]] = {
    "before a page is written": (TransferTarget, "write", False),
    "before a page is committed": (Connection, "copy_records_to_table", True),
    "after a page was written": (TransferTarget, "write", True),
    "while rows are compared": (TransferTarget, "rows", False),
    "while games are replayed": (TransferTarget, "fetch", True),
    "before all is finished": (TransferTarget, "finish", False),
    "after all was finished": (TransferTarget, "finish", True),
}
"""Of which class and method, and whether that was carried out."""


def die_at(moment: str, time: int, number: int) -> None:
    owner, name, is_done = MOMENTS[moment]
    method = getattr(owner, name)
    calls = 0

    async def dying(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == time and not is_done:
            os.kill(os.getpid(), number)
        found = await method(*arguments, **named)
        if calls == time and is_done:
            os.kill(os.getpid(), number)
        return found

    setattr(owner, name, dying)


if __name__ == "__main__":
    transfer.ROWS_PER_TRANSACTION = 7
    died_of, at, nth, *given = sys.argv[1:]
    die_at(at, int(nth), signal.Signals[died_of])
    sys.exit(main(given))
