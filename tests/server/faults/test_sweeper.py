"""The sweeper attends to every table it can."""

import asyncio
from pathlib import Path

import msgspec

from royalcrypt.server.bots.pool import BotRunner
from royalcrypt.tables.journal import Line
from tests.server.captured import captured_logs
from tests.server.faults.bad_bots import never_thinking
from tests.server.harness import PATIENCE, Host, choose_with, person, serving


def test_a_table_that_cannot_be_read_does_not_keep_the_sweeper_from_the_others(tmp_path: Path) -> None:
    async def open_with_bot(host: Host) -> str:
        async with person(host) as ada:
            bots = [{"seat": 1, "level": "greedy"}]
            opened = await ada.open_table(players=2, bots=bots, leader=1, start=True)
            return opened["info"]["table"]

    async def break_one(host: Host, like: str) -> None:
        listing = await host.service.journal.listing(like)
        assert listing is not None
        broken = msgspec.structs.replace(listing, table="broken", due=0)
        await host.service.journal.append(Line("broken", 0, b'{"type": "nonsense"}', broken))

    async def test() -> None:
        async with serving(tmp_path) as host:
            choose_with(host.service, BotRunner(1, choice=never_thinking))
            table = await open_with_bot(host)
            await break_one(host, table)
            before = len(await host.service.journal.entries(table))
        async with serving(tmp_path) as host, asyncio.timeout(PATIENCE):
            while len(await host.service.journal.entries(table)) == before:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    with captured_logs() as logged:
        asyncio.run(test())
    assert {entry["table"] for entry in logged} == {"broken"}
