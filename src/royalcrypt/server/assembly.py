"""A service put together, with its chores under way, and taken apart at the end."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial

import structlog

from royalcrypt.bots.registry import COMPILED
from royalcrypt.bots.warming import WarmUp
from royalcrypt.notation.reasons import Refusal
from royalcrypt.server.analyst import ANALYSIS, Analyst
from royalcrypt.server.cluster.following import Follower
from royalcrypt.server.cluster.herald import Herald
from royalcrypt.server.cluster.lists import Lists
from royalcrypt.server.cluster.lookout import Lookout
from royalcrypt.server.cluster.noticing import take_note
from royalcrypt.server.daily import Daily
from royalcrypt.server.duplicates import DuplicateDesk
from royalcrypt.server.exploring import Explorer
from royalcrypt.server.house import House, wall_clock
from royalcrypt.server.hub import Hub
from royalcrypt.server.identities import Identities
from royalcrypt.server.keys import load_keys, shared_keys
from royalcrypt.server.limits import Limits
from royalcrypt.server.mailing import Mailing
from royalcrypt.server.metrics import Metrics
from royalcrypt.server.orders import StandingOrders
from royalcrypt.server.remote import Workers
from royalcrypt.server.seals import Seals
from royalcrypt.server.service import LONGEST_GAP, Service
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.teller import Teller
from royalcrypt.server.thinking import BRIEF_THOUGHT, Thinker
from royalcrypt.server.tokens import Tokens
from royalcrypt.storage.addresses import Addresses
from royalcrypt.storage.database import Database, open_database
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.people import People, Programs
from royalcrypt.storage.personal_data import PersonalData
from royalcrypt.storage.ratings import Ratings
from royalcrypt.storage.results import Results
from royalcrypt.storage.seals import Dailies, Duplicates
from royalcrypt.storage.server_state import Notices, ServerState
from royalcrypt.storage.table_data import Chat, Memos, OrderStore
from royalcrypt.tables.listings import Pace
from royalcrypt.tables.settings import DAY

SWEEP_SECONDS, FLUSH_SECONDS, BEAT_SECONDS, TIDY_SECONDS, BACKUP_SECONDS = 1.0, 0.25, 2.0, 15.0, 600.0
RATE_SECONDS, CLEANSE_SECONDS = 5.0, 60.0
MAIL_SECONDS = 30.0
LOOK_SECONDS = 1.0
BOT_GRACE = 4_000
"""Milliseconds after which another process moves for a bot, if whoever began to has gone."""
log = structlog.get_logger()


@contextlib.asynccontextmanager
async def running(
    settings: ServerSettings, *, clock: Callable[[], int] = wall_clock
) -> AsyncGenerator[Service]:
    """A service with its database open and its chores under way."""
    settings.data.mkdir(parents=True, exist_ok=True)
    database = await open_database(settings.database, settings.database_file)
    try:
        service = await _put_together(settings, database, clock)
        chores = [
            asyncio.create_task(_repeat(chore, every))
            for chore, every in (
                (service.sweep, SWEEP_SECONDS),
                (service.flush, FLUSH_SECONDS),
                (service.beat, BEAT_SECONDS),
                (service.tidy, TIDY_SECONDS),
                (service.rate, RATE_SECONDS),
                (service.cleanse, CLEANSE_SECONDS),
                (service.back_up, BACKUP_SECONDS),
                *([(service.write_letters, MAIL_SECONDS)] if service.mailing.is_on else []),
                *([(service.look, LOOK_SECONDS)] if service.is_shared else []),
            )
        ]
        try:
            service.wake_bots()
            yield service
        finally:
            service.warm_up.close()
            await service.analyst.close()
            for chore in chores:
                chore.cancel()
            await asyncio.gather(*chores, return_exceptions=True)
            await service.house.close()
            await service.lookout.close()
            await service.herald.close()
            if service.workers is not None:
                await service.workers.close()
            with contextlib.suppress(Refusal):  # a disk that is full now only costs seconds of credit
                await service.beat_for_the_last_time()
    finally:
        await database.close()


async def _put_together(settings: ServerSettings, database: Database, clock: Callable[[], int]) -> Service:
    people, journal, housekeeping = People(database), SqlJournal(database), ServerState(database)
    dailies, duplicates = Dailies(database), Duplicates(database)
    programs, chat, notices = Programs(database), Chat(database), Notices(database)
    keys = await shared_keys(housekeeping) if database.is_shared else load_keys(settings.data)
    hub, warm_up, metrics = Hub(), WarmUp((*COMPILED, ANALYSIS)), Metrics()
    workers = None if settings.channel is None else Workers(settings.channel)
    thinker = partial(Thinker, is_ready=warm_up.is_ready, elsewhere=workers, note=metrics.note_thought)
    teller = Teller(hub, gathers=settings.gather)
    house = House(
        journal,
        teller,
        thinker(settings.bot_workers),
        pace=Pace(
            round(settings.bot_pause * 1000),
            settings.longest_idle_days * DAY,
            BOT_GRACE if database.is_shared else 0,
        ),
        clock=clock,
    )
    now = clock()
    await housekeeping.note_outage(now, longest_gap=LONGEST_GAP if database.is_shared else 0)
    await housekeeping.beat(now)
    follower, lists = Follower(house, journal), Lists(hub, journal, clock)
    herald = Herald(settings.channel, keys.derived("hints"), hub, follower, lists)
    lookout = Lookout(house, teller, herald, follower, lists, chat, notices)
    herald.talk, teller.messenger = lookout, herald if database.is_shared else None
    house.outages += await housekeeping.outages()
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
        hub=hub,
        teller=teller,
        house=house,
        seals=Seals(duplicates, clock),
        daily=Daily(dailies, house),
        duplicate_desk=DuplicateDesk(duplicates, house),
        orders=StandingOrders(house, OrderStore(database), hub),
        identities=Identities(people, keys, is_secure=settings.is_secure, now=clock),
        tokens=Tokens(programs, keys, now=clock),
        limits=Limits(is_on=settings.rate_limits),
        mailing=Mailing(settings, keys, Addresses(database), hub, clock),
        metrics=metrics,
        warm_up=warm_up,
        workers=workers,
        explorer=Explorer(thinker(1, seconds=BRIEF_THOUGHT)),
        analyst=Analyst(warm_up),
        notices=notices,
        lists=lists,
        herald=herald,
        lookout=lookout,
        started=now,
        alive_at=now,
    )
    await service.load_house_rules()
    if database.is_shared:
        lookout.take_note = partial(take_note, service)
        await lookout.begin()
        await service.beat()
    return service


async def _repeat(chore: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Do it again and again; what fails once is said, and tried again."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await chore()
        except Refusal as refusal:
            log.warning("chore refused", chore=chore.__name__, reason=refusal.reason, words=str(refusal))
        except Exception:
            log.exception("chore failed", chore=chore.__name__)
