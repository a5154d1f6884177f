"""What processes of one server tell each other: hints that something has happened. None is relied upon."""

from typing import Protocol


class Listener(Protocol):
    """Whoever hears. Called on the event loop, and must not block."""

    def hear(self, topic: str, hint: bytes) -> None: ...

    def now_hearing(self, topic: str) -> None:
        """From now on hints on this topic arrive (again): what happened before may have been missed."""
        ...


class Channel(Protocol):
    """Hints between processes. One may be lost, come late, come twice or come back to its sender; the journal
    is the truth."""

    @property
    def is_up(self) -> bool:
        """Whether hints go out and come in, as far as is known."""
        ...

    def publish(self, topic: str, hint: bytes) -> None:
        """Never waits and never raises; dropped when the channel is down or too many wait."""
        ...

    def subscribe(self, topic: str) -> None:
        """In the background: ``now_hearing`` tells when it holds. Once more does no harm."""
        ...

    def unsubscribe(self, topic: str) -> None:
        """From now on nothing of this topic is heard."""
        ...

    async def close(self) -> None:
        """Nothing is heard or published from now on."""
        ...
