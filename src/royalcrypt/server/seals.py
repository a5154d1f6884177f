"""Whether a shared secret is still sealed: here, and nowhere else, that is decided."""

from collections.abc import Callable

from royalcrypt.storage.seals import Duplicates
from royalcrypt.tables.seals import Seal, end_of
from royalcrypt.tables.table import Table


class Seals:
    """The day's seal holds until its midnight, that of a duplicate until all its tables are done."""

    def __init__(self, duplicates: Duplicates, now: Callable[[], int]) -> None:
        self._duplicates = duplicates
        self._now = now

    async def holds(self, text: str | None) -> bool:
        """Whether what lies under this seal is not to be told yet; where there is none, nothing is."""
        if text is None:
            return False
        seal = Seal.parse(text)
        if seal.kind == "daily":
            return self._now() < end_of(seal.name)
        return await self._duplicates.in_progress(seal.name) > 0

    async def opens_to(self, table: Table, person: str) -> bool:
        """Whether somebody who played elsewhere under the same seal may read how it went here."""
        if table.seal is None:
            return False
        seal = Seal.parse(table.seal)
        if seal.kind != "duplicate" or await self.holds(table.seal):
            return False
        return await self._duplicates.takes_part(seal.name, person)
