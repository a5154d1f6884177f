"""Dispatcher of changes: everything that follows from a stored change subscribes here."""

import logging
from typing import Protocol

from royalcrypt.live.changes import Change

log = logging.getLogger(__name__)


class Subscriber(Protocol):
    def on_change(self, change: Change) -> None:
        """Called once for each change, after its entry is durable; must not block."""
        ...


class Dispatcher:
    """Hands each change to all subscribers, in the order in which they subscribed."""

    def __init__(self) -> None:
        self._subscribers: list[Subscriber] = []

    def subscribe(self, *subscribers: Subscriber) -> None:
        self._subscribers += subscribers

    def publish(self, change: Change) -> None:
        """Notify all subscribers; an error of one does not affect the others."""
        for subscriber in self._subscribers:
            try:
                subscriber.on_change(change)
            except Exception:
                details = {"subscriber": type(subscriber).__name__, "table": change.after.id}
                log.exception("subscriber failed", extra=details)
