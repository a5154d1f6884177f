"""Planted leaks of the server, in REST, in lists, in what the host exports, in the log and to bots."""

import hashlib
from collections.abc import AsyncIterator
from copy import copy
from typing import Any

import msgspec
import pytest
import structlog

from royalcrypt.live import access, lists, registry, seals, updates
from royalcrypt.live.bot_scheduler import BotScheduler
from royalcrypt.live.changes import Change, Sender, TableCommand
from royalcrypt.live.operations import records, tables
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.seals import Seals
from royalcrypt.live.stores import IN_PROGRESS
from royalcrypt.notation.records import Record
from royalcrypt.play.game import Game
from royalcrypt.server.operations.export import HostExport
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.tables import commands, listings
from royalcrypt.tables.journal import Line, Status
from royalcrypt.tables.listings import TableInfo, listing_of
from royalcrypt.tables.table import Table
from tests.faults.planting import admit_all, leak, mark_of, whole_events, whole_view
from tests.server.wire.scenes import MEMORY, THREE, WITH_BOTS

true_info = listings.table_info


class SecretInfo(TableInfo, frozen=True, kw_only=True):
    """A table's information with something that nobody may see."""

    secret: str


def info_with_secret(table: Table) -> SecretInfo:
    return SecretInfo(**msgspec.structs.asdict(true_info(table)), secret=table.secret.hex())


def info_with_digest(table: Table) -> TableInfo:
    """Of 256 positions each could be told."""
    position = table.game.position() if table.game else ""
    digest = hashlib.sha256(position.encode()).hexdigest()
    return msgspec.structs.replace(true_info(table), commitment=digest)


# What is told of a table.


@leak("a table that is shown has its secret with it", noticed_by="Eve")
def shown_with_secret(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(updates, "table_info", info_with_secret)


@leak("the lobby's live changes have the secret with them", noticed_by="Finn")
def lobby_with_secret(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lists, "table_info", info_with_secret)


@leak("the lobby's list has the secret with it", noticed_by="Finn by REST")
def list_with_secret(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(listings, "table_info", info_with_secret)


@leak("a table asked for by REST has its secret with it", noticed_by="Bo by REST")
def answer_with_secret(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tables, "table_info", info_with_secret)


@leak("what is committed to is the position", noticed_by="Eve by REST", scene=THREE)
def digest_of_position(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tables, "table_info", info_with_digest)


@leak("a list of games tells the round by what is hidden", noticed_by="Ada by REST")
def telling_round(patch: pytest.MonkeyPatch) -> None:
    def plant(table: Table) -> bytes:
        return listings.encode_info(msgspec.structs.replace(true_info(table), round=mark_of(table)))

    patch.setattr(listings, "info_json", plant)


@leak("an answer's ply counts hidden coins", noticed_by="Bo by REST", scene=WITH_BOTS)
def telling_ply(patch: pytest.MonkeyPatch) -> None:
    answer = tables.table_answer

    def plant(table: Table, person: str) -> tables.TableAnswer:
        told = answer(table, person)
        return tables.TableAnswer(told.info, told.you, told.ply + mark_of(table))

    patch.setattr(tables, "table_answer", plant)


# Records and recaps.


@leak("the record of a running game is a save", noticed_by="Bo by REST")
def record_is_save(patch: pytest.MonkeyPatch) -> None:
    def plant(self: Game, viewer: int | None) -> Record:
        return self.record()

    patch.setattr(Game, "record_for", plant)


@leak("the record of a running game has the secret", noticed_by="Eve by REST")
def record_with_secret(patch: pytest.MonkeyPatch) -> None:
    record_for = Game.record_for

    def plant(self: Game, viewer: int | None) -> Record:
        record = record_for(self, viewer)
        record.extra.update(self.chance.kept())
        return record

    patch.setattr(Game, "record_for", plant)


@leak("a spectator's record is the first seat's", noticed_by="Eve by REST")
def first_seats_record(patch: pytest.MonkeyPatch) -> None:
    record_for = Game.record_for

    def plant(self: Game, viewer: int | None) -> Record:
        return record_for(self, viewer or 0)

    patch.setattr(Game, "record_for", plant)


@leak("a record is that of the seat which decides", noticed_by="Bo by REST", scene=THREE)
def actors_record(patch: pytest.MonkeyPatch) -> None:
    def plant(table: Table, person: str, wanted: int | None) -> int | None:
        return table.actor

    patch.setattr(seals, "seat_shown", plant)


@leak("one's finished games include the running ones", noticed_by="Ada by REST")
def running_records(patch: pytest.MonkeyPatch) -> None:
    async def plant(self: TableRegistry, made: Change) -> None:
        after = made.after
        record = after.game.record().to_json().encode() if after.game else None
        kept = registry.encode_entry(made.entry)
        await self.journal.append(Line(after.id, made.before.ply, kept, listing_of(after, self.pace), record))

    patch.setattr(TableRegistry, "_append", plant)


@leak("the recap for those who return is as it was", noticed_by="Bo by REST", scene=THREE)
def whole_recap(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tables, "events_json", whole_events)


@leak("those who like to remember may have the record", noticed_by="Nel by REST", scene=MEMORY)
def reminding_record(patch: pytest.MonkeyPatch) -> None:
    shown = seals.visible_record

    async def plant(seals: Seals, table: Table, person: str, invite: str | None) -> Record:
        twin = copy(table)
        twin.settings = msgspec.structs.replace(table.settings, remembers=True)
        return await shown(seals, twin, person, invite)

    patch.setattr(records, "visible_record", plant)


# Lists.


@leak("the lobby lists private tables", noticed_by="Finn by REST", kind="length")
def private_listed(patch: pytest.MonkeyPatch) -> None:
    found = SqlJournal.lobby

    async def plant(self: SqlJournal, *, after: Any = None, limit: int = 200) -> Any:
        listed = await found(self, after=after, limit=limit)
        return [*listed, *await self.listings(IN_PROGRESS, is_listed=False)]

    patch.setattr(SqlJournal, "lobby", plant)


@leak("one's own games include everybody's", noticed_by="Bo by REST", kind="length")
def everybodys_games(patch: pytest.MonkeyPatch) -> None:
    async def plant(self: SqlJournal, person: str, statuses: Any = tuple(Status), *, limit: int = 200) -> Any:
        return await self.listings(statuses, is_listed=False, limit=limit)

    patch.setattr(SqlJournal, "listings_of", plant)


@leak("a private table can be asked for without its link", noticed_by="Finn by REST", kind="length")
def open_doors_by_rest(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(access, "admit", admit_all)


# For the host, who may be a player too.


@leak("running games are exported as saves", noticed_by="the host by REST")
def exported_saves(patch: pytest.MonkeyPatch) -> None:
    async def plant(self: HostExport) -> AsyncIterator[bytes]:
        for loaded in self._tables.loaded.values():
            if loaded.table.game is not None:
                yield loaded.table.game.record().to_json().encode()

    patch.setattr(HostExport, "running_lines", plant)


@leak("journals are exported as they are", noticed_by="the host by REST", kind="length")
def exported_journals(patch: pytest.MonkeyPatch) -> None:
    lines = HostExport.table_lines

    async def plant(self: HostExport) -> AsyncIterator[bytes]:
        async for line in lines(self):
            yield line
        for table in self._tables.loaded:
            for entry in await self._journal.entries(table):
                yield entry

    patch.setattr(HostExport, "table_lines", plant)


@leak("the log tells positions", noticed_by="the log")
def logged_positions(patch: pytest.MonkeyPatch) -> None:
    change = TableRegistry.change

    async def plant(
        self: TableRegistry, table_id: str, command: TableCommand, *, sender: Sender | None = None
    ) -> Change:
        made = await change(self, table_id, command, sender=sender)
        game = made.after.game
        structlog.get_logger().info("moved", position=game.position() if game else None)
        return made

    patch.setattr(TableRegistry, "change", plant)


# What bots are told.


@leak("bots see all cards", noticed_by="the bot at 3", scene=WITH_BOTS)
def cheating_bots(patch: pytest.MonkeyPatch) -> None:
    async def plant(self: BotScheduler, table: Table) -> None:
        seat, view = table.actor, whole_view(table, table.actor)
        assert seat is not None
        assert view is not None
        assert self._chooser is not None
        move = await self._chooser.choose("greedy", view)
        await self._tables.change(table.id, lambda found, now: commands.act_for(found, seat, move, now=now))

    patch.setattr(BotScheduler, "_play_for", plant)
