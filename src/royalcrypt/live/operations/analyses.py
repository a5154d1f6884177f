"""Analyses of finished games."""

from typing import Any, Protocol

from royalcrypt.live.operations.records import GameRecords
from royalcrypt.notation.records import Record


class Analyser(Protocol):
    """Evaluates games, for example in a worker process."""

    def refuse_until_ready(self) -> None:
        """Raise Refusal while the analysis cannot begin, for example because it is being compiled."""
        ...

    async def analyse(self, record: Record) -> bytes:
        """Return an encoded ``GameAnalysis``; raises Refusal if the game is not over."""
        ...


class Analyses:
    """Grades every decision of a game, as an encoded ``GameAnalysis``."""

    def __init__(self, records: GameRecords, analyser: Analyser) -> None:
        self._records = records
        self.analyser = analyser

    def refuse_until_ready(self) -> None:
        """Raise Refusal while no analysis can begin; called before a limit is charged."""
        self.analyser.refuse_until_ready()

    async def of_table(self, person: str, table_id: str, invite: str | None = None) -> bytes:
        _, record = await self._records.finished(person, table_id, invite)
        return await self.analyser.analyse(record)

    async def of_record(self, found: dict[str, Any]) -> bytes:
        return await self.analyser.analyse(await self._records.uploaded(found))
