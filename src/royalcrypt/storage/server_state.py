"""The server's stored state: settings, heartbeats, the leading process, outages, and notices."""

from enum import StrEnum
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, extract, func, insert, select, update

from royalcrypt.storage.database import Store, transaction, upsert
from royalcrypt.storage.schema import dailies, daily_tries, house, notices, outages, tables
from royalcrypt.tables.clocks import Outage
from royalcrypt.tables.seals import day_at

ALIVE_AT, MACHINE_AT = "alive_at", "machine_at"
"""Settings with the server's time and the machine's at the last heartbeat."""
LEADER = "leader"
NO_LEADER = ("", 0)
BEAT_INTERVAL = 1_000
"""Minimum time in ms between two stored heartbeats of any processes; later ones are skipped."""
PAGE = 500


class Beat(NamedTuple):
    """What a process learns from a heartbeat."""

    leads: bool
    outages: list[Outage]
    """All of them, earliest first."""
    highest: int
    """The highest time that any process has stored."""


class ServerState(Store):
    async def get(self, key: str, default: Any = None) -> Any:
        """Return a setting, decoded from JSON."""
        return await self.database.ask(lambda sql: setting(sql, key, default))

    async def find(self, *keys: str) -> dict[str, Any]:
        """Return those of these settings that are set, read together."""
        found = await self._rows(select(house).where(house.c.key.in_(keys)))
        return {row.key: msgspec.json.decode(row.value) for row in found}

    async def set(self, key: str, value: Any) -> None:
        await self.database.run(lambda sql: put_setting(sql, key, value))

    @transaction
    def first(self, sql: Connection, key: str, value: Any) -> Any:
        """Set a setting unless it is set; returns its stored value."""
        found = setting(sql, key, None)
        if found is None:
            put_setting(sql, key, value)
        return value if found is None else found

    async def beat_with_others(self, process: str, now: int, *, until: int) -> Beat:
        """Write a heartbeat; returns whether this process leads until ``until`` (ms).

        The leader runs tasks meant for one process; a leader without heartbeats is replaced.
        """
        found = await self.find(LEADER, ALIVE_AT)
        (leader, lasts), highest = found.get(LEADER, NO_LEADER), found.get(ALIVE_AT, 0)
        if leader != process and lasts > now and highest >= now - BEAT_INTERVAL:
            return Beat(leads=False, outages=await self.outages(), highest=highest)
        return await self._lead(process, now, until)

    @transaction
    def _lead(self, sql: Connection, process: str, now: int, until: int) -> Beat:
        leader, lasts = setting(sql, LEADER, NO_LEADER)
        leads = leader == process or lasts <= now
        if leads:
            put_setting(sql, LEADER, (process, until))
        highest: int = setting(sql, ALIVE_AT, 0)
        if highest < (now if leads else now - BEAT_INTERVAL):
            put_setting(sql, ALIVE_AT, now)
        return Beat(leads, _outages(sql, 0), max(now, highest))

    @transaction
    def resign(self, sql: Connection, process: str) -> None:
        """Give up leadership, so that another process can lead immediately."""
        if setting(sql, LEADER, NO_LEADER)[0] == process:
            put_setting(sql, LEADER, NO_LEADER)

    @transaction
    def beat(self, sql: Connection, now: int, machine: int | None = None) -> None:
        """Store the time of a heartbeat, unless a later one is stored, and the machine's time, if given."""
        put_setting(sql, ALIVE_AT, max(now, setting(sql, ALIVE_AT, now)))
        if machine is not None:
            put_setting(sql, MACHINE_AT, machine)

    async def shared_time(self) -> int:
        """Return the time of PostgreSQL's machine in ms since 1970."""
        return round(await self._scalar(select(extract("epoch", func.clock_timestamp()) * 1000)))

    @transaction
    def accept_time(self, sql: Connection, now: int) -> None:
        """Set the stored time back to ``now``, if it is later; daily games of later days are forgotten."""
        if setting(sql, ALIVE_AT, 0) <= now:
            return
        put_setting(sql, ALIVE_AT, now)
        put_setting(sql, LEADER, NO_LEADER)
        sql.execute(delete(outages).where(outages.c.since >= now))
        sql.execute(update(outages).where(outages.c.until > now).values(until=now))
        sql.execute(update(tables).where(tables.c.due > now).values(due=now))  # Deadlines looks at each.
        for table in (daily_tries, dailies):
            sql.execute(delete(table).where(table.c.day > day_at(now)))

    @transaction
    def store_outage(self, sql: Connection, now: int, *, longest_gap: int) -> Outage | None:
        """Store and return the outage since the last heartbeat if it exceeds ``longest_gap`` ms."""
        alive_at: int = setting(sql, ALIVE_AT, now)
        put_setting(sql, ALIVE_AT, max(now, alive_at))
        if now - alive_at <= longest_gap:
            return None
        sql.execute(insert(outages).values(since=alive_at, until=now))
        return alive_at, now

    async def outages(self, *, since: int = 0) -> list[Outage]:
        """Return the outages that ended after ``since``, earliest first."""
        return await self.database.ask(lambda sql: _outages(sql, since))


def _outages(sql: Connection, since: int) -> list[Outage]:
    found = sql.execute(select(outages).where(outages.c.until > since).order_by(outages.c.since))
    return [(row.since, row.until) for row in found]


def setting(sql: Connection, key: str, default: Any) -> Any:
    found = sql.scalar(select(house.c.value).where(house.c.key == key))
    return default if found is None else msgspec.json.decode(found)


def put_setting(sql: Connection, key: str, value: Any) -> None:
    upsert(sql, house, {"key": key, "value": msgspec.json.encode(value)})


class NoticeKind(StrEnum):
    PERSON = "person"
    """A person's name, devices, mute or ban has changed."""
    LEAVING = "leaving"
    """A person is being deleted and must not be able to sign in."""
    REWRITTEN = "rewritten"
    """A person was removed from the journals of their tables."""
    RULES = "rules"
    """The host has changed server-wide rules, or replaced the admin link."""


class ProcessNotice(NamedTuple):
    id: int
    kind: NoticeKind
    subject: str


class Notices(Store):
    """Notices from one process to all, stored so that none is lost with a hint."""

    async def add(self, kind: NoticeKind, subject: str, now: int) -> None:
        await self._write(insert(notices).values(kind=kind, subject=subject, at=now))

    async def since(self, number: int) -> list[ProcessNotice]:
        """Return the notices with an id above ``number``, oldest first."""
        wanted = select(notices).where(notices.c.id > number).order_by(notices.c.id).limit(PAGE)
        return [ProcessNotice(row.id, NoticeKind(row.kind), row.subject) for row in await self._rows(wanted)]

    async def purge(self, before: int) -> None:
        await self._write(delete(notices).where(notices.c.at < before))
