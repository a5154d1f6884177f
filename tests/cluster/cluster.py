"""Real server processes that share a real PostgreSQL and a real Redis behind a real nginx."""

import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from tests.server.faults.program import Program
from tests.server.harness import Host
from tests.services.nginx import Nginx
from tests.services.postgres import Postgres
from tests.services.redis import Redis

MOST_STARTS = 20
CONNECTIONS = re.compile(r"^royalcrypt_connections (\d+)", re.MULTILINE)


class Member(Program):
    """One of several servers; started again until it runs, as by whoever looks after services."""

    false_starts = 0
    has_started = False

    @property
    def pid(self) -> int:
        return self.running.process.pid

    @property
    def host(self) -> Host:
        """Itself, past the proxy."""
        return Host(self.url)

    @property
    def is_running(self) -> bool:
        return self.running.process.poll() is None

    def start(self) -> None:
        for _ in range(MOST_STARTS):
            try:
                super().start()
            except AssertionError:  # it ended: what it needs was not there
                self.false_starts += 1
                time.sleep(0.2)
            else:
                self.has_started = True
                return
        raise RuntimeError(f"{self.url} does not start")

    def close(self) -> None:
        if self.has_started:
            super().close()

    def pause(self) -> None:
        self.running.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.running.process.send_signal(signal.SIGCONT)

    def sockets(self) -> int:
        """How many are open to it."""
        found = CONNECTIONS.search(self.running.get("/metrics")[1])
        assert found
        return int(found[1])


class Worker(Member):
    """Lets bots think for the servers."""

    def __init__(self, data: Path, channel: str) -> None:
        super().__init__(data)
        self.options = ("bot-worker", "--channel", channel, "--bot-workers", "1", "--log-level", "error")


class Cluster:
    def __init__(
        self, folder: Path, members: int, *, workers: int = 0, is_durable: bool = False, gathers: bool = False
    ) -> None:
        """``is_durable`` unless nobody takes the database's power away. ``gathers`` those at one table."""
        self.folder = folder
        self.postgres = Postgres(is_durable=is_durable)
        self.redis = Redis()
        self.members: list[Member] = []
        self.workers: list[Worker] = []
        self._sizes = members, workers
        self._gathers = gathers
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self.postgres)
            stack.enter_context(self.redis)
            self.database = self.postgres.new_database()
            members, workers = self._sizes
            self.members = [self._member(number) for number in range(members)]
            self.workers = [
                Worker(self.folder / f"worker-{number}", self.redis.url) for number in range(workers)
            ]
            for member in (*self.members, *self.workers):
                stack.callback(member.close)
            with ThreadPoolExecutor() as pool:  # all at once: a new database is set up by one of them
                list(pool.map(Member.start, (*self.members, *self.workers)))
            self.proxy = stack.enter_context(Nginx(self.ports, gathers=self._gathers))
            self._stack = stack.pop_all()
        return self

    def _member(self, number: int) -> Member:
        return Member(
            self.folder / f"server-{number}",
            *("--database", self.database, "--channel", self.redis.url),
            *("--trusted-proxies", "127.0.0.1"),
            *(["--gather"] if self._gathers else []),
        )

    @property
    def ports(self) -> list[int]:
        return [member.port for member in self.members]

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def host(self) -> Host:
        """All of them, as people find them."""
        return Host(self.proxy.url)

    @property
    def complaints(self) -> str:
        return "".join(one.complaints + one.running.complaints() for one in (*self.members, *self.workers))

    def end(self) -> list[int]:
        """All processes, as a service manager does it; tells their exit codes."""
        return [one.end() for one in (*self.members, *self.workers)]
