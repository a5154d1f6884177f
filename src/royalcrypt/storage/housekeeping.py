"""What a server keeps about itself: settings, when it was last alive, and its outages."""

from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from royalcrypt.storage.database import Database
from royalcrypt.storage.dialects import upsert
from royalcrypt.storage.schema import house, outages

ALIVE_AT = "alive_at"
LEADER = "leader"


class Outage(msgspec.Struct, frozen=True):
    """When nobody could play, and clocks stood still; in ms since 1970."""

    since: int
    until: int


class Housekeeping:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, key: str, default: Any = None) -> Any:
        """A setting, as JSON knows it."""
        return await self._database.read(lambda sql: setting(sql, key, default))

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

    async def lead(self, process: str, now: int, *, until: int) -> bool:
        """Whether a process is to do until then what only one should; one that ceases to ask is replaced."""

        def work(sql: Connection) -> bool:
            leader, lasts = setting(sql, LEADER, ("", 0))
            if leader != process and lasts > now:
                return False
            put_setting(sql, LEADER, (process, until))
            return True

        return await self._database.run(work)

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
        wanted = select(outages).where(outages.c.until > since).order_by(outages.c.since)
        found = await self._database.read(lambda sql: sql.execute(wanted).all())
        return [Outage(row.since, row.until) for row in found]


def setting(sql: Connection, key: str, default: Any) -> Any:
    found = sql.scalar(select(house.c.value).where(house.c.key == key))
    return default if found is None else msgspec.json.decode(found)


def put_setting(sql: Connection, key: str, value: Any) -> None:
    upsert(sql, house, {"key": key, "value": msgspec.json.encode(value)})
