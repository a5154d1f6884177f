"""One open connection of a person's device, with what it watches."""

from enum import IntEnum
from typing import Protocol

MAX_HELD = 64
"""Maximum number of list changes that wait for the list itself."""


class Close(IntEnum):
    """WebSocket close codes that the server sends (RFC 6455 and the IANA registry)."""

    POLICY = 1008
    TOO_BIG = 1009
    RESTART = 1012
    TRY_AGAIN = 1013


class Transport(Protocol):
    """Delivers messages to one client, in order. Neither method blocks."""

    def push(self, message: bytes) -> None:
        """Send a message, or queue it; a client that reads too slowly is disconnected."""
        ...

    def close(self, code: Close) -> None:
        """Drop queued messages and close the connection."""
        ...


class Connection:
    __slots__ = (
        "close", "device", "follows_games", "gets_views", "held", "keeper", "name", "person", "push",
        "watching",
    )  # fmt: skip

    def __init__(
        self,
        transport: Transport,
        *,
        person: str,
        name: str,
        device: str = "",
        keeper: str | None = None,
        gets_views: bool = False,
    ) -> None:
        self.push = transport.push
        self.close = transport.close
        self.person = person
        self.name = name
        self.device = device
        self.keeper = keeper
        """Id of the program's owner; None for people."""
        self.gets_views = gets_views
        """Whether each update has the complete view instead of its changes (protocol 1)."""
        self.watching: dict[str, int | None] = {}
        """Maps each watched table to the seat whose view is sent; None means the spectators' view."""
        self.follows_games = False
        self.held: list[bytes] | None = None
        """List changes that wait until the list itself has been sent; None if they need not wait."""

    def push_change(self, message: bytes) -> None:
        """Send a change of a list; it waits until the list itself has been sent."""
        if self.held is None:
            self.push(message)
        elif len(self.held) < MAX_HELD:
            self.held.append(message)
        else:
            self.close(Close.TRY_AGAIN)
