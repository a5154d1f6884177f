"""What a server keeps about itself: settings, when it was last alive, and its outages."""

from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from royalcrypt.storage.database import Database
from royalcrypt.storage.dialects import upsert
from royalcrypt.storage.schema import house, outages

ALIVE_AT = "alive_at"
LEADER = "leader"
NOBODY = ("", 0)
BEATS_APART = 1_000
"""Milliseconds: of many processes, not each needs to say that they are alive."""


class Outage(msgspec.Struct, frozen=True):
    """When nobody could play, and clocks stood still; in ms since 1970."""

    since: int
    until: int


class Housekeeping:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, key: str, default: Any = None) -> Any:
        """A setting, as JSON knows it."""
        return await self._database.ask(lambda sql: setting(sql, key, default))

    async def set(self, key: str, value: Any) -> None:
        await self._database.run(lambda sql: put_setting(sql, key, value))

    async def first(self, key: str, value: Any) -> Any:
        """A setting: this value, unless there is one already."""

        def work(sql: Connection) -> Any:
            found = setting(sql, key, None)
            if found is None:
                put_setting(sql, key, value)
            return value if found is None else found

        return await self._database.run(work)

    async def beat_with_others(self, process: str, now: int, *, until: int) -> tuple[bool, list[Outage]]:
        """Note that the server is alive. Tells whether this process is to do until then what only one should,
        and all outages, whoever noted them. Who ceases to ask is replaced."""
        if await self._others_beat(process, now):
            return False, await self.outages()

        def work(sql: Connection) -> tuple[bool, list[Outage]]:
            leader, lasts = setting(sql, LEADER, NOBODY)
            leads = leader == process or lasts <= now
            if leads:
                put_setting(sql, LEADER, (process, until))
            if leads or setting(sql, ALIVE_AT, 0) < now - BEATS_APART:
                put_setting(sql, ALIVE_AT, now)
            return leads, outages_in(sql)

        return await self._database.run(work)

    async def _others_beat(self, process: str, now: int) -> bool:
        """Whether another process leads, and has just said that the server is alive."""
        found = await self._database.ask(lambda sql: sql.execute(_SIGNS).all())
        signs = {row.key: msgspec.json.decode(row.value) for row in found}
        leader, lasts = signs.get(LEADER, NOBODY)
        return leader != process and lasts > now and signs.get(ALIVE_AT, 0) >= now - BEATS_APART

    async def resign(self, process: str) -> None:
        """Let another process lead at once."""

        def work(sql: Connection) -> None:
            if setting(sql, LEADER, NOBODY)[0] == process:
                put_setting(sql, LEADER, NOBODY)

        await self._database.run(work)

    async def beat(self, now: int) -> None:
        """Note that the server is alive."""
        await self.set(ALIVE_AT, now)

    async def note_outage(self, now: int, *, longest_gap: int) -> Outage | None:
        """At the start: if the last beat is longer ago than this, keep and return the outage since."""

        def work(sql: Connection) -> Outage | None:
            alive_at: int = setting(sql, ALIVE_AT, now)
            put_setting(sql, ALIVE_AT, max(now, alive_at))
            if now - alive_at <= longest_gap:
                return None
            sql.execute(insert(outages).values(since=alive_at, until=now))
            return Outage(alive_at, now)

        return await self._database.run(work)

    async def outages(self, *, since: int = 0) -> list[Outage]:
        """Those that ended after a moment, the earliest first."""
        return await self._database.ask(lambda sql: outages_in(sql, since))


_SIGNS = select(house.c.key, house.c.value).where(house.c.key.in_((LEADER, ALIVE_AT)))


def outages_in(sql: Connection, since: int = 0) -> list[Outage]:
    found = sql.execute(select(outages).where(outages.c.until > since).order_by(outages.c.since))
    return [Outage(row.since, row.until) for row in found]


def setting(sql: Connection, key: str, default: Any) -> Any:
    found = sql.scalar(select(house.c.value).where(house.c.key == key))
    return default if found is None else msgspec.json.decode(found)


def put_setting(sql: Connection, key: str, value: Any) -> None:
    upsert(sql, house, {"key": key, "value": msgspec.json.encode(value)})
