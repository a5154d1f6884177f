"""A person's finished games: list and statistics."""

from typing import Literal

import msgspec

from royalcrypt.live.heavy_work import HeavyWork
from royalcrypt.live.statistics import Statistics, statistics_of
from royalcrypt.live.stores import Company, Moment, PastGame, RatingStore, ResultStore
from royalcrypt.play.results import title_of


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


class History:
    def __init__(self, results: ResultStore, ratings: RatingStore, work: HeavyWork) -> None:
        self._results = results
        self._ratings = ratings
        self._work = work

    async def page(
        self, person: str, *, players: int = 0, company: Company | Literal["any"] = "any", before: str = ""
    ) -> HistoryPage:
        """Return one page, newest first; ``before`` is the previous page's ``next``."""
        page = await self._results.page_of(
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

    async def statistics(self, person: str) -> Statistics:
        games, rating = await self._results.all_of(person), await self._ratings.of(person)
        return await self._work.run(statistics_of, person, games, rating)


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
