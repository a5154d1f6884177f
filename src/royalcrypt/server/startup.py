"""Builds the service, runs its periodic tasks, and closes it at the end."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial

import structlog

from royalcrypt.bots.registry import COMPILED
from royalcrypt.bots.warming import WarmUp
from royalcrypt.notation.reasons import Refusal
from royalcrypt.server.accounts.identities import Identities
from royalcrypt.server.accounts.keys import load_keys, shared_keys
from royalcrypt.server.accounts.tokens import Tokens
from royalcrypt.server.bots.analysis_process import ANALYSIS, AnalysisProcess
from royalcrypt.server.bots.pool import WHAT_IF_SECONDS, BotRunner
from royalcrypt.server.bots.remote_workers import RemoteWorkers
from royalcrypt.server.bots.what_if import WhatIfPlayer
from royalcrypt.server.cluster.change_poller import ChangePoller
from royalcrypt.server.cluster.listings import ListingUpdates
from royalcrypt.server.cluster.notices import apply_notice
from royalcrypt.server.cluster.peer_bus import PeerBus
from royalcrypt.server.http.rate_limits import RateLimiter
from royalcrypt.server.mail.notifications import MailNotifications
from royalcrypt.server.operations.metrics import Metrics
from royalcrypt.server.service import MAX_HEARTBEAT_GAP, Service
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.sockets.broadcaster import Broadcaster
from royalcrypt.server.sockets.hub import Hub
from royalcrypt.server.tables.daily import Daily
from royalcrypt.server.tables.duplicates import DuplicateService
from royalcrypt.server.tables.registry import TableRegistry, wall_clock
from royalcrypt.server.tables.seals import Seals
from royalcrypt.server.tables.standing_orders import StandingOrders
from royalcrypt.storage import (
    Addresses,
    Chat,
    Dailies,
    Database,
    Duplicates,
    Forgetting,
    Housekeeping,
    Memos,
    Notices,
    OrderBook,
    People,
    PersonalData,
    Programs,
    Ratings,
    Results,
    SqlJournal,
    open_database,
)
from royalcrypt.tables.listings import Pace
from royalcrypt.tables.settings import DAY

SWEEP_SECONDS, FLUSH_SECONDS, HEARTBEAT_SECONDS, TIDY_SECONDS, BACKUP_SECONDS = 1.0, 0.25, 2.0, 15.0, 600.0
RATE_SECONDS, VACUUM_SECONDS = 5.0, 60.0
MAIL_SECONDS = 30.0
POLL_SECONDS = 1.0
BOT_GRACE = 4_000
"""After this many milliseconds another process computes a bot's move, if the first one is gone."""
log = structlog.get_logger()


@contextlib.asynccontextmanager
async def running_service(
    settings: ServerSettings, *, clock: Callable[[], int] = wall_clock
) -> AsyncGenerator[Service]:
    """A service with its database open and its periodic tasks running."""
    settings.data.mkdir(parents=True, exist_ok=True)
    database = await open_database(settings.database, settings.database_file)
    try:
        service = await _build(settings, database, clock)
        tasks = [
            asyncio.create_task(_repeat(task, every))
            for task, every in (
                (service.sweep, SWEEP_SECONDS),
                (service.flush, FLUSH_SECONDS),
                (service.heartbeat, HEARTBEAT_SECONDS),
                (service.tidy, TIDY_SECONDS),
                (service.update_ratings, RATE_SECONDS),
                (service.purge_deleted, VACUUM_SECONDS),
                (service.back_up, BACKUP_SECONDS),
                *([(service.send_reminders, MAIL_SECONDS)] if service.mailing.is_on else []),
                *([(service.poll, POLL_SECONDS)] if service.is_shared else []),
            )
        ]
        try:
            service.warm_up_bots()
            yield service
        finally:
            service.warm_up.close()
            await service.analysis_process.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await service.tables.close()
            await service.change_poller.close()
            await service.peers.close()
            if service.workers is not None:
                await service.workers.close()
            with contextlib.suppress(Refusal):  # a full disk only costs a few seconds of clock credit
                await service.last_heartbeat()
    finally:
        await database.close()


async def _build(settings: ServerSettings, database: Database, clock: Callable[[], int]) -> Service:
    people, journal, housekeeping = People(database), SqlJournal(database), Housekeeping(database)
    dailies, duplicates = Dailies(database), Duplicates(database)
    programs, chat, notices = Programs(database), Chat(database), Notices(database)
    keys = await shared_keys(housekeeping) if database.is_shared else load_keys(settings.data)
    hub, warm_up, metrics = Hub(), WarmUp((*COMPILED, ANALYSIS)), Metrics()
    workers = None if settings.channel is None else RemoteWorkers(settings.channel)
    bot_runner = partial(
        BotRunner, is_ready=warm_up.is_ready, remote=workers, on_choice=metrics.count_bot_move
    )
    broadcaster = Broadcaster(hub, gathers=settings.gather)
    tables = TableRegistry(
        journal,
        broadcaster,
        bot_runner(settings.bot_workers),
        pace=Pace(
            round(settings.bot_pause * 1000),
            settings.longest_idle_days * DAY,
            BOT_GRACE if database.is_shared else 0,
        ),
        clock=clock,
    )
    now = clock()
    await housekeeping.note_outage(now, longest_gap=MAX_HEARTBEAT_GAP if database.is_shared else 0)
    await housekeeping.beat(now)
    listing_updates = ListingUpdates(hub, journal, clock)
    change_poller = ChangePoller(tables, broadcaster, listing_updates, journal, chat, notices)
    peers = PeerBus(settings.channel, keys.derived("hints"), hub, change_poller, listing_updates)
    broadcaster.peers = peers if database.is_shared else None
    tables.outages += [(outage.since, outage.until) for outage in await housekeeping.outages()]
    service = Service(
        settings=settings,
        keys=keys,
        journal=journal,
        people=people,
        programs=programs,
        chat=chat,
        memos=Memos(database),
        housekeeping=housekeeping,
        dailies=dailies,
        duplicates=duplicates,
        results=Results(database),
        ratings=Ratings(database),
        personal=PersonalData(database),
        forgetting=Forgetting(database),
        hub=hub,
        broadcaster=broadcaster,
        tables=tables,
        seals=Seals(duplicates, clock),
        daily=Daily(dailies, tables),
        duplicate_service=DuplicateService(duplicates, tables),
        standing_orders=StandingOrders(tables, OrderBook(database), hub),
        identities=Identities(people, keys, is_secure=settings.is_secure, now=clock),
        tokens=Tokens(programs, keys, now=clock),
        limits=RateLimiter(is_on=settings.rate_limits),
        mailing=MailNotifications(settings, keys, Addresses(database), hub, clock),
        metrics=metrics,
        warm_up=warm_up,
        workers=workers,
        explorer=WhatIfPlayer(bot_runner(1, seconds=WHAT_IF_SECONDS)),
        analysis_process=AnalysisProcess(warm_up),
        notices=notices,
        listing_updates=listing_updates,
        peers=peers,
        change_poller=change_poller,
        started=now,
        alive_at=now,
    )
    await service.load_host_rules()
    if database.is_shared:
        change_poller.on_notice = partial(apply_notice, service)
        await change_poller.start()
        await service.heartbeat()
    return service


async def _repeat(task: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Run a task periodically; errors are logged."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await task()
        except Refusal as refusal:
            log.warning(
                "periodic task refused", task=task.__name__, reason=refusal.reason, words=str(refusal)
            )
        except Exception:
            log.exception("periodic task failed", task=task.__name__)
