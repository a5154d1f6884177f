"""Analyses of finished games."""

from typing import Any, Protocol

from royalcrypt.live.heavy_work import HeavyWork, Requester, WorkSlots
from royalcrypt.live.operations.records import GameRecords
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay


class Analyser(Protocol):
    """Evaluates games, for example in a worker process."""

    def refuse_until_ready(self) -> None:
        """Raise Refusal while the analysis cannot begin, for example because it is being compiled."""
        ...

    async def analyse(self, record: str, requester: Requester) -> bytes:
        """Return an encoded ``GameAnalysis`` of a checked record of a finished game."""
        ...


class Analyses:
    """Grades every decision of a game, as an encoded ``GameAnalysis``."""

    def __init__(self, records: GameRecords, analyser: Analyser, work: HeavyWork, slots: WorkSlots) -> None:
        self._records = records
        self.analyser = analyser
        self._work = work
        self._slots = slots
        """For reading records, which is done before the analyser is asked."""

    def refuse_until_ready(self) -> None:
        """Raise Refusal while no analysis can begin; called before a limit is charged."""
        self.analyser.refuse_until_ready()

    async def of_table(
        self, person: str, table_id: str, invite: str | None = None, *, requester: Requester
    ) -> bytes:
        _, record = await self._records.finished(person, table_id, invite)
        async with self._slots.slot(requester):
            text = await self._work.run(checked, record)
        return await self.analyser.analyse(text, requester)

    async def of_record(self, found: dict[str, Any], *, requester: Requester) -> bytes:
        async with self._slots.slot(requester):
            text = await self._work.run(checked, await self._records.uploaded(found))
        return await self.analyser.analyse(text, requester)


def checked(record: Record) -> str:
    """Return a record as text; raises Refusal unless it follows the rules and the game is over."""
    try:
        if not replay(record).is_over:
            raise Refusal(Reason.NOT_OVER)
    except RecursionError:  # nested more deeply than any record
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="JSON") from None
    return record.to_json()
