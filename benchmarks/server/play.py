"""Tables as those who sit there know them: four sockets, and one command at a time."""

import asyncio
import itertools
import random
from collections.abc import Callable, Iterator

import msgspec

from benchmarks.server.moves import Memory, act
from benchmarks.server.rest import Rest
from benchmarks.server.seats import Seat

UPDATE, SHOWN, REFUSED = b'{"type":"update"', b'{"type":"shown"', b'{"type":"refused"'
CHANGES, VIEW, ACTOR = b'"changes":', b'"view":', b'"actor":'
NUMBERS = itertools.count(1)


class Timed(msgspec.Struct):
    """A command: when it was due, and how long after that it was acknowledged and seen by all."""

    due: float
    acknowledged: float = 0.0
    seen: float = 0.0


class Table:
    """One command after the other; ``on_seen`` is told when everybody has heard of one."""

    def __init__(self, on_seen: Callable[["Table", Timed], None]) -> None:
        self.on_seen = on_seen
        self.seats: list[Seat] = []
        self.sent = self.received = self.messages = 0
        """Bytes of commands, bytes of what they brought, and in how many messages."""
        self._clock = asyncio.get_running_loop().time
        self._command: Timed | None = None
        self._sender: Seat | None = None
        self._missing = 0

    def command(self) -> tuple[Seat, bytes]:
        """Who sends what next."""
        raise NotImplementedError

    def send(self, due: float) -> None:
        self._sender, message = self.command()
        self._command = Timed(due)
        self._missing = len(self.seats)
        self._sender.send(message)
        self.sent += len(message)

    def hear(self, seat: Seat, message: bytes) -> None:
        if self._command is None:
            return
        self.received += len(message)
        self.messages += 1
        if seat is self._sender:
            self._command.acknowledged = self._clock() - self._command.due
        self._missing -= 1
        if not self._missing:
            done, self._command = self._command, None
            done.seen = self._clock() - done.due
            self.on_seen(self, done)


class BareTable(Table):
    """At the program that only keeps a row and sends four messages."""

    def __init__(
        self, host: str, on_seen: Callable[[Table, Timed], None], number: int, *, seats: int, size: int
    ) -> None:
        super().__init__(on_seen)
        self.seats = [Seat(f"/socket?{number}", host, "", self.hear) for _ in range(seats)]
        self._message = b"x" * size
        self._turns = itertools.cycle(self.seats)

    def command(self) -> tuple[Seat, bytes]:
        return next(self._turns), self._message


class LiveTable(Table):
    """At our server, in a game; when it ends, the same people play again. Each has the next process."""

    def __init__(
        self,
        hosts: Iterator[str],
        on_seen: Callable[[Table, Timed], None],
        table: str,
        cookies: list[str],
        rest: Rest,
        protocol: int,
    ) -> None:
        super().__init__(on_seen)
        self.table = table
        self.seats = [Seat(socket_path(protocol), next(hosts), cookie, self.hear) for cookie in cookies]
        self._memories = {seat: Memory() for seat in self.seats}
        self._gets_views = protocol == 1
        self.actor: int | None = None
        self._rest = rest
        self._chance = random.Random(table)
        self._shown, self._unshown = asyncio.Event(), 0

    @property
    def is_over(self) -> bool:
        return self.actor is None

    def command(self) -> tuple[Seat, bytes]:
        assert self.actor is not None
        seat = self.seats[self.actor]
        return seat, act(self.table, self._memories[seat], next(NUMBERS), self._chance)

    def hear(self, seat: Seat, message: bytes) -> None:
        if message.startswith(UPDATE):
            self._memories[seat].add(message, is_complete=self._gets_views)
            if seat is self._sender:
                self._read_actor(message, VIEW if self._gets_views else CHANGES)
            super().hear(seat, message)
        elif message.startswith(SHOWN):
            self._memories[seat].add(message, is_complete=True)
            self._read_actor(message, VIEW)
            self._unshown -= 1
            if not self._unshown:
                self._shown.set()
        elif message.startswith(REFUSED):
            raise RuntimeError(message.decode())

    def _read_actor(self, message: bytes, part: bytes) -> None:
        """Whose decision it is, found without decoding; in changes only if it is somebody else's now."""
        at = message.find(ACTOR, message.find(part))
        if at >= 0:
            sign = message[at + len(ACTOR) :][:1]
            self.actor = int(sign) if sign.isdigit() else None

    async def watch(self) -> None:
        self._shown.clear()
        self._unshown = len(self.seats)
        for seat in self.seats:
            seat.send(watch(self.table))
        await self._shown.wait()

    async def play_again(self) -> None:
        before = self.table
        for seat in self.seats:
            answer = await self._rest.post(f"/api/tables/{before}/rematch", seat.cookie, {"entropy": "5eed"})
            self.table = answer["info"]["table"]
        await self._rest.post(f"/api/tables/{self.table}/start", self.seats[0].cookie, {})
        for seat in self.seats:
            seat.send(msgspec.json.encode({"type": "unwatch", "table": before}))
        await self.watch()


def watch(table: str) -> bytes:
    """As somebody who knows all that has happened."""
    return msgspec.json.encode({"type": "watch", "table": table, "since": 10_000})


def socket_path(protocol: int) -> str:
    return f"/socket?protocol={protocol}"
