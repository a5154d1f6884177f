"""A bot as a client: it follows its games, and answers each view that asks for a move."""

import asyncio
import json
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from royalcrypt.bots.protocol import Bot, Budget
from royalcrypt.cli.online.requests import Json, RequestRejected, ServerClient
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.reconstruction import reconstructed
from royalcrypt.server.backoff import Backoff

if TYPE_CHECKING:
    from royalcrypt.notation.moves import Action

POLICY_VIOLATION = 1008
"""The WebSocket close code for a rejected token."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
GOING_ON = ("open", "running")
Tell = Callable[[str, Json], None]
"""Prints a message, given by its key and details."""


class OnlinePlayer:
    """A bot that plays at all tables of one server at which it has a seat."""

    def __init__(
        self, server: ServerClient, bot: Bot, budget: Budget, tell: Tell, *, games: int | None
    ) -> None:
        self.server = server
        self.bot = bot
        self.budget = budget
        self.tell = tell
        self.games_left = games
        """Games to play to the end; None for no limit."""
        self._watched: set[str] = set()
        self._left: set[str] = set()
        """Tables at which the bot cannot play."""

    async def play(self) -> bool:
        """Play until enough games are over; return False if the server rejects us.

        Reconnects with exponential back-off and jitter.
        """
        backoff = Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        while True:
            began = time.monotonic()
            if await self._run_connection() == POLICY_VIOLATION:
                return False
            if self.games_left == 0:
                return True
            if time.monotonic() - began > LONGEST_PAUSE:
                backoff.reset()
            pause = backoff.next()
            self.tell("connect.lost", {"seconds": round(pause)})
            await asyncio.sleep(pause * random.uniform(0.5, 1))

    async def _run_connection(self) -> int | None:
        """Serve one connection; return its close code, if there is one."""
        self._watched.clear()
        server = self.server
        try:
            async with connect(server.socket_url, additional_headers=server.headers, max_size=None) as socket:
                await send(socket, type="follow", games=True)
                while self.games_left != 0:
                    await self._handle(socket, json.loads(await socket.recv()))
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else None
        except (OSError, InvalidHandshake) as problem:
            self.tell("connect.problem", {"why": str(problem)})
        return None

    async def _handle(self, socket: ClientConnection, message: Json) -> None:
        view, reason = message.get("view"), message.get("reason")
        if reason:
            self.tell("connect.refused", {"why": reason["text"]})
        for game in message.get("games", ()):
            await self._follow(socket, game)
        is_fresh = not reason or reason["code"] == Reason.STALE
        if view and view["seat"] is not None and view["actor"] == view["seat"] and is_fresh:
            await self._decide(socket, message["table"], message["ply"], view)

    async def _follow(self, socket: ClientConnection, game: Json) -> None:
        """Watch a game until it ends, and take back a seat that a bot has taken over."""
        info, table = game["info"], game["info"]["table"]
        if table in self._left:
            return
        is_on = info["status"] in GOING_ON
        if is_on and any(info["seats"][seat].get("taken_over") for seat in game["seats"]):
            await self._ask("POST", f"/tables/{table}/return")
        if is_on and table not in self._watched:
            self._watched.add(table)
            await send(socket, type="watch", table=table)
        elif not is_on and table in self._watched:
            self._watched.remove(table)
            await send(socket, type="unwatch", table=table)
            self._note_end(info)

    def _note_end(self, info: Json) -> None:
        if info["status"] == "over":
            self.tell("connect.over", {"table": info["table"]})
            if self.games_left is not None:
                self.games_left -= 1

    async def _decide(self, socket: ClientConnection, table: str, ply: int, view: Json) -> None:
        record = await self._ask("GET", f"/tables/{table}/record")
        if record is None:  # The table leaves memory to its players and sends no record, which our bots need.
            self.tell("connect.leaving", {"table": table})
            self._left.add(table)
            await self._ask("POST", f"/tables/{table}/leave")
            return
        if "viewer" not in record:  # The game is over.
            return
        move = await asyncio.to_thread(self._choose, record, view["seat"], view["decisions"])
        if move is not None:
            await send(
                socket, type="act", table=table, ply=ply, actions=[action_json(one) for one in move.actions]
            )

    def _choose(self, record: Json, seat: int, decisions: int) -> Move | None:
        """None if it is somebody else's turn now."""
        game = reconstructed(record, decisions=decisions)
        return self.bot.choose(game.view(seat), self.budget) if game.actor == seat else None

    async def _ask(self, method: str, path: str) -> Any:
        """The answer; None, and a message, if the request fails."""
        try:
            return await asyncio.to_thread(self.server.ask, method, path)
        except (RequestRejected, Refusal) as problem:
            self.tell("connect.refused", {"why": str(problem)})
            return None


async def send(socket: ClientConnection, **message: Any) -> None:
    await socket.send(json.dumps(message))


def action_json(action: "Action") -> Json:
    """An action in the wire format."""
    found: Json = {"do": action.verb}
    if action.place:
        found["place"] = [{"slot": put.slot, "dice": put.dice, "effort": put.effort} for put in action.place]
    if action.slot is not None:
        found["slot"] = action.slot
    if action.flip:
        found["flip"] = list(action.flip)
    return found


def take_seat(server: ServerClient, link: str) -> None:
    """Take the first free seat of the table that a link leads to: SERVER/#/table/ID/INVITATION."""
    table, _, invite = link.partition("#/table/")[2].partition("/")
    if not table or not invite:
        raise Refusal(Reason.NOT_A_SERVER, url=link)
    seats = server.ask("GET", f"/tables/{table}", invite=invite)["info"]["seats"]
    free = [number for number, seat in enumerate(seats) if seat["kind"] == "free"]
    if not free:
        raise Refusal(Reason.NO_FREE_SEAT)
    server.ask("POST", f"/tables/{table}/seats/{free[0]}", {}, invite=invite)
