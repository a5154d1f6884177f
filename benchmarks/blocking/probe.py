"""The server as a program of its own, with a probe: ``python -m benchmarks.blocking.probe``.

The probe measures every millisecond how late the event loop is. So it sees the longest callback, and also a
thread that does not let the event loop continue.
"""

import asyncio
import gc
import json
import os
import subprocess
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep, thread_time
from typing import Any

from litestar import Litestar
from sqlalchemy import Connection

from benchmarks.blocking.state import UNLIMITED
from royalcrypt.bots.warming import WarmUp
from royalcrypt.server.app import make_app
from royalcrypt.server.bots.analysis_process import AnalysisProcess
from royalcrypt.server.http.listener import listen, port_of
from royalcrypt.server.operations.shutdown import Shutdown
from royalcrypt.server.run import run
from royalcrypt.server.settings import ServerSettings

TICK = 0.001
BUSY = 0.2
"""Seconds of processor time for which the command ``busy`` blocks the event loop, to check the probe."""
SHOWN_BLOCK = "ROYALCRYPT_BENCHMARK_TRACES"
"""Environment variable: milliseconds above which the stack of a blocked event loop is printed."""


class WaitForProcessor:
    """How long this thread could have run but waited for a processor, which is the machine's fault."""

    def __init__(self) -> None:
        path = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        self._file = path.open("rb", buffering=0) if path.exists() else None

    def seconds(self) -> float:
        if self._file is None:
            return 0.0
        return int(os.pread(self._file.fileno(), 64, 0).split()[1]) / 1e9


class LoopProbe:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting = WaitForProcessor()
        self.longest = 0.0
        self.last = perf_counter()
        self._waited = self._waiting.seconds()
        self._tick()

    def _tick(self) -> None:
        now, waited = perf_counter(), self._waiting.seconds()
        self.longest = max(self.longest, now - self.last - TICK - (waited - self._waited))
        self.last, self._waited = now, waited
        self._loop.call_later(TICK, self._tick)

    def take(self) -> float:
        """Return the longest block since the last call, in seconds."""
        found, self.longest = self.longest, 0.0
        return found

    def print_stacks(self, seconds: float, thread: int) -> None:
        """Print where the event loop is while it is blocked; runs in a thread."""
        shown = 0.0
        while True:
            sleep(0.002)
            if perf_counter() - self.last > seconds and shown != self.last:
                shown = self.last
                print(f"blocked for {perf_counter() - self.last:.3f} s:", file=sys.stderr)
                for number, top in sys._current_frames().items():
                    if number != threading.get_ident():
                        stack = traceback.extract_stack(top)[-4 if number == thread else -2 :]
                        where = " < ".join(f"{one.filename[-30:]}:{one.lineno}" for one in reversed(stack))
                        print("  loop" if number == thread else "      ", where, file=sys.stderr)


class Remote:
    """Obeys the benchmark, which writes one JSON object per line; answers with one."""

    def __init__(self, app: Litestar, port: int) -> None:
        self._app = app
        self._port = port
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        loop = asyncio.get_running_loop()
        self.probe = LoopProbe(loop)
        if traces := os.environ.get(SHOWN_BLOCK):
            arguments = (float(traces) / 1000, threading.get_ident())
            threading.Thread(target=self.probe.print_stacks, args=arguments, daemon=True).start()
        os.set_blocking(sys.stdin.fileno(), False)
        self._rest = b""
        loop.add_reader(sys.stdin.fileno(), self._read)
        service = self._app.state.service
        service.operations.analyses.analyser = AnalysisProcess(
            WarmUp(()), service.limits
        )  # ready from the start
        keys = {"admin": service.keys.admin_token(), "cookie": service.identities.cookie_name}
        say(port=self._port, pid=os.getpid(), **keys)

    def _read(self) -> None:
        found = os.read(sys.stdin.fileno(), 65536)
        if not found:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            return
        *lines, self._rest = (self._rest + found).split(b"\n")
        for line in lines:
            task = asyncio.create_task(self._obey(**json.loads(line)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _obey(self, do: str, **details: Any) -> None:
        if do == "take":
            await asyncio.sleep(2 * TICK)  # The tick after the last callback tells how long that took.
            say(longest=self.probe.take())
            return
        began = perf_counter()
        await self._work(do)(**details)
        say(took=perf_counter() - began)

    def _work(self, do: str) -> Callable[..., Awaitable[object]]:
        service = self._app.state.service

        async def collect() -> None:
            gc.collect()

        async def unload() -> None:
            service.tables.loaded.clear()

        async def notice() -> None:
            await service.host_rules.set_notice(str(perf_counter()).ljust(500, "x"))

        async def empty_lobby() -> None:
            await service.journal.database.run(hide_listed)

        async def busy() -> None:
            until = thread_time() + BUSY
            while thread_time() < until:
                pass

        found: dict[str, Callable[..., Awaitable[object]]] = {
            "collect": collect,
            "unload": unload,
            "notice": notice,
            "empty_lobby": empty_lobby,
            "busy": busy,
        }
        return found.get(do) or getattr(service, do)


ANSWERS = sys.stdout
"""Where the benchmark reads; the server's own output goes elsewhere."""


def hide_listed(sql: Connection) -> None:
    sql.exec_driver_sql("UPDATE tables SET is_listed = 0 WHERE id LIKE 'listed%'")


def say(**answer: Any) -> None:
    ANSWERS.write(json.dumps(answer) + "\n")
    ANSWERS.flush()


class ServerProcess:
    """The server from the benchmark's side."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        ready = self._read()
        self.port, self.pid, self.admin, self.cookie = (
            ready[name] for name in ("port", "pid", "admin", "cookie")
        )
        self.url = f"http://127.0.0.1:{self.port}"

    def _read(self) -> Any:
        assert self._process.stdout is not None
        answer = self._process.stdout.readline()
        if not answer:
            raise ChildProcessError("the server has ended")
        return json.loads(answer)

    def tell(self, do: str, **details: Any) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do, **details}) + "\n")
        self._process.stdin.flush()
        return self._read()

    def take(self) -> float:
        """Return the longest block since the last call, in ms."""
        return self.tell("take")["longest"] * 1000


@contextmanager
def server_process(data: Path) -> Generator[ServerProcess]:
    command = [sys.executable, "-m", "benchmarks.blocking.probe", str(data)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield ServerProcess(process)
    finally:
        process.terminate()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()


def main() -> None:
    settings = ServerSettings(
        data=Path(sys.argv[1]),
        port=0,
        max_connections=20_000,
        max_connections_per_address=20_000,
        **UNLIMITED,
    )
    sys.stdout = sys.stderr
    app = make_app(settings)
    listener = listen("127.0.0.1", 0, is_chosen=True)
    with Shutdown().handling_signals() as shutdown:
        run(
            app,
            settings,
            listener,
            connections=app.state.connections,
            shutdown=shutdown,
            on_open=Remote(app, port_of(listener)).open,
        )


if __name__ == "__main__":
    main()
