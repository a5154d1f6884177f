"""History and statistics say what the records say, counted again by other means."""

import asyncio
import json
import random
import shutil
from collections import Counter, defaultdict
from contextlib import closing
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from royalcrypt.live.statistics import Statistics, statistics_of
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.migrations import VERSIONS
from royalcrypt.storage.ratings import Ratings
from royalcrypt.storage.results import Results
from royalcrypt.storage.sqlite.connection import open_raw
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.storage.sqlite.migration import migrate
from royalcrypt.tables.entries import Sitter
from tests.server.finished import a_database, a_quiet_house, add_people, played
from tests.tables.leading import ADA, BO, CLEO, DAN

EVERYBODY = (ADA, BO, CLEO, DAN)
GAMES = 30
LATER = 10_000_000_000_000
TYPES = ("idol", "jewelry", "manuscript", "pottery", "remains", "tapestry")
Json = dict[str, Any]


def some_company(chance: random.Random) -> list[Sitter | str]:
    """One to four: people, bots, or people who share a screen."""
    players = chance.choice((1, 1, 2, 2, 3, 4))
    others = [*EVERYBODY, *EVERYBODY, "greedy", "random", "random"]
    return [chance.choice(EVERYBODY), *chance.sample(others, players - 1)]


def some_sides(chance: random.Random) -> str:
    return "".join(chance.choice("AB") for _ in TYPES)


async def play(path: Path) -> None:
    chance = random.Random(7)
    companies = [[ADA], [ADA, "greedy"], [ADA, BO, ADA], *(some_company(chance) for _ in range(GAMES))]
    async with a_database(path) as database:
        await add_people(database, *EVERYBODY)
        registry = a_quiet_house(database)
        for company in companies:
            await played(registry, company, chance, collectors=some_sides(chance))
        await registry.close()
        while await Ratings(database).rate(LATER):
            pass


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with many games of several people."""
    path = tmp_path_factory.mktemp("evenings") / "crypt.db"
    asyncio.run(play(path))
    return path


def as_of_the_first_version(path: Path, folder: Path) -> Path:
    """The same games, in a database from before results were kept."""
    first, old = folder / "first", folder / "old.db"
    first.mkdir()
    shutil.copy(VERSIONS[0] / "0001_first.py", first)
    migrate(old, versions=(first,))
    with closing(open_raw(old)) as raw:
        raw.execute("ATTACH ? AS played", (str(path),))
        for table in ("journal", "tables", "seats", "records", "people", "devices"):
            columns = ", ".join(row[1] for row in raw.execute(f"PRAGMA main.table_info({table})").fetchall())
            raw.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM played.{table}")
    migrate(old)
    return old


async def found_in(database: SqliteDatabase, person: str) -> Statistics:
    games = await Results(database).all_of(person)
    return statistics_of(person, games, await Ratings(database).of(person))


async def recount(database: SqliteDatabase, person: str) -> Json:
    """From the records alone, and who held which seat."""
    journal = SqlJournal(database)
    kept = (await journal.records_of(person, limit=1000))[::-1]
    mine: list[tuple[Json, Json, int]] = []
    found: Json = {"games": len(kept), "shared": 0}
    rivals: dict[str, Counter[str]] = defaultdict(Counter)
    for one in kept:
        listing = await journal.listing(one.table)
        assert listing
        record = json.loads(one.record)
        seats = [seat for seat, who in enumerate(listing.people) if who == person]
        if len(seats) > 1:
            found["shared"] += 1
            continue
        mine.append((record["game"], record["result"], seats[0]))
        if record["game"]["players"] == 1:
            continue
        places = record["result"]["places"]
        best: dict[str, int] = {}
        for seat, place in enumerate(places):
            if seat != seats[0]:
                whose = listing.people[seat] or record["game"]["seats"][seat]["kind"]
                best[whose] = min(place, best.get(whose, 9))
        for whose, place in best.items():
            rivals[whose] += Counter(
                games=1, ahead=int(places[seats[0]] < place), behind=int(places[seats[0]] > place)
            )
    together = [one for one in mine if one[0]["players"] > 1]
    alone = [one for one in mine if one[0]["players"] == 1]
    found["together"] = counted(together)
    found["alone"] = counted(alone)[0::2], Counter(result["title"] for _, result, _ in alone)
    found["by_players"] = {
        players: counted([one for one in together if one[0]["players"] == players])
        for players in {game["players"] for game, _, _ in together}
    }
    found["by_side"] = {
        (name, side): (
            counted([one for one in together if one[0]["collectors"][kind] == side])[:3],
            counted([one for one in alone if one[0]["collectors"][kind] == side])[0::2],
        )
        for kind, name in enumerate(TYPES)
        for side in "AB"
    }
    found["rivals"] = {
        whose: (each["games"], each["ahead"], each["behind"]) for whose, each in rivals.items()
    }
    won = "".join("x" if seat in result["winners"] else " " for _, result, seat in together)
    found["streaks"] = len(won) - len(won.rstrip("x")), max(map(len, won.split(" ")), default=0)
    found["timeline"] = [(game["id"], result["scores"][seat]) for game, result, seat in mine]
    return found


def counted(games: list[tuple[Json, Json, int]]) -> tuple[int, int, float]:
    scores = [result["scores"][seat] for _, result, seat in games]
    wins = sum(seat in result["winners"] for _, result, seat in games)
    return len(games), wins, round(fmean(scores), 2) if scores else 0.0


def in_the_same_words(found: Statistics) -> Json:
    together, alone = found.together, found.alone
    return {
        "games": found.games,
        "shared": found.shared,
        "together": (together.games, together.wins, together.average),
        "alone": ((alone.games, alone.average), +Counter(alone.titles)),
        "by_players": {one.players: (one.games, one.wins, one.average) for one in found.by_players},
        "by_side": {
            (one.collector, one.side): (
                (one.games, one.wins, one.average),
                (one.solo_games, one.solo_average),
            )
            for one in found.by_side
        },
        "rivals": {
            one.person or f"bot:{one.level}": (one.games, one.ahead, one.behind) for one in found.rivals
        },
        "streaks": (found.streak, found.longest_streak),
        "timeline": [(point.table, point.score) for point in found.timeline],
    }


@pytest.mark.parametrize("is_migrated", [False, True], ids=["as played", "migrated"])
def test_statistics_are_what_a_recount_of_the_records_gives(
    evenings: Path, is_migrated: bool, tmp_path: Path
) -> None:
    async def test() -> None:
        path = as_of_the_first_version(evenings, tmp_path) if is_migrated else evenings
        async with a_database(path) as database:
            kinds: Counter[str] = Counter()
            for sitter in EVERYBODY:
                found = await found_in(database, sitter.person)
                assert in_the_same_words(found) == await recount(database, sitter.person)
                kinds += Counter(shared=found.shared, alone=found.alone.games, won=found.longest_streak)
            assert len(kinds) == 3, "all of it happened"

    asyncio.run(test())


def test_old_games_are_rated_as_new_ones_would_have_been(evenings: Path, tmp_path: Path) -> None:
    async def ratings(path: Path) -> list[Any]:
        async with a_database(path) as database:
            while await Ratings(database).rate(LATER):
                pass
            return [await Ratings(database).of(sitter.person) for sitter in EVERYBODY]

    fresh = asyncio.run(ratings(evenings))
    assert asyncio.run(ratings(as_of_the_first_version(evenings, tmp_path))) == fresh
    assert any(fresh)


def test_the_history_has_every_game_once_whatever_the_filter(evenings: Path) -> None:
    async def test() -> None:
        async with a_database(evenings) as database:
            results = Results(database)
            every = [game.table for game in await results.all_of(ADA.person)][::-1]
            found: dict[str, list[str]] = {}
            for company in (None, "alone", "people", "bots"):
                for limit in (3, 100):
                    found[str(company)] = await pages(results, limit=limit, company=company)
                    assert len(set(found[str(company)])) == len(found[str(company)])
            assert found.pop("None") == every
            assert sorted(chain.from_iterable(found.values())) == sorted(every)
            assert all(found.values())
            by_players = [await pages(results, players=players) for players in (1, 2, 3, 4)]
            assert sorted(chain.from_iterable(by_players)) == sorted(every)
            assert by_players[0] == found["alone"]

    asyncio.run(test())


async def pages(results: Results, **wanted: Any) -> list[str]:
    """Page by page to the end."""
    found: list[str] = []
    before: tuple[int, str] | None = None
    while True:
        page = await results.page_of(ADA.person, before=before, **wanted)
        found += [past.game.table for past in page.games]
        assert page.total >= len(found)
        if not page.has_more:
            assert page.total == len(found)
            return found
        last = page.games[-1].game
        before = last.ended, last.table
