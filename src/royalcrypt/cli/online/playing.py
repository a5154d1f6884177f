"""The loop: follow one's games, watch them, and answer each view that asks for a move."""

import asyncio
import json
import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from royalcrypt.bots.protocol import Bot, Budget
from royalcrypt.cli.online.requests import Json, Refused, Server
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.imagining import imagined
from royalcrypt.server.backoff import Backoff

if TYPE_CHECKING:
    from royalcrypt.notation.moves import Action

NOT_WELCOME = 1008
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
GOING_ON = ("open", "running")
Tell = Callable[[str, Json], None]
"""Says something to whoever started the program: a message's key, and its details."""


class Player:
    """A bot at all tables of one server at which it has a seat."""

    def __init__(self, server: Server, bot: Bot, budget: Budget, tell: Tell, *, games: int | None) -> None:
        self.server = server
        self.bot = bot
        self.budget = budget
        self.tell = tell
        self.games_left = games
        """How many more games it plays to the end; None for as many as come."""
        self._watched: set[str] = set()
        self._left: set[str] = set()
        """Tables at which it cannot play."""

    async def play(self) -> bool:
        """Until enough games are over; not if the server does not want us.

        When the line is lost it comes back, ever more patiently.
        """
        backoff = Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        while True:
            began = time.monotonic()
            if await self._one_line() == NOT_WELCOME:
                return False
            if self.games_left == 0:
                return True
            if time.monotonic() - began > LONGEST_PAUSE:
                backoff.reset()
            pause = backoff.next()
            self.tell("connect.lost", {"seconds": round(pause)})
            await asyncio.sleep(pause * random.uniform(0.5, 1))

    async def _one_line(self) -> int | None:
        """From the greeting to the end; tells with what code that came."""
        self._watched.clear()
        server = self.server
        try:
            async with connect(server.socket_url, additional_headers=server.headers, max_size=None) as line:
                await send(line, type="follow", games=True)
                while self.games_left != 0:
                    await self._hear(line, json.loads(await line.recv()))
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else None
        except (OSError, InvalidHandshake) as problem:
            self.tell("connect.problem", {"why": str(problem)})
        return None

    async def _hear(self, line: ClientConnection, told: Json) -> None:
        view, reason = told.get("view"), told.get("reason")
        if reason:
            self.tell("connect.refused", {"why": reason["text"]})
        for game in told.get("games", ()):
            await self._look_after(line, game)
        is_fresh = not reason or reason["code"] == Reason.STALE
        if view and view["seat"] is not None and view["actor"] == view["seat"] and is_fresh:
            await self._decide(line, told["table"], told["ply"], view)

    async def _look_after(self, line: ClientConnection, game: Json) -> None:
        """Watch a game as long as it goes on, and take back a seat that a bot plays for us."""
        info, table = game["info"], game["info"]["table"]
        if table in self._left:
            return
        is_on = info["status"] in GOING_ON
        if is_on and any(info["seats"][seat].get("taken_over") for seat in game["seats"]):
            await self._ask("POST", f"/tables/{table}/return")
        if is_on and table not in self._watched:
            self._watched.add(table)
            await send(line, type="watch", table=table)
        elif not is_on and table in self._watched:
            self._watched.remove(table)
            await send(line, type="unwatch", table=table)
            self._note_end(info)

    def _note_end(self, info: Json) -> None:
        if info["status"] == "over":
            self.tell("connect.over", {"table": info["table"]})
            if self.games_left is not None:
                self.games_left -= 1

    async def _decide(self, line: ClientConnection, table: str, ply: int, view: Json) -> None:
        told = await self._ask("GET", f"/tables/{table}/record")
        if told is None:  # a table that leaves remembering to people tells no record, and our bots need one
            self.tell("connect.leaving", {"table": table})
            self._left.add(table)
            await self._ask("POST", f"/tables/{table}/leave")
            return
        if "viewer" not in told:  # it is over already
            return
        move = await asyncio.to_thread(self._choose, told, view["seat"], view["decisions"])
        if move is not None:
            await send(line, type="act", table=table, ply=ply, actions=[wired(one) for one in move.actions])

    def _choose(self, told: Json, seat: int, decisions: int) -> Move | None:
        """None if it is somebody else's turn by now."""
        game = imagined(told, decisions=decisions)
        return self.bot.choose(game.view(seat), self.budget) if game.actor == seat else None

    async def _ask(self, method: str, path: str) -> Any:
        """The answer; None where there is none, which is said."""
        try:
            return await asyncio.to_thread(self.server.ask, method, path)
        except (Refused, Refusal) as problem:
            self.tell("connect.refused", {"why": str(problem)})
            return None


async def send(line: ClientConnection, **message: Any) -> None:
    await line.send(json.dumps(message))


def wired(action: "Action") -> Json:
    """As the wire writes it."""
    found: Json = {"do": action.verb}
    if action.place:
        found["place"] = [{"slot": put.slot, "dice": put.dice, "effort": put.effort} for put in action.place]
    if action.slot is not None:
        found["slot"] = action.slot
    if action.flip:
        found["flip"] = list(action.flip)
    return found


def sit_down(server: Server, link: str) -> None:
    """Take the first free seat of the table that a link leads to: SERVER/#/table/ID/INVITATION."""
    table, _, invite = link.partition("#/table/")[2].partition("/")
    if not table or not invite:
        raise Refusal(Reason.NOT_A_SERVER, url=link)
    seats = server.ask("GET", f"/tables/{table}", invite=invite)["info"]["seats"]
    free = [number for number, seat in enumerate(seats) if seat["kind"] == "free"]
    if not free:
        raise Refusal(Reason.NO_FREE_SEAT)
    server.ask("POST", f"/tables/{table}/seats/{free[0]}", {}, invite=invite)
