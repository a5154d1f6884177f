"""Ratings of people; each game among people only counts exactly once, in the order in which games ended.

The row of a seat contains the rating after that game. So a recount gives the same ratings even after a person
was deleted: the effect of their games is in the rows of the others.
"""

from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Select, delete, func, select, update

from royalcrypt.live.stores import FinishedGame, PersonRating, SeatRow, Skill
from royalcrypt.storage.database import Store, upsert
from royalcrypt.storage.results import HUMAN, finished_games
from royalcrypt.storage.schema import ratings, results

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

BATCH = 400
"""Maximum number of rows rated in one transaction, for which moves must wait."""
RATING_DELAY = 3_000
"""Delay in ms after which no process can still store a game that ended earlier."""


class RunningRatings:
    """Current ratings of all people while games are rated one by one."""

    def __init__(self, known: dict[str | None, PersonRating] | None = None) -> None:
        self.known = known or {}
        self.updated: dict[str | None, int] = {}

    def count(self, sql: Connection, game: FinishedGame) -> None:
        """Rate a game, and store the resulting ratings with its seats."""
        before = [self.of(seat).skill for seat in game.seats]
        for seat, skill in zip(
            game.seats, after_game(before, [seat.place for seat in game.seats]), strict=True
        ):
            self.adopt(game, seat, skill)
            if seat.skill != skill:
                which = (results.c.table_id == game.table, results.c.seat == seat.seat)
                sql.execute(update(results).where(*which).values(mu=skill.mu, sigma=skill.sigma))

    def of(self, seat: SeatRow) -> PersonRating:
        return self.known.get(seat.person, PersonRating())

    def adopt(self, game: FinishedGame, seat: SeatRow, skill: Skill) -> None:
        self.known[seat.person] = PersonRating(skill, self.of(seat).games + 1)
        self.updated[seat.person] = game.ended

    def store(self, sql: Connection) -> None:
        for person, updated in self.updated.items():
            (mu, sigma), games = self.known[person]
            values = {"mu": mu, "sigma": sigma, "games": games, "updated": updated}
            upsert(sql, ratings, {"person_id": person, **values})


class Ratings(Store):
    async def of(self, person: str) -> PersonRating | None:
        """Return a person's rating; None without a rated game."""
        found = await self._row(select(ratings).where(ratings.c.person_id == person))
        return PersonRating(Skill(found.mu, found.sigma), found.games) if found else None

    async def rate(self, now: int) -> int:
        """Rate a batch of finished games; returns the number of processed seats, 0 if none is left."""
        before = now - RATING_DELAY
        if await self._scalar(_unrated(before).limit(1)) is None:
            return 0
        return await self.database.run(lambda sql: rate(sql, before=before))


def rate(sql: Connection, *, before: int | None = None) -> int:
    """Rate the earliest unrated games in one transaction, so that each counts exactly once."""
    wanted = _unrated(before).order_by(results.c.ended, results.c.table_id).limit(BATCH)
    tables = list(dict.fromkeys(sql.scalars(wanted)))
    if not tables:
        return 0
    games = finished_games(sql, results.c.table_id.in_(tables))
    sql.execute(update(results).where(results.c.table_id.in_(tables)).values(is_rated=True))
    counting = [game for game in games if is_among_people(game)]
    if counting and _is_late(sql, counting[0]):
        recount(sql)
    else:
        running = _running(sql, {seat.person for game in counting for seat in game.seats})
        for game in counting:
            running.count(sql, game)
        running.store(sql)
    return sum(len(game.seats) for game in games)


def _unrated(before: int | None) -> Select[str]:
    wanted = select(results.c.table_id).where(results.c.is_rated.is_(False))
    return wanted if before is None else wanted.where(results.c.ended < before)


def recount(sql: Connection) -> None:
    """Recompute all ratings from all games; games with a deleted person keep their stored effect."""
    running = RunningRatings()
    for game in finished_games(sql, results.c.is_rated.is_(True)):
        if is_among_people(game):
            running.count(sql, game)
        else:
            for seat in game.seats:
                if is_person(seat) and seat.skill is not None:
                    running.adopt(game, seat, seat.skill)
    sql.execute(delete(ratings))
    running.store(sql)


def is_person(seat: SeatRow) -> bool:
    """Whether the seat's player can be rated: a person, neither a program nor deleted."""
    return seat.name is not None and not seat.is_program


def is_among_people(game: FinishedGame) -> bool:
    """Whether all players are different people, at least two, without bots, programs or deleted people."""
    different = {seat.person for seat in game.seats if is_person(seat) and seat.kind == HUMAN}
    return 1 < len(game.seats) == len(different)


def _is_late(sql: Connection, game: FinishedGame) -> bool:
    """Whether a game that ended later is already rated, so that all games must be rated again."""
    return (sql.scalar(select(func.max(ratings.c.updated))) or 0) >= game.ended


def _running(sql: Connection, people: Collection[str | None]) -> RunningRatings:
    found = sql.execute(select(ratings).where(ratings.c.person_id.in_(people)))
    return RunningRatings({row.person_id: PersonRating(Skill(row.mu, row.sigma), row.games) for row in found})


@cache
def _model() -> "PlackettLuce":
    from openskill.models import PlackettLuce  # noqa: PLC0415 (slow to import)

    return PlackettLuce()


def after_game(before: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Return all players' skill after a game with these places (Plackett-Luce); equal places are ties."""
    model = _model()
    teams = [[model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in before]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [Skill(float(team[0].mu), float(team[0].sigma)) for team in rated]
