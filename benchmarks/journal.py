"""Durable moves a second, kept in groups and one by one: ``python -m benchmarks.journal [FOLDER]``."""

import asyncio
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter

from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.sqlite import worker
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.tables.journal import Line, Listing, Status

CLIENTS = 50
ROUNDS = 3
IN_GROUPS = worker.MAX_BATCH
ONE_BY_ONE = 1
ENTRY = b"e" * 300
TOLD = b"t" * 500


@dataclass(frozen=True)
class Measured:
    rate: float
    median: float
    """Until an entry is acknowledged, in ms; so the next."""
    p99: float


def line(table: str, ply: int) -> Line:
    listing = Listing(
        table=table,
        status=Status.RUNNING,
        is_listed=True,
        people=("anna", "ben", None),
        actor=ply % 3,
        due=ply,
        updated=ply,
        info=TOLD,
        opened=0,
        lobby=0,
    )
    return Line(table=table, ply=ply, entry=ENTRY, listing=listing)


async def measure(folder: Path, *, moves: int) -> Measured:
    """Every client plays at a table of its own, and moves as soon as its last move is kept."""
    waits: list[float] = []

    async def play(table: str, journal: SqlJournal) -> None:
        for ply in range(moves):
            start = perf_counter()
            await journal.append(line(table, ply))
            waits.append(perf_counter() - start)

    with tempfile.TemporaryDirectory(dir=folder) as place:
        database = await SqliteDatabase.open(Path(place) / "crypt.db")
        journal = SqlJournal(database)
        start = perf_counter()
        await asyncio.gather(*(play(f"table-{number}", journal) for number in range(CLIENTS)))
        took = perf_counter() - start
        await database.close()
    cuts = quantiles(waits, n=100)
    return Measured(len(waits) / took, cuts[49] * 1e3, cuts[98] * 1e3)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for number in range(ROUNDS):
        for name, most, moves in (("in groups", IN_GROUPS, 400), ("one by one", ONE_BY_ONE, 40)):
            worker.MAX_BATCH = most
            found = asyncio.run(measure(folder, moves=moves))
            print(
                f"{number + 1}. {name:10}  {found.rate:8,.0f} moves/s"
                f"   median {found.median:6.1f} ms   p99 {found.p99:6.1f} ms"
            )


if __name__ == "__main__":
    main()
