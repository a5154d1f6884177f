"""People and tables to begin with, written through the server's own rooms."""

import asyncio
import random
from pathlib import Path
from typing import Any

from royalcrypt.bots import Budget
from royalcrypt.bots.plain_bots import RandomBot
from royalcrypt.live.changes import TableCommand
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.service import Service
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.startup import running_service
from royalcrypt.tables import commands
from royalcrypt.tables.commands import Sitter
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table

SEATS = 4
MOST_MOVES = 30
AT_ONCE = 100


def prepare(
    data: Path, tables: int, *, seats: int = SEATS, most_moves: int = MOST_MOVES, **settings: Any
) -> list[dict[str, Any]]:
    """Games, each at another point of the game: who sits there, by their cookies."""
    chosen = ServerSettings(data=data, compiled_bots=False, rate_limits=False, **settings)

    async def work() -> list[dict[str, Any]]:
        async with running_service(chosen) as service:
            found: list[dict[str, Any]] = []
            for first in range(0, tables, AT_ONCE):
                numbers = range(first, min(tables, first + AT_ONCE))
                found += await asyncio.gather(
                    *(open_table(service, number, seats, most_moves) for number in numbers)
                )
            return found

    return asyncio.run(work())


async def open_table(service: Service, number: int, seats: int, most_moves: int) -> dict[str, Any]:
    people = [await service.identities.create(f"Player {number}-{seat}") for seat in range(seats)]
    ids = [known.person.id for known in people]
    registry = service.tables
    settings = TableSettings(players=seats, collectors="??????")
    table = await registry.open(commands.open_table(settings, ids[0], now=registry.now()))
    for seat, known in enumerate(people):
        await registry.change(table.id, sitting(known, seat))
    started = await registry.change(table.id, lambda table, now: commands.start(table, ids[0], now=now))
    table = started.after
    chance = random.Random(number)
    for _ in range(chance.randrange(most_moves)):
        table = await move(service, table, ids, chance)
    return {"table": table.id, "cookies": [cookie(service, known) for known in people]}


def sitting(known: Caller, seat: int) -> TableCommand:
    sitter = Sitter(known.person.id, known.person.name)
    return lambda table, now: commands.sit(table, sitter, seat, "5eed" * 8, now=now)


async def move(service: Service, table: Table, ids: list[str], chance: random.Random) -> Table:
    seat, game, ply = table.actor, table.game, table.ply
    if seat is None or game is None:
        return table
    chosen = RandomBot().choose(game.view(seat), Budget(seed=chance.getrandbits(32)))
    moved = await service.tables.change(
        table.id, lambda table, now: commands.act(table, ids[seat], seat, ply, chosen, now=now)
    )
    return moved.after


def cookie(service: Service, known: Caller) -> str:
    return f"{service.identities.cookie_name}={service.identities.cookie_for(known)}"
