"""The service: all components of a server process, and its periodic tasks."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog

from royalcrypt.bots.registry import COMPILED, can_compile, known_names, other_names
from royalcrypt.bots.warming import WarmUp
from royalcrypt.server.accounts.identities import Identities
from royalcrypt.server.accounts.keys import ServerKeys
from royalcrypt.server.accounts.tokens import Tokens
from royalcrypt.server.bots.analysis_process import ANALYSIS, AnalysisProcess
from royalcrypt.server.bots.pool import DEFAULT_SECONDS, WHAT_IF_SECONDS, BotRunner
from royalcrypt.server.bots.remote_workers import RemoteWorkers
from royalcrypt.server.bots.what_if import WhatIfPlayer
from royalcrypt.server.cluster.change_poller import ChangePoller
from royalcrypt.server.cluster.listings import ListingUpdates
from royalcrypt.server.cluster.peer_bus import PeerBus
from royalcrypt.server.http.rate_limits import RateLimiter
from royalcrypt.server.mail.notifications import MailNotifications
from royalcrypt.server.operations.backups import back_up_daily
from royalcrypt.server.operations.garbage import GarbageCollection
from royalcrypt.server.operations.metrics import Metrics
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.sockets.broadcaster import Broadcaster
from royalcrypt.server.sockets.hub import Hub
from royalcrypt.server.tables.daily import Daily
from royalcrypt.server.tables.duplicates import DuplicateService
from royalcrypt.server.tables.registry import TableRegistry
from royalcrypt.server.tables.seals import Seals
from royalcrypt.server.tables.standing_orders import StandingOrders
from royalcrypt.server.wire.messages import Notice, encode_message
from royalcrypt.storage.addresses import Addresses
from royalcrypt.storage.database import Database
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.people import People, Programs
from royalcrypt.storage.personal_data import PersonalData
from royalcrypt.storage.ratings import Ratings
from royalcrypt.storage.results import Results
from royalcrypt.storage.seals import Dailies, Duplicates
from royalcrypt.storage.server_state import NoticeKind, Notices, ServerState
from royalcrypt.storage.table_data import Chat, Memos, OrderStore
from royalcrypt.tables.clocks import Outage
from royalcrypt.tables.listings import Pace
from royalcrypt.tables.settings import DAY

NOTICE_SECONDS = 1.5
"""Seconds within which every process reads a notice by polling, even without a hint."""
LEASE_MILLISECONDS = 8_000
"""Time in ms for which a process stays leader without a heartbeat."""
NOTICE_MILLISECONDS = 3_600_000
QUIET_CHANGES = 150
"""Table changes between two clean-ups below which the server counts as quiet (a pause goes unnoticed)."""
MAX_REPLAYS = 2
"""Maximum number of replays computed at the same time."""
MAX_HEARTBEAT_GAP = 4_000
"""Gap between heartbeats, in ms, above which the time counts as an outage."""
BOT_GRACE = 4_000
"""Time in ms after which another process computes a bot's move if the first process is gone."""
log = structlog.get_logger()


@dataclass
class HostRules:
    """Settings that the host can change while the server runs."""

    is_invite_only: bool = False
    notice: str = ""


class Service:
    """The components of one server process; call ``prepare`` before serving."""

    def __init__(
        self, settings: ServerSettings, database: Database, keys: ServerKeys, now: Callable[[], int]
    ) -> None:
        self.settings = settings
        self.keys = keys
        self.journal = SqlJournal(database)
        self.people = People(database)
        self.programs = Programs(database)
        self.chat = Chat(database)
        self.memos = Memos(database)
        self.housekeeping = ServerState(database)
        self.dailies = Dailies(database)
        self.duplicates = Duplicates(database)
        self.results = Results(database)
        self.ratings = Ratings(database)
        self.personal = PersonalData(database)
        self.notices = Notices(database)
        self.hub = Hub()
        self.metrics = Metrics()
        self.garbage = GarbageCollection()
        self.limits = RateLimiter(is_on=settings.rate_limits)
        self.warm_up = WarmUp((*COMPILED, ANALYSIS))
        self.workers = None if settings.channel is None else RemoteWorkers(settings.channel)
        self.analysis_process = AnalysisProcess(self.warm_up)
        self.broadcaster = Broadcaster(self.hub, gathers=settings.gather)
        self.tables = TableRegistry(
            self.journal,
            self.broadcaster,
            self._bot_runner(settings.bot_workers),
            pace=Pace(
                round(settings.bot_pause * 1000),
                settings.longest_idle_days * DAY,
                BOT_GRACE if database.is_shared else 0,
            ),
            clock=now,
        )
        self.explorer = WhatIfPlayer(self._bot_runner(1, seconds=WHAT_IF_SECONDS))
        self.seals = Seals(self.duplicates, now)
        self.daily = Daily(self.dailies, self.tables)
        self.duplicate_service = DuplicateService(self.duplicates, self.tables)
        self.standing_orders = StandingOrders(self.tables, OrderStore(database), self.hub)
        self.identities = Identities(self.people, keys, is_secure=settings.is_secure, now=now)
        self.tokens = Tokens(self.programs, keys, now=now)
        self.mailing = MailNotifications(settings, keys, Addresses(database), self.hub, now)
        self.listing_updates = ListingUpdates(self.hub, self.journal, now)
        self.change_poller = ChangePoller(
            self.tables, self.broadcaster, self.listing_updates, self.journal, self.chat, self.notices
        )
        self.peers = PeerBus(
            settings.channel, keys.derived("hints"), self.hub, self.change_poller, self.listing_updates
        )
        self.broadcaster.peers = self.peers if self.is_shared else None
        self.host_rules = HostRules()
        self.started = self.alive_at = now()
        """Time of the start and of the last heartbeat, in ms since 1970."""
        self.leader_until = 0
        """Time in ms until which this process is leader, which runs the tasks meant for one process."""
        self.replay_slots = asyncio.Semaphore(MAX_REPLAYS)

    def _bot_runner(self, processes: int, seconds: float = DEFAULT_SECONDS) -> BotRunner:
        return BotRunner(
            processes,
            seconds=seconds,
            is_ready=self.warm_up.is_ready,
            remote=self.workers,
            on_choice=self.metrics.count_bot_move,
        )

    async def prepare(self) -> None:
        """Store the outage since the last run, and load the stored server state."""
        await self.housekeeping.store_outage(
            self.started, longest_gap=MAX_HEARTBEAT_GAP if self.is_shared else 0
        )
        await self.housekeeping.beat(self.started)
        self.tables.outages += await self.housekeeping.outages()
        await self.load_host_rules()
        if self.is_shared:
            await self.change_poller.start()
            await self.heartbeat()

    def invitation(self) -> str:
        """The key in the invitation link of an invite-only server."""
        return self.keys.derived("invitation").hex()[:32]

    def bots(self) -> list[str]:
        """Names of available bots, the weakest first."""
        return [name for name in known_names() if self.warm_up.may_be_ready(name) or self.has_worker(name)]

    def has_worker(self, bot: str) -> bool:
        return self.workers is not None and self.workers.has(bot)

    def warm_up_bots(self) -> None:
        """Start compiling strong bots in the background; simpler bots play until they are ready."""
        if self.settings.compiled_bots and can_compile():
            self.warm_up.begin(
                (*COMPILED, ANALYSIS, *other_names()), on_ready=log_ready, on_failure=log_failure
            )

    async def load_host_rules(self) -> None:
        self.host_rules = HostRules(
            is_invite_only=bool(await self.housekeeping.get("is_invite_only", default=False)),
            notice=str(await self.housekeeping.get("notice", default="")),
        )

    @property
    def is_shared(self) -> bool:
        """Whether several processes may use the same database."""
        return self.journal.is_shared

    @property
    def is_leader(self) -> bool:
        return not self.is_shared or self.tables.now() < self.leader_until

    def broadcast_notice(self) -> None:
        self.hub.push_all(self.hub.connections, encode_message(Notice(text=self.host_rules.notice)))

    async def publish_notice(self, kind: NoticeKind, *subjects: str) -> None:
        """Publish a notice to all processes; for urgent kinds, wait until every process has read it."""
        if not self.is_shared:
            return
        for subject in subjects:
            await self.notices.add(kind, subject, self.tables.now())
        self.peers.publish_notice()
        if kind in (NoticeKind.LEAVING, NoticeKind.REWRITTEN):
            await asyncio.sleep(NOTICE_SECONDS)

    async def connected_people(self) -> set[str]:
        return {*self.hub.of_person, *await self.peers.all_remote_people()}

    async def remote_people(self, table: str) -> set[str] | None:
        """Return the people with a table open in other processes; None if these cannot be reached."""
        if self.is_shared and not self.peers.is_connected:
            return None
        return await self.peers.remote_people(table)

    async def heartbeat(self) -> None:
        """Store a heartbeat; a gap since the last one is stored as an outage and credited to clocks."""
        now = self.tables.now()
        if now - self.alive_at > MAX_HEARTBEAT_GAP:
            await self.housekeeping.store_outage(now, longest_gap=MAX_HEARTBEAT_GAP)
            await self.apply_outages(await self.housekeeping.outages())
        if self.is_shared:
            await self.shared_heartbeat(now)
        else:
            await self.housekeeping.beat(now)
        self.alive_at = now

    async def shared_heartbeat(self, now: int) -> None:
        self.peers.heartbeat()
        leads, outages = await self.housekeeping.beat_with_others(
            self.peers.process, now, until=now + LEASE_MILLISECONDS
        )
        self.leader_until = now + LEASE_MILLISECONDS if leads else 0
        await self.apply_outages(outages)

    async def last_heartbeat(self) -> None:
        if self.is_shared and self.is_leader:
            await self.housekeeping.resign(self.peers.process)
        await self.housekeeping.beat(self.tables.now())

    async def apply_outages(self, outages: Sequence[Outage]) -> None:
        """Credit outages found by any process to the clocks of loaded tables."""
        if outages != self.tables.outages:
            self.tables.outages[:] = outages
            await self.tables.rewrite(lambda table: table.clock is not None, nothing)

    async def sweep(self) -> None:
        if self.tables.now() - self.alive_at > MAX_HEARTBEAT_GAP:
            await self.heartbeat()
        if self.is_leader:
            await self.standing_orders.sweep()
        await self.tables.sweep()

    async def flush(self) -> None:
        self.broadcaster.flush(self.tables.in_use)
        await self.listing_updates.flush()

    async def poll(self) -> None:
        missed = await self.change_poller.poll(has_hints=self.peers.is_connected)
        self.peers.publish_presence(*(table for table in missed if table in self.hub.watchers))

    async def tidy(self) -> None:
        self.tables.forget_idle()
        self.garbage.collect(is_quiet=self.tables.changes < QUIET_CHANGES)
        self.tables.changes = 0
        await self.daily.prepare()
        if self.is_leader:
            await self.people.purge_codes(self.tables.now())
            await self.standing_orders.purge()
            await self.notices.purge(self.tables.now() - NOTICE_MILLISECONDS)

    async def update_ratings(self) -> None:
        """Rate the games that have ended since the last call, in order."""
        while self.is_leader and await self.ratings.rate(self.tables.now()):
            pass

    async def purge_deleted(self) -> None:
        """Rewrite the database file after account deletions, so that no deleted data remains in it."""
        if self.is_leader and await self.personal.vacuum():
            log.info("database rewritten after a deletion")

    async def send_reminders(self) -> None:
        if self.is_leader:
            await self.mailing.send_reminders(await self.peers.all_remote_people())

    async def back_up(self) -> None:
        """Write the daily backup in a thread, after purging deleted data."""
        if self.is_shared:  # PostgreSQL has separate backup tools.
            return
        await self.purge_deleted()
        made = await asyncio.to_thread(back_up_daily, self.settings)
        if made is not None:
            log.info("backup made", file=made.name)


async def nothing() -> None:
    """Do nothing; for reloading tables without a change."""


def log_ready(name: str) -> None:
    if name == ANALYSIS:
        log.info("analysis ready")
    else:
        log.info("bot ready", bot=name)


def log_failure(names: list[str], why: str) -> None:
    bots = [name for name in names if name != ANALYSIS]
    if bots:
        log.warning("bots not ready, simpler ones play for them", bots=", ".join(bots), why=why)
    else:
        log.warning("analysis not ready", why=why)
