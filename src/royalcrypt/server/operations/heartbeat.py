"""Heartbeats of processes: outages, which clocks do not count, jumps of the clock, and the leader."""

from collections.abc import Sequence

import structlog

from royalcrypt.live.registry import TableRegistry
from royalcrypt.server.clock import TOLERANCE, ServerClock
from royalcrypt.server.cluster.peer_bus import PeerBus
from royalcrypt.storage.server_state import ALIVE_AT, MACHINE_AT, ServerState
from royalcrypt.tables.clocks import Outage
from royalcrypt.tables.settings import DAY

LEASE_MILLISECONDS = 8_000
"""Time in ms for which a process stays leader without a heartbeat."""
MAX_GAP = 4_000
"""Gap between heartbeats, in ms, above which the time counts as an outage."""
LONG_OUTAGE = 30 * DAY
"""Time in ms without a server above which the start warns that the clock may be wrong."""
log = structlog.get_logger()


class Heartbeats:
    def __init__(self, state: ServerState, tables: TableRegistry, peers: PeerBus, clock: ServerClock) -> None:
        self._state = state
        self._tables = tables
        self._peers = peers
        self._clock = clock
        self._difference = 0
        """How far the machine's clock was ahead of the server's at the last heartbeat, in ms."""
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
        """Set the clock, store the outage since the last run, and load all outages."""
        await self._start_clock()
        self.started = self._beaten = self._tables.now()
        longest = MAX_GAP if self._is_shared else 0
        outage = await self._state.store_outage(self.started, longest_gap=longest)
        if outage is not None and (away := outage[1] - outage[0]) > LONG_OUTAGE:
            log.warning("no server ran for a long time, or the clock is ahead", days=away // DAY)
        await self._state.beat(self.started, self._clock.machine())
        self._tables.outages += await self._state.outages()

    async def _start_clock(self) -> None:
        """Continue from the highest stored time if the machine's clock is behind it.

        The last run may have lived up to MAX_GAP longer, but no longer than the machine's clock says.
        """
        if self._is_shared:
            await self._ask_shared_time()
        stored = await self._state.find(ALIVE_AT, MACHINE_AT)
        lowest, machine = stored.get(ALIVE_AT, 0), self._clock.machine()
        passed = machine - stored.get(MACHINE_AT, machine - MAX_GAP)
        gap = passed if 0 <= passed < MAX_GAP else MAX_GAP
        self._clock.start(lowest if self._is_shared or machine >= lowest else lowest + gap)
        self._report_clock()

    async def beat(self) -> None:
        """Store a heartbeat; a gap since the last one is stored as an outage and credited to clocks."""
        await self._check_clock()
        now = self._tables.now()
        if self.is_late:
            await self._state.store_outage(now, longest_gap=MAX_GAP)
            await self._credit(await self._state.outages())
        if self._is_shared:
            await self._beat_with_others(now)
        else:
            await self._state.beat(now, self._clock.machine())
        self._beaten = now

    async def _beat_with_others(self, now: int) -> None:
        self._peers.heartbeat()
        until = now + LEASE_MILLISECONDS
        found = await self._state.beat_with_others(self._peers.process, now, until=until)
        self._leads_until = until if found.leads else 0
        await self._credit(found.outages)
        self._clock.advance(found.highest)

    async def _check_clock(self) -> None:
        """Log jumps of the machine's clock; a lasting step forward is stored as an outage and followed."""
        if self._is_shared:
            await self._ask_shared_time()
        self._report_clock()
        if self._clock.must_follow():
            reached = self._clock.machine()
            await self._state.store_outage(reached, longest_gap=MAX_GAP)
            await self._credit(await self._state.outages())
            self._clock.advance(reached)

    async def _ask_shared_time(self) -> None:
        asked = self._clock.wall()
        self._clock.correct(await self._state.shared_time(), asked=asked)

    def _report_clock(self) -> None:
        """Log once that the machine's clock has left the server's time, or has returned to it."""
        before, now = self._difference, self._clock.difference()
        self._difference = now
        if abs(now - before) <= TOLERANCE:
            return
        seconds = round(abs(now) / 1000)
        if now > TOLERANCE:
            log.warning("clock was set forward; followed if that lasts ten minutes", seconds=seconds)
        elif now < -TOLERANCE:
            words = "clock is behind the server's time, which goes on without it; see --accept-clock"
            log.warning(words, seconds=seconds)
        else:
            log.info("clock and the server's time agree again")

    async def end(self) -> None:
        if self._is_shared and self.is_leader:
            await self._state.resign(self._peers.process)
        await self._state.beat(self._tables.now(), self._clock.machine())

    async def _credit(self, outages: Sequence[Outage]) -> None:
        """Credit outages found by any process to the clocks of loaded tables."""
        if outages != self._tables.outages:
            self._tables.outages[:] = outages
            await self._tables.rewrite(lambda table: table.clock is not None, nothing)


async def nothing() -> None:
    """Do nothing; for reloading tables without a change."""
