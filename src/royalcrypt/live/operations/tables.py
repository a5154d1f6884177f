"""Tables that exist: look, sit, start, leave, return and close."""

from collections.abc import Awaitable, Callable, Collection

from royalcrypt.bots.registry import known_names
from royalcrypt.live.access import belongs, only_seat, own_table, seat_shown, visible_table
from royalcrypt.live.changes import TableCommand
from royalcrypt.live.hub import Hub
from royalcrypt.live.operations.duplicates import DuplicateService
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.updates import events_json, you_at
from royalcrypt.live.wire.messages import raw_json
from royalcrypt.live.wire.tables import BotSitting, Recap, Sitting, TableAnswer
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry, Sitter
from royalcrypt.tables.listings import table_info
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import clean_name

Check = Callable[[], Awaitable[None]]
"""Raises Refusal if the person who asks has reached a limit of the server."""


async def no_limit() -> None:
    pass


class TableOperations:
    def __init__(
        self,
        tables: TableRegistry,
        hub: Hub,
        duplicates: DuplicateService,
        *,
        is_available: Callable[[str], bool],
    ) -> None:
        self._tables = tables
        self._hub = hub
        self._duplicates = duplicates
        self._is_available = is_available

    def bots(self) -> list[str]:
        """Return the names of the bots that can be given a seat, weakest first."""
        return [name for name in known_names() if self._is_available(name)]

    async def look(self, person: str, table_id: str, invite: str | None = None) -> TableAnswer:
        return table_answer(await visible_table(self._tables, person, table_id, invite), person)

    async def sit(
        self,
        sitter: Sitter,
        table_id: str,
        seat: int,
        data: Sitting,
        invite: str | None = None,
        *,
        check: Check = no_limit,
    ) -> TableAnswer:
        """Take a seat; ``check`` is called unless the person already belongs to the table."""
        person = sitter.person
        table = await visible_table(self._tables, person, table_id, invite)
        if not belongs(table, person):
            await check()
        decide = sitting(renamed(sitter, data.name), seat, data.entropy)
        async with self._duplicates.seat_lock(table):
            await self._duplicates.check_seat(table, person)
            made = await self._tables.change(table_id, decide)
        return table_answer(made.after, person)

    async def free(self, person: str, table_id: str, seat: int) -> TableAnswer:
        """Leave one's own seat, or clear another seat as the table's owner."""
        return await self._change(
            person, table_id, lambda table, now: commands.free_seat(table, person, seat, now=now)
        )

    async def seat_bot(self, person: str, table_id: str, seat: int, data: BotSitting) -> TableAnswer:
        return await self._change(
            person, table_id, lambda table, now: commands.seat_bot(table, person, seat, data.level, now=now)
        )

    async def hand_over(
        self, person: str, table_id: str, seat: int, elsewhere: Collection[str] | None = ()
    ) -> TableAnswer:
        """Hand an absent player's seat to a bot.

        ``elsewhere`` are the people with the table open in other processes; None if that is unknown.
        """

        def decide(table: Table, now: int) -> AnyEntry:
            here = self._hub.present(table)
            present = tuple(
                is_here or elsewhere is None or place.person in elsewhere
                for is_here, place in zip(here, table.seats, strict=True)
            )
            return commands.hand_over(table, person, seat, present=present, now=now)

        return await self._change(person, table_id, decide)

    async def start(self, person: str, table_id: str) -> TableAnswer:
        return await self._change(person, table_id, starting(person))

    async def leave(self, person: str, table_id: str) -> TableAnswer:
        """Leave a table; in a running game a bot takes over the person's seats."""
        return await self._change(person, table_id, lambda table, now: commands.leave(table, person, now=now))

    async def come_back(self, person: str, table_id: str) -> Recap:
        """Take the person's seats back from the bot."""
        away: list[int] = []

        def decide(table: Table, now: int) -> AnyEntry:
            entry = commands.return_to(table, person, now=now)
            mine = (table.seats[seat] for seat in table.seats_of(person))
            away[:] = [place.away_since for place in mine if place.away_since is not None]
            return entry

        await own_table(self._tables, person, table_id)
        after = (await self._tables.change(table_id, decide)).after
        events = events_json(after, seat_shown(after, person, None), min(away))
        return Recap(table_answer(after, person), raw_json(events))

    async def close(self, person: str, table_id: str) -> TableAnswer:
        """Close a table that has not started."""
        return await self._change(
            person, table_id, lambda table, now: commands.close_as_owner(table, person, now=now)
        )

    async def _change(self, person: str, table_id: str, decide: TableCommand) -> TableAnswer:
        await own_table(self._tables, person, table_id)
        return table_answer((await self._tables.change(table_id, decide)).after, person)


def table_answer(table: Table, person: str) -> TableAnswer:
    return TableAnswer(table_info(table), you_at(table, person, only_seat(table, person)), table.ply)


def renamed(sitter: Sitter, name: str | None) -> Sitter:
    """Return the sitter under the name of another person at the same screen; programs keep theirs."""
    if name is None or sitter.keeper is not None:
        return sitter
    return sitter._replace(name=clean_name(name))


def sitting(sitter: Sitter, seat: int, entropy: str) -> TableCommand:
    return lambda table, now: commands.sit(table, sitter, seat, entropy, now=now)


def starting(person: str) -> TableCommand:
    return lambda table, now: commands.start(table, person, now=now)
