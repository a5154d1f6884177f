"""Results of finished games by seat: the history of a person, and the source of statistics."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Literal

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, exists, func, not_, or_, select, tuple_

from royalcrypt.storage.database import Store
from royalcrypt.storage.schema import people, programs, results, tables
from royalcrypt.tables.listings import TableInfo, decode_info
from royalcrypt.tables.skill import Skill

PAGE = 20
Company = Literal["alone", "people", "bots"]
"""Who else played: nobody, other people (bots may play, too), bots only."""
Moment = tuple[int, str]
"""When a game ended, and its table: the sort key of games."""


class SeatRow(msgspec.Struct, frozen=True):
    """A seat of a finished game."""

    seat: int
    person: str | None
    kind: str
    score: int
    place: int
    is_winner: bool
    name: str | None = None
    """The person's current name; None for bots and erased people."""
    is_program: bool = False
    skill: Skill | None = None
    """The rating after the game, if the game was rated."""


class FinishedGame(msgspec.Struct, frozen=True):
    table: str
    ended: int
    players: int
    collectors: str
    seats: tuple[SeatRow, ...]

    def seats_of(self, person: str) -> list[SeatRow]:
        return [seat for seat in self.seats if seat.person == person]


class PastGame(msgspec.Struct, frozen=True):
    """A finished game with the table it was played at."""

    game: FinishedGame
    info: TableInfo


class Page(msgspec.Struct, frozen=True):
    games: list[PastGame]
    """The latest first."""
    total: int
    """Number of games on all pages."""
    has_more: bool


class Results(Store):
    async def all_of(self, person: str) -> list[FinishedGame]:
        """Every finished game of a person, the earliest first."""
        mine = select(results.c.table_id).where(results.c.person_id == person)
        return await self._database.read(lambda sql: _games(sql, results.c.table_id.in_(mine)))

    async def page_of(
        self,
        person: str,
        *,
        before: Moment | None = None,
        players: int | None = None,
        company: Company | None = None,
        limit: int = PAGE,
    ) -> Page:
        which = _which(person, players, company)
        wanted = select(results.c.table_id, results.c.ended).where(*which).distinct()
        if before is not None:
            wanted = wanted.where(tuple_(results.c.ended, results.c.table_id) < tuple_(*before))
        wanted = wanted.order_by(results.c.ended.desc(), results.c.table_id.desc()).limit(limit + 1)
        counted = select(func.count(results.c.table_id.distinct())).where(*which)

        def work(sql: Connection) -> Page:
            ids = [row.table_id for row in sql.execute(wanted)]
            shown = ids[:limit]
            told = sql.execute(select(tables.c.id, tables.c.told).where(tables.c.id.in_(shown)))
            infos = {row.id: decode_info(row.told) for row in told}
            found = _games(sql, results.c.table_id.in_(shown))[::-1]
            return Page(
                games=[PastGame(game, infos[game.table]) for game in found],
                total=sql.scalar(counted) or 0,
                has_more=len(ids) > limit,
            )

        return await self._database.read(work)


def _which(person: str, players: int | None, company: Company | None) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [results.c.person_id == person]
    if players is not None:
        found.append(results.c.players == players)
    if company is not None:
        other = results.alias("other")
        is_human = other.c.kind == "human"
        is_another = or_(other.c.person_id.is_(None), other.c.person_id != person)
        with_people = exists().where(other.c.table_id == results.c.table_id, is_human, is_another)
        is_alone = results.c.players == 1
        found += {
            "alone": [is_alone],
            "people": [with_people],
            "bots": [not_(is_alone), not_(with_people)],
        }[company]
    return found


def _games(sql: Connection, which: ColumnElement[bool]) -> list[FinishedGame]:
    """The earliest first."""
    wanted = (
        select(results, people.c.name, programs.c.kept_by)
        .outerjoin_from(results, people, people.c.id == results.c.person_id)
        .outerjoin(programs, programs.c.person_id == results.c.person_id)
        .where(which)
        .order_by(results.c.ended, results.c.table_id, results.c.seat)
    )
    rows = sql.execute(wanted)
    return [_game(list(game)) for _, game in groupby(rows, key=lambda row: (row.ended, row.table_id))]


def _game(rows: Sequence[Row[Any]]) -> FinishedGame:
    first = rows[0]
    return FinishedGame(
        table=first.table_id,
        ended=first.ended,
        players=first.players,
        collectors=first.collectors,
        seats=tuple(map(_seat, rows)),
    )


def _seat(row: Row[Any]) -> SeatRow:
    return SeatRow(
        seat=row.seat,
        person=row.person_id,
        kind=row.kind,
        score=row.score,
        place=row.place,
        is_winner=row.is_winner,
        name=row.name,
        is_program=row.kept_by is not None,
        skill=None if row.mu is None else Skill(row.mu, row.sigma),
    )
