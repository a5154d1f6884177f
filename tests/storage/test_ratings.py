"""Every game among people alone counts once, in the order of ends, however the counting goes."""

import random

import pytest
from openskill.models import PlackettLuce
from sqlalchemy import insert, select, update

from royalcrypt.live.stores import PROVISIONAL_GAMES, Skill
from royalcrypt.storage import ratings as module
from royalcrypt.storage.people import People, Person
from royalcrypt.storage.personal_data import PersonalData
from royalcrypt.storage.ratings import Ratings, recount
from royalcrypt.storage.schema import programs, ratings, results, tables
from royalcrypt.storage.sqlite.database import SqliteDatabase

pytestmark = pytest.mark.anyio
NAMES = ("anna", "ben", "cleo", "dan", "eve")
LATER = 1_000_000_000
Game = tuple[int, str, list[str | None], list[int]]


@pytest.fixture
async def people(database: SqliteDatabase) -> People:
    found = People(database)
    for name in NAMES:
        await found.add(Person(name, name.title(), 1), f"device-{name}")
    return found


def some_games(count: int, seed: int = 1) -> list[Game]:
    """Ended, table, who sat there, their places."""
    chance = random.Random(seed)
    found: list[Game] = []
    for number in range(count):
        players = chance.randint(2, 4)
        places = [1, *(chance.randint(1, players) for _ in range(players - 1))]
        found.append((10 * number, f"table-{number:03}", [*chance.sample(NAMES, players)], places))
    return found


async def keep(database: SqliteDatabase, game: Game, kind: str = "human") -> None:
    ended, table, seated, places = game

    def work(sql: object) -> None:
        execute = sql.execute  # type: ignore[attr-defined]
        execute(
            insert(tables).values(
                id=table, status="over", is_listed=False, updated=ended, created=0, told=b'{"table": "x"}'
            )
        )
        for seat, (who, place) in enumerate(zip(seated, places, strict=True)):
            execute(
                insert(results).values(
                    table_id=table,
                    seat=seat,
                    person_id=who,
                    kind="human" if who else kind,
                    players=len(seated),
                    collectors="AAAAAA",
                    score=40 - place,
                    place=place,
                    is_winner=place == 1,
                    ended=ended,
                )
            )

    await database.run(work)


def expected(games: list[Game]) -> dict[str, tuple[float, float, int]]:
    """With the library directly, one game after the other."""
    model = PlackettLuce()
    known = {name: (model.rating(), 0) for name in NAMES}
    for _, _, seated, places in games:
        names = [name for name in seated if name]
        rated = model.rate([[known[name][0]] for name in names], ranks=[float(place) for place in places])
        known |= {name: (team[0], known[name][1] + 1) for name, team in zip(names, rated, strict=True)}
    return {name: (one.mu, one.sigma, count) for name, (one, count) in known.items() if count}


async def kept(database: SqliteDatabase) -> dict[str, tuple[float, float, int]]:
    rows = await database.read(lambda sql: sql.execute(select(ratings)).all())
    return {row.person_id: (row.mu, row.sigma, row.games) for row in rows}


async def rate_all(database: SqliteDatabase) -> None:
    while await Ratings(database).rate(LATER):
        pass


async def test_ratings_are_those_of_the_library_game_by_game(
    people: People, database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 7)
    games = some_games(30)
    for number, game in enumerate(games):
        await keep(database, game)
        if number % 8 == 0:
            await rate_all(database)
    await rate_all(database)
    assert await kept(database) == expected(games)
    await rate_all(database)
    assert await kept(database) == expected(games), "nothing counts twice"
    await database.run(recount)
    assert await kept(database) == expected(games)


async def test_a_game_that_comes_in_late_is_counted_where_it_belongs(
    people: People, database: SqliteDatabase
) -> None:
    games = some_games(12)
    late = games[4]
    for game in games:
        if game is not late:
            await keep(database, game)
    await rate_all(database)
    await keep(database, late)
    await rate_all(database)
    assert await kept(database) == expected(games)


def fail(*_: object) -> None:
    raise RuntimeError


async def test_what_fails_half_way_is_counted_later_and_once(
    people: People, database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = some_games(6)
    for game in games:
        await keep(database, game)
    with monkeypatch.context() as patched:
        patched.setattr(module.RunningRatings, "store", fail)
        with pytest.raises(RuntimeError):
            await Ratings(database).rate(LATER)
    assert await kept(database) == {}
    await rate_all(database)
    assert await kept(database) == expected(games)


async def test_only_games_in_which_every_seat_is_another_persons_count(
    people: People, database: SqliteDatabase
) -> None:
    await people.add(Person("robot", "Robot", 1), "device-robot")
    await database.run(lambda sql: sql.execute(insert(programs).values(person_id="robot", kept_by="anna")))
    await keep(database, (10, "with-a-bot", ["anna", None], [1, 2]), kind="bot:greedy")
    await keep(database, (20, "shared", ["anna", "anna"], [1, 2]))
    await keep(database, (30, "with-a-program", ["anna", "robot"], [1, 2]))
    await keep(database, (40, "alone", ["anna"], [1]))
    await keep(database, (50, "with-nobody", ["anna", None], [1, 2]))
    await keep(database, (60, "with-somebody-unknown", ["anna", "gone-1234"], [1, 2]))
    await rate_all(database)
    assert await kept(database) == {}
    game: Game = (70, "counts", ["anna", "ben"], [1, 2])
    await keep(database, game)
    await rate_all(database)
    assert await kept(database) == expected([game])


async def test_a_game_that_has_just_ended_waits_for_those_that_ended_before(
    people: People, database: SqliteDatabase
) -> None:
    await keep(database, (1_000, "just-now", ["anna", "ben"], [1, 2]))
    assert await Ratings(database).rate(1_001) == 0
    assert await Ratings(database).rate(1_001 + module.RATING_DELAY) == 2


async def test_others_keep_their_ratings_when_somebody_is_forgotten_also_after_a_recount(
    people: People, database: SqliteDatabase
) -> None:
    games = some_games(20)
    for game in games[:-2]:
        await keep(database, game)
    await rate_all(database)
    for game in games[-2:]:
        await keep(database, game)  # not counted yet
    await PersonalData(database).delete("ben")
    rest = {name: rating for name, rating in expected(games).items() if name != "ben"}
    assert await kept(database) == rest
    await database.run(recount)
    assert await kept(database) == rest
    await keep(database, (LATER - 10_000, "after", ["anna", "cleo"], [1, 2]))
    await rate_all(database)
    assert (await kept(database))["anna"][2] == rest["anna"][2] + 1


async def test_a_recount_mends_numbers_that_were_spoilt(people: People, database: SqliteDatabase) -> None:
    games = some_games(8)
    for game in games:
        await keep(database, game)
    await rate_all(database)
    await database.run(lambda sql: sql.execute(update(ratings).values(mu=99.0, games=1)))
    await database.run(recount)
    assert await kept(database) == expected(games)


def test_a_newcomer_is_shown_a_thousand_and_winning_helps() -> None:
    assert Skill().shown == 1000
    assert Skill(30.0, 4.0).shown > Skill(25.0, 4.0).shown > Skill(25.0, 8.0).shown
    assert PROVISIONAL_GAMES > 0
