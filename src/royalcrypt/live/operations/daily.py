"""The daily crypt: one shared secret per day, and one solo attempt per person."""

import hashlib
import secrets
from collections.abc import Sequence

import msgspec

from royalcrypt.live.operations.tables import Check, no_limit, table_answer
from royalcrypt.live.registry import TableRegistry, new_id
from royalcrypt.live.seals import Seals
from royalcrypt.live.stores import DailySetup, DailyStore, StoredTry, TableJournal
from royalcrypt.live.wire.tables import TableAnswer
from royalcrypt.notation import events
from royalcrypt.notation.events import Event
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.chance import SECRET_BYTES
from royalcrypt.play.results import RANKS, title_of
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Sitter
from royalcrypt.tables.journal import Status
from royalcrypt.tables.seals import Seal, begin_of, day_at, end_of, is_day, sealed, sides_of
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table

BEST = 10


class DailyTry(msgspec.Struct):
    """The caller's attempt at a daily crypt."""

    table: str
    status: Status
    counts: bool
    """Whether the attempt ended before the day's secret was published."""
    score: int | None = None
    title: str | None = None
    place: int | None = None
    taken: list[int] = []
    """Number of treasures taken in each round, which can be shared without spoilers."""


class DailyScore(msgspec.Struct):
    score: int
    count: int


class DailyBest(msgspec.Struct):
    place: int
    name: str
    score: int
    is_you: bool


class DailyDay(msgspec.Struct):
    """The daily crypt of one day."""

    day: str
    now: int
    begins: int
    ends: int
    """When its secret is published and the next daily crypt begins, in ms since 1970."""
    collectors: str
    commitment: str
    """SHA-256 of the secret, published in advance."""
    secret: str | None
    begun: int
    """Number of people who have begun."""
    scores: list[DailyScore]
    """Score distribution of all people who finished in time."""
    titles: dict[str, int]
    best: list[DailyBest]
    mine: DailyTry | None


class DailyLine(msgspec.Struct):
    """One day in the list of days, with the caller's result."""

    day: str
    has_tried: bool
    score: int | None
    title: str | None


class DailyDays(msgspec.Struct):
    today: str
    now: int
    ends: int
    days: list[DailyLine]
    """Newest first."""


class Daily:
    def __init__(
        self, dailies: DailyStore, tables: TableRegistry, journal: TableJournal, seals: Seals
    ) -> None:
        self._dailies = dailies
        self._tables = tables
        self._journal = journal
        self._seals = seals
        self._prepared = ""

    @property
    def today(self) -> str:
        return day_at(self._tables.now())

    async def prepare(self) -> None:
        """Create and store today's secret unless it exists."""
        today = self.today
        if self._prepared != today:
            await self._setup(today)
            self._prepared = today

    async def days(self, person: str | None) -> DailyDays:
        """Return today's and earlier daily crypts; ``person`` is None for somebody without an account."""
        today = (await self._setup(self.today)).day
        days = await self._dailies.days()
        mine = await self._dailies.tries_of(person, days) if person else {}
        lines = [line_of(day, mine.get(day)) for day in days if day <= today]
        return DailyDays(today, self._tables.now(), end_of(today), lines)

    async def day(self, person: str | None, day: str) -> DailyDay:
        """Return a daily crypt with its commitment and everyone's scores."""
        setup, ends = await self._setup(day), end_of(day)
        is_sealed = await self._is_sealed(day)
        scores = await self._dailies.scores(day, until=ends)
        best = await self._dailies.best(day, until=ends, limit=BEST)
        titles: dict[str, int] = {title: 0 for _, title in reversed(RANKS)}
        for score, count in scores.items():
            titles[title_of(score)] += count
        tried = (await self._dailies.tries_of(person, [day])).get(day) if person else None
        return DailyDay(
            day=day,
            now=self._tables.now(),
            begins=begin_of(day),
            ends=ends,
            collectors=setup.collectors,
            commitment=hashlib.sha256(setup.secret).hexdigest(),
            secret=None if is_sealed else setup.secret.hex(),
            begun=await self._dailies.begun(day),
            scores=[DailyScore(score, count) for score, count in scores.items()],
            titles=titles,
            best=[
                DailyBest(place_of(one.score, scores), one.name, one.score, is_you=one.person == person)
                for one in best
            ],
            mine=None if tried is None else await self._own_try(tried, scores),
        )

    async def play(self, sitter: Sitter, day: str, *, check: Check = no_limit) -> TableAnswer:
        """Begin or resume today's only attempt; earlier days are played out of competition.

        ``check`` is called before a table is opened.
        """
        setup, is_today = await self._setup(day), await self._is_sealed(day)
        if not is_today or day not in await self._dailies.tries_of(sitter.person, [day]):
            await check()
        table = await (self._attempt if is_today else self._practise)(setup, sitter)
        return table_answer(table, sitter.person)

    async def _is_sealed(self, day: str) -> bool:
        return await self._seals.holds(str(Seal("daily", day)))

    async def _setup(self, day: str) -> DailySetup:
        """Return the daily crypt of today or an earlier day; raises Refusal if that day has none."""
        today = self.today
        found = await self._dailies.find(day) if is_day(day) and day <= today else None
        if found is None and day == today:
            drawn = DailySetup(day, secrets.token_bytes(SECRET_BYTES), sides_of(day))
            found = await self._dailies.keep(drawn, self._tables.now())
        if found is None:
            raise Refusal(Reason.NO_SUCH_DAY, day=day)
        return found

    async def _attempt(self, setup: DailySetup, sitter: Sitter) -> Table:
        """Begin or resume a person's only attempt, always at the same table."""
        async with self._tables.journal.lock(f"daily {sitter.person}"):
            table_id = await self._dailies.begin(setup.day, sitter.person, new_id(), self._tables.now())
            try:
                table = await self._tables.table(table_id)
            except Refusal as refusal:
                if refusal.reason is not Reason.NO_SUCH_TABLE:
                    raise
                table = await self._open(setup, sitter, table_id)
            return await self._begin(table, sitter)

    async def _practise(self, setup: DailySetup, sitter: Sitter) -> Table:
        """Open a table for an earlier day, whose secret is published; unlimited attempts."""
        return await self._begin(await self._open(setup, sitter), sitter)

    async def _open(self, setup: DailySetup, sitter: Sitter, table_id: str | None = None) -> Table:
        opened = commands.open_table(
            sealed(TableSettings(players=1), collectors=setup.collectors, leader=0),
            sitter.person,
            now=self._tables.now(),
            secret=setup.secret,
            seal=str(Seal("daily", setup.day)),
        )
        return await self._tables.open(opened, table_id)

    async def _begin(self, table: Table, sitter: Sitter) -> Table:
        """Seat the person and start the game if the table has not started."""
        if table.status is Status.OPEN:
            await self._tables.change(
                table.id, lambda found, now: commands.sit(found, sitter, 0, "", now=now)
            )
            begun = await self._tables.change(
                table.id, lambda found, now: commands.start(found, sitter.person, now=now)
            )
            return begun.after
        return table

    async def _own_try(self, tried: StoredTry, scores: dict[int, int]) -> DailyTry | None:
        """Return the person's attempt; None while its table is being opened."""
        listing = await self._journal.listing(tried.table)
        if listing is None:
            return None
        if tried.score is None or tried.ended is None:
            is_in_time = self._tables.now() < end_of(tried.day) and listing.status is not Status.CLOSED
            return DailyTry(tried.table, listing.status, counts=is_in_time)
        game = (await self._tables.table(tried.table)).game
        counts = tried.ended < end_of(tried.day)
        return DailyTry(
            table=tried.table,
            status=listing.status,
            counts=counts,
            score=tried.score,
            title=title_of(tried.score),
            place=place_of(tried.score, scores) if counts else None,
            taken=[] if game is None else treasures_by_round(game.events),
        )


def line_of(day: str, tried: StoredTry | None) -> DailyLine:
    is_counted = tried is not None and tried.ended is not None and tried.ended < end_of(day)
    score = tried.score if tried is not None and is_counted else None
    return DailyLine(day, tried is not None, score, None if score is None else title_of(score))


def place_of(score: int, scores: dict[int, int]) -> int:
    return 1 + sum(count for other, count in scores.items() if other > score)


def treasures_by_round(found: Sequence[Event], seat: int = 0) -> list[int]:
    """Count the cards that a seat took in each round."""
    taken: list[int] = []
    for event in found:
        match event:
            case events.Reveal():
                taken.append(0)
            case events.Collect() if event.seat == seat:
                taken[-1] += len(event.cards)
            case events.Take() if event.seat == seat:
                taken[-1] += 1
            case _:
                pass
    return taken
