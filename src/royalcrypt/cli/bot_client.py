"""Client that plays with a bot on a server, through REST requests and a WebSocket."""

import asyncio
import json
import random
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from royalcrypt.bots.protocol import Bot, Budget
from royalcrypt.cli.watched_table import WatchedTable
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.backoff import Backoff

if TYPE_CHECKING:
    from royalcrypt.notation.moves import Action
    from royalcrypt.play.views import View

TIMEOUT = 20.0
"""Time-out of a REST request, in seconds."""
POLICY_VIOLATION = 1008
"""WebSocket close code for a rejected token."""
WATCH_PAUSE = 0.5
"""Seconds between two tables that are watched again; servers allow three a second."""
SILENT_PAUSE = 1.0
"""Seconds after which tables are watched again if the server's storage did not answer."""
FIRST_PAUSE, MAX_PAUSE = 1.0, 60.0
"""Bounds of the pause between attempts to reconnect, in seconds."""
Json = dict[str, Any]
Report = Callable[[str, Json], None]
"""Function that prints a message, given by its key and details."""


class RequestRejected(Exception):  # noqa: N818
    """Raised if the server refuses a request; has a code for programs and a text for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class ServerClient(NamedTuple):
    """REST client that authenticates with a program's token."""

    url: str
    token: str

    @classmethod
    def at(cls, text: str, token: str) -> "ServerClient":
        """Create a client from a server's address or any link into its page."""
        url = text.partition("#")[0].rstrip("/")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise Refusal(Reason.NOT_A_SERVER, url=text)
        return cls(url, token)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def socket_url(self) -> str:
        return f"{self.url.replace('http', 'ws', 1)}/socket?protocol=2"

    def ask(self, method: str, path: str, body: Json | None = None, *, invite: str = "") -> Any:
        """Send a request and return the JSON answer; raises RequestRejected, or Refusal without an answer."""
        headers = self.headers | ({"X-Table-Invite": invite} if invite else {})
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = Request(f"{self.url}/api{path}", data, headers, method=method)  # noqa: S310 (checked: http only)
        try:
            with urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
                return json.loads(answer.read() or b"null")
        except HTTPError as error:
            raise rejection(error) from None
        except (OSError, HTTPException, ValueError) as error:
            why = str(error.reason if isinstance(error, URLError) else error)
            raise Refusal(Reason.NO_ANSWER, url=self.url, why=why) from None

    def take_seat(self, link: str) -> None:
        """Take the first free seat of the table that a link leads to: SERVER/#/table/ID/INVITATION."""
        table, _, invite = link.partition("#/table/")[2].partition("/")
        if not table or not invite:
            raise Refusal(Reason.NOT_A_SERVER, url=link)
        seats = self.ask("GET", f"/tables/{table}", invite=invite)["info"]["seats"]
        free = [number for number, seat in enumerate(seats) if seat["kind"] == "free"]
        if not free:
            raise Refusal(Reason.NO_FREE_SEAT)
        self.ask("POST", f"/tables/{table}/seats/{free[0]}", {}, invite=invite)


def rejection(error: HTTPError) -> RequestRejected:
    """Convert an HTTP error; a proxy may have sent it, without a code."""
    try:
        found = json.loads(error.read())
        return RequestRejected(found["code"], found["text"])
    except (ValueError, LookupError, TypeError):
        return RequestRejected("", f"{error.code} {error.reason}")


class BotClient:
    """Plays with a bot at all tables of one server at which it has a seat."""

    def __init__(
        self, server: ServerClient, bot: Bot, budget: Budget, report: Report, *, games: int | None
    ) -> None:
        self.server = server
        self.bot = bot
        self.budget = budget
        self.report = report
        self.games_left = games
        """Number of games still to be finished; None for no limit."""
        self._tables: dict[str, WatchedTable] = {}
        """The tables with games, by id; they are kept when the connection is lost."""
        self._watched: set[str] = set()
        """Ids of the tables watched on this connection."""
        self._left: set[str] = set()
        """Ids of tables at which the bot cannot play."""
        self._acts: dict[str, Json] = {}
        """The last move at each table, by id; at the same ply it is sent again and not chosen anew."""
        self._pause: float | None = None
        """Seconds to wait after messages that may be sent again later; None if none was refused since."""
        self._resuming: asyncio.Task[None] | None = None
        """Watches the tables again after such messages."""

    async def play(self) -> bool:
        """Play until enough games are over; return False if the server rejects the token.

        Reconnects with exponential back-off and jitter.
        """
        backoff = Backoff(FIRST_PAUSE, MAX_PAUSE)
        while True:
            began = time.monotonic()
            if await self._run_connection() == POLICY_VIOLATION:
                return False
            if self.games_left == 0:
                return True
            if time.monotonic() - began > MAX_PAUSE:
                backoff.reset()
            pause = backoff.next()
            self.report("connect.lost", {"seconds": round(pause)})
            await asyncio.sleep(pause * random.uniform(0.5, 1))

    async def _run_connection(self) -> int | None:
        """Serve one connection; return its close code, if there is one."""
        self._watched.clear()
        self._pause = None
        url, headers = self.server.socket_url, self.server.headers
        try:
            async with connect(url, additional_headers=headers, max_size=None) as socket:
                await send(socket, type="follow", games=True)
                while self.games_left != 0:
                    await self._handle(socket, json.loads(await socket.recv()))
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else None
        except (OSError, InvalidHandshake) as problem:
            self.report("connect.problem", {"why": str(problem)})
        finally:
            if self._resuming is not None:
                self._resuming.cancel()
        return None

    async def _handle(self, socket: ClientConnection, message: Json) -> None:
        for game in message.get("games", ()):
            await self._follow(socket, game)
        if "reason" in message:
            await self._on_refusal(socket, message)
        elif message["type"] in ("shown", "update") and message["table"] in self._tables:
            await self._on_table(socket, message["table"], message)

    async def _on_refusal(self, socket: ClientConnection, message: Json) -> None:
        """Watch again if the table has changed, or after a pause if the refusal is a passing one."""
        reason, table = message["reason"], self._tables.get(message.get("table", ""))
        if reason["code"] != Reason.ALREADY_DONE:  # That is what was wanted.
            self.report("connect.refused", {"why": reason["text"]})
        if reason["code"] in (Reason.TOO_FAST, Reason.STORAGE_SILENT):
            self._pause = reason["details"].get("seconds", SILENT_PAUSE)
            if self._resuming is None or self._resuming.done():
                self._resuming = asyncio.create_task(self._resume(socket))
        elif table is not None and message.get("ply", table.ply) != table.ply and not table.is_awaited:
            await self._watch(socket, message["table"])

    async def _resume(self, socket: ClientConnection) -> None:
        """Watch all tables again, slowly, until nothing is refused: a refusal names no message."""
        with suppress(ConnectionClosed):
            while self._pause is not None:
                pause, self._pause = self._pause, None
                await asyncio.sleep(pause)
                for name in list(self._watched):
                    await self._watch(socket, name)
                    await asyncio.sleep(WATCH_PAUSE)

    async def _follow(self, socket: ClientConnection, game: Json) -> None:
        """Watch a game until it ends, and reclaim a seat that a substitute has taken over."""
        info, table = game["info"], game["info"]["table"]
        if table in self._left:
            return
        is_on = info["status"] in ("open", "running")
        if is_on and any(info["seats"][seat].get("taken_over") for seat in game["seats"]):
            await self._ask("POST", f"/tables/{table}/return")
        if is_on and table not in self._watched:
            self._watched.add(table)
            await self._watch(socket, table)
        elif not is_on and table in self._watched:
            self._watched.remove(table)
            self._acts.pop(table, None)
            del self._tables[table]
            await send(socket, type="unwatch", table=table)
            if info["status"] == "over":
                self.report("connect.over", {"table": table})
                if self.games_left is not None:
                    self.games_left -= 1

    async def _watch(self, socket: ClientConnection, name: str) -> None:
        """Ask for the table and the events that are missing."""
        table = self._tables.setdefault(name, WatchedTable())
        table.is_awaited = True
        await send(socket, type="watch", table=name, since=table.since)

    async def _on_table(self, socket: ClientConnection, name: str, message: Json) -> None:
        """Apply a message to its table and, if it is the bot's turn, act."""
        table = self._tables[name]
        if table.is_awaited and message["type"] == "update":
            return
        if table.misses(message):
            await self._watch(socket, name)
            return
        if message["ply"] < table.ply:  # The server has lost entries: what was sent there is void.
            self._acts.pop(name, None)
        try:
            table.receive(message)
            view = table.view_to_decide()
        except Refusal as problem:
            await self._on_mismatch(socket, name, problem)
            return
        if table.is_playing and not table.remembers:  # Our bots need what the view then omits.
            self.report("connect.leaving", {"table": name})
            await self._leave(name)
        elif view is not None:
            await send(socket, **await self._act(name, message["ply"], view))

    async def _act(self, name: str, ply: int, view: "View") -> Json:
        """Return the bot's move; the same one again if it was sent at this ply, as it may have been made."""
        if name not in self._acts or self._acts[name]["ply"] != ply:
            move = await asyncio.to_thread(self.bot.choose, view, self.budget)
            actions = [action_json(action) for action in move.actions]
            self._acts[name] = {"type": "act", "table": name, "ply": ply, "actions": actions}
        return self._acts[name]

    async def _on_mismatch(self, socket: ClientConnection, name: str, problem: Refusal) -> None:
        """Ask for all events; leave the table if these, too, contradict the server's view."""
        if self._tables[name].is_complete:
            self.report("connect.refused", {"why": str(problem)})
            await self._leave(name)
            return
        self._tables[name].forget()
        await self._watch(socket, name)

    async def _leave(self, name: str) -> None:
        self._left.add(name)
        self._watched.discard(name)
        del self._tables[name]
        await self._ask("POST", f"/tables/{name}/leave")

    async def _ask(self, method: str, path: str) -> Any:
        """Send a request; if it fails, print a message and return None."""
        try:
            return await asyncio.to_thread(self.server.ask, method, path)
        except (RequestRejected, Refusal) as problem:
            self.report("connect.refused", {"why": str(problem)})
            return None


async def send(socket: ClientConnection, **message: Any) -> None:
    await socket.send(json.dumps(message))


def action_json(action: "Action") -> Json:
    """Convert an action to the wire format."""
    found: Json = {"do": action.verb}
    if action.place:
        found["place"] = [{"slot": put.slot, "dice": put.dice, "effort": put.effort} for put in action.place]
    if action.slot is not None:
        found["slot"] = action.slot
    if action.flip:
        found["flip"] = list(action.flip)
    return found
