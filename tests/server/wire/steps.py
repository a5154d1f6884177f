"""What can happen in a script: each step is carried out on a stage, and is over when the server is done."""

from collections.abc import Awaitable, Callable
from typing import Any

from royalcrypt.notation.moves import Move
from tests.live.rooms import wire_actions
from tests.server.wire.scenes import PROGRAM
from tests.server.wire.stage import HOST, Stage
from tests.server.wire.worlds import TABLE

Step = Callable[[Stage], Awaitable[object]]
PATH = f"/api/tables/{TABLE}"


def connect(channel: str, name: str) -> Step:
    return lambda stage: stage.connect(channel, name)


def hung_up(name: str) -> Step:
    """Somebody closes all their windows."""

    async def step(stage: Stage) -> None:
        for channel in [channel for channel in stage.taps if channel.split()[0] == name]:
            await stage.disconnect(channel)

    return step


def told(channel: str, **message: Any) -> Step:
    """A message of any sort, whatever is answered."""
    return lambda stage: stage.tell(channel, **message)


def mumbled(channel: str, text: str | bytes) -> Step:
    return lambda stage: stage.mumble(channel, text)


def asked(name: str, method: str, path: str, body: Any = None, **headers: str) -> Step:
    """A request of any sort, whatever is answered."""
    return lambda stage: stage.ask(name, method, path, body, **headers)


def asked_with_link(name: str, method: str, path: str, body: Any = None) -> Step:
    """By somebody who was given the table's link."""
    return lambda stage: stage.ask(name, method, path, body, **{"X-Table-Invite": stage.world.invite})


def seated(owner: str, name: str, seat: int) -> Step:
    """People sit down by the table's link, a program where its keeper wants it."""
    if name != PROGRAM:
        return asked_with_link(name, "POST", f"{PATH}/seats/{seat}", {"entropy": name})

    async def step(stage: Stage) -> None:
        body = {"program": stage.members[name].id, "entropy": name}
        await stage.ask(owner, "PUT", f"{PATH}/seats/{seat}/program", body)

    return step


def watched(channel: str, *, has_link: bool = False, **how: Any) -> Step:
    async def step(stage: Stage) -> None:
        link = {"invite": stage.world.invite} if has_link else {}
        await stage.tell(channel, type="watch", table=TABLE, **link, **how)

    return step


def came_back(channel: str, name: str, *, has_link: bool = False, **how: Any) -> Step:
    """Gone and here again, with what it has seen so far."""

    async def step(stage: Stage) -> None:
        await stage.disconnect(channel)
        await stage.service.flush()
        await stage.connect(channel, name)
        await watched(channel, has_link=has_link, **how)(stage)

    return step


def moved(channel: str, seat: int, move: Move, *, behind: int = 0) -> Step:
    """A move that stands, sent in answer to a ply that may be a little behind."""

    async def step(stage: Stage) -> None:
        ply = stage.table.ply
        answer = await stage.tell(
            channel, type="act", table=TABLE, ply=ply - behind, seat=seat, actions=wire_actions(move)
        )
        assert answer["type"] == "update", answer
        assert stage.table.ply == ply + 1

    return step


def tried(channel: str, move: Move, **how: Any) -> Step:
    """A move that is refused."""

    async def step(stage: Stage) -> None:
        wanted = {"type": "act", "table": TABLE, "ply": stage.table.ply, "actions": wire_actions(move)} | how
        answer = await stage.tell(channel, **wanted)
        assert answer["type"] == "refused", answer

    return step


def moved_by_bot(move: Move) -> Step:
    async def step(stage: Stage) -> None:
        ply, game = stage.table.ply, stage.table.game
        assert game is not None
        await stage.prompter.prompt(move, game.state.decisions)
        await stage.until(lambda: stage.table.ply > ply)

    return step


def passed(milliseconds: int) -> Step:
    async def step(stage: Stage) -> None:
        stage.clock.now += milliseconds

    return step


async def flushed(stage: Stage) -> None:
    await stage.service.flush()


async def swept(stage: Stage) -> None:
    """As if the server had been awake all the time that the script lets pass."""
    await stage.service.deadlines.sweep()


def whispered(channel: str) -> Step:
    """What a spectator says to spectators in this world."""
    return lambda stage: stage.tell(channel, type="say", table=TABLE, text=stage.world.whisper)


async def private_table_opened(stage: Stage) -> None:
    """Somebody else will play behind closed doors."""
    world = stage.world
    bots = [{"seat": seat, "level": "random"} for seat in range(1, world.private_players)]
    settings = {"players": world.private_players, "leader": 0, "bots": bots}
    await stage.ask("Gus", "POST", "/api/tables", {"settings": settings, "sit": [0]})


async def private_table_started(stage: Stage) -> None:
    await stage.connect("Gus", "Gus")
    await stage.tell("Gus", type="watch", table=stage.world.private_table)
    await stage.ask("Gus", "POST", f"/api/tables/{stage.world.private_table}/start")
    await stage.tell("Gus", type="say", table=stage.world.private_table, text=stage.world.whisper)


def sent_away(name: str) -> Step:
    """The host kicks somebody: all their sockets are closed."""

    async def step(stage: Stage) -> None:
        await stage.ask(HOST, "PUT", f"/api/host/people/{stage.members[name].id}/kick", {"on": True})
        for channel in [channel for channel in stage.taps if channel.split()[0] == name]:
            await stage.disconnect(channel, is_sent_away=True)
        await stage.ask(name, "GET", PATH)

    return step


def muted(name: str) -> Step:
    async def step(stage: Stage) -> None:
        await stage.ask(HOST, "PUT", f"/api/host/people/{stage.members[name].id}/mute", {"on": True})
        await stage.tell(name, type="say", table=TABLE, text="Mmph.")

    return step


def host_looks(*paths: str) -> list[Step]:
    return [asked(HOST, "GET", f"/api/host{path}") for path in paths]
