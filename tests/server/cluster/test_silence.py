"""PostgreSQL does not answer: moves are refused in time, however many wait, and health says so at once."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from royalcrypt.storage.postgres import connection, database
from tests.server.cluster.pairs import elsewhere
from tests.server.harness import Host, Json, Person, any_action, person, serving
from tests.services.postgres import Postgres

TABLES, SOCKETS = 5, 3
SHORT, DOCUMENTED = 2.0, 8.0
"""Seconds until a move is refused; the second as the server has it, and docs/hosting.md says."""
SLACK = 1.0
"""Seconds, as other tests run, too."""
HEALTH_WITHIN = 1.5
AGAIN_WITHIN = 3.0
SILENT = "storage_silent"
PAUSE = 0.05
"""Seconds between two attempts to send a move again."""


class Fault(NamedTuple):
    begin: Callable[[Postgres], object]
    end: Callable[[Postgres], object]


WAYS = pytest.mark.parametrize(
    "fault",
    [Fault(Postgres.kill, Postgres.start), Fault(Postgres.pause, Postgres.resume)],
    ids=["killed", "hung"],
)


@pytest.fixture
def frail() -> Iterator[Postgres]:
    with Postgres() as running:
        yield running


class Mover:
    """One socket, and the moves sent over it without waiting for the answers."""

    def __init__(self, someone: Person) -> None:
        self.someone = someone
        self.commands: dict[int, Json] = {}
        """By number."""
        self.answers: list[Json] = []
        self.delays: list[float] = []

    async def send(self, shown: dict[str, Json]) -> None:
        began = time.monotonic()
        for table, message in shown.items():
            action = any_action(message["view"], random.Random(table))
            command = {"type": "act", "table": table, "ply": message["ply"], "actions": [action]}
            self.commands[await self.someone.send(**command)] = command
        for number in self.commands:
            self.answers.append(await self.someone.answer(number))
            self.delays.append(time.monotonic() - began)

    async def resend(self) -> list[str]:
        """Send all moves again, until they are made or known to be; tells the types or reasons of answers."""
        return [await self._resend(command) for command in self.commands.values()]

    async def _resend(self, command: Json) -> str:
        while True:
            answer = await self.someone.tell(**command)
            outcome = answer.get("reason", {}).get("code", answer["type"])
            if outcome != SILENT:
                return outcome
            await asyncio.sleep(PAUSE)


async def health(host: Host) -> tuple[int, float]:
    async with host.client() as http:
        began = time.monotonic()
        return (await http.get("/health")).status_code, time.monotonic() - began


async def run_silence(folder: Path, frail: Postgres, fault: Fault, seconds: float) -> None:
    """Several moves wait at one socket, and several more for one table."""
    settings: dict[str, Any] = {"database": frail.new_database()}
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(serving(folder, **settings))
        ada = await stack.enter_async_context(person(host))
        twins = [await stack.enter_async_context(elsewhere(ada, host)) for _ in range(SOCKETS)]
        shown: dict[str, Json] = {}
        for _ in range(TABLES):
            table = (await ada.open_table(start=True, players=1))["info"]["table"]
            shown[table] = await ada.watch(table)
        first = {table: shown[table] for table in list(shown)[:1]}
        for twin in twins:
            await twin.watch(*first)
        assert (await health(host))[0] == 200
        movers = [Mover(ada), *map(Mover, twins)]
        await asyncio.to_thread(fault.begin, frail)
        try:
            checking = asyncio.gather(*(health(host) for _ in range(3)))
            await asyncio.gather(movers[0].send(shown), *(mover.send(first) for mover in movers[1:]))
            checks = await checking
        finally:
            await asyncio.to_thread(fault.end, frail)
        ended = time.monotonic()
        delays = sorted(delay for mover in movers for delay in mover.delays)
        outcomes = [found for mover in movers for found in await mover.resend()]
        again = time.monotonic() - ended
        print(  # noqa: T201 (shown by pytest -s)
            f"refused after {delays[0]:.2f} to {delays[-1]:.2f} s; health after "
            f"{max(delay for _, delay in checks):.2f} s; moves made {again:.2f} s after the end"
        )
        refusals = {answer["reason"]["code"] for mover in movers for answer in mover.answers}
        assert refusals == {SILENT}
        assert delays[-1] <= seconds + SLACK
        assert {status for status, _ in checks} == {503}
        assert max(delay for _, delay in checks) <= HEALTH_WITHIN
        assert set(outcomes) <= {"update", "already_done"}
        assert again <= AGAIN_WITHIN
        assert (await health(host))[0] == 200


@WAYS
def test_while_postgresql_fails_moves_are_refused_in_time_and_sent_again_they_are_made(
    tmp_path: Path, frail: Postgres, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "RETRY_SECONDS", SHORT)
    monkeypatch.setattr(database, "RETRY_SECONDS", SHORT)
    asyncio.run(run_silence(tmp_path, frail, fault, SHORT))


@pytest.mark.faults
@WAYS
def test_while_postgresql_fails_moves_are_refused_within_the_documented_time(
    tmp_path: Path, frail: Postgres, fault: Fault
) -> None:
    asyncio.run(run_silence(tmp_path, frail, fault, DOCUMENTED))
