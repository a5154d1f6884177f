"""``python -m tests.server.faults.with_leaks`` is ``royalcrypt`` that notes how many tasks it runs.

Its caches are smaller, so that they are full early, and its first daily backup is early, too. With LEAK in
the environment it leaks on purpose: memory, files, threads, tasks or time.
"""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from royalcrypt.cli import main
from royalcrypt.live.registry import TableRegistry
from royalcrypt.server import startup
from royalcrypt.server.accounts import identities
from royalcrypt.server.service import Service
from royalcrypt.storage.sqlite import connection

KEPT: list[Any] = []
LOST_BYTES = 32 << 10
"""Memory that is lost with each change of a table."""
LOST_SECONDS = 0.001
"""Time that is lost at once after a second; it grows with the square of the seconds."""
BEGAN = time.monotonic()


def keep_task() -> None:
    KEPT.append(asyncio.get_running_loop().create_task(asyncio.sleep(86400)))


def keep_thread() -> None:
    """With every twentieth change."""
    KEPT.append(None)
    if len(KEPT) % 20 == 0:
        threading.Thread(target=threading.Event().wait, daemon=True).start()


def lose_time() -> None:
    """With every twentieth change, more and more."""
    KEPT.append(None)
    if len(KEPT) % 20 == 0:
        time.sleep(LOST_SECONDS * (time.monotonic() - BEGAN) ** 2)


LEAKS: dict[str, Callable[[], Any]] = {
    "memory": lambda: KEPT.append(os.urandom(LOST_BYTES)),
    "files": lambda: KEPT.append(os.open(os.devnull, os.O_RDONLY)),
    "threads": keep_thread,
    "tasks": keep_task,
    "time": lose_time,
}


def noting_tasks(file: Path) -> None:
    beat = Service.heartbeat

    async def beat_and_note(self: Service) -> None:
        await beat(self)
        part = file.with_suffix(".part")
        part.write_text(str(len(asyncio.all_tasks())))
        part.replace(file)

    beat_and_note.__name__ = beat.__name__
    Service.heartbeat = beat_and_note


def leaking(leak: Callable[[], Any]) -> None:
    change = TableRegistry.change

    async def change_and_leak(self: TableRegistry, *arguments: Any, **more: Any) -> Any:
        leak()
        return await change(self, *arguments, **more)

    TableRegistry.change = change_and_leak


def filling_caches() -> None:
    connection.CACHE_KIB = 1 << 10
    identities.MAX_CACHED = 100
    startup.BACKUP_SECONDS = 20.0


if __name__ == "__main__":
    filling_caches()
    noting_tasks(Path(os.environ["TASKS"]))
    if leak := os.environ.get("LEAK"):
        leaking(LEAKS[leak])
    sys.exit(main())
