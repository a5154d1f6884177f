"""The service: all components of a server process, and its periodic tasks."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import date

import structlog

from royalcrypt.bots.registry import COMPILED, can_compile, other_names
from royalcrypt.bots.warming import WarmUp
from royalcrypt.live.heavy_work import SharedWork
from royalcrypt.live.live_tables import LiveTables
from royalcrypt.live.operations.operations import Operations, Stores
from royalcrypt.live.standing_orders import StandingOrders
from royalcrypt.server.accounts.identities import Identities
from royalcrypt.server.accounts.keys import ServerKeys, read_epoch, shared_epoch
from royalcrypt.server.accounts.removal import Removal, TableRewriter
from royalcrypt.server.accounts.tokens import Tokens
from royalcrypt.server.bots.analysis_process import ANALYSIS, AnalysisProcess
from royalcrypt.server.bots.pool import DEFAULT_SECONDS, WHAT_IF_SECONDS, BotRunner
from royalcrypt.server.bots.remote_workers import RemoteWorkers
from royalcrypt.server.clock import ServerClock
from royalcrypt.server.cluster.change_poller import ChangePoller
from royalcrypt.server.cluster.listings import ListingUpdates
from royalcrypt.server.cluster.notices import NoticeHandler, NoticePublisher
from royalcrypt.server.cluster.peer_bus import PeerBus
from royalcrypt.server.fair_queue import FairQueue
from royalcrypt.server.http.callers import Callers
from royalcrypt.server.http.table_limits import TableLimits
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import LINE_QUEUE, REPLAY_QUEUE
from royalcrypt.server.mail.notifications import MailNotifications
from royalcrypt.server.operations.backups import back_up_daily
from royalcrypt.server.operations.export import HostExport
from royalcrypt.server.operations.garbage import GarbageCollection
from royalcrypt.server.operations.health_check import HealthCheck
from royalcrypt.server.operations.heartbeat import Heartbeats
from royalcrypt.server.operations.host_rules import HostRules
from royalcrypt.server.operations.metrics import Metrics
from royalcrypt.server.operations.threads import ThreadWork
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.sockets.endpoint import SocketEndpoint
from royalcrypt.storage.addresses import Addresses
from royalcrypt.storage.database import Database
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.people import People, Programs
from royalcrypt.storage.personal_data import PersonalData
from royalcrypt.storage.ratings import Ratings
from royalcrypt.storage.results import Results
from royalcrypt.storage.seals import Dailies, Duplicates
from royalcrypt.storage.server_state import Notices, ServerState
from royalcrypt.storage.table_data import ChatLines, Memos, OrderStore
from royalcrypt.tables.listings import Pace
from royalcrypt.tables.seals import day_at
from royalcrypt.tables.settings import DAY

NOTICE_MILLISECONDS = 3_600_000
QUIET_CHANGES = 150
"""Table changes between two clean-ups below which the server counts as quiet (a pause goes unnoticed)."""
BOT_GRACE = 4_000
"""Time in ms after which another process computes a bot's move if the first process is gone."""
log = structlog.get_logger()


class Service:
    """Builds the components of one server process from the storage up; call ``prepare`` before serving."""

    def __init__(
        self, settings: ServerSettings, database: Database, keys: ServerKeys, now: ServerClock
    ) -> None:
        self.settings = settings
        self.keys = keys
        """The keys; their epoch changes when the admin link is replaced."""
        # Storage.
        self.journal = SqlJournal(database)
        self.is_shared = self.journal.is_shared
        """Whether several processes may use the same database."""
        self.people = People(database)
        self.programs = Programs(database)
        self.state = ServerState(database)
        self.ratings = Ratings(database)
        self.personal = PersonalData(database)
        self.chat_lines, self._notices = ChatLines(database), Notices(database)
        self.dailies = Dailies(database)
        # Live tables.
        self.metrics = Metrics()
        self.garbage = GarbageCollection()
        self.limits = Limiter(self.metrics.count_limit, is_on=settings.rate_limits)
        self.warm_up = WarmUp((*COMPILED, ANALYSIS))
        self.workers = None if settings.channel is None else RemoteWorkers(settings.channel)
        pace = Pace(
            round(settings.bot_pause * 1000),
            settings.longest_idle_days * DAY,
            BOT_GRACE if self.is_shared else 0,
        )
        self.live = live = LiveTables(
            self.journal,
            clock=now,
            pace=pace,
            chooser=self._bot_runner(settings.bot_workers),
            chat=self.chat_lines,
            gathers=settings.gather,
        )
        self.hub, self.tables, self.lists, self.chat = live.hub, live.tables, live.lists, live.chat
        self.bots, self.deadlines = live.bots, live.deadlines
        self.standing_orders = StandingOrders(self.tables, OrderStore(database), self.hub)
        work = ThreadWork()
        self.analysis_process = AnalysisProcess(self.warm_up, self.limits)
        self.operations = Operations(
            Stores(
                self.journal,
                Memos(database),
                self.dailies,
                Duplicates(database),
                Results(database),
                self.ratings,
                self.personal,
            ),
            self.tables,
            self.hub,
            self.standing_orders,
            chooser=self._bot_runner(1, seconds=WHAT_IF_SECONDS),
            analyser=self.analysis_process,
            shared=SharedWork(work, FairQueue(REPLAY_QUEUE, self.limits), FairQueue(LINE_QUEUE, self.limits)),
            is_bot_available=self._is_bot_available,
        )
        self.table_limits = TableLimits(settings, self.journal, self.limits)
        self.host_export = HostExport(
            self.people, self.journal, self.tables, self.operations.seals, self.chat_lines, work
        )
        # Accounts.
        self.identities = Identities(self.people, keys, is_secure=settings.is_secure, now=now)
        self.tokens = Tokens(self.programs, keys, self.limits, now=now)
        self.host_rules = HostRules(self.state, keys, self.hub)
        self.callers = Callers(self.identities, self.tokens, self.limits, self.host_rules)
        self.mailing = MailNotifications(
            settings, keys, Addresses(database), self.hub, now, on_limit=self.metrics.count_limit
        )
        rewriter = TableRewriter(self.tables, self.hub, self.chat, self.lists)
        # Other processes.
        self.listing_updates = ListingUpdates(self.hub, self.lists, self.journal, now)
        handler = NoticeHandler(
            self.identities,
            self.hub,
            self.people,
            self.programs,
            self.host_rules,
            reload=rewriter.reload,
            reload_admin_link=self.reload_admin_link,
        )
        self.change_poller = ChangePoller(
            self.tables,
            self.journal,
            self.listing_updates,
            self.chat,
            self.chat_lines,
            self._notices,
            handler.apply,
            rewriter.show_shortened,
        )
        self.peers = PeerBus(
            settings.channel,
            keys.derived("hints"),
            self.hub,
            self.tables,
            self.chat,
            self.change_poller,
            self.listing_updates,
        )
        self.publisher = NoticePublisher(self._notices, self.peers, now, is_shared=self.is_shared)
        self.removal = Removal(
            self.tables, self.journal, self.hub, self.identities, self.personal, rewriter, self.publisher
        )
        self.health_check = HealthCheck(self.journal)
        self.heartbeats = Heartbeats(self.state, self.tables, self.peers, now)
        self.sockets = SocketEndpoint(
            settings,
            self.hub,
            live.commands,
            self.callers,
            self.limits,
            self.people,
            self.host_rules,
            self.metrics,
            Counter(),
        )
        live.subscribe(self.peers, self.metrics)
        self.hub.subscribe(self.peers)
        self.chat.subscribe(self.peers)

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
        await self.heartbeats.begin()
        await self.host_rules.load()
        if self.is_shared:
            await self.change_poller.start()
            await self.heartbeats.beat()

    def _is_bot_available(self, name: str) -> bool:
        return self.warm_up.may_be_ready(name) or (self.workers is not None and self.workers.has(name))

    def warm_up_bots(self) -> None:
        """Start compiling strong bots in the background; simpler bots play until they are ready."""
        if self.settings.compiled_bots and can_compile():
            self.warm_up.begin(
                (*COMPILED, ANALYSIS, *other_names()), on_ready=log_ready, on_failure=log_failure
            )

    # Periodic tasks.

    async def reload_admin_link(self) -> None:
        """Take over the admin link that a command may have replaced meanwhile."""
        if self.is_shared:
            epoch = await shared_epoch(self.state)
        else:
            epoch = await asyncio.to_thread(read_epoch, self.settings.data)
        if epoch != self.keys.epoch:
            self.keys = replace(self.keys, epoch=epoch)
            log.info("admin link replaced")

    async def heartbeat(self) -> None:
        await self.heartbeats.beat()

    async def sweep(self) -> None:
        if self.heartbeats.is_late:
            await self.heartbeats.beat()
        if self.heartbeats.is_leader:
            await self.standing_orders.sweep()
        await self.deadlines.sweep()

    async def flush(self) -> None:
        self.garbage.collect_new()
        self.lists.flush()
        self.peers.publish_presence(*self.live.presence.flush())
        await self.listing_updates.flush()

    async def poll(self) -> None:
        missed = await self.change_poller.poll(has_hints=self.peers.is_connected)
        self.peers.publish_presence(*(table for table in missed if table in self.hub.watchers))

    async def tidy(self) -> None:
        await self.live.forget_idle()
        self.garbage.collect(is_quiet=self.tables.changes < QUIET_CHANGES)
        self.tables.changes = 0
        await self.operations.daily.prepare()
        if self.heartbeats.is_leader:
            await self.people.purge_codes(self.tables.now())
            await self.standing_orders.purge()
            await self._notices.purge(self.tables.now() - NOTICE_MILLISECONDS)

    async def update_ratings(self) -> None:
        """Rate the games that have ended since the last call, in order."""
        while self.heartbeats.is_leader and await self.ratings.rate(self.tables.now()):
            pass

    async def purge_deleted(self) -> None:
        """Rewrite the database file after account deletions, so that no deleted data remains in it."""
        if self.heartbeats.is_leader and await self.personal.vacuum():
            log.info("database rewritten after a deletion")

    async def send_reminders(self) -> None:
        if self.heartbeats.is_leader:
            await self.mailing.send_reminders(await self.peers.all_remote_people())

    async def back_up(self) -> None:
        """Write the daily backup in a thread, after purging deleted data."""
        if self.is_shared:  # PostgreSQL has separate backup tools.
            return
        await self.purge_deleted()
        today = date.fromisoformat(day_at(self.tables.now()))
        made = await asyncio.to_thread(back_up_daily, self.settings, today)
        if made is not None:
            log.info("backup made", file=made.name)

    async def close(self) -> None:
        await self.health_check.close()
        await self.live.close()
        await self.change_poller.close()
        await self.peers.close()
        if self.workers is not None:
            await self.workers.close()


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
