"""A channel inside one process: for a server that is alone, and for several in one test."""

import asyncio

from royalcrypt.server.cluster.channel.protocol import Listener


class MemoryBus:
    """What its channels share; each of them stands for a process."""

    def __init__(self) -> None:
        self.subscribers: dict[str, set[MemoryChannel]] = {}


class MemoryChannel:
    def __init__(self, bus: MemoryBus, listener: Listener) -> None:
        self._bus = bus
        self._listener = listener
        self._topics: set[str] = set()
        self._loop = asyncio.get_running_loop()
        self._is_closed = False

    @property
    def is_up(self) -> bool:
        return not self._is_closed

    def publish(self, topic: str, hint: bytes) -> None:
        if not self._is_closed:
            for channel in self._bus.subscribers.get(topic, ()):
                if channel is not self:
                    self._loop.call_soon(channel.deliver, topic, hint)

    def deliver(self, topic: str, hint: bytes) -> None:
        if topic in self._topics:
            self._listener.hear(topic, hint)

    def subscribe(self, topic: str) -> None:
        if topic not in self._topics and not self._is_closed:
            self._topics.add(topic)
            self._bus.subscribers.setdefault(topic, set()).add(self)
            self._loop.call_soon(self._begin, topic)

    def _begin(self, topic: str) -> None:
        if topic in self._topics:
            self._listener.now_hearing(topic)

    def unsubscribe(self, topic: str) -> None:
        if topic in self._topics:
            self._topics.remove(topic)
            subscribers = self._bus.subscribers[topic]
            subscribers.remove(self)
            if not subscribers:
                del self._bus.subscribers[topic]

    async def close(self) -> None:
        self._is_closed = True
        for topic in list(self._topics):
            self.unsubscribe(topic)
