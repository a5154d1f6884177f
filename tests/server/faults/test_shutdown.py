"""A server that is told to end while many play says so to all of them, and has kept what it acknowledged."""

import asyncio
import time
from pathlib import Path

from tests.server.faults.crowd import Plan, crowd
from tests.server.faults.ledger import Ledger, kept_in, lost, there_twice
from tests.server.faults.program import Program
from tests.server.harness import Host, until

TABLES = 50
MOVES = 200
FOR_TWO = (Plan((0, 1)),)


def test_everybody_is_told_that_the_server_restarts_and_nothing_is_lost(tmp_path: Path) -> None:
    program, ledger = Program(tmp_path / "data"), Ledger()

    async def test() -> None:
        async with crowd(Host(program.url), ledger, TABLES, FOR_TWO) as players:
            playing = asyncio.gather(*(player.play() for player in players))
            await until(lambda: ledger.moves >= MOVES)
            for player in players:
                player.is_leaving = True
            began = time.perf_counter()
            assert await asyncio.to_thread(program.end) == 0
            print(f"ended within {time.perf_counter() - began:.2f} s")  # noqa: T201 (shown by pytest -s)
            await playing
            assert [player.codes for player in players] == [[1012]] * 2 * TABLES

    program.start()
    try:
        asyncio.run(test())
    finally:
        program.close()
    assert program.complaints == ""
    kept = kept_in(tmp_path / "data" / "royalcrypt.db")
    assert (lost(ledger, kept), there_twice(ledger, kept)) == (0, 0)
