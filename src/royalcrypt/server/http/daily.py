"""REST routes for the daily crypt: one solo game a day with the same cards for everyone."""

import hashlib
from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import PathParameter
from msgspec import Meta

from royalcrypt.live.daily import treasures_by_round
from royalcrypt.live.stores import DailySetup, StoredTry
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.results import RANKS, title_of
from royalcrypt.server.http.common import AnyRequest, GivenCaller, GivenService, caller_of
from royalcrypt.server.http.rate_limits import NEW_TABLES
from royalcrypt.server.http.table_creation import check_table_limit
from royalcrypt.server.http.tables import TableAnswer, answer
from royalcrypt.server.service import Service
from royalcrypt.tables.entries import Sitter
from royalcrypt.tables.journal import Status
from royalcrypt.tables.seals import Seal, begin_of, end_of

DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)"
DayInPath = Annotated[str, Meta(pattern=DAY), PathParameter(pattern=DAY)]
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


class DailyController(Controller):
    path = "/api/daily"
    tags = ("daily",)

    @get("/", operation_id="daily_days")
    async def days(self, request: AnyRequest, service: GivenService) -> DailyDays:
        """List today's and earlier daily crypts."""
        person = await reader(request, service)
        today = (await service.daily.crypt(service.daily.today)).day
        days = await service.dailies.days()
        mine = await service.dailies.tries_of(person, days) if person else {}
        lines = [line_of(day, mine.get(day)) for day in days if day <= today]
        return DailyDays(today, service.tables.now(), end_of(today), lines)

    @get("/{day:str}", operation_id="daily_day")
    async def day(self, day: DayInPath, request: AnyRequest, service: GivenService) -> DailyDay:
        """Return a daily crypt with its commitment and everyone's scores."""
        person = await reader(request, service)
        return await describe(service, await service.daily.crypt(day), person)

    @post("/{day:str}", operation_id="daily_play", status_code=200)
    async def play(self, day: DayInPath, caller: GivenCaller, service: GivenService) -> TableAnswer:
        """Begin or resume today's only attempt; earlier days are played out of competition."""
        crypt, person = await service.daily.crypt(day), caller.person
        is_today = await service.seals.holds(str(Seal("daily", day)))
        if not is_today or day not in await service.dailies.tries_of(person.id, [day]):
            service.limits.take(NEW_TABLES, person.id)
            await check_table_limit(service, caller)
        play = service.daily.attempt if is_today else service.daily.practise
        return answer(await play(crypt, Sitter(person.id, person.name)), person.id)


async def reader(request: AnyRequest, service: Service) -> str | None:
    """Return the caller's id; None without an account, which an invite-only server refuses."""
    caller = await caller_of(request)
    if caller is None and service.host_rules.is_invite_only:
        raise Refusal(Reason.INVITE_ONLY)
    return None if caller is None else caller.person.id


async def describe(service: Service, crypt: DailySetup, person: str | None) -> DailyDay:
    ends = end_of(crypt.day)
    is_sealed = await service.seals.holds(str(Seal("daily", crypt.day)))
    scores = await service.dailies.scores(crypt.day, until=ends)
    best = await service.dailies.best(crypt.day, until=ends, limit=BEST)
    titles: dict[str, int] = {title: 0 for _, title in reversed(RANKS)}
    for score, count in scores.items():
        titles[title_of(score)] += count
    tried = (await service.dailies.tries_of(person, [crypt.day])).get(crypt.day) if person else None
    return DailyDay(
        day=crypt.day,
        now=service.tables.now(),
        begins=begin_of(crypt.day),
        ends=ends,
        collectors=crypt.collectors,
        commitment=hashlib.sha256(crypt.secret).hexdigest(),
        secret=None if is_sealed else crypt.secret.hex(),
        begun=await service.dailies.begun(crypt.day),
        scores=[DailyScore(score, count) for score, count in scores.items()],
        titles=titles,
        best=[
            DailyBest(place_of(one.score, scores), one.name, one.score, is_you=one.person == person)
            for one in best
        ],
        mine=None if tried is None else await own_try(service, tried, scores),
    )


async def own_try(service: Service, tried: StoredTry, scores: dict[int, int]) -> DailyTry | None:
    """Return the caller's attempt; None while its table is being opened."""
    listing = await service.journal.listing(tried.table)
    if listing is None:
        return None
    if tried.score is None or tried.ended is None:
        is_in_time = service.tables.now() < end_of(tried.day) and listing.status is not Status.CLOSED
        return DailyTry(tried.table, listing.status, counts=is_in_time)
    game = (await service.tables.table(tried.table)).game
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
