"""A server on which scripts are played in one world after another, while everything sent is recorded."""

import asyncio
import io
import re
import shutil
import zipfile
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.server import limiter, service, startup
from royalcrypt.server.settings import ServerSettings
from royalcrypt.tables.table import Table
from tests.server.captured import captured_logs
from tests.server.harness import PATIENCE, Host, choose_with, serving, usual
from tests.server.wire.scenes import KEEPER, PROGRAM
from tests.server.wire.taps import Answer, Json, Letters, Tap
from tests.server.wire.worlds import TABLE, World, planted

NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Nel")
NOBODY = "nobody"
"""Somebody without an account."""
DAWN = 1_700_000_000_000
WISHES = {"watch": "watch", "unwatch": "watch", "follow": "follow"}
"""Messages that stand until another of their sort comes."""
LOG = "the log"
HOST = "the host"

Recording = dict[str, list[bytes]]
"""By channel, all that was sent there, in order."""


def bot_at(seat: int) -> str:
    """The channel on which a bot, or somebody's substitute, is told what to choose from."""
    return f"the bot at {seat}"


class Member(NamedTuple):
    id: str
    cookie: str = ""
    token: str = ""
    """Of a program."""


class Clock:
    """The server's time, which passes when the script says so."""

    def __init__(self) -> None:
        self.now = DAWN

    def __call__(self) -> int:
        return self.now

    def seconds(self) -> float:
        return self.now / 1000


class Prompter:
    """Stands in for the bots' thinking: each gets the move of the script, once it is there."""

    def __init__(self) -> None:
        self._move: Move | None = None
        self._decisions = -1
        self._prompted = asyncio.Condition()
        self.shown: list[tuple[int, bytes]] = []
        """By move, the bot's seat and all that it was given to choose from."""

    async def prompt(self, move: Move, decisions: int) -> None:
        """The move for the position after so many decisions."""
        async with self._prompted:
            self._move, self._decisions = move, decisions
            self._prompted.notify_all()

    async def choose(self, level: str, view: View) -> Move:
        """Who thinks about a position of the past gets the move as well, and will find out."""
        async with self._prompted:
            await self._prompted.wait_for(lambda: self._decisions >= view.decisions)
        assert self._move is not None
        assert view.seat is not None
        if self._decisions == view.decisions:
            self.shown.append((view.seat, view.pack() + view.to_json()))
        return self._move


class Stage:
    """One world on the server. Nothing happens in it by itself, and no time passes."""

    def __init__(
        self,
        host: Host,
        members: dict[str, Member],
        world: World,
        settings: ServerSettings,
        protocol: int,
    ) -> None:
        self.members = members
        self.world = world
        self.protocol = protocol
        """Of all sockets."""
        self.clock = Clock()
        self.prompter = Prompter()
        self.service: service.Service
        self.taps: dict[str, Tap] = {}
        self.reasons: set[str] = set()
        """Codes of all refusals that were provoked."""
        self._host = host
        self._settings = settings
        self._life = AsyncExitStack()
        self._letters: Letters
        self._log: list[Any] = []
        self._names: dict[str, str] = {}
        self._wishes: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        self._recorded: defaultdict[str, list[bytes]] = defaultdict(list)

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator["Stage"]:
        with planted(self.world), stopped(self.clock), captured_logs() as self._log:
            await self.start()
            try:
                async with Letters.opened(self._host.url) as self._letters:
                    yield self
            finally:
                await self.stop()

    async def start(self) -> None:
        life = startup.running_service(self._settings, clock=self.clock)
        self.service = self._host.app.state.service = await self._life.enter_async_context(life)
        choose_with(self.service, self.prompter)

    async def stop(self) -> None:
        """The data folder stays."""
        await self._life.aclose()

    @property
    def table(self) -> Table:
        """As it stands, for those behind the scenes."""
        return self.service.tables.loaded[TABLE].table

    async def connect(self, channel: str, name: str) -> None:
        self._names[channel] = name
        url = f"{self._host.socket_url}?protocol={self.protocol}"
        self.taps[channel] = await Tap.connect(url, self._credentials(name), origin=self._host.url)

    async def disconnect(self, channel: str, *, is_sent_away: bool = False) -> None:
        """Return when the server has noticed."""
        tap = self.taps.pop(channel)
        connections = len(self.taps)
        self._recorded[channel] += await (tap.sent_away() if is_sent_away else tap.hang_up())
        await self.until(lambda: len(self.service.hub.connections) <= connections)

    @asynccontextmanager
    async def intermission(self) -> AsyncGenerator[None]:
        """Everybody hangs up, and is back afterwards as they were."""
        there = list(self.taps)
        for channel in there:
            await self.disconnect(channel)
        yield
        for channel in there:
            await self.connect(channel, self._names[channel])
            for message in self._wishes[channel].values():
                await self.tell(channel, **message)

    async def tell(self, channel: str, **message: Any) -> Json:
        answer = self._heard(await self.taps[channel].tell(**message))
        if message["type"] in WISHES and answer["type"] != "refused":
            self._wishes[channel][WISHES[message["type"]]] = message
        return answer

    async def mumble(self, channel: str, text: str | bytes) -> Json:
        return self._heard(await self.taps[channel].mumble(text))

    def _heard(self, answer: Json) -> Json:
        if answer["type"] == "refused":
            self.reasons.add(answer["reason"]["code"])
        return answer

    async def ask(self, name: str, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Ask by REST, as a person or as the host; recorded as a channel of its own."""
        answer = await self._letters.ask(method, path, headers | self._credentials(name), body)
        if answer.is_of(b"application/zip"):
            answer = unpacked(answer)
        elif answer.is_of(b"text/plain; version="):
            answer = untimed(answer)
        self._recorded[f"{name} by REST"].append(f"{method} {path}\n".encode() + b"\n".join(answer))
        told: Any = msgspec.json.decode(answer.body) if answer.is_of(b"application/json") else {}
        if isinstance(told, dict) and "code" in told:
            self.reasons.add(str(told["code"]))  # pyright: ignore[reportUnknownArgumentType]
        return answer

    def _credentials(self, name: str) -> dict[str, str]:
        if name == NOBODY:
            return {}
        if name == HOST:
            return {"Authorization": f"Bearer {self.service.keys.admin_token()}"}
        member = self.members[name]
        if member.token:
            return {"Authorization": f"Bearer {member.token}"}
        return {"Cookie": f"{self.service.identities.cookie_name}={member.cookie}"}

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Let the server, which runs on the same loop, go on until it has done something."""
        async with asyncio.timeout(PATIENCE):
            while not is_so():  # noqa: ASYNC110 (nothing tells when)
                await asyncio.sleep(0)

    async def finish(self) -> Recording:
        for channel in list(self.taps):
            await self.disconnect(channel)
        for seat, shown in self.prompter.shown:
            self._recorded[bot_at(seat)].append(shown)
        self._recorded[LOG] = [msgspec.json.encode(line, enc_hook=repr) for line in self._log]
        return dict(self._recorded)


def unpacked(answer: Answer) -> Answer:
    """An archive's files and their packed sizes; when it was written is of no interest."""
    with zipfile.ZipFile(io.BytesIO(answer.body)) as files:
        described = [
            f"{file.filename} {file.compress_size} {file.comment!r}\n".encode() + files.read(file)
            for file in files.infolist()
        ]
    return Answer(answer.head, b"".join(described))


def untimed(answer: Answer) -> Answer:
    """Metrics without those that measure how fast this machine is."""
    lines = [line for line in answer.body.splitlines() if b"_seconds" not in line and b"_created" not in line]
    return Answer(re.sub(rb"(?i)content-length: \d+", b"", answer.head), b"\n".join(lines))


class Theatre:
    """One server for many worlds, each on a fresh data folder with the same people."""

    def __init__(self, host: Host, folder: Path, members: dict[str, Member]) -> None:
        self._host = host
        self._folder = folder
        self._members = members
        self._worlds = 0

    @asynccontextmanager
    async def world(self, world: World, protocol: int, **settings: Any) -> AsyncGenerator[Stage]:
        self._worlds += 1
        data = self._folder / f"world-{self._worlds}"
        shutil.copytree(self._folder / "template", data)
        chosen = ServerSettings(**usual(data) | settings)
        async with Stage(self._host, self._members, world, chosen, protocol).opened() as stage:
            yield stage
        shutil.rmtree(data)


@contextmanager
def stopped(clock: Clock) -> Generator[None]:
    """Chores wait for the script, and limits of pace go by the script's time."""

    async def never(chore: Any, seconds: float) -> None:
        pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(startup, "_repeat", never)
        patch.setattr(limiter, "monotonic", clock.seconds)
        yield


@asynccontextmanager
async def theatre(folder: Path) -> AsyncGenerator[Theatre]:
    """A folder in which everybody is known already is copied for each world."""
    members: dict[str, Member] = {}
    async with startup.running_service(
        ServerSettings(**usual(folder / "template")), clock=Clock()
    ) as running:
        for name in NAMES:
            known = await running.identities.create(name)
            members[name] = Member(known.person.id, running.identities.cookie_for(known))
        program, token = await running.tokens.make(members[KEEPER].id, PROGRAM)
        members[PROGRAM] = Member(program.id, token=token)
    async with serving(folder / "unused") as host:
        yield Theatre(host, folder, members)
