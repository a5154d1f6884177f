"""What PostgreSQL and Redis can carry, by their own processor time: ``python -m benchmarks.limits``.

The basis of docs/scaling.md. Both run here from the system's packages, with disks as safe as in use.
"""

import asyncio
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import asyncpg
from msgspec import structs

from benchmarks.__main__ import machine
from benchmarks.figures import Figure, show
from benchmarks.journal import line
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.postgres.database import PostgresDatabase
from tests.deploy.rehearsal import Rehearsal, Site
from tests.server.harness import Person, person, play_on, seated
from tests.services.postgres import Postgres
from tests.services.processes import Service
from tests.services.redis import Redis

WRITERS = ((1, 1), (4, 1), (1, 50), (2, 50), (4, 50))
"""Processes, and tables in each that move at once: with one, every move is a transaction by itself."""
MOVES = 200
HINTS, AT_ONCE = 20_000, 200
PLAIN, COPY = 100, 2500
"""Bytes of an encrypted hint, and of one with a copy of a move for one person."""
HEARD = ((PLAIN, 1), (PLAIN, 4), (PLAIN, 16), (COPY, 1))
"""Bytes, and how many processes hear them."""
GROUPS, GAMES = 6, 15
"""People play in groups, one game after another."""
UNHURRIED = {"ROYALCRYPT_RATE_LIMITS": "false"}
KEPT = ("journal", "tables", "seats", "records", "results")
TICKS = os.sysconf("SC_CLK_TCK")


def processor_time(service: Service) -> float:
    """Seconds that a program and its children have used up."""
    assert service.process
    return sum(map(own_time, family(service.process.pid)))


def family(pid: int) -> Iterator[int]:
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split():
        yield from family(int(child))


def own_time(pid: int) -> float:
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    return 0.0


# PostgreSQL


async def write_lines(url: str, name: str, tables: int) -> None:
    """One server process: so many tables, each moving as soon as its last move is kept."""
    database = await PostgresDatabase.open(url)
    journal = SqlJournal(database)

    async def play(table: str) -> None:
        for ply in range(MOVES):
            await journal.append(line(table, ply))

    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await asyncio.gather(*(play(f"{name}-{number}") for number in range(tables)))
    print("done", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await database.close()


def journal_figures(postgres: Postgres) -> list[Figure]:
    return [figure for writers, tables in WRITERS for figure in written(postgres, writers, tables)]


def written(postgres: Postgres, writers: int, tables: int) -> list[Figure]:
    url = postgres.new_database()
    command = [sys.executable, "-m", "benchmarks.limits", url]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes: list[subprocess.Popen[str]] = []
    for number in range(writers):  # one after the other: the first makes the tables
        processes.append(subprocess.Popen([*command, f"writer{number}", str(tables)], **pipes))
        hear(processes[-1], "ready")
    before, log, start = processor_time(postgres), position(url), perf_counter()
    tell(processes)
    for process in processes:
        hear(process, "done")
    took, moves = perf_counter() - start, writers * tables * MOVES
    figures = [
        Figure(f"durable moves, {writers} x {tables} tables at once", moves / took, "1/s"),
        Figure(
            "  PostgreSQL's processor time", (processor_time(postgres) - before) / moves * 1e6, "µs a move"
        ),
        Figure("  write-ahead log", (position(url) - log) / moves, "bytes a move"),
    ]
    tell(processes)
    for process in processes:
        process.wait()
    postgres.drop(url)
    return figures


def hear(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdout
    assert process.stdout.readline().strip() == word


def tell(processes: list[subprocess.Popen[str]]) -> None:
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()


def position(url: str) -> int:
    return ask(url, "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn")


def ask(url: str, question: str) -> int:
    async def work() -> int:
        connection = await asyncpg.connect(url)
        try:
            return int(await connection.fetchval(question))
        finally:
            await connection.close()

    return asyncio.run(work())


# All together


def whole_figures() -> list[Figure]:
    """Games of three by https through the proxy of compose.yaml, played as quickly as they can be."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        rehearsal = Rehearsal(Path(folder), stack, lambda _: None, is_short=True)
        server = rehearsal.parts["server"]
        rehearsal.parts["server"] = structs.replace(server, environment=server.environment | UNHURRIED)
        site = rehearsal.start(rehearsal.build())
        url = rehearsal.database.url("royalcrypt")
        parts: dict[str, list[Service]] = {
            "servers": [*rehearsal.ours["server"]],
            "PostgreSQL": [rehearsal.database],
            "nginx": [rehearsal.proxy],
            "Redis": [rehearsal.redis],
        }
        before = {name: sum(map(processor_time, several)) for name, several in parts.items()}
        log = position(url)
        moves = asyncio.run(play_games(site))
        log = position(url) - log
        used = {name: sum(map(processor_time, several)) - before[name] for name, several in parts.items()}
        rehearsal.database.execute("VACUUM FULL", "royalcrypt")
        kept = [ask(url, f"SELECT pg_total_relation_size('{table}')") for table in KEPT]
    games = GROUPS * GAMES
    return [
        Figure("moves of a game of three, at random", moves / games, "moves"),
        *(
            Figure(f"  processor time of {name}", time / moves * 1e3, "ms a move")
            for name, time in used.items()
        ),
        Figure("  rows and indexes", sum(kept) / games / 1e3, "kB a game"),
        Figure("  of these the journal", kept[0] / games / 1e3, "kB a game"),
        Figure("  write-ahead log", log / games / 1e3, "kB a game"),
    ]


async def play_games(site: Site) -> int:
    async with AsyncExitStack() as stack:

        async def play(group: int) -> int:
            three = [await come(site, f"{name}{group}", stack) for name in ("Ada", "Bo", "Cleo")]
            moves = 0
            for game in range(GAMES):
                table = await seated(three)
                moves += await play_on(three, table, random.Random(group * GAMES + game))
                for each in three:
                    await each.tell(type="unwatch", table=table)
            return moves

        return sum(await asyncio.gather(*map(play, range(GROUPS))))


async def come(site: Site, name: str, stack: AsyncExitStack) -> Person:
    someone = await stack.enter_async_context(person(site, name, is_connected=False))
    await someone.connect(ssl=site.trust)
    return someone


# Redis


def hint_figures(redis: Redis) -> list[Figure]:
    return [asyncio.run(spread(redis, size, listeners)) for size, listeners in HEARD]


async def spread(redis: Redis, size: int, listeners: int) -> Figure:
    """Hints on topics that each of so many processes has subscribed to."""
    lines = [await asyncio.open_connection("127.0.0.1", redis.port) for _ in range(listeners + 1)]
    (reader, writer), *others = lines
    for _, listening in others:
        listening.write(b"SUBSCRIBE royalcrypt:0:table\r\n")
    for hearing, _ in others:
        await hearing.readuntil(b":1\r\n")
    said = b"$18\r\nroyalcrypt:0:table\r\n$%d\r\n%s\r\n" % (size, b"x" * size)
    message = b"*3\r\n$7\r\nPUBLISH\r\n" + said
    heard = len(b"*3\r\n$7\r\nmessage\r\n" + said)
    before = processor_time(redis)
    for _ in range(HINTS // AT_ONCE):
        for _ in range(AT_ONCE):  # each by itself, as processes speak
            writer.write(message)
            await writer.drain()
            await reader.readline()
        for hearing, _ in others:
            await hearing.readexactly(heard * AT_ONCE)
    took = processor_time(redis) - before
    for _, writing in lines:
        writing.close()
    return Figure(
        f"Redis's processor time, {size} bytes, {listeners} who hear", took / HINTS * 1e6, "µs a hint"
    )


def main() -> None:
    if len(sys.argv) > 1:
        url, name, tables = sys.argv[1:]
        asyncio.run(write_lines(url, name, int(tables)))
        return
    with Postgres() as postgres, Redis() as redis:
        figures = [*journal_figures(postgres), *hint_figures(redis)]
    show([*figures, *whole_figures()], machine())


if __name__ == "__main__":
    main()
