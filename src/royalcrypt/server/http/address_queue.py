"""A queue of complete requests, so that one address does not keep the event loop from everybody else."""

from collections import Counter, OrderedDict
from collections.abc import Callable

from royalcrypt.server.limits import REQUESTS_AT_ONCE

Begin = Callable[[], object]


class AddressQueue:
    """Starts requests in their order, and few of each address at a time."""

    def __init__(self, on_limit: Callable[[str], object]) -> None:
        self._on_limit = on_limit
        self._running: Counter[str] = Counter()
        self._queued: dict[str, OrderedDict[object, Begin]] = {}

    def start(self, source: str, owner: object, begin: Begin) -> None:
        """Call ``begin`` now or later, unless the owner cancels it; ``end`` must follow."""
        if self._running[source] < REQUESTS_AT_ONCE.most:
            self._running[source] += 1
            begin()
        else:
            self._on_limit(REQUESTS_AT_ONCE.name)
            self._queued.setdefault(source, OrderedDict())[owner] = begin

    def cancel(self, source: str, owner: object) -> None:
        """Forget a request that was not started, if there is one."""
        queued = self._queued.get(source)
        if queued is not None and queued.pop(owner, None) is not None and not queued:
            del self._queued[source]

    def end(self, source: str) -> None:
        """Start the next request in place of one that has ended."""
        queued = self._queued.get(source)
        if queued:
            _, begin = queued.popitem(last=False)
            if not queued:
                del self._queued[source]
            begin()
        elif self._running[source] > 1:
            self._running[source] -= 1
        else:
            del self._running[source]
