"""What live tables need from storage besides the journal: interfaces, and the values that they exchange."""

from collections.abc import Collection, Sequence
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from royalcrypt.tables.journal import Journal, Listing, Status
from royalcrypt.tables.listings import TableInfo
from royalcrypt.tables.orders import SeatOrders
from royalcrypt.tables.texts import Audience

BASE_RATING, RATING_SCALE = 1000, 20
"""Rating shown for a newcomer, and rating points per unit of skill."""
SHOWN_DEVIATIONS = 3.0
"""Number of standard deviations subtracted from the expected skill before it is shown."""
PROVISIONAL_GAMES = 10
"""Number of rated games after which a rating is no longer provisional."""
IN_PROGRESS = (Status.OPEN, Status.RUNNING)
Company = Literal["alone", "people", "bots"]
"""Kind of other players: none, people (and possibly bots), bots only."""
Moment = tuple[int, str]
"""Sort key of games: end in ms since 1970, and table id."""


class LobbyKey(NamedTuple):
    """Place of a table in the lobby, where keys descend: joinable tables first, of these the newest."""

    rank: int
    """See ``lobby_rank``."""
    opened: int
    table: str

    @classmethod
    def of(cls, listing: Listing) -> "LobbyKey":
        return cls(listing.lobby or 0, listing.opened, listing.table)

    @classmethod
    def parse(cls, text: str) -> "LobbyKey":
        """Read a key as written by ``str``; the text must have been checked."""
        rank, opened, table = text.split("-", 2)
        return cls(int(rank), int(opened), table)

    def __str__(self) -> str:
        return f"{self.rank}-{self.opened}-{self.table}"


class StoredRecord(msgspec.Struct, frozen=True):
    table: str
    ended: int
    record: bytes


class TableJournal(Journal, Protocol):
    """A journal that also answers questions about tables and finished games."""

    async def listing(self, table: str) -> Listing | None: ...

    async def lobby(self, *, after: LobbyKey | None = None, limit: int) -> list[Listing]:
        """Return listings in the order of the lobby (``LobbyKey``), from the table after this key on."""
        ...

    async def listings_of(self, person: str, statuses: Collection[Status] = IN_PROGRESS) -> list[Listing]:
        """Return listings of all tables where a person has a seat, most recently changed first."""
        ...

    async def record(self, table: str) -> bytes | None: ...

    async def records_of(
        self, person: str, *, limit: int, before: Moment | None = None
    ) -> list[StoredRecord]:
        """Return a person's records, newest first; ``before`` is the key of the previous page's last one."""
        ...


class StoredChatLine(msgspec.Struct, frozen=True):
    table: str
    audience: Audience
    person: str
    name: str
    """Person's name at the time of writing."""
    text: str
    at: int
    id: int = 0
    """Id in ascending order of storing; 0 before storing."""


class ChatStore(Protocol):
    async def add(self, line: StoredChatLine) -> StoredChatLine:
        """Store a chat line; returns it with its id."""
        ...

    async def recent(self, table: str, audience: Audience, *, limit: int) -> list[StoredChatLine]:
        """Return the newest lines, in the order in which they were written."""
        ...


class Memo(msgspec.Struct, frozen=True):
    """A person's private note about a table."""

    text: str
    updated: int
    """When it was last written, in ms since 1970; strictly increasing with each change."""


class MemoStore(Protocol):
    async def find(self, table: str, person: str) -> Memo: ...

    async def write(self, table: str, person: str, text: str, *, since: int, now: int) -> Memo:
        """Replace the memo written at ``since``; raises Refusal (MEMO_CHANGED) if it was changed later."""
        ...


class DueOrders(NamedTuple):
    """A seat with valid standing orders that must decide now."""

    table: str
    seat: int
    person: str
    since: int
    """When the table last changed, in ms since 1970."""


class StandingOrderStore(Protocol):
    async def find(self, table: str, seat: int) -> SeatOrders: ...

    async def keep(self, table: str, seat: int, person: str, orders: SeatOrders, *, now: int) -> None: ...

    async def due(self) -> list[DueOrders]:
        """Return all seats with valid orders that must decide now, without loading tables."""
        ...

    async def purge(self) -> None:
        """Delete the standing orders of finished games."""
        ...


class DailySetup(msgspec.Struct, frozen=True):
    """The game set-up that all people get on one day."""

    day: str
    secret: bytes
    collectors: str


class HighScore(msgspec.Struct, frozen=True):
    """One high score, with the person's current name."""

    person: str
    name: str
    score: int


class StoredTry(msgspec.Struct, frozen=True):
    """A person's only attempt at a day's game; score and end are None while it runs."""

    day: str
    table: str
    score: int | None
    ended: int | None


class DailyStore(Protocol):
    """Daily games and attempts; an attempt counts if it ended before ``until``, the secret's publication."""

    async def keep(self, setup: DailySetup, now: int) -> DailySetup:
        """Store a day's set-up unless there is one; returns the stored one."""
        ...

    async def find(self, day: str) -> DailySetup | None: ...

    async def days(self) -> list[str]:
        """Return the days with a set-up, newest first."""
        ...

    async def begin(self, day: str, person: str, table: str, now: int) -> str:
        """Register a person's attempt at this table; returns the table of an earlier attempt if any."""
        ...

    async def tries_of(self, person: str, days: Sequence[str]) -> dict[str, StoredTry]:
        """Return a person's attempts, keyed by day."""
        ...

    async def begun(self, day: str) -> int:
        """Count the people who have begun."""
        ...

    async def scores(self, day: str, *, until: int) -> dict[int, int]:
        """Count the people who reached each score, lowest score first."""
        ...

    async def best(self, day: str, *, until: int, limit: int) -> list[HighScore]:
        """Return the highest scores, without those of deleted or banned people."""
        ...


class Duplicate(msgspec.Struct, frozen=True):
    id: str
    owner: str
    created: int
    tables: tuple[str, ...]
    """Table ids in the order of their numbers."""


class DuplicateStore(Protocol):
    async def add(self, duplicate: Duplicate) -> None:
        """Store a duplicate; must be called before its tables are opened."""
        ...

    async def find(self, duplicate: str) -> Duplicate | None: ...

    async def in_progress(self, duplicate: str) -> int:
        """Count a duplicate's open and running tables."""
        ...

    async def takes_part(self, duplicate: str, person: str) -> bool:
        """Whether the person owns the duplicate or has a seat at one of its tables."""
        ...

    async def of_person(self, person: str) -> list[Duplicate]:
        """Return the duplicates that the person owns or takes part in, newest first."""
        ...


class Skill(NamedTuple):
    """Expected skill and its standard deviation (TrueSkill-like scale)."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0

    @property
    def shown(self) -> int:
        """The rating to show: 1000 for a newcomer, about 1400 for an average regular player."""
        return round(BASE_RATING + RATING_SCALE * (self.mu - SHOWN_DEVIATIONS * self.sigma))


class SeatRow(msgspec.Struct, frozen=True):
    """One seat of a finished game, with its result."""

    seat: int
    person: str | None
    kind: str
    score: int
    place: int
    is_winner: bool
    name: str | None = None
    """Person's current name; None for bots and deleted people."""
    is_program: bool = False
    skill: Skill | None = None
    """Skill after the game, if the game was rated."""


class FinishedGame(msgspec.Struct, frozen=True):
    table: str
    ended: int
    players: int
    collectors: str
    seats: tuple[SeatRow, ...]

    def seats_of(self, person: str) -> list[SeatRow]:
        return [seat for seat in self.seats if seat.person == person]


class PastGame(msgspec.Struct, frozen=True):
    """A finished game with information about its table."""

    game: FinishedGame
    info: TableInfo


class ResultsPage(msgspec.Struct, frozen=True):
    games: list[PastGame]
    """Newest first."""
    total: int
    """Number of games on all pages."""
    has_more: bool


class ResultStore(Protocol):
    async def page_of(
        self, person: str, *, before: Moment | None, players: int | None, company: Company | None
    ) -> ResultsPage: ...

    async def all_of(self, person: str) -> list[FinishedGame]:
        """Return all finished games of a person, in the order in which they ended."""
        ...


class PersonRating(NamedTuple):
    skill: Skill = Skill()
    games: int = 0


class RatingStore(Protocol):
    async def of(self, person: str) -> PersonRating | None:
        """Return a person's rating; None without a rated game."""
        ...


class PersonalStore(Protocol):
    async def export(self, person: str) -> dict[str, list[dict[str, Any]]]:
        """Return all stored data about a person, grouped by kind; only data that JSON can express."""
        ...
