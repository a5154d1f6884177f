"""Simulated people: they play, lose their connection, come back, and go on."""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple, TypeVar

import httpx
import msgspec
from websockets.exceptions import WebSocketException

from tests.server.faults.ledger import Ledger
from tests.server.harness import Host, Json, Person, any_action

CUT_OFF = (OSError, EOFError, TimeoutError, WebSocketException)
"""How it shows that the server has gone."""
BOT = "greedy"


class Player(Person):
    """Holds some seats of one table, and plays them at random until the game is over."""

    def __init__(self, host: Host, http: httpx.AsyncClient, name: str, ledger: Ledger) -> None:
        super().__init__(host, http, name)
        self.ledger = ledger
        self.chance = random.Random(name)
        self.table = ""
        self.seats: tuple[int, ...] = ()
        self.doubtful: Json | None = None
        """A command that was sent and not answered."""
        self.is_leaving = False
        self.events = 0
        """Of the game, so many are known."""
        self.codes: list[int] = []
        """With which codes sockets were closed."""

    @property
    def is_over(self) -> bool:
        return bool(self.view) and self.view["phase"] == "over"

    async def hear_any(self) -> Json:
        """Waits for others as long as it takes, and keeps nothing but what it must know."""
        assert self.socket is not None
        return self.take_in(await self.socket.recv(decode=False))

    def take_in(self, raw: bytes) -> Json:
        message = msgspec.json.decode(raw)
        self.take_view(message)
        if message.get("events"):
            self.events = message["events"][-1]["n"] + 1
        if "ply" in message:
            if message["type"] == "update" and message["ply"] != self.ply + 1:
                self.ledger.gaps += 1
            self.ply = message["ply"]
            self.ledger.tell(self.table, self.ply)
        return message

    async def play(self) -> None:
        """To the end of the game, whatever becomes of the server meanwhile."""
        while not self.is_over and not self.is_leaving:
            try:
                await self.connect()
                await self.play_on()
            except CUT_OFF:
                await asyncio.sleep(self.pause())
            finally:
                self.drop()

    def pause(self) -> float:
        """Seconds before the next try to come back."""
        return self.chance.uniform(0.02, 0.2)

    async def think(self) -> None:
        """Before a move: these do not."""

    def drop(self) -> None:
        if self.socket is not None:
            if self.socket.close_code is not None:
                self.codes.append(self.socket.close_code)
            self.socket.transport.abort()
            self.socket = None

    async def play_on(self) -> None:
        shown = await self.watch(self.table, since=self.events)
        if shown["type"] == "refused":
            self.ledger.refuse(shown)
            raise TimeoutError(shown["reason"]["code"])
        if self.doubtful is not None and self.chance.random() < 0.7:
            self.ledger.resent += 1
            await self.command(self.doubtful)
        while not self.is_over:
            actor = self.view["actor"]
            if actor not in self.seats:
                await self.hear_any()
            elif self.view["seat"] != actor:
                await self.watch(self.table, seat=actor, since=self.events)
            else:
                await self.think()
                action = any_action(self.view, self.chance)
                await self.command(
                    {"type": "act", "table": self.table, "seat": actor, "ply": self.ply, "actions": [action]}
                )

    async def command(self, command: Json) -> None:
        self.doubtful = command
        sent = self.ledger.send(command)
        answer = await self.tell(**command)
        self.doubtful = None
        if answer["type"] == "update":
            self.ledger.acknowledge(self.table, answer["ply"], sent)
        else:
            self.ledger.refuse(answer)


P = TypeVar("P", bound=Player)


class Plan(NamedTuple):
    """Who sits where: for each seat the number of a person, or None for a bot."""

    seats: tuple[int | None, ...]

    @property
    def people(self) -> list[int]:
        return sorted({seat for seat in self.seats if seat is not None})


PLANS = tuple(
    map(Plan, [(0,), (0, 1), (0, None), (0, 1, 2), (0, 1, None), (0, 1, 2, 3), (0, 0), (0, None, 1, 1)])
)
"""Alone, with others, with bots, and several seats of one person."""


@asynccontextmanager
async def crowd(
    host: Host,
    ledger: Ledger,
    games: int,
    plans: Sequence[Plan] = PLANS,
    arrive: Callable[[Host, httpx.AsyncClient, str, Ledger], P] = Player,
) -> AsyncGenerator[list[P]]:
    """People at so many tables whose games have started."""
    async with AsyncExitStack() as stack:
        players: list[P] = []
        for number in range(games):
            plan = plans[number % len(plans)]
            seated: list[P] = []
            for one in plan.people:
                http = await stack.enter_async_context(host.client())
                seated.append(arrive(host, http, f"{number}-{one}", ledger))
                await introduce(seated[-1])
            await sit_down(seated, plan, number)
            players += seated
        yield players


async def introduce(player: Player) -> None:
    player.id = (await player.post("/api/me", {"name": player.name}))["person"]


async def sit_down(players: Sequence[Player], plan: Plan, number: int) -> None:
    first = players[0]
    settings: dict[str, Any] = {
        "players": len(plan.seats),
        "collectors": "??????",
        "bots": [{"seat": seat, "level": BOT} for seat, one in enumerate(plan.seats) if one is None],
        "is_listed": number % 2 == 0,
    }
    for one, player in enumerate(players):
        player.seats = tuple(seat for seat, sitter in enumerate(plan.seats) if sitter == one)
    opened = await first.open_table(sit=first.seats, **settings)
    table, invite = opened["info"]["table"], {"X-Table-Invite": opened["you"]["invite"]}
    for player in players[1:]:
        for seat in player.seats:
            await player.post(f"/api/tables/{table}/seats/{seat}", {"entropy": player.name}, headers=invite)
    started = await first.post(f"/api/tables/{table}/start")
    first.ledger.tell(table, started["ply"])
    for player in players:
        player.table = table
