"""Broadcasts: one message to many connections, in slices."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection

from royalcrypt.live.background import TaskSet

SLICE = 256
"""Connections that get a message before other work continues; some 4 ms."""
Push = Callable[[bytes], None]
log = logging.getLogger(__name__)


class Broadcasts:
    """Sends messages in the order in which they were given; a long one delays the following ones."""

    def __init__(self) -> None:
        self._pending: deque[tuple[Collection[Push], bytes]] = deque()
        self._tasks = TaskSet()

    def send(self, pushes: Collection[Push], message: bytes) -> None:
        """Send at once to a few connections, to many ones in the background."""
        if not self._pending and len(pushes) <= SLICE:
            for push in pushes:
                _send(push, message)
            return
        self._pending.append((pushes, message))
        if len(self._pending) == 1:
            self._tasks.start(self._send_all())

    async def _send_all(self) -> None:
        while self._pending:
            pushes, message = self._pending[0]
            for number, push in enumerate(pushes, 1):
                _send(push, message)
                if number % SLICE == 0:
                    await asyncio.sleep(0)
            self._pending.popleft()
            await asyncio.sleep(0)


def _send(push: Push, message: bytes) -> None:
    try:
        push(message)
    except Exception:  # Others still get theirs.
        log.exception("broadcast failed")
