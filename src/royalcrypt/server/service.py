"""Everything a running server consists of, put together once and taken apart at the end."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from secrets import token_hex

import structlog

from royalcrypt.bots.registry import COMPILED, can_compile, known_names, other_names
from royalcrypt.bots.warming import WarmUp
from royalcrypt.notation.reasons import Refusal
from royalcrypt.server.analyst import ANALYSIS, Analyst
from royalcrypt.server.backups import back_up_daily
from royalcrypt.server.daily import Daily
from royalcrypt.server.duplicates import DuplicateDesk
from royalcrypt.server.exploring import Explorer
from royalcrypt.server.garbage import Garbage
from royalcrypt.server.house import House, wall_clock
from royalcrypt.server.hub import Hub
from royalcrypt.server.identities import Identities
from royalcrypt.server.keys import ServerKeys, load_keys
from royalcrypt.server.limits import Limits
from royalcrypt.server.mailing import Mailing
from royalcrypt.server.metrics import Metrics
from royalcrypt.server.orders import StandingOrders
from royalcrypt.server.remote import Workers
from royalcrypt.server.seals import Seals
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.teller import Teller
from royalcrypt.server.thinking import BRIEF_THOUGHT, Thinker
from royalcrypt.server.tokens import Tokens
from royalcrypt.storage import (
    Addresses,
    Chat,
    Dailies,
    Duplicates,
    Forgetting,
    Housekeeping,
    Memos,
    OrderBook,
    People,
    PersonalData,
    Programs,
    Ratings,
    Results,
    SqliteDatabase,
    SqlJournal,
)
from royalcrypt.tables.listings import Pace
from royalcrypt.tables.settings import DAY

SWEEP_SECONDS, FLUSH_SECONDS, BEAT_SECONDS, TIDY_SECONDS, BACKUP_SECONDS = 1.0, 0.25, 2.0, 15.0, 600.0
RATE_SECONDS, CLEANSE_SECONDS = 5.0, 60.0
MAIL_SECONDS = 30.0
QUIET = 150
"""Changes of tables from one tidying to the next, up to which hardly anybody notices a short stop."""
MOST_FILMING = 2
"""Replays worked out at a time: tables are played meanwhile."""
LONGEST_GAP = 4_000
"""Milliseconds without a heartbeat after which a running server is taken to have been asleep."""
log = structlog.get_logger()


@dataclass
class HouseRules:
    """What the host has decided for everybody."""

    is_invite_only: bool = False
    notice: str = ""


@dataclass
class Service:
    settings: ServerSettings
    keys: ServerKeys
    journal: SqlJournal
    people: People
    programs: Programs
    chat: Chat
    memos: Memos
    housekeeping: Housekeeping
    dailies: Dailies
    duplicates: Duplicates
    results: Results
    ratings: Ratings
    personal: PersonalData
    forgetting: Forgetting
    hub: Hub
    teller: Teller
    house: House
    seals: Seals
    daily: Daily
    duplicate_desk: DuplicateDesk
    orders: StandingOrders
    identities: Identities
    tokens: Tokens
    limits: Limits
    mailing: Mailing
    metrics: Metrics
    warm_up: WarmUp
    workers: Workers | None
    explorer: Explorer
    analyst: Analyst
    started: int
    alive_at: int
    """The last heartbeat."""
    house_rules: HouseRules = field(default_factory=HouseRules)
    garbage: Garbage = field(default_factory=Garbage)
    filming: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_FILMING))

    def invitation(self) -> str:
        """What opens an invite-only server to somebody new."""
        return self.keys.derived("invitation").hex()[:32]

    def bots(self) -> list[str]:
        """Those that are offered, the weakest first: not those that will not be ready."""
        return [name for name in known_names() if self.warm_up.is_hopeful(name) or self.has_worker(name)]

    def has_worker(self, bot: str) -> bool:
        return self.workers is not None and self.workers.have(bot)

    def wake_bots(self) -> None:
        """Have made what some bots need; until it is there, simpler ones answer for them."""
        if self.settings.compiled_bots and can_compile():
            self.warm_up.begin(
                (*COMPILED, ANALYSIS, *other_names()), on_ready=note_ready, on_failure=note_failure
            )

    async def load_house_rules(self) -> None:
        self.house_rules = HouseRules(
            is_invite_only=bool(await self.housekeeping.get("is_invite_only", default=False)),
            notice=str(await self.housekeeping.get("notice", default="")),
        )

    async def beat(self) -> None:
        """Say that the server is alive; time in which it slept, or could keep nothing, is credited."""
        now = self.house.now()
        if now - self.alive_at > LONGEST_GAP:
            outage = await self.housekeeping.note_outage(now, longest_gap=LONGEST_GAP)
            self.house.outages += [(outage.since, outage.until)] if outage else []
        await self.housekeeping.beat(now)
        self.alive_at = now

    async def sweep(self) -> None:
        if self.house.now() - self.alive_at > LONGEST_GAP:
            await self.beat()
        await self.orders.sweep()
        await self.house.sweep()

    async def flush(self) -> None:
        self.teller.flush(self.house.in_use)

    async def tidy(self) -> None:
        self.house.forget_idle()
        self.garbage.collect(is_quiet=self.house.changes < QUIET)
        self.house.changes = 0
        await self.people.purge_codes(self.house.now())
        await self.daily.prepare()
        await self.orders.purge()

    async def rate(self) -> None:
        """Count the games that have ended since, in order."""
        while await self.ratings.rate(self.house.now()):
            pass

    async def cleanse(self) -> None:
        """Leave no byte of those who deleted themselves; now and then, as the whole file is written anew."""
        if await self.forgetting.cleanse():
            log.info("database written anew after a deletion")

    async def write_letters(self) -> None:
        await self.mailing.write_letters()

    async def back_up(self) -> None:
        """Once a day, aside from the tables; nothing that was deleted comes along."""
        await self.cleanse()
        made = await asyncio.to_thread(back_up_daily, self.settings)
        if made is not None:
            log.info("backup made", file=made.name)


def note_ready(name: str) -> None:
    if name == ANALYSIS:
        log.info("analysis ready")
    else:
        log.info("bot ready", bot=name)


def note_failure(names: list[str], why: str) -> None:
    bots = [name for name in names if name != ANALYSIS]
    if bots:
        log.warning("bots not ready, simpler ones play for them", bots=", ".join(bots), why=why)
    else:
        log.warning("analysis not ready", why=why)


@contextlib.asynccontextmanager
async def running(
    settings: ServerSettings, *, clock: Callable[[], int] = wall_clock
) -> AsyncGenerator[Service]:
    """A service with its database open and its chores under way."""
    settings.data.mkdir(parents=True, exist_ok=True)
    database = await SqliteDatabase.open(settings.database_file)
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
            )
        ]
        try:
            service.wake_bots()
            yield service
        finally:
            service.warm_up.close()
            await service.analyst.close()
            if service.workers is not None:
                await service.workers.close()
            for chore in chores:
                chore.cancel()
            await asyncio.gather(*chores, return_exceptions=True)
            await service.house.close()
            with contextlib.suppress(Refusal):  # a disk that is full now only costs seconds of credit
                await service.beat()
    finally:
        await database.close()


async def _put_together(
    settings: ServerSettings, database: SqliteDatabase, clock: Callable[[], int]
) -> Service:
    keys = load_keys(settings.data)
    people, journal, housekeeping = People(database), SqlJournal(database), Housekeeping(database)
    dailies, duplicates = Dailies(database), Duplicates(database)
    programs = Programs(database)
    hub, warm_up, metrics = Hub(), WarmUp((*COMPILED, ANALYSIS)), Metrics()
    workers = None if settings.channel is None else Workers(settings.channel, token_hex(8))
    thinker = partial(Thinker, is_ready=warm_up.is_ready, elsewhere=workers, note=metrics.note_thought)
    teller = Teller(hub)
    house = House(
        journal,
        teller,
        thinker(settings.bot_workers),
        pace=Pace(round(settings.bot_pause * 1000), settings.longest_idle_days * DAY),
        clock=clock,
    )
    now = clock()
    await housekeeping.note_outage(now, longest_gap=0)
    await housekeeping.beat(now)
    house.outages += [(outage.since, outage.until) for outage in await housekeeping.outages()]
    service = Service(
        settings=settings,
        keys=keys,
        journal=journal,
        people=people,
        programs=programs,
        chat=Chat(database),
        memos=Memos(database),
        housekeeping=housekeeping,
        dailies=dailies,
        duplicates=duplicates,
        results=Results(database),
        ratings=Ratings(database),
        personal=PersonalData(database),
        forgetting=Forgetting(database),
        hub=hub,
        teller=teller,
        house=house,
        seals=Seals(duplicates, clock),
        daily=Daily(dailies, house),
        duplicate_desk=DuplicateDesk(duplicates, house),
        orders=StandingOrders(house, OrderBook(database), hub),
        identities=Identities(people, keys, is_secure=settings.is_secure, now=clock),
        tokens=Tokens(programs, keys, now=clock),
        limits=Limits(is_on=settings.rate_limits),
        mailing=Mailing(settings, keys, Addresses(database), hub, clock),
        metrics=metrics,
        warm_up=warm_up,
        workers=workers,
        explorer=Explorer(thinker(1, seconds=BRIEF_THOUGHT)),
        analyst=Analyst(warm_up),
        started=now,
        alive_at=now,
    )
    await service.load_house_rules()
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
