"""REST routes for a person's finished games: list and statistics."""

import asyncio
from typing import Annotated, Literal

import msgspec
from litestar import Controller, get
from litestar.params import QueryParameter
from msgspec import Meta

from royalcrypt.live.statistics import Statistics, statistics_of
from royalcrypt.live.stores import Company, Moment, PastGame
from royalcrypt.play.results import title_of
from royalcrypt.server.http.common import GivenCaller, GivenService

MOMENT = r"^([0-9]{1,15}-[A-Za-z0-9_-]{6,32})?$(?!\n)"
# Not nullable, because a query string cannot express null.
PlayersAsked = Annotated[int, Meta(ge=0, le=4), QueryParameter(name="players", required=False, ge=0, le=4)]
CompanyAsked = Annotated[Company | Literal["any"], QueryParameter(name="company", required=False)]
BeforeAsked = Annotated[
    str, Meta(pattern=MOMENT), QueryParameter(name="before", required=False, pattern=MOMENT)
]


class PastSeat(msgspec.Struct):
    name: str
    """Name at the table; empty for a deleted person."""
    kind: str
    score: int
    place: int
    is_winner: bool
    is_mine: bool


class PastLine(msgspec.Struct):
    """One finished game in the history list."""

    table: str
    ended: int
    players: int
    collectors: str
    seats: list[PastSeat]
    title: str | None = None
    """Title reached in a solo game (R10.7)."""
    rating: int | None = None
    """Caller's rating after the game, if the game was rated."""


class HistoryPage(msgspec.Struct):
    games: list[PastLine]
    """Newest first."""
    total: int
    """Number of games on all pages."""
    next: str | None
    """Value of the query parameter ``before`` for the next page; None on the last page."""


class HistoryController(Controller):
    path = "/api/me"
    tags = ("history",)

    @get("/history", operation_id="history_history")
    async def history(
        self,
        caller: GivenCaller,
        service: GivenService,
        players: PlayersAsked = 0,
        company: CompanyAsked = "any",
        before: BeforeAsked = "",
    ) -> HistoryPage:
        """Return one page of the caller's finished games, newest first."""
        person = caller.person.id
        page = await service.results.page_of(
            person,
            before=read_moment(before),
            players=players or None,
            company=None if company == "any" else company,
        )
        last = page.games[-1].game if page.has_more else None
        return HistoryPage(
            games=[line_of(past, person) for past in page.games],
            total=page.total,
            next=None if last is None else f"{last.ended}-{last.table}",
        )

    @get("/statistics", operation_id="history_statistics")
    async def statistics(self, caller: GivenCaller, service: GivenService) -> Statistics:
        """Return statistics of the caller's finished games."""
        person = caller.person.id
        games, rating = await service.results.all_of(person), await service.ratings.of(person)
        return await asyncio.to_thread(statistics_of, person, games, rating)


def read_moment(text: str) -> Moment | None:
    if not text:
        return None
    ended, _, table = text.partition("-")
    return int(ended), table


def line_of(past: PastGame, person: str) -> PastLine:
    game, info = past.game, past.info
    mine = game.seats_of(person)
    return PastLine(
        table=game.table,
        ended=game.ended,
        players=game.players,
        collectors=game.collectors,
        seats=[
            PastSeat(
                name=held.name or "",
                kind=seat.kind,
                score=seat.score,
                place=seat.place,
                is_winner=seat.is_winner,
                is_mine=seat.person == person,
            )
            for seat, held in zip(game.seats, info.seats, strict=True)
        ],
        title=title_of(game.seats[0].score) if game.players == 1 else None,
        rating=mine[0].skill.shown if mine and mine[0].skill is not None else None,
    )
