"""Heartbeats of processes: outages, which clocks do not count, and the leader among several processes."""

from collections.abc import Sequence

from royalcrypt.live.registry import TableRegistry
from royalcrypt.server.cluster.peer_bus import PeerBus
from royalcrypt.storage.server_state import ServerState
from royalcrypt.tables.clocks import Outage

LEASE_MILLISECONDS = 8_000
"""Time in ms for which a process stays leader without a heartbeat."""
MAX_GAP = 4_000
"""Gap between heartbeats, in ms, above which the time counts as an outage."""


class Heartbeats:
    def __init__(self, state: ServerState, tables: TableRegistry, peers: PeerBus) -> None:
        self._state = state
        self._tables = tables
        self._peers = peers
        self._is_shared = tables.journal.is_shared
        self.started = self._beaten = tables.now()
        """Time of the start and of the last heartbeat, in ms since 1970."""
        self._leads_until = 0
        """Time in ms until which this process is leader, which runs the tasks meant for one process."""

    @property
    def is_leader(self) -> bool:
        return not self._is_shared or self._tables.now() < self._leads_until

    @property
    def is_late(self) -> bool:
        """Whether the process stood still since its last heartbeat."""
        return self._tables.now() - self._beaten > MAX_GAP

    async def begin(self) -> None:
        """Store the outage since the last run, and load all outages."""
        await self._state.store_outage(self.started, longest_gap=MAX_GAP if self._is_shared else 0)
        await self._state.beat(self.started)
        self._tables.outages += await self._state.outages()

    async def beat(self) -> None:
        """Store a heartbeat; a gap since the last one is stored as an outage and credited to clocks."""
        now = self._tables.now()
        if self.is_late:
            await self._state.store_outage(now, longest_gap=MAX_GAP)
            await self._credit(await self._state.outages())
        if self._is_shared:
            await self._beat_with_others(now)
        else:
            await self._state.beat(now)
        self._beaten = now

    async def _beat_with_others(self, now: int) -> None:
        self._peers.heartbeat()
        until = now + LEASE_MILLISECONDS
        leads, outages = await self._state.beat_with_others(self._peers.process, now, until=until)
        self._leads_until = until if leads else 0
        await self._credit(outages)

    async def end(self) -> None:
        if self._is_shared and self.is_leader:
            await self._state.resign(self._peers.process)
        await self._state.beat(self._tables.now())

    async def _credit(self, outages: Sequence[Outage]) -> None:
        """Credit outages found by any process to the clocks of loaded tables."""
        if outages != self._tables.outages:
            self._tables.outages[:] = outages
            await self._tables.rewrite(lambda table: table.clock is not None, nothing)


async def nothing() -> None:
    """Do nothing; for reloading tables without a change."""
