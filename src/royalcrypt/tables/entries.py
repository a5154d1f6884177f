"""Journal entries of a table, from which its whole state is derived."""

from typing import Literal, NamedTuple

import msgspec

from royalcrypt.tables.settings import TableSettings

WhyTakenOver = Literal["left", "time", "kicked"]
WhyClosed = Literal["empty", "owner", "host", "abandoned"]


class Sitter(NamedTuple):
    """A person with their name at the table, or a program with the name of its keeper."""

    person: str
    name: str
    keeper: str | None = None


class Entry(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    at: int
    """Time of the entry, in ms since 1970."""


class Opened(Entry, frozen=True, tag="opened"):
    """A table was opened; contains the secret, whose digest is published before anyone sits down."""

    settings: TableSettings
    owner: str
    secret: str
    invite: str
    reserved: tuple[Sitter | None, ...] = ()
    """The person for whom each seat is reserved, if any; used by rematches."""
    follows: str | None = None
    seal: str | None = None
    """Set if other tables share the secret (see ``seals``)."""


class Sat(Entry, frozen=True, tag="sat"):
    seat: int
    person: str
    name: str
    entropy: str
    keeper: str | None = None
    """Name of the program's keeper; None for people."""


class Seated(Entry, frozen=True, tag="seated"):
    """A bot was given a seat."""

    seat: int
    level: str


class Freed(Entry, frozen=True, tag="freed"):
    """A seat was freed or its reservation cancelled."""

    seat: int


class Left(Entry, frozen=True, tag="left"):
    """A person left a table before the game started."""

    person: str


class Started(Entry, frozen=True, tag="started"):
    collectors: str
    leader: int


class Moved(Entry, frozen=True, tag="moved"):
    seat: int
    move: str
    is_bots: bool = False


class TakenOver(Entry, frozen=True, tag="takenover"):
    """A bot has taken over these seats for their holders."""

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
