"""Everything a running server consists of, and its chores."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from royalcrypt.bots.registry import COMPILED, can_compile, known_names, other_names
from royalcrypt.bots.warming import WarmUp
from royalcrypt.server.analyst import ANALYSIS, Analyst
from royalcrypt.server.backups import back_up_daily
from royalcrypt.server.cluster.herald import Herald
from royalcrypt.server.cluster.lists import Lists
from royalcrypt.server.cluster.lookout import Lookout
from royalcrypt.server.daily import Daily
from royalcrypt.server.duplicates import DuplicateDesk
from royalcrypt.server.exploring import Explorer
from royalcrypt.server.garbage import Garbage
from royalcrypt.server.house import House
from royalcrypt.server.hub import Hub
from royalcrypt.server.identities import Identities
from royalcrypt.server.keys import ServerKeys
from royalcrypt.server.limits import Limits
from royalcrypt.server.mailing import Mailing
from royalcrypt.server.metrics import Metrics
from royalcrypt.server.orders import StandingOrders
from royalcrypt.server.remote import Workers
from royalcrypt.server.seals import Seals
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.teller import Teller
from royalcrypt.server.tokens import Tokens
from royalcrypt.server.wire.messages import Notice, encode_message
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.people import People, Programs
from royalcrypt.storage.personal_data import PersonalData
from royalcrypt.storage.ratings import Ratings
from royalcrypt.storage.results import Results
from royalcrypt.storage.seals import Dailies, Duplicates
from royalcrypt.storage.server_state import NoticeKind, Notices, ServerState
from royalcrypt.storage.table_data import Chat, Memos
from royalcrypt.tables.clocks import Outage

HEARD_SECONDS = 1.5
"""After which every process has taken note of a notice, even if no hint reached it."""
LEADS = 8_000
"""Milliseconds for which a process that was asked for does what only one should do."""
NOTICES_LAST = 3_600_000
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
    housekeeping: ServerState
    dailies: Dailies
    duplicates: Duplicates
    results: Results
    ratings: Ratings
    personal: PersonalData
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
    notices: Notices
    lists: Lists
    herald: Herald
    lookout: Lookout
    started: int
    alive_at: int
    """The last heartbeat."""
    house_rules: HouseRules = field(default_factory=HouseRules)
    garbage: Garbage = field(default_factory=Garbage)
    leads_until: int = 0
    """Until when this process does what only one should; where there is but one, it always does."""
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

    @property
    def is_shared(self) -> bool:
        """Whether there may be other processes."""
        return self.journal.is_shared

    @property
    def is_leading(self) -> bool:
        return not self.is_shared or self.house.now() < self.leads_until

    def tell_notice(self) -> None:
        self.hub.push_all(self.hub.connections, encode_message(Notice(text=self.house_rules.notice)))

    async def proclaim(self, kind: NoticeKind, *subjects: str) -> None:
        """Let every process take note of something, and return once it has."""
        if not self.is_shared:
            return
        for subject in subjects:
            await self.notices.add(kind, subject, self.house.now())
        self.herald.noticed()
        if kind in (NoticeKind.LEAVING, NoticeKind.REWRITTEN):
            await asyncio.sleep(HEARD_SECONDS)

    async def everybody_connected(self) -> set[str]:
        return {*self.hub.of_person, *await self.herald.everybody_elsewhere()}

    async def people_elsewhere(self, table: str) -> set[str] | None:
        """Who has a table open in other processes; None if these cannot be asked."""
        if self.is_shared and not self.herald.hears:
            return None
        return await self.herald.people_elsewhere(table)

    async def beat(self) -> None:
        """Say that the server is alive; time in which it slept, or could keep nothing, is credited."""
        now = self.house.now()
        if now - self.alive_at > LONGEST_GAP:
            await self.housekeeping.note_outage(now, longest_gap=LONGEST_GAP)
            await self.learn_outages(await self.housekeeping.outages())
        if self.is_shared:
            await self.beat_with_others(now)
        else:
            await self.housekeeping.beat(now)
        self.alive_at = now

    async def beat_with_others(self, now: int) -> None:
        self.herald.beat()
        leads, outages = await self.housekeeping.beat_with_others(self.herald.process, now, until=now + LEADS)
        self.leads_until = now + LEADS if leads else 0
        await self.learn_outages(outages)

    async def beat_for_the_last_time(self) -> None:
        if self.is_shared and self.is_leading:
            await self.housekeeping.resign(self.herald.process)
        await self.housekeeping.beat(self.house.now())

    async def learn_outages(self, outages: Sequence[Outage]) -> None:
        """Whichever process noted them: clocks must stand still for all."""
        if outages != self.house.outages:
            self.house.outages[:] = outages
            await self.house.rewrite(lambda table: table.clock is not None, nothing)

    async def sweep(self) -> None:
        if self.house.now() - self.alive_at > LONGEST_GAP:
            await self.beat()
        if self.is_leading:
            await self.orders.sweep()
        await self.house.sweep()

    async def flush(self) -> None:
        self.teller.flush(self.house.in_use)
        await self.lists.flush()

    async def look(self) -> None:
        await self.lookout.look()

    async def tidy(self) -> None:
        self.house.forget_idle()
        self.garbage.collect(is_quiet=self.house.changes < QUIET)
        self.house.changes = 0
        await self.daily.prepare()
        if self.is_leading:
            await self.people.purge_codes(self.house.now())
            await self.orders.purge()
            await self.notices.purge(self.house.now() - NOTICES_LAST)

    async def rate(self) -> None:
        """Count the games that have ended since, in order."""
        while self.is_leading and await self.ratings.rate(self.house.now()):
            pass

    async def cleanse(self) -> None:
        """Leave no byte of those who deleted themselves; now and then, as the whole file is written anew."""
        if self.is_leading and await self.personal.vacuum():
            log.info("database written anew after a deletion")

    async def write_letters(self) -> None:
        if self.is_leading:
            await self.mailing.write_letters(await self.herald.everybody_elsewhere())

    async def back_up(self) -> None:
        """Once a day, aside from the tables; nothing that was deleted comes along."""
        if self.is_shared:  # PostgreSQL has ways of its own.
            return
        await self.cleanse()
        made = await asyncio.to_thread(back_up_daily, self.settings)
        if made is not None:
            log.info("backup made", file=made.name)


async def nothing() -> None:
    """For tables that are only to be read again."""


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
