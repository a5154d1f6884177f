"""Presence: tells everybody at a table who has it open."""

from royalcrypt.live.hub import Hub
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.wire.messages import Presence, encode_message

MAX_TABLES = 200
"""Tables whose changes one flush sends; some 5 ms."""


class PresenceUpdates:
    """Sends changes of presence in batches."""

    def __init__(self, hub: Hub, tables: TableRegistry, *, gathers: bool = False) -> None:
        self._hub = hub
        self._tables = tables
        self._gathers = gathers
        """Whether the proxy can route all sockets of one table to the same process."""

    def flush(self) -> set[str]:
        """Send the changes since the last flush; returns the tables where people of this process changed.

        After many changes at once, for example when everybody comes back, the rest waits for the next flush.
        """
        hub = self._hub
        changed = taken(hub.presence_changed, MAX_TABLES)
        remote = taken(hub.remote_presence_changed, MAX_TABLES)
        for table_id in changed | remote:
            table = self._tables.in_use(table_id)
            if table is not None:
                message = Presence(
                    table=table_id,
                    present=hub.present(table),
                    spectators=hub.spectators(table),
                    is_apart=self._gathers and bool(hub.remote_presence(table_id)),
                )
                hub.push_all(hub.watchers.get(table_id, ()), encode_message(message))
        return changed


def taken(tables: set[str], most: int) -> set[str]:
    """Remove up to ``most`` tables from a set and return them."""
    return {tables.pop() for _ in range(min(most, len(tables)))}
