"""The health check: whether the server can read its database."""

import asyncio

from royalcrypt.live.background import cancel_all
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.journal import SqlJournal

CHECK_SECONDS = 1.0
"""Seconds after which a check fails; shorter than the time-outs of proxies that ask for it."""
NO_TABLE = ""


class HealthCheck:
    """Reads from the database as a move would do; checks at the same time share one read."""

    def __init__(self, journal: SqlJournal) -> None:
        self._journal = journal
        self._reading: asyncio.Task[list[bytes]] | None = None

    async def check(self) -> None:
        """Raise Refusal if the database cannot be read within CHECK_SECONDS."""
        reading = self._reading
        if reading is None or reading.done():
            reading = self._reading = asyncio.create_task(self._journal.entries(NO_TABLE))
            reading.add_done_callback(_ignore_failure)
        done, _ = await asyncio.wait({reading}, timeout=CHECK_SECONDS)
        if not done:
            raise Refusal(Reason.STORAGE_SILENT, why=TimeoutError.__name__)
        reading.result()

    async def close(self) -> None:
        if self._reading is not None:
            await cancel_all([self._reading])


def _ignore_failure(reading: asyncio.Task[list[bytes]]) -> None:
    """Retrieve the exception of a read that nobody waits for any more."""
    if not reading.cancelled():
        reading.exception()
