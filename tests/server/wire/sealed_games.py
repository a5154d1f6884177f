"""Games with a shared secret: the daily crypt and duplicates, played by some while others look for traces.

Whoever may still play the same cards must not learn anything from those who do. So all that others receive is
recorded while somebody plays: twins differ in the secret, or in what is played with it.
"""

import hashlib
import random
from collections.abc import Generator
from contextlib import contextmanager
from typing import Literal, NamedTuple

import msgspec
import pytest

from royalcrypt.live.operations import daily, duplicates
from royalcrypt.tables import commands
from royalcrypt.tables.journal import Status
from tests.live.rooms import wire_actions
from tests.properties.games import random_move
from tests.server.wire.scenes import TWO
from tests.server.wire.stage import HOST, NOBODY, Recording, Stage, Theatre
from tests.server.wire.surveys import LOOKS, REFUSED, analyses_ready, ask, of_seats, places_on
from tests.server.wire.worlds import OneSecret, Tokens, World

PROTOCOL = 2
OWNER = "Gus"
"""Of the duplicate, who does not play."""
PLAYERS = ("Ada", "Bo")
OTHERS = ("Cleo", "Dan")
"""At the duplicate's other table."""
OUTSIDERS = (OWNER, *OTHERS, "Finn", NOBODY, HOST)
COMMITMENT = "c0" * 32
"""What stands for the digest of the secret, which differs with it."""
END = "POST /api/duplicates/{duplicate_id}/end"
Kind = Literal["daily", "duplicate"]


class Sealed(NamedTuple):
    """What is played under a seal."""

    kind: Kind
    secret: bytes
    line: int
    """Seed of the moves."""
    moves: int
    """Made before others look; a game that ends sooner has ended."""
    others_moves: int = 0
    """Made at the duplicate's other table first, always the same."""


async def perform(theatre: Theatre, game: Sealed) -> Recording:
    """What outsiders receive."""
    world = World(game.secret.hex(), COMMITMENT, {})
    async with theatre.world(world, PROTOCOL) as stage:
        with sharing(game.secret):
            await analyses_ready(stage)
            tables, places = await (opened_day if game.kind == "daily" else opened_duplicate)(stage)
            for name in OUTSIDERS[:-2]:
                await stage.connect(name, name)
                await stage.tell(name, type="follow", lobby=True, games=True)
            if game.kind == "duplicate" and game.others_moves:
                await start(stage, tables[1], OTHERS)
                await play(stage, tables[1], OTHERS, game.others_moves, 1)
            players = PLAYERS[: len(stage.service.tables.loaded[tables[0]].table.seats)]
            await start(stage, tables[0], players)
            await play(stage, tables[0], players, game.moves, game.line)
            await look_around(stage, tables[0], places)
        recording = await stage.finish()
    digest = hashlib.sha256(game.secret).hexdigest().encode()
    neutral = {channel: [one.replace(digest, COMMITMENT.encode()) for one in recording[channel]]
               for channel in recording}  # fmt: skip
    return {channel: kept for channel, kept in neutral.items() if channel.split()[0] not in PLAYERS}


@contextmanager
def sharing(secret: bytes) -> Generator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "secrets", Tokens())
        for module in (daily, duplicates):
            patch.setattr(module, "secrets", OneSecret(secret))
        yield


async def opened_day(stage: Stage) -> tuple[list[str], dict[str, str]]:
    day = str(places_on(stage)["day"])
    answer = msgspec.json.decode((await stage.ask("Ada", "POST", f"/api/daily/{day}")).body)
    return [answer["info"]["table"]], {"day": day}


async def opened_duplicate(stage: Stage) -> tuple[list[str], dict[str, str]]:
    settings = {"players": 2, "leader": 0, "collectors": "BBBBBB"}
    made = await stage.ask(OWNER, "POST", "/api/duplicates", {"tables": 2, "settings": settings})
    answer = msgspec.json.decode(made.body)
    for line, people in zip(answer["tables"], (PLAYERS, OTHERS), strict=True):
        for seat, name in enumerate(people):
            path = f"/api/tables/{line['table']}/seats/{seat}"
            await stage.ask(name, "POST", path, {}, **{"X-Table-Invite": line["invite"]})
    return [line["table"] for line in answer["tables"]], {"duplicate_id": answer["duplicate"]}


async def start(stage: Stage, table: str, people: tuple[str, ...]) -> None:
    await stage.ask(people[0], "POST", f"/api/tables/{table}/start")  # The day's game runs already.
    for name in people:
        if name not in stage.taps:
            await stage.connect(name, name)
        answer = await stage.tell(name, type="watch", table=table)
        assert answer["type"] == "shown", answer


async def play(stage: Stage, table: str, people: tuple[str, ...], moves: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(moves):
        found = stage.service.tables.loaded[table].table
        assert found.game is not None
        if found.status is Status.OVER:
            return
        seat, move = random_move(found.game, rng)
        actions = wire_actions(move)
        answer = await stage.tell(people[seat], type="act", table=table, ply=found.ply, actions=actions)
        assert answer["type"] == "update", answer


async def look_around(stage: Stage, table: str, places: dict[str, str]) -> None:
    """Everybody asks for all there is, with the table's link and without."""
    await stage.service.flush()
    invite = stage.service.tables.loaded[table].table.invite
    there = {"table_id": table, **places}
    for name in OUTSIDERS:
        for request in (*LOOKS, *REFUSED, *of_seats(TWO, name)):
            if name == OWNER and request.endpoint == END:
                continue  # It would end the duplicate, and so break the seal.
            about = request.in_round(1)._replace(places={**there, **request.places})
            await ask(stage, name, about)
            if "{table_id}" in request.endpoint:
                await ask(stage, name, about, **{"X-Table-Invite": invite})
        if name in stage.taps:
            for link in ({}, {"invite": invite}):
                await stage.tell(name, type="watch", table=table, **link)
                await stage.tell(name, type="say", table=table, text="Which cards have you?")
