"""Planted leaks on routes that do not show a table: refusals, files about oneself, metrics, headers."""

from collections.abc import Collection
from typing import Any

import msgspec
import pytest
from litestar.datastructures import MutableScopeHeaders

from royalcrypt.live.access import visible_table
from royalcrypt.live.operations import orders
from royalcrypt.live.operations.daily import Daily, DailyDay
from royalcrypt.live.operations.history import History, HistoryPage
from royalcrypt.live.operations.notes import Notes
from royalcrypt.live.operations.records import Downloads, GameRecords
from royalcrypt.live.operations.tables import TableOperations
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.stores import Memo
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.game import Game
from royalcrypt.server.http import programs
from royalcrypt.server.http.programs import ProgramLine
from royalcrypt.server.http.security import SecurityMiddleware
from royalcrypt.server.operations.metrics import Metrics
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.people import Program
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table
from tests.faults.planting import leak, mark_of
from tests.server.wire.scenes import WITH_PROGRAM
from tests.server.wire.surveys import survey_of
from tests.server.wire.worlds import TABLE


def marks(patch: pytest.MonkeyPatch) -> dict[str, int]:
    """The mark of the table that is played at, as it stands."""
    found = {"mark": 0}
    change = TableRegistry.change

    async def remember(self: TableRegistry, table_id: str, *arguments: Any, **options: Any) -> Any:
        made = await change(self, table_id, *arguments, **options)
        if table_id == TABLE:
            found["mark"] = mark_of(made.after)
        return made

    patch.setattr(TableRegistry, "change", remember)
    return found


# Refusals.


@leak("a refused replay tells a position", noticed_by="Bo by REST", script=survey_of)
def telling_refusal(patch: pytest.MonkeyPatch) -> None:
    async def plant(self: GameRecords, person: str, table_id: str, invite: str | None) -> Any:
        table = await visible_table(self._tables, person, table_id, invite)
        raise Refusal(Reason.NOT_OVER, mark=mark_of(table))

    patch.setattr(GameRecords, "finished", plant)


@leak(
    "which refusal one gets depends on a hidden card",
    noticed_by="Eve by REST",
    kind="length",
    script=survey_of,
)
def telling_reason(patch: pytest.MonkeyPatch) -> None:
    async def plant(self: GameRecords, person: str, table_id: str, invite: str | None) -> Any:
        table = await visible_table(self._tables, person, table_id, invite)
        raise Refusal(Reason.NOT_OVER if mark_of(table) % 2 else Reason.NO_RECORD)

    patch.setattr(GameRecords, "finished", plant)


@leak("an uploaded record is read with what the table knows", noticed_by="Eve by REST", script=survey_of)
def knowing_upload(patch: pytest.MonkeyPatch) -> None:
    true, now = GameRecords.uploaded, marks(patch)

    async def plant(self: GameRecords, found: dict[str, Any]) -> Record:
        if found.get("game", {}).get("id") == TABLE:
            raise Refusal(Reason.NOT_A_RECORD, n=now["mark"], field="events")
        return await true(self, found)

    patch.setattr(GameRecords, "uploaded", plant)


@leak("an order is objected to by what is hidden", noticed_by="Ada by REST", kind="length", script=survey_of)
def telling_objection(patch: pytest.MonkeyPatch) -> None:
    objection = orders.objection

    def plant(order: Any, game: Game, seat: int) -> Refusal | None:
        table = Table(TABLE, ())
        table.game = game
        return Refusal(Reason.NEVER_SO) if mark_of(table) % 2 else objection(order, game, seat)

    patch.setattr(orders, "objection", plant)


# What is one's own.


@leak("notes are dated by what is hidden", noticed_by="Ada by REST", script=survey_of)
def telling_memo(patch: pytest.MonkeyPatch) -> None:
    find = Notes.find

    async def plant(self: Notes, person: str, table_id: str) -> Memo:
        memo = await find(self, person, table_id)
        return Memo(memo.text, mark_of(await self._tables.table(table_id)))

    patch.setattr(Notes, "find", plant)


@leak("the data about oneself has the tables' secrets", noticed_by="Ada by REST", script=survey_of)
def export_with_secrets(patch: pytest.MonkeyPatch) -> None:
    everything = Downloads.everything

    async def plant(self: Downloads, person: str) -> bytes:
        journal = self._journal
        assert isinstance(journal, SqlJournal)
        opened = msgspec.Raw((await journal.entries(TABLE))[0])
        return msgspec.json.encode([msgspec.Raw(await everything(self, person)), opened])

    patch.setattr(Downloads, "everything", plant)


@leak("the history counts what is hidden", noticed_by="Bo by REST", script=survey_of)
def telling_history(patch: pytest.MonkeyPatch) -> None:
    page, now = History.page, marks(patch)

    async def plant(self: History, person: str, **filters: Any) -> HistoryPage:
        found = await page(self, person, **filters)
        return HistoryPage(found.games, found.total + now["mark"], found.next)

    patch.setattr(History, "page", plant)


@leak("a program is connected by what is hidden", noticed_by="Ada by REST", kind="length", script=survey_of)
def telling_program(patch: pytest.MonkeyPatch) -> None:
    line, now = programs.line_of, marks(patch)

    def plant(program: Program, connected: Collection[str] = ()) -> ProgramLine:
        return line(program, [program.id] * (now["mark"] % 2))

    patch.setattr(programs, "line_of", plant)


@leak(
    "a program is given its neighbour's record",
    noticed_by="Robot by REST",
    script=survey_of,
    scene=WITH_PROGRAM,
)
def neighbours_record(patch: pytest.MonkeyPatch) -> None:
    record_for = Game.record_for

    def plant(self: Game, viewer: int | None) -> Record:
        return record_for(self, 0 if viewer == 1 else viewer)

    patch.setattr(Game, "record_for", plant)


# What is everybody's.


@leak("the bots on offer depend on a hidden card", noticed_by="Finn by REST", script=survey_of)
def telling_bots(patch: pytest.MonkeyPatch) -> None:
    bots, now = TableOperations.bots, marks(patch)

    def plant(self: TableOperations) -> list[str]:
        return bots(self)[:: 1 if now["mark"] % 2 else -1]

    patch.setattr(TableOperations, "bots", plant)


@leak("who has begun the day is counted with what is hidden", noticed_by="nobody by REST", script=survey_of)
def telling_day(patch: pytest.MonkeyPatch) -> None:
    day, now = Daily.day, marks(patch)

    async def plant(self: Daily, person: str | None, wanted: str) -> DailyDay:
        found = await day(self, person, wanted)
        found.begun += now["mark"]
        return found

    patch.setattr(Daily, "day", plant)


@leak("a header of every answer tells a position", noticed_by="Finn by REST", script=survey_of)
def telling_header(patch: pytest.MonkeyPatch) -> None:
    with_headers, now = SecurityMiddleware._with_headers, marks(patch)

    def plant(self: SecurityMiddleware, scope: Any, send: Any) -> Any:
        async def send_marked(message: Any) -> None:
            if message["type"] == "http.response.start":
                MutableScopeHeaders.from_message(message)["ETag"] = f'"{now["mark"]}"'
            await send(message)

        return with_headers(self, scope, send_marked)

    patch.setattr(SecurityMiddleware, "_with_headers", plant)


@leak("metrics count hidden coins", noticed_by="the host by REST", script=survey_of)
def telling_metrics(patch: pytest.MonkeyPatch) -> None:
    text, now = Metrics.text, marks(patch)

    def plant(self: Metrics) -> bytes:
        self.tables.set(now["mark"])
        return text(self)

    patch.setattr(Metrics, "text", plant)


@leak("the overview's counts tell what is hidden", noticed_by="the host by REST", script=survey_of)
def telling_overview(patch: pytest.MonkeyPatch) -> None:
    counts, now = SqlJournal.counts, marks(patch)

    async def plant(self: SqlJournal) -> dict[Status, int]:
        return await counts(self) | {Status.CLOSED: now["mark"]}

    patch.setattr(SqlJournal, "counts", plant)


@leak("a record is padded by what is hidden", noticed_by="Eve by REST", kind="length", script=survey_of)
def padded_record(patch: pytest.MonkeyPatch) -> None:
    of_table = GameRecords.of_table

    async def plant(self: GameRecords, person: str, table_id: str, invite: str | None = None) -> bytes:
        table = await self._tables.table(table_id)
        return await of_table(self, person, table_id, invite) + b" " * mark_of(table)

    patch.setattr(GameRecords, "of_table", plant)
