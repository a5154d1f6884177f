"""The server's stored state: settings, heartbeats, the leading process, outages, and notices."""

from enum import StrEnum
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, insert, select

from royalcrypt.storage.database import Store, transaction, upsert
from royalcrypt.storage.schema import house, notices, outages
from royalcrypt.tables.clocks import Outage

ALIVE_AT = "alive_at"
LEADER = "leader"
NO_LEADER = ("", 0)
BEAT_INTERVAL = 1_000
"""Minimum time in ms between two stored heartbeats of any processes; later ones are skipped."""
PAGE = 500


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

    async def beat_with_others(self, process: str, now: int, *, until: int) -> tuple[bool, list[Outage]]:
        """Write a heartbeat; returns whether this process leads until ``until`` (ms), and all outages.

        The leader runs tasks meant for one process; a leader without heartbeats is replaced.
        """
        if await self._others_beat(process, now):
            return False, await self.outages()
        return await self._lead(process, now, until)

    async def _others_beat(self, process: str, now: int) -> bool:
        """Whether another process leads and a heartbeat was written within BEAT_INTERVAL."""
        found = await self.find(LEADER, ALIVE_AT)
        leader, lasts = found.get(LEADER, NO_LEADER)
        return leader != process and lasts > now and found.get(ALIVE_AT, 0) >= now - BEAT_INTERVAL

    @transaction
    def _lead(self, sql: Connection, process: str, now: int, until: int) -> tuple[bool, list[Outage]]:
        leader, lasts = setting(sql, LEADER, NO_LEADER)
        leads = leader == process or lasts <= now
        if leads:
            put_setting(sql, LEADER, (process, until))
        if leads or setting(sql, ALIVE_AT, 0) < now - BEAT_INTERVAL:
            put_setting(sql, ALIVE_AT, now)
        return leads, _outages(sql, 0)

    @transaction
    def resign(self, sql: Connection, process: str) -> None:
        """Give up leadership, so that another process can lead immediately."""
        if setting(sql, LEADER, NO_LEADER)[0] == process:
            put_setting(sql, LEADER, NO_LEADER)

    async def beat(self, now: int) -> None:
        """Store the time of a heartbeat."""
        await self.set(ALIVE_AT, now)

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
    """The host has changed server-wide rules."""


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
