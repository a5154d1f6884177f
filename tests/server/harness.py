"""A real server in this process, and people who talk to it as browsers do."""

import asyncio
import contextlib
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import httpx
import msgspec
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from royalcrypt.live.bot_scheduler import BotScheduler, MoveChooser
from royalcrypt.live.connection import Connection
from royalcrypt.play.view_changes import apply_changes
from royalcrypt.rules import actions as codes
from royalcrypt.server.app import make_app
from royalcrypt.server.http.listener import listen
from royalcrypt.server.run import GameServer, make_config
from royalcrypt.server.service import Service
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.sockets.protocol import SocketProtocol
from royalcrypt.server.sockets.transport import SocketTransport

T = TypeVar("T")
Json = dict[str, Any]
PATIENCE = 20.0


class Host:
    """A server that runs on this event loop, on a real socket."""

    def __init__(self, url: str, app: Any = None, server: uvicorn.Server | None = None) -> None:
        self.url = url
        self.app = app
        self.server = server

    @property
    def service(self) -> Service:
        return self.app.state.service

    @property
    def socket_url(self) -> str:
        return self.url.replace("http", "ws", 1) + "/socket"

    def host_headers(self) -> dict[str, str]:
        """Those of whoever has the private link."""
        return {"Authorization": f"Bearer {self.service.keys.admin_token()}"}

    def client(self, **options: Any) -> httpx.AsyncClient:
        # Nothing is encrypted here, and the certificates it would load cost more than all its requests.
        return httpx.AsyncClient(base_url=self.url, timeout=PATIENCE, verify=False, **options)


def usual(data: Path) -> Json:
    """Bots do not pause, nothing is compiled, and there are no limits of pace, unless a test wants them."""
    return {"data": data, "bot_pause": 0.0, "compiled_bots": False, "rate_limits": False}


@contextlib.asynccontextmanager
async def serving(
    data: Path, *, clock: Callable[[], int] | None = None, port: int = 0, **settings: Any
) -> AsyncGenerator[Host]:
    chosen = ServerSettings(**usual(data) | settings)
    app = make_app(chosen, clock=clock)
    listener = listen("127.0.0.1", port, is_chosen=True)
    server = GameServer(make_config(app, chosen, app.state.connections), lambda: None)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign]
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        if task.done():
            await task
        await asyncio.sleep(0.01)
    try:
        yield Host(f"http://127.0.0.1:{listener.getsockname()[1]}", app, server)
    finally:
        server.stop()
        await task
        listener.close()


def with_server(test: Callable[[Host], Awaitable[T]], data: Path, **settings: Any) -> T:
    """Run a test against a fresh server."""

    async def run() -> T:
        async with serving(data, **settings) as host:
            return await test(host)

    return asyncio.run(run())


class Person:
    """Somebody with a cookie, and perhaps an open socket; keeps everything that was received."""

    def __init__(self, host: Host, http: httpx.AsyncClient, name: str) -> None:
        self.host = host
        self.http = http
        self.name = name
        self.id = ""
        self.socket: ClientConnection | None = None
        self.received: list[bytes] = []
        self.protocol = 2
        """Of the socket; the page's own, where updates have the changes of the view."""
        self.view: Json = {}
        """Of the table that was last heard of."""
        self._views: dict[str, Json] = {}
        self.ply = 0
        self._number = 0

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    async def post(self, path: str, body: Any = None, **options: Any) -> Json:
        return await self.ask("POST", path, body, **options)

    async def ask(self, method: str, path: str, body: Any = None, *, status: int = 0, **options: Any) -> Json:
        """What REST answers; with another status than expected the test fails and says what came."""
        answer = await self.http.request(method, path, json=body, **options)
        assert answer.status_code == status or (status == 0 and answer.is_success), answer.text
        return answer.json() if answer.content else {}

    async def open_table(self, *, sit: tuple[int, ...] = (0,), start: bool = False, **settings: Any) -> Json:
        body = {"settings": settings, "sit": sit, "entropy": self.name, "start": start}
        return await self.post("/api/tables", body)

    @property
    def socket_url(self) -> str:
        return f"{self.host.socket_url}?protocol={self.protocol}"

    async def connect(self, **options: Any) -> Json:
        headers = {"Cookie": self.cookie, "Origin": self.host.url}
        self.socket = await connect(
            self.socket_url, additional_headers=headers, compression=None, max_size=None, **options
        )
        return await self.hear("welcome")

    async def disconnect(self) -> None:
        if self.socket is not None:
            await self.socket.close()
            self.socket = None

    async def send(self, **message: Any) -> int:
        """Send a message with a number of its own; tells the number."""
        self._number += 1
        await self.send_raw(msgspec.json.encode({"id": self._number} | message).decode())
        return self._number

    async def send_raw(self, text: str | bytes) -> None:
        assert self.socket is not None
        await self.socket.send(text)

    async def hear_any(self) -> Json:
        """The next message."""
        assert self.socket is not None
        async with asyncio.timeout(PATIENCE):
            raw = await self.socket.recv(decode=False)
        self.received.append(raw)
        message = msgspec.json.decode(raw)
        self.take_view(message)
        self.ply = message.get("ply", self.ply)
        return message

    def take_view(self, message: Json) -> None:
        """Have the view of the table that a message is about, whole or by its changes."""
        table = message.get("table", "")
        if message.get("view"):
            self._views[table] = message["view"]
        elif message.get("changes"):
            self._views[table] = apply_changes(self._views[table], message["changes"])
        if message["type"] in ("update", "shown", "refused") and table in self._views:
            self.view = self._views[table]

    async def hear(self, *types: str) -> Json:
        """The next message of one of these types."""
        while (message := await self.hear_any())["type"] not in types:
            pass
        return message

    async def answer(self, number: int) -> Json:
        """The answer to a message sent."""
        while (message := await self.hear_any()).get("re") != number:
            pass
        return message

    async def tell(self, **message: Any) -> Json:
        """Send, and wait for the answer."""
        return await self.answer(await self.send(**message))

    async def watch(self, table: str, **more: Any) -> Json:
        return await self.tell(type="watch", table=table, **more)

    async def act(self, table: str, *actions: Json, ply: int | None = None, **more: Any) -> Json:
        wanted = self.ply if ply is None else ply
        return await self.tell(type="act", table=table, ply=wanted, actions=list(actions), **more)


@contextlib.asynccontextmanager
async def person(host: Host, name: str = "Ada", *, is_connected: bool = True) -> AsyncGenerator[Person]:
    """Somebody new on the server."""
    async with host.client() as http:
        someone = Person(host, http, name)
        someone.id = (await someone.post("/api/me", {"name": name}))["person"]
        if is_connected:
            await someone.connect()
        try:
            yield someone
        finally:
            with contextlib.suppress(ConnectionClosed):
                await someone.disconnect()


@contextlib.asynccontextmanager
async def people(host: Host, count: int) -> AsyncGenerator[list[Person]]:
    async with contextlib.AsyncExitStack() as stack:
        names = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Finn")
        yield [await stack.enter_async_context(person(host, names[number])) for number in range(count)]


async def seated(someone: list[Person], **settings: Any) -> str:
    """A table at which these people sit in this order, started; each watches it. Tells its id."""
    opened = await someone[0].open_table(players=len(someone), **settings)
    table, invite = opened["info"]["table"], opened["you"]["invite"]
    for seat, other in enumerate(someone[1:], 1):
        await other.post(
            f"/api/tables/{table}/seats/{seat}", {"entropy": other.name}, headers={"X-Table-Invite": invite}
        )
    await someone[0].post(f"/api/tables/{table}/start")
    for each in someone:
        await each.watch(table)
    return table


def any_action(view: Json, chance: random.Random) -> Json:
    """A legal whole action at random, as the wire wants it."""
    return action_of(view, chance.choice(view["actions"]), chance)


def action_of(view: Json, code: int, chance: random.Random) -> Json:
    if code < codes.DONE:
        place = [_placement(code)]
        left = view["form"]["ready"] - codes.placed_dice(code)
        if not view["form"]["one_card_only"] and left and chance.random() < 0.5:
            place += [
                _placement(more)
                for more in view["actions"]
                if more < codes.DONE
                and codes.placed_slot(more) > codes.placed_slot(code)
                and codes.placed_dice(more) <= left
            ][:1]
        return {"do": "claim", "place": place}
    simple = {codes.RECOVER: "recover", codes.DECLINE: "decline"}
    if code in simple:
        return {"do": simple[code]}
    if code == codes.PEEK:
        return {"do": "peek", "flip": _flips(view, "M", 1)}
    if code == codes.MEND:
        return {"do": "mend", "flip": _flips(view, "R", 2)}
    if code >= codes.REROLL:
        return {"do": "reroll", "slot": code - codes.REROLL, "flip": _flips(view, "I", 1)}
    return {"do": "take", "slot": code - codes.TAKE, "flip": _flips(view, "P", 2)}


def _placement(code: int) -> Json:
    return {
        "slot": codes.placed_slot(code),
        "dice": codes.placed_dice(code),
        "effort": codes.placed_effort(code),
    }


def _flips(view: Json, letter: str, count: int) -> list[int]:
    mine = view["seats"][view["seat"]]["cards"]
    return sorted(card["value"] for card in mine if card["type"] == letter and not card["is_flipped"])[:count]


def ends_of_sockets(host: Host) -> set[SocketProtocol]:
    """The server's."""
    assert host.server is not None
    return {one for one in host.server.server_state.connections if isinstance(one, SocketProtocol)}


def transport_of(connection: Connection) -> SocketTransport:
    """Of a connection that is a socket."""
    transport: object = getattr(connection.push, "__self__", None)
    assert isinstance(transport, SocketTransport)
    return transport


def choose_with(service: Service, chooser: MoveChooser) -> None:
    """Let bots' moves be chosen by something else from now on."""
    service.bots._chooser = chooser


def bot_task(bots: BotScheduler, table: str) -> asyncio.Task[None] | None:
    """The task in which a bot makes its moves at a table, while it does."""
    return bots._running.get(table)


async def play_on(someone: list[Person], table: str, chance: random.Random, *, most: int = 10_000) -> int:
    """Let these people, each at the seat of their place in the list, play at random; tells how many moves.

    Everybody has heard everything when it ends: after so many moves, or with the game.
    """
    moves = 0
    while moves < most and someone[0].view["phase"] != "over":
        actor: int | None = someone[0].view["actor"]
        if actor is None or actor >= len(someone):
            await someone[0].hear("update")
            continue
        mover = someone[actor]
        await catch_up(mover, someone[0].ply)
        answer = await mover.act(table, any_action(mover.view, chance))
        assert answer["type"] == "update", answer
        moves += 1
        for other in someone:
            await catch_up(other, mover.ply)
    return moves


async def catch_up(someone: Person, ply: int) -> None:
    while someone.ply < ply:
        await someone.hear("update", "shown")


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():  # noqa: ASYNC110 (whatever it is, nobody rings a bell)
            await asyncio.sleep(0.01)


def run(test: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(test)
