"""Ratings of people. Each game among people alone counts exactly once, in the order in which games ended.

The row of a seat holds the rating after that game. So a recount gives the same numbers even after a person
was erased: the effect of their games is in the rows of the others.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, select, update

from royalcrypt.storage.database import Store, upsert
from royalcrypt.storage.schema import people, programs, ratings, results
from royalcrypt.tables.skill import Skill, after_game

BATCH = 400
"""Rows rated in one transaction. Moves wait for it."""
HUMAN = "human"
SETTLED = 3_000
"""Delay in ms after which no earlier game can still arrive from another process."""


class Rating(NamedTuple):
    skill: Skill
    games: int


class RunningRatings:
    """Everybody's rating while games are counted one by one."""

    def __init__(self, known: dict[str, Rating] | None = None) -> None:
        self.known = known or {}
        self.updated: dict[str, int] = {}

    def of(self, person: str) -> Rating:
        return self.known.get(person, Rating(Skill(), 0))

    def count(self, game: Sequence[Row[Any]]) -> list[Skill]:
        skills = after_game([self.of(row.person_id).skill for row in game], [row.place for row in game])
        for row, skill in zip(game, skills, strict=True):
            self.adopt(row, skill)
        return skills

    def adopt(self, row: Row[Any], skill: Skill) -> None:
        self.known[row.person_id] = Rating(skill, self.of(row.person_id).games + 1)
        self.updated[row.person_id] = row.ended


class Ratings(Store):
    async def of(self, person: str) -> Rating | None:
        """None for a person without a rated game."""
        found = await self._row(select(ratings).where(ratings.c.person_id == person))
        return Rating(Skill(found.mu, found.sigma), found.games) if found else None

    async def rate(self, now: int) -> int:
        """Rate finished games. Returns how many seats it looked at; 0 when all is done."""
        before = now - SETTLED
        if await self._scalar(_unrated(before).limit(1)) is None:
            return 0
        return await self._database.run(lambda sql: rate(sql, before=before))


def rate(sql: Connection, *, before: int | None = None) -> int:
    """Rate the earliest unrated games, in one transaction, so that each counts once."""
    wanted = _unrated(before).order_by(results.c.ended, results.c.table_id).limit(BATCH)
    tables = list(dict.fromkeys(sql.scalars(wanted)))
    if not tables:
        return 0
    games = _games(sql, results.c.table_id.in_(tables))
    eligible = _eligible(sql, {row.person_id for game in games for row in game})
    counting = [game for game in games if is_among_people(game, eligible)]
    sql.execute(update(results).where(results.c.table_id.in_(tables)).values(is_rated=True))
    if counting and _is_late(sql, counting[0]):
        recount(sql)
        return sum(map(len, games))
    running = _running(sql, {row.person_id for game in counting for row in game})
    for game in counting:
        _keep_skills(sql, game, running.count(game))
    _keep(sql, running)
    return sum(map(len, games))


def _unrated(before: int | None) -> Select[str]:
    wanted = select(results.c.table_id).where(results.c.is_rated.is_(False))
    return wanted if before is None else wanted.where(results.c.ended < before)


def recount(sql: Connection) -> None:
    """Compute all ratings from the games. A game with an erased person keeps its earlier effect."""
    running, eligible = RunningRatings(), _eligible(sql)
    for game in _games(sql, results.c.is_rated.is_(True)):
        if is_among_people(game, eligible):
            _keep_skills(sql, game, running.count(game))
        else:
            for row in game:
                if row.person_id in eligible and row.mu is not None:
                    running.adopt(row, Skill(row.mu, row.sigma))
    sql.execute(delete(ratings))
    _keep(sql, running)


def is_among_people(game: Sequence[Row[Any]], eligible: set[str]) -> bool:
    """Whether two or more different people played, without bots, programs or erased people."""
    seated = {row.person_id for row in game}
    return (
        len(game) > 1
        and len(seated) == len(game)
        and seated <= eligible
        and all(row.kind == HUMAN for row in game)
    )


def _eligible(sql: Connection, among: set[str] | None = None) -> set[str]:
    """People who can be rated. Programs cannot."""
    wanted = select(people.c.id).where(people.c.id.not_in(select(programs.c.person_id)))
    return set(sql.scalars(wanted if among is None else wanted.where(people.c.id.in_(among))))


def _games(sql: Connection, which: ColumnElement[bool]) -> list[list[Row[Any]]]:
    found = sql.execute(
        select(results).where(which).order_by(results.c.ended, results.c.table_id, results.c.seat)
    )
    return [list(game) for _, game in groupby(found, key=lambda row: (row.ended, row.table_id))]


def _is_late(sql: Connection, game: Sequence[Row[Any]]) -> bool:
    """Whether a game that ended later was rated already. Then all games are rated again, in order."""
    return (sql.scalar(select(func.max(ratings.c.updated))) or 0) >= game[0].ended


def _running(sql: Connection, seated: Iterable[str]) -> RunningRatings:
    found = sql.execute(select(ratings).where(ratings.c.person_id.in_(list(seated))))
    return RunningRatings({row.person_id: Rating(Skill(row.mu, row.sigma), row.games) for row in found})


def _keep_skills(sql: Connection, game: Sequence[Row[Any]], skills: Sequence[Skill]) -> None:
    for row, skill in zip(game, skills, strict=True):
        if (row.mu, row.sigma) != skill:
            which = (results.c.table_id == row.table_id, results.c.seat == row.seat)
            sql.execute(update(results).where(*which).values(mu=skill.mu, sigma=skill.sigma))


def _keep(sql: Connection, running: RunningRatings) -> None:
    for person, updated in running.updated.items():
        (mu, sigma), games = running.known[person]
        values = {"mu": mu, "sigma": sigma, "games": games, "updated": updated}
        upsert(sql, ratings, {"person_id": person, **values})
