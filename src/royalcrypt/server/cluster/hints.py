"""Messages between the processes of one server.

A hint says that something has changed; the change itself is read from the database. Reactions are the only
exception: they are stored nowhere, so the hint carries them.
"""

import msgspec

from royalcrypt.tables.texts import Audience

EVERYBODY = "all"
LOBBY = "lobby"
_TABLE, _PERSON, _PROCESS = "table:", "person:", "process:"


class Hint(msgspec.Struct, frozen=True, array_like=True, gc=False):
    process: str
    """Whose it is."""


class Moved(Hint, frozen=True, tag="Moved"):
    """On a table's topic, or to a process where the table is open: its journal has ``ply`` entries now."""

    table: str
    ply: int


class Said(Hint, frozen=True, tag="Said"):
    """On a table's topic: somebody spoke there."""


class Reacted(Hint, frozen=True, tag="Reacted"):
    """On a table's topic."""

    audience: Audience
    message: bytes


class Present(Hint, frozen=True, tag="Present"):
    """On a table's topic: these have it open here."""

    people: tuple[str, ...]


class WhoIsThere(Hint, frozen=True, tag="WhoIsThere"):
    """On a table's topic, to be answered by Present; with a number, by an Answer to who asks alone."""

    number: int | None = None


class Listed(Hint, frozen=True, tag="Listed"):
    """In the lobby, or on a person's topic: a table's line in lists is another one."""

    table: str


class Noticed(Hint, frozen=True, tag="Noticed"):
    """To everybody: there is a new notice."""


class Alive(Hint, frozen=True, tag="Alive"):
    """To everybody, once in a while."""

    connections: int


class RollCall(Hint, frozen=True, tag="RollCall"):
    """To everybody: who is connected?"""

    number: int


class Answer(Hint, frozen=True, tag="Answer"):
    """To the process that asked a question of this number."""

    number: int
    people: tuple[str, ...]


AnyHint = Moved | Said | Reacted | Present | WhoIsThere | Listed | Noticed | Alive | RollCall | Answer
encode_hint = msgspec.msgpack.Encoder().encode
decode_hint = msgspec.msgpack.Decoder(AnyHint).decode


def about_table(table: str) -> str:
    return _TABLE + table


def about_person(person: str) -> str:
    return _PERSON + person


def for_process(process: str) -> str:
    return _PROCESS + process


def table_in(topic: str) -> str | None:
    return topic.removeprefix(_TABLE) if topic.startswith(_TABLE) else None


def person_in(topic: str) -> str | None:
    return topic.removeprefix(_PERSON) if topic.startswith(_PERSON) else None
