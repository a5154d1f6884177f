"""Stored e-mail addresses, and claims that ensure each reminder is sent once."""

import msgspec
from sqlalchemy import ColumnElement, delete, exists, func, insert, literal, select, tuple_, update

from royalcrypt.storage.database import Store
from royalcrypt.storage.schema import addresses, letters, people, seats, tables
from royalcrypt.tables.journal import Status

PAGE = 100


class Address(msgspec.Struct, frozen=True):
    person: str
    address: str
    language: str
    key: bytes
    """Random key from which links in e-mails are derived; they are valid for this address only."""
    asked: int
    """When the address was entered, in ms since 1970."""
    confirmed: int | None = None


class Reminder(msgspec.Struct, frozen=True):
    """An e-mail to send to a person with a confirmed address whose turn it is."""

    to: Address
    table: str
    seat: int
    updated: int
    """When the table last changed, which began the person's turn, in ms since 1970."""
    info: bytes
    """The table's lobby information (``TableInfo``), as JSON."""


class Addresses(Store):
    async def of(self, person: str) -> Address | None:
        return await self._one(addresses.c.person_id == person)

    async def by_key(self, key: bytes) -> Address | None:
        return await self._one(addresses.c.key == key)

    async def keep(self, given: Address) -> None:
        """Store an address; it replaces the person's previous one."""
        values = msgspec.structs.asdict(given)
        await self._upsert(addresses, person_id=values.pop("person"), **values)

    async def confirm(self, key: bytes, now: int) -> bool:
        """Mark an address as confirmed (idempotent); returns False if it does not exist."""
        changed = update(addresses).where(addresses.c.key == key)
        first = func.coalesce(addresses.c.confirmed, now)
        return await self._write(changed.values(confirmed=first)) > 0

    async def set_language(self, person: str, language: str) -> None:
        """Set the language of a person's e-mails."""
        await self._write(update(addresses).where(addresses.c.person_id == person).values(language=language))

    async def forget(self, *, person: str | None = None, key: bytes | None = None) -> bool:
        """Delete an address by person or key; returns False if there was none."""
        which = addresses.c.key == key if person is None else addresses.c.person_id == person
        return await self._write(delete(addresses).where(which)) > 0

    async def count_asked(self, address: str, since: int) -> int:
        """Count the people who entered this address after ``since`` without confirming it."""
        is_same = func.lower(addresses.c.address) == address.lower()
        is_open = (addresses.c.asked > since) & addresses.c.confirmed.is_(None)
        return await self._scalar(select(func.count()).select_from(addresses).where(is_same, is_open))

    async def waiting(
        self, before: int, day: str, *, after: tuple[int, str] = (0, ""), limit: int = PAGE
    ) -> list[Reminder]:
        """Return people whose turn began before ``before``, without an e-mail about this turn or on this day.

        Longest wait first. ``after`` is the (updated, table) of the previous page's last row. Tables
        where only one person has a seat are left out.
        """
        mine = (seats.c.table_id == tables.c.id) & (seats.c.seat == tables.c.actor)
        others = seats.alias()
        has_others = exists().where(
            others.c.table_id == tables.c.id,
            others.c.person_id.is_not(None),
            others.c.person_id != seats.c.person_id,
        )
        written = exists().where(
            letters.c.person_id == seats.c.person_id,
            letters.c.table_id == tables.c.id,
            (letters.c.day == day) | (letters.c.taken > tables.c.updated),
        )
        wanted = (
            select(addresses, tables.c.id, tables.c.actor, tables.c.updated, tables.c.told)
            .select_from(tables)
            .join(seats, mine)
            .join(addresses, addresses.c.person_id == seats.c.person_id)
            .join(people, people.c.id == seats.c.person_id)
            .where(
                tables.c.status == Status.RUNNING,
                tables.c.updated <= before,
                tuple_(tables.c.updated, tables.c.id) > tuple_(*map(literal, after)),
                addresses.c.confirmed.is_not(None),
                people.c.is_banned.is_(False),
                has_others,
                ~written,
            )
            .order_by(tables.c.updated, tables.c.id)
            .limit(limit)
        )
        return [
            Reminder(Address(*address), table, seat, updated, told)
            for *address, table, seat, updated, told in await self._rows(wanted)
        ]

    async def take(self, reminder: Reminder, day: str, now: int) -> bool:
        """Claim a reminder before it is sent; only one of several processes succeeds.

        Also returns False if a mail was sent this day, the table has changed, or the address was deleted.
        """
        whose = {"person_id": reminder.to.person, "table_id": reminder.table, "day": day}
        is_taken = exists().where(*(letters.c[name] == value for name, value in whose.items()))
        is_wanted = exists().where(addresses.c.key == reminder.to.key, addresses.c.confirmed.is_not(None))
        still = (
            select(*(literal(value) for value in (*whose.values(), now)))
            .select_from(tables)
            .where(
                tables.c.id == reminder.table,
                tables.c.updated == reminder.updated,
                tables.c.status == Status.RUNNING,
                ~is_taken,
                is_wanted,
            )
        )
        return await self._write(insert(letters).from_select([*whose, "taken"], still)) > 0

    async def release(self, reminder: Reminder, day: str) -> None:
        """Release a claimed reminder that was certainly not delivered, so that it can be sent again."""
        whose = (letters.c.person_id == reminder.to.person, letters.c.table_id == reminder.table)
        await self._write(delete(letters).where(*whose, letters.c.day == day))

    async def purge(self, asked_before: int) -> None:
        """Delete old unconfirmed addresses, and the reminders of games that are over."""
        running = select(tables.c.id).where(tables.c.status == Status.RUNNING)
        old = (addresses.c.confirmed.is_(None), addresses.c.asked <= asked_before)
        await self._write(delete(addresses).where(*old))
        await self._write(delete(letters).where(letters.c.table_id.not_in(running)))

    async def _one(self, which: ColumnElement[bool]) -> Address | None:
        found = await self._row(select(addresses).where(which))
        return Address(*found) if found else None
