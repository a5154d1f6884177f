"""A data folder with more in it than most servers ever have: what the largest requests read."""

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from benchmarks.server.prepare import cookie, move, sitting
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.service import Service
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.startup import running_service
from royalcrypt.tables import commands
from royalcrypt.tables.journal import Status
from royalcrypt.tables.settings import LiveClock, TableSettings
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import MAX_CHAT_LENGTH, MAX_MEMO_LENGTH, MAX_NAME_LENGTH

WIDE = "\U0001d538"
"""A letter of four bytes, in UTF-8 and in a Python string."""
UNLIMITED: dict[str, Any] = {"compiled_bots": False, "rate_limits": False, "metrics": "public"}
COLUMNS = {"seats": "seat, person_id", "journal": "ply, entry", "records": "record, ended"}
RESULTS = (
    "seat, person_id, kind, players, collectors, score, place, is_winner, {ended} + ended, 0, NULL, NULL"
)
GAMES_TRIED = 6


class Scale(NamedTuple):
    rich: int = 4
    """People with as much as one person may have; one for each repetition of what can be done only once."""
    games: int = 1000
    """Finished four-player games of each of them."""
    running: int = 45
    """Running tables of each; with those that requests open, up to 50."""
    lines: int = 10_000
    """Chat lines of each."""
    lobby: int = 9_000
    """Listed tables of others."""
    lobby_running: int = 300
    people: int = 10_000
    tries: int = 5_000
    """People who have played the daily crypt."""
    days: int = 100
    duplicates: int = 50
    sockets: int = 2_000


SMALL = Scale(rich=1, games=90, running=24, lines=500, lobby=150, lobby_running=5, people=300, tries=100,
              days=10, duplicates=2, sockets=40)  # fmt: skip


class Rich(msgspec.Struct):
    """Somebody who has as much of everything as one person may have."""

    person: str
    name: str
    cookie: str
    over: list[str]
    """Finished tables."""
    running: list[str]
    duplicate: str
    friend_ids: list[str]
    friends: list[str]
    """Cookies of the three others, by seat from 1 on."""


class World(msgspec.Struct):
    rich: list[Rich]
    others: list[str]
    """Cookies of people without tables."""
    due: str
    """A running table with a clock."""
    today: str
    record: dict[str, Any]
    """The longest of some finished games."""


def longest_name(number: int) -> str:
    return f"{number:03}{WIDE * (MAX_NAME_LENGTH - 3)}"


def prepare(data: Path, scale: Scale) -> World:
    settings = ServerSettings(data=data, **UNLIMITED)

    async def work() -> World:
        async with running_service(settings) as service:
            return await play_all(service, scale)

    world = asyncio.run(work())
    with closing(sqlite3.connect(settings.database_file)) as sql:
        Copies(sql, world, scale).make()
        sql.commit()
    return world


async def play_all(service: Service, scale: Scale) -> World:
    rich = [await make_rich(service, number) for number in range(scale.rich)]
    others = [await service.identities.create(longest_name(800 + number)) for number in range(160)]
    four = [await service.identities.create(longest_name(800 + number)) for number in range(4)]
    due = await play(service, four, 5, most=12, clock=LiveClock(move=3600))
    await play(service, four, 6, most=36, is_listed=True)
    await service.operations.daily.prepare()
    record = await service.operations.records.of_table(rich[0].person, rich[0].over[0])
    return World(
        rich=rich,
        others=[cookie(service, known) for known in others],
        due=due.id,
        today=service.operations.daily.today,
        record=msgspec.json.decode(record),
    )


async def make_rich(service: Service, number: int) -> Rich:
    """Finish some games and keep the longest; begin another one, and a duplicate."""
    people = [await service.identities.create(longest_name(number * 10 + seat)) for seat in range(4)]
    finished = [await play(service, people, seed) for seed in range(GAMES_TRIED)]
    finished.sort(key=lambda table: len(table.game.events) if table.game else 0, reverse=True)
    running = await play(service, people, GAMES_TRIED, most=36)
    await service.operations.notes._memos.write(
        running.id, people[0].person.id, WIDE * MAX_MEMO_LENGTH, since=0, now=1
    )
    return Rich(
        person=people[0].person.id,
        name=people[0].person.name,
        cookie=cookie(service, people[0]),
        over=[finished[0].id],
        running=[running.id],
        duplicate="",
        friend_ids=[known.person.id for known in people[1:]],
        friends=[cookie(service, known) for known in people[1:]],
    )


async def play(
    service: Service, people: list[Caller], seed: int, *, most: int = 10_000, **settings: Any
) -> Table:
    registry, ids = service.tables, [known.person.id for known in people]
    chosen = TableSettings(players=len(ids), collectors="??????", **settings)
    table = await registry.open(commands.open_table(chosen, ids[0], now=registry.now()))
    for seat, known in enumerate(people):
        await registry.change(table.id, sitting(known, seat))
    table = (await registry.change(table.id, lambda table, now: commands.start(table, ids[0], now=now))).after
    chance = random.Random(seed)
    while table.status is Status.RUNNING and table.ply < most:
        table = await move(service, table, ids, chance)
    return table


class Copies:
    """Copies of the played tables under other ids, written into the database file."""

    def __init__(self, sql: sqlite3.Connection, world: World, scale: Scale) -> None:
        self.sql = sql
        self.world = world
        self.scale = scale
        self._number = 0

    def make(self) -> None:
        scale, world = self.scale, self.world
        for one in world.rich:
            one.over += [self.copy(one.over[0]) for _ in range(scale.games - 1)]
            one.running += [self.copy(one.running[0]) for _ in range(scale.running - 1)]
            one.duplicate = self.duplicates(one)
            self.chat(one)
        self.lobby()
        self.people()
        self.daily()

    def copy(self, source: str) -> str:
        self._number += 1
        copy = f"copy{self._number:08}"
        values = {"copy": copy, "source": source, "number": self._number}
        for table, columns in COLUMNS.items():
            self.sql.execute(
                f"INSERT INTO {table} (table_id, {columns}) SELECT :copy, {columns} FROM {table} "
                "WHERE table_id = :source",
                values,
            )
        self.sql.execute(
            f"INSERT INTO results SELECT :copy, {RESULTS.format(ended=':number')} FROM results "
            "WHERE table_id = :source",
            values,
        )
        self.sql.execute(
            "INSERT INTO tables (id, status, is_listed, actor, due, updated, created, told, ply, changed) "
            "SELECT :copy, status, is_listed, actor, due, updated, created, "
            "CAST(replace(CAST(told AS TEXT), :source, :copy) AS BLOB), ply, changed "
            "FROM tables WHERE id = :source",
            values,
        )
        return copy

    def duplicates(self, one: Rich) -> str:
        """Sixteen tables each; returns the id of the one whose tables are finished."""
        ids: list[str] = []
        for number in range(self.scale.duplicates):
            self._number += 1
            ids.append(f"dup{self._number:08}")
            self.sql.execute("INSERT INTO duplicates VALUES (?, ?, ?)", (ids[-1], one.person, number))
            for place in range(16):
                table = self.copy(one.over[0]) if number == 0 else f"none{self._number}-{place}"
                self.sql.execute("INSERT INTO duplicate_tables VALUES (?, ?, ?)", (ids[-1], place, table))
        return ids[0]

    def chat(self, one: Rich) -> None:
        said = WIDE * MAX_CHAT_LENGTH
        lines = [
            (one.running[number % len(one.running)], "table", one.person, one.name, said, number)
            for number in range(self.scale.lines)
        ]
        lines += [
            (one.running[0], audience, one.person, one.name, said, number)
            for audience in ("table", "spectators")
            for number in range(60)
        ]
        self.sql.executemany(
            'INSERT INTO chat (table_id, audience, person_id, name, text, "at") VALUES (?, ?, ?, ?, ?, ?)',
            lines,
        )

    def lobby(self) -> None:
        listed = "SELECT id FROM tables WHERE is_listed AND status = 'running'"
        (source,) = self.sql.execute(listed).fetchone()
        for _ in range(self.scale.lobby_running):
            self.copy(source)
        self.sql.execute(
            """
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
            INSERT INTO tables (id, status, is_listed, actor, due, updated, created, told, ply, changed)
            SELECT 'listed' || n, 'open', 1, NULL, NULL, updated + n, created,
                CAST(replace(CAST(told AS TEXT), id, 'listed' || n) AS BLOB), 0, 0
            FROM number JOIN tables ON tables.id = ?
            """,
            (self.scale.lobby, source),
        )

    def people(self) -> None:
        self.sql.executemany(
            "INSERT INTO people (id, name, created, seen) VALUES (?, ?, 1, 1)",
            [(f"person{number:06}", longest_name(number % 1000)) for number in range(self.scale.people)],
        )

    def daily(self) -> None:
        self.sql.executemany(
            "INSERT OR IGNORE INTO dailies VALUES (?, ?, 'AAAAAA', 1)",
            [
                (f"{2000 + n // 300}-{1 + n % 12:02}-{1 + n % 28:02}", bytes(32))
                for n in range(self.scale.days)
            ],
        )
        today = self.world.today
        self.sql.executemany(
            "INSERT INTO daily_tries VALUES (?, ?, ?, 1)",
            [(today, f"person{number:06}", f"daily{number}") for number in range(self.scale.tries)],
        )
        self.sql.executemany(
            "INSERT INTO results VALUES (?, 0, ?, 'human', 1, 'AAAAAA', ?, 1, 1, 1, 1, NULL, NULL)",
            [(f"daily{number}", f"person{number:06}", number % 200) for number in range(self.scale.tries)],
        )
