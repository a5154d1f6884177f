"""Everybody who may come to a door, and the tables behind it."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

import httpx

from royalcrypt.bots import Budget, bot_named
from royalcrypt.server.accounts.identities import Caller, Identities
from royalcrypt.server.accounts.keys import ServerKeys
from royalcrypt.tables import commands
from royalcrypt.tables.commands import Sitter
from royalcrypt.tables.journal import Status
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table
from tests.server.harness import Host, Person

ACTORS: tuple[str, ...] = (
    "nobody", "stranger", "invited", "spectator", "seated", "owner",
    "foreign", "tampered", "revoked", "banned", "host",
)  # fmt: skip
"""``invited`` is a stranger with the table's link, ``spectator`` one who watches it at this moment,
``foreign`` has the owner's cookie as another server would sign it, ``host`` the private link alone."""
NAMES: tuple[str, ...] = ("stranger", "spectator", "seated", "owner", "revoked", "banned")


@dataclass
class Cast:
    host: Host
    http: httpx.AsyncClient
    """Without cookies of its own."""
    known: dict[str, Caller]
    cookies: dict[str, str]
    watcher: Person
    """The spectator's open socket."""
    program: str
    """That the owner keeps."""
    table: Table | None = None
    headers: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])

    def id(self, name: str) -> str:
        return self.known[name].person.id

    def sitter(self, name: str) -> Sitter:
        return Sitter(self.id(name), name)

    async def set_table(self, state: str, **settings: Any) -> Table:
        """Let the owner open a table and bring it into a state; the spectator watches from the start."""
        registry = self.host.service.tables
        players = 3 if state == "open" else 2
        opened = commands.open_table(
            TableSettings(players=players, **settings), self.id("owner"), now=registry.now()
        )
        table = await registry.open(opened)
        await self.watcher.watch(table.id, invite=opened.invite)
        for seat, name in enumerate(("owner", "seated")):
            table = await self._change(table, commands.sit, self.sitter(name), seat, "")
        if state not in ("open", "full"):
            table = await self._change(table, commands.start, self.id("owner"))
        if state == "over":
            table = await self._finish(table)
        if state == "away":
            for name in ("owner", "seated"):
                table = await self._change(table, commands.leave, self.id(name))
        if state == "closed":
            closed = await registry.change(
                table.id, lambda found, now: commands.close(found, why="host", now=now)
            )
            table = closed.after
        self.table = table
        self.headers = self._headers(table.invite)
        return table

    async def _change(self, table: Table, command: Any, *arguments: Any) -> Table:
        made = await self.host.service.tables.change(
            table.id, lambda found, now: command(found, *arguments, now=now)
        )
        return made.after

    async def _finish(self, table: Table) -> Table:
        bot = bot_named("random")
        while table.status is Status.RUNNING:
            seat = table.actor
            assert seat is not None
            assert table.game is not None
            move = bot.choose(table.game.view(seat), Budget(seed=table.ply))
            name = ("owner", "seated")[seat]
            table = await self._change(table, commands.act, self.id(name), seat, table.ply, move)
        return table

    def _headers(self, invite: str) -> dict[str, dict[str, str]]:
        """By actor, what their browser would send."""
        name = self.host.service.identities.cookie_name
        found = {who: {"Cookie": f"{name}={cookie}"} for who, cookie in self.cookies.items()}
        found["invited"] = found["stranger"] | {"X-Table-Invite": invite}
        return found | {"nobody": {}, "host": self.host.host_headers()}

    async def ask(self, actor: str, method: str, path: str, body: Any = None) -> httpx.Response:
        return await self.http.request(method, path, json=body, headers=self.headers[actor])


@contextlib.asynccontextmanager
async def cast(host: Host) -> AsyncGenerator[Cast]:
    """Fresh people; one device of theirs was revoked, one of them sent away."""
    service = host.service
    identities = service.identities
    made = await asyncio.gather(*(identities.create(name) for name in NAMES))
    known = dict(zip(NAMES, made, strict=True))
    cookies = {name: identities.cookie_for(one) for name, one in known.items()}
    await identities.sign_out(known["revoked"])
    await service.people.update(known["banned"].person.id, is_banned=True)
    identities.forget(known["banned"].person.id)
    others_keys = ServerKeys(bytes(32))
    elsewhere = Identities(service.people, others_keys, is_secure=False, now=service.tables.now)
    cookies["foreign"] = elsewhere.cookie_for(known["owner"])
    cookies["tampered"] = altered(cookies["owner"])
    async with (
        httpx.AsyncClient(base_url=host.url, timeout=20, verify=False) as http,
        host.client(cookies={identities.cookie_name: cookies["spectator"]}) as watching,
    ):
        watcher = Person(host, watching, "spectator")
        await watcher.connect(max_queue=None)  # or what nobody hears would keep it from closing
        try:
            program, _ = await service.tokens.make(known["owner"].person.id, "Robot")
            yield Cast(host, http, known, cookies, watcher, program.id)
        finally:
            await watcher.disconnect()


def altered(cookie: str) -> str:
    """With another sign in what is signed."""
    return cookie[:4] + ("A" if cookie[4] != "A" else "B") + cookie[5:]
