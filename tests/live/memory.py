"""What ``live`` needs of a server, in memory: the journal, stores, and computations on the event loop."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec

from royalcrypt.bots.protocol import Budget
from royalcrypt.bots.registry import bot_named
from royalcrypt.live.heavy_work import Requester
from royalcrypt.live.stores import (
    IN_PROGRESS,
    Company,
    DailySetup,
    DueOrders,
    Duplicate,
    FinishedGame,
    HighScore,
    LobbyKey,
    Memo,
    Moment,
    PastGame,
    PersonRating,
    ResultsPage,
    SeatRow,
    StoredChatLine,
    StoredRecord,
    StoredTry,
)
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.views import View
from royalcrypt.tables.journal import Line, Listing, PlyTaken, Status
from royalcrypt.tables.listings import decode_info
from royalcrypt.tables.orders import SeatOrders
from royalcrypt.tables.texts import Audience

Json = dict[str, Any]


class MemoryJournal:
    """Implements ``TableJournal`` for registries of one process, or of several that take turns."""

    is_shared = False

    def __init__(self) -> None:
        self.lines: defaultdict[str, list[Line]] = defaultdict(list)
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def append(self, line: Line) -> None:
        if line.ply != len(self.lines[line.table]):
            raise PlyTaken(line.table, line.ply)
        self.lines[line.table].append(line)

    async def entries(self, table: str, *, since: int = 0) -> list[bytes]:
        return [line.entry for line in self.lines.get(table, [])[since:]]

    async def due(self, now: int, *, most: int) -> list[str]:
        found = [one for one in self._listings() if one.due is not None and one.due <= now]
        return [one.table for one in sorted(found, key=lambda one: one.due or 0)][:most]

    async def postpone(self, table: str, due: int | None) -> None:
        last = self.lines[table][-1]
        listing = msgspec.structs.replace(last.listing, due=due)
        self.lines[table][-1] = msgspec.structs.replace(last, listing=listing)

    def lock(self, name: str) -> AbstractAsyncContextManager[None]:
        return self._locks[name]

    async def listing(self, table: str) -> Listing | None:
        return self.lines[table][-1].listing if table in self.lines else None

    async def lobby(self, *, after: LobbyKey | None = None, limit: int) -> list[Listing]:
        found = sorted(
            (one for one in self._listings() if one.lobby is not None), key=LobbyKey.of, reverse=True
        )
        return [one for one in found if after is None or LobbyKey.of(one) < after][:limit]

    async def listings_of(self, person: str, statuses: Collection[Status] = IN_PROGRESS) -> list[Listing]:
        return [one for one in self._listings() if person in one.people and one.status in statuses]

    async def record(self, table: str) -> bytes | None:
        return next((line.record for line in self.lines.get(table, []) if line.record is not None), None)

    async def records_of(
        self, person: str, *, limit: int, before: Moment | None = None
    ) -> list[StoredRecord]:
        found = [
            StoredRecord(line.table, line.listing.updated, line.record)
            for line in self.finished()
            if person in line.listing.people and line.record is not None
        ]
        found.sort(key=lambda one: (one.ended, one.table), reverse=True)
        return [one for one in found if before is None or (one.ended, one.table) < before][:limit]

    def finished(self) -> list[Line]:
        """The lines that ended games, which have their records and results."""
        found = [line for lines in self.lines.values() for line in lines if line.record is not None]
        return sorted(found, key=lambda line: (line.listing.updated, line.table))

    def _listings(self) -> list[Listing]:
        found = [lines[-1].listing for lines in self.lines.values() if lines]
        return sorted(found, key=lambda one: -one.updated)


class MemoryResults:
    """Implements ``ResultStore`` over the journal."""

    def __init__(self, journal: MemoryJournal) -> None:
        self._journal = journal

    async def all_of(self, person: str) -> list[FinishedGame]:
        found = [game_of(line) for line in self._journal.finished()]
        return [game for game in found if game.seats_of(person)]

    async def page_of(
        self, person: str, *, before: Moment | None, players: int | None, company: Company | None
    ) -> ResultsPage:
        assert company is None, "not needed by any test"
        games = [game for game in await self.all_of(person) if players in (None, game.players)]
        shown = [game for game in games if before is None or (game.ended, game.table) < before]
        infos = {line.table: decode_info(line.listing.info) for line in self._journal.finished()}
        past = [PastGame(game, infos[game.table]) for game in reversed(shown)]
        return ResultsPage(past, total=len(games), has_more=False)


def game_of(line: Line) -> FinishedGame:
    first = line.results[0]
    seats = tuple(
        SeatRow(one.seat, one.person, one.kind, one.score, one.place, one.is_winner, one.person)
        for one in line.results
    )
    return FinishedGame(line.table, line.listing.updated, first.players, first.collectors, seats)


class MemoryDailies:
    """Implements ``DailyStore``."""

    def __init__(self, journal: MemoryJournal) -> None:
        self._journal = journal
        self._setups: dict[str, DailySetup] = {}
        self._tries: dict[tuple[str, str], str] = {}
        """Maps day and person to the table."""

    async def keep(self, setup: DailySetup, now: int) -> DailySetup:
        return self._setups.setdefault(setup.day, setup)

    async def find(self, day: str) -> DailySetup | None:
        return self._setups.get(day)

    async def days(self) -> list[str]:
        return sorted(self._setups, reverse=True)

    async def begin(self, day: str, person: str, table: str, now: int) -> str:
        return self._tries.setdefault((day, person), table)

    async def tries_of(self, person: str, days: Sequence[str]) -> dict[str, StoredTry]:
        ended = {line.table: line for line in self._journal.finished()}
        found: dict[str, StoredTry] = {}
        for (day, who), table in self._tries.items():
            if who == person and day in days:
                line = ended.get(table)
                score = None if line is None else line.results[0].score
                found[day] = StoredTry(day, table, score, None if line is None else line.listing.updated)
        return found

    async def begun(self, day: str) -> int:
        return sum(one == day for one, _ in self._tries)

    async def scores(self, day: str, *, until: int) -> dict[int, int]:
        scores = sorted(one.score for one in await self.best(day, until=until, limit=1000))
        return {score: scores.count(score) for score in scores}

    async def best(self, day: str, *, until: int, limit: int) -> list[HighScore]:
        tables = {table: person for (one, person), table in self._tries.items() if one == day}
        found = [
            HighScore(tables[line.table], tables[line.table], line.results[0].score)
            for line in self._journal.finished()
            if line.table in tables and line.listing.updated < until
        ]
        return sorted(found, key=lambda one: -one.score)[:limit]


class NoDuplicates:
    """Implements ``DuplicateStore`` where there are none, as in a browser."""

    async def add(self, duplicate: Duplicate) -> None:
        raise AssertionError("not needed by any test")

    async def find(self, duplicate: str) -> Duplicate | None:
        return None

    async def in_progress(self, duplicate: str) -> int:
        return 0

    async def takes_part(self, duplicate: str, person: str) -> bool:
        return False

    async def of_person(self, person: str) -> list[Duplicate]:
        return []


class MemoryMemos:
    """Implements ``MemoStore``."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], Memo] = {}

    async def find(self, table: str, person: str) -> Memo:
        return self.found.get((table, person), Memo("", 0))

    async def write(self, table: str, person: str, text: str, *, since: int, now: int) -> Memo:
        before = await self.find(table, person)
        if before.updated != since:
            raise Refusal(Reason.MEMO_CHANGED)
        self.found[table, person] = Memo(text, max(now, before.updated + 1))
        return self.found[table, person]


class MemoryOrders:
    """Implements ``StandingOrderStore``, without looking for due ones."""

    def __init__(self) -> None:
        self._orders: dict[tuple[str, int], SeatOrders] = {}

    async def find(self, table: str, seat: int) -> SeatOrders:
        return self._orders.get((table, seat), SeatOrders())

    async def keep(self, table: str, seat: int, person: str, orders: SeatOrders, *, now: int) -> None:
        self._orders[table, seat] = orders

    async def due(self) -> list[DueOrders]:
        return []

    async def purge(self) -> None:
        pass


class MemoryChat:
    """Implements ``ChatStore``."""

    def __init__(self) -> None:
        self._lines: list[StoredChatLine] = []

    async def add(self, line: StoredChatLine) -> StoredChatLine:
        self._lines.append(msgspec.structs.replace(line, id=len(self._lines) + 1))
        return self._lines[-1]

    async def recent(self, table: str, audience: Audience, *, limit: int) -> list[StoredChatLine]:
        return [one for one in self._lines if (one.table, one.audience) == (table, audience)][-limit:]


class NoRatings:
    """Implements ``RatingStore`` for somebody who plays with nobody else."""

    async def of(self, person: str) -> PersonRating | None:
        return None


class MemoryPersonalData:
    """Implements ``PersonalStore``."""

    def __init__(self, memos: MemoryMemos) -> None:
        self._memos = memos

    async def export(self, person: str) -> dict[str, list[Json]]:
        mine = [(table, memo) for (table, who), memo in self._memos.found.items() if who == person]
        return {"memos": [{"table_id": table, "text": memo.text} for table, memo in mine]}


class DirectChooser:
    """Implements ``MoveChooser`` on the event loop."""

    async def choose(self, level: str, view: View) -> Move:
        return bot_named(level).choose(view, Budget())


class EventCounter:
    """Implements ``Analyser`` with an analysis that anybody can check."""

    def refuse_until_ready(self) -> None:
        pass

    async def analyse(self, record: str, requester: Requester) -> bytes:
        return msgspec.json.encode(len(Record.parse(record).events))
