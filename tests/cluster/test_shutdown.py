"""One of two servers is told to end while many play: its people are told so, and go on at the other."""

import asyncio
import time

from tests.cluster.cluster import Cluster
from tests.cluster.kept import kept_at
from tests.cluster.people import Guest
from tests.server.faults.crowd import Plan, crowd
from tests.server.faults.ledger import Ledger, lost, there_twice, unfinished
from tests.server.harness import until

TABLES = 40
MOVES = 160
FOR_TWO = (Plan((0, 1)),)
RESTART = 1012
TOLD_WITHIN, ENDED_WITHIN = 1.0, 10.0


class Timekeeper(Guest):
    """Notes when they were first sent away."""

    sent_away = 0.0

    def drop(self) -> None:
        super().drop()
        if self.codes:
            self.sent_away = self.sent_away or time.monotonic()


def test_all_sockets_of_a_server_that_ends_are_closed_as_for_a_restart_and_nothing_is_lost(
    pair: Cluster,
) -> None:
    ledger, ending = Ledger(), pair.members[1]

    async def test() -> list[str]:
        async with crowd(pair.host, ledger, TABLES, FOR_TWO, Timekeeper) as guests:
            playing = asyncio.gather(*(guest.play() for guest in guests))
            await until(lambda: ledger.moves >= MOVES)
            sockets = await asyncio.to_thread(ending.sockets)
            assert 0 < sockets < len(guests)
            asked = time.monotonic()
            code = await asyncio.to_thread(ending.end)
            took = time.monotonic() - asked
            await until(lambda: sum(bool(guest.codes) for guest in guests) >= sockets)
            sent_away = [guest for guest in guests if guest.codes]
            told = max(guest.sent_away for guest in sent_away) - asked
            print(f"{sockets} sockets closed within {told:.2f} s, ended within {took:.2f} s")  # noqa: T201
            assert [guest.codes for guest in sent_away] == [[RESTART]] * sockets
            assert (code, told <= TOLD_WITHIN, took <= ENDED_WITHIN) == (0, True, True)
            await playing
            return sorted({guest.table for guest in guests})

    try:
        tables = asyncio.run(test())
    finally:
        ending.close()
        ending.start()
    assert ending.complaints == ""
    kept = kept_at(pair.database, tables)
    assert (lost(ledger, kept), there_twice(ledger, kept), unfinished(tables, kept)) == (0, 0, 0)
