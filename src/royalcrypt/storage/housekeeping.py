"""What a server stores about itself: settings, the last heartbeat, the leading process, and outages."""

from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from royalcrypt.storage.database import Store, upsert
from royalcrypt.storage.schema import house, outages

ALIVE_AT = "alive_at"
LEADER = "leader"
NO_LEADER = ("", 0)
BEATS_APART = 1_000
"""Minimum time between two heartbeats of any process, in ms: not every process has to write one."""


class Outage(msgspec.Struct, frozen=True):
    """A time without a server, in ms since 1970. Clocks stood still."""

    since: int
    until: int


class Housekeeping(Store):
    async def get(self, key: str, default: Any = None) -> Any:
        """A setting, decoded from JSON."""
        return await self._database.ask(lambda sql: setting(sql, key, default))

    async def set(self, key: str, value: Any) -> None:
        await self._database.run(lambda sql: put_setting(sql, key, value))

    async def first(self, key: str, value: Any) -> Any:
        """Set a setting unless it is set. Returns its value."""

        def work(sql: Connection) -> Any:
            found = setting(sql, key, None)
            if found is None:
                put_setting(sql, key, value)
            return value if found is None else found

        return await self._database.run(work)

    async def beat_with_others(self, process: str, now: int, *, until: int) -> tuple[bool, list[Outage]]:
        """Write a heartbeat. Returns whether this process leads until ``until``, and all outages.

        The leader does what only one process should do. A leader that stops asking is replaced.
        """
        if await self._others_beat(process, now):
            return False, await self.outages()

        def work(sql: Connection) -> tuple[bool, list[Outage]]:
            leader, lasts = setting(sql, LEADER, NO_LEADER)
            leads = leader == process or lasts <= now
            if leads:
                put_setting(sql, LEADER, (process, until))
            if leads or setting(sql, ALIVE_AT, 0) < now - BEATS_APART:
                put_setting(sql, ALIVE_AT, now)
            return leads, outages_in(sql)

        return await self._database.run(work)

    async def _others_beat(self, process: str, now: int) -> bool:
        """Whether another process leads, and a heartbeat was written within the last second."""
        found = {row.key: msgspec.json.decode(row.value) for row in await self._rows(_HEARTBEAT)}
        leader, lasts = found.get(LEADER, NO_LEADER)
        return leader != process and lasts > now and found.get(ALIVE_AT, 0) >= now - BEATS_APART

    async def resign(self, process: str) -> None:
        """Let another process lead at once."""

        def work(sql: Connection) -> None:
            if setting(sql, LEADER, NO_LEADER)[0] == process:
                put_setting(sql, LEADER, NO_LEADER)

        await self._database.run(work)

    async def beat(self, now: int) -> None:
        """Write a heartbeat."""
        await self.set(ALIVE_AT, now)

    async def note_outage(self, now: int, *, longest_gap: int) -> Outage | None:
        """At the start, store the outage since the last heartbeat if it exceeds ``longest_gap`` ms."""

        def work(sql: Connection) -> Outage | None:
            alive_at: int = setting(sql, ALIVE_AT, now)
            put_setting(sql, ALIVE_AT, max(now, alive_at))
            if now - alive_at <= longest_gap:
                return None
            sql.execute(insert(outages).values(since=alive_at, until=now))
            return Outage(alive_at, now)

        return await self._database.run(work)

    async def outages(self, *, since: int = 0) -> list[Outage]:
        """Outages that ended after ``since``, the earliest first."""
        return await self._database.ask(lambda sql: outages_in(sql, since))


_HEARTBEAT = select(house.c.key, house.c.value).where(house.c.key.in_((LEADER, ALIVE_AT)))


def outages_in(sql: Connection, since: int = 0) -> list[Outage]:
    found = sql.execute(select(outages).where(outages.c.until > since).order_by(outages.c.since))
    return [Outage(row.since, row.until) for row in found]


def setting(sql: Connection, key: str, default: Any) -> Any:
    found = sql.scalar(select(house.c.value).where(house.c.key == key))
    return default if found is None else msgspec.json.decode(found)


def put_setting(sql: Connection, key: str, value: Any) -> None:
    upsert(sql, house, {"key": key, "value": msgspec.json.encode(value)})
