"""What can happen at a table: the entries of its journal, from which everything about it is read off."""

from typing import Literal, NamedTuple

import msgspec

from royalcrypt.tables.settings import TableSettings

WhyTakenOver = Literal["left", "time", "kicked"]
WhyClosed = Literal["empty", "owner", "host", "abandoned"]


class Sitter(NamedTuple):
    """A person with the name they go by at a table; or a program, and who keeps it."""

    person: str
    name: str
    keeper: str | None = None


class Entry(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    at: int
    """When, in milliseconds since 1970."""


class Opened(Entry, frozen=True, tag="opened"):
    """The secret is kept here from the start, so that its digest can be published before anybody sits."""

    settings: TableSettings
    owner: str
    secret: str
    invite: str
    reserved: tuple[Sitter | None, ...] = ()
    """By seat, whom it is kept for: a rematch keeps everybody's own."""
    follows: str | None = None
    seal: str | None = None
    """Under which the secret is shared with other tables; see ``seals``."""


class Sat(Entry, frozen=True, tag="sat"):
    seat: int
    person: str
    name: str
    entropy: str
    keeper: str | None = None
    """The name of who keeps the program that sits there; none for people."""


class Seated(Entry, frozen=True, tag="seated"):
    """A bot was given a seat."""

    seat: int
    level: str


class Freed(Entry, frozen=True, tag="freed"):
    """Whoever sat there, or it was kept for, does so no more."""

    seat: int


class Left(Entry, frozen=True, tag="left"):
    """A person gave up all they had at a table that has not started."""

    person: str


class Started(Entry, frozen=True, tag="started"):
    collectors: str
    leader: int


class Moved(Entry, frozen=True, tag="moved"):
    seat: int
    move: str
    is_bots: bool = False


class TakenOver(Entry, frozen=True, tag="takenover"):
    """From now on a bot plays these seats for those who hold them."""

    seats: tuple[int, ...]
    why: WhyTakenOver


class Returned(Entry, frozen=True, tag="returned"):
    seats: tuple[int, ...]


class Closed(Entry, frozen=True, tag="closed"):
    why: WhyClosed


class Followed(Entry, frozen=True, tag="followed"):
    """A rematch was opened."""

    table: str


AnyEntry = Opened | Sat | Seated | Freed | Left | Started | Moved | TakenOver | Returned | Closed | Followed

encode_entry = msgspec.json.Encoder().encode
decode_entry = msgspec.json.Decoder(AnyEntry).decode
