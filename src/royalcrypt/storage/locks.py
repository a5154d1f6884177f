"""One at a time for each name, where what is done takes several steps."""

import asyncio
from weakref import WeakValueDictionary


class Locks:
    """Nothing is kept of those that nobody holds or waits for."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, name: str) -> asyncio.Lock:
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        return lock
