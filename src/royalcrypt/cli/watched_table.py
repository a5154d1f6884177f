"""A table that a program watches: its seat's view and game, kept current by the socket's messages."""

from typing import Any

from royalcrypt.play.seat_game import SeatGame
from royalcrypt.play.view_changes import apply_changes
from royalcrypt.play.views import View

Json = dict[str, Any]


class WatchedTable:
    """One table, from the answers to ``watch`` and the updates after them."""

    def __init__(self) -> None:
        self.ply = 0
        self.remembers = True
        self.is_awaited = True
        """Whether the answer to ``watch`` is still to come; updates before it are not needed."""
        self.is_complete = False
        """Whether the last message had all events, so that watching again cannot help."""
        self._view: Json = {}
        """The view of the seat; empty before the game."""
        self._game: SeatGame | None = None

    @property
    def since(self) -> int:
        """The number of events that need not be sent again."""
        return 0 if self._game is None else self._game.count

    def forget(self) -> None:
        """Discard the game, so that the next ``watch`` asks for all events."""
        self._game = None

    def misses(self, message: Json) -> bool:
        """Whether messages were missed before this one."""
        return message["type"] == "update" and message["ply"] != self.ply + 1

    def receive(self, message: Json) -> None:
        """Apply a ``shown`` or ``update``; raises ``Refusal`` if it does not continue the game."""
        is_answer = message["type"] == "shown"
        self.is_awaited = False
        self.is_complete = is_answer and self._game is None
        self.ply = message["ply"]
        if "info" in message:
            self.remembers = message["info"]["settings"].get("remembers", True)
        if is_answer or "view" in message:
            self._view = message.get("view") or {}
        elif "changes" in message:
            self._view = apply_changes(self._view, message["changes"])
        if self.is_playing and self.remembers:
            self._continue(message.get("events", []))

    @property
    def is_playing(self) -> bool:
        """Whether the game has begun and the program has a seat in it."""
        return self._view.get("seat") is not None

    def _continue(self, events: list[Json]) -> None:
        if self._game is None or self._game.seat != self._view["seat"]:
            self._game = SeatGame(events, self._view)
        else:
            count = self._game.count
            self._game.follow([event for event in events if event["n"] >= count], self._view)

    def view_to_decide(self) -> View | None:
        """The seat's view if it is its turn; raises ``Refusal`` if it differs from the server's."""
        if self._game is None or self._view["actor"] != self._game.seat:
            return None
        return self._game.view()
