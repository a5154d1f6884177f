"""Stored results of finished games by seat, for histories, statistics and ratings."""

from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, exists, func, not_, or_, select, tuple_

from royalcrypt.live.stores import Company, FinishedGame, Moment, PastGame, ResultsPage, SeatRow, Skill
from royalcrypt.storage.database import Store, snapshot
from royalcrypt.storage.schema import people, programs, results, tables
from royalcrypt.tables.listings import decode_info

PAGE = 20
HUMAN = "human"


class Results(Store):
    @snapshot
    def all_of(self, sql: Connection, person: str) -> list[FinishedGame]:
        """Return every finished game of a person, earliest first."""
        mine = select(results.c.table_id).where(results.c.person_id == person)
        return finished_games(sql, results.c.table_id.in_(mine))

    @snapshot
    def page_of(
        self,
        sql: Connection,
        person: str,
        *,
        before: Moment | None = None,
        players: int | None = None,
        company: Company | None = None,
        limit: int = PAGE,
    ) -> ResultsPage:
        which = _which(person, players, company)
        wanted = select(results.c.table_id, results.c.ended).where(*which).distinct()
        if before is not None:
            wanted = wanted.where(tuple_(results.c.ended, results.c.table_id) < tuple_(*before))
        wanted = wanted.order_by(results.c.ended.desc(), results.c.table_id.desc()).limit(limit + 1)
        ids = [row.table_id for row in sql.execute(wanted)]
        shown = ids[:limit]
        told = sql.execute(select(tables.c.id, tables.c.told).where(tables.c.id.in_(shown)))
        infos = {row.id: decode_info(row.told) for row in told}
        return ResultsPage(
            games=[
                PastGame(game, infos[game.table])
                for game in reversed(finished_games(sql, results.c.table_id.in_(shown)))
            ],
            total=sql.scalar(select(func.count(results.c.table_id.distinct())).where(*which)) or 0,
            has_more=len(ids) > limit,
        )


def _which(person: str, players: int | None, company: Company | None) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [results.c.person_id == person]
    if players is not None:
        found.append(results.c.players == players)
    if company is not None:
        other = results.alias("other")
        is_human = other.c.kind == HUMAN
        is_another = or_(other.c.person_id.is_(None), other.c.person_id != person)
        with_people = exists().where(other.c.table_id == results.c.table_id, is_human, is_another)
        is_alone = results.c.players == 1
        found += {
            "alone": [is_alone],
            "people": [with_people],
            "bots": [not_(is_alone), not_(with_people)],
        }[company]
    return found


def finished_games(sql: Connection, which: ColumnElement[bool]) -> list[FinishedGame]:
    """Return the finished games that match a condition, earliest first."""
    rows = sql.execute(
        select(results, people.c.name, programs.c.kept_by)
        .outerjoin_from(results, people, people.c.id == results.c.person_id)
        .outerjoin(programs, programs.c.person_id == results.c.person_id)
        .where(which)
        .order_by(results.c.ended, results.c.table_id, results.c.seat)
    )
    return [
        FinishedGame(*game, seats=tuple(map(_seat, seats)))
        for game, seats in groupby(
            rows, key=lambda row: (row.table_id, row.ended, row.players, row.collectors)
        )
    ]


def _seat(row: Row[Any]) -> SeatRow:
    return SeatRow(
        row.seat,
        row.person_id,
        row.kind,
        row.score,
        row.place,
        row.is_winner,
        row.name,
        is_program=row.kept_by is not None,
        skill=None if row.mu is None else Skill(row.mu, row.sigma),
    )
