"""What processes say to each other. Only to look: what happened is read where it is kept.

Two things travel as they are: reactions, which are not kept anywhere, and copies of moves, which never
change. So each hint bears a seal that only processes on the same database can make.
"""

import hmac
from hashlib import blake2b

import msgspec

from royalcrypt.tables.words import Audience

EVERYBODY = "all"
LOBBY = "lobby"
_TABLE, _PERSON, _PROCESS = "table:", "person:", "process:"


class Hint(msgspec.Struct, frozen=True, tag=True, array_like=True, gc=False):
    process: str
    """Whose it is: what one has said oneself needs no hearing."""


class Moved(Hint, frozen=True):
    """On a table's topic: its journal has so many entries now.

    If the last one was a move, a copy of it may be there, with the words for those who have the table open
    elsewhere: then nobody needs to read it.
    """

    ply: int
    line: bytes = b""
    words: dict[int | None, bytes] = {}


class Said(Hint, frozen=True):
    """On a table's topic: somebody spoke there."""


class Reacted(Hint, frozen=True):
    """On a table's topic."""

    audience: Audience
    message: bytes


class Present(Hint, frozen=True):
    """On a table's topic: these have it open here."""

    people: tuple[str, ...]


class WhoIsThere(Hint, frozen=True):
    """On a table's topic, to be answered by Present; with a number, by an Answer to who asks alone."""

    number: int | None = None


class Listed(Hint, frozen=True):
    """In the lobby, or on a person's topic: a table's line in lists is another one."""

    table: str


class Noticed(Hint, frozen=True):
    """To everybody: there is a new notice."""


class Alive(Hint, frozen=True):
    """To everybody, once in a while."""

    connections: int


class RollCall(Hint, frozen=True):
    """To everybody: who is connected?"""

    number: int


class Answer(Hint, frozen=True):
    """To the process that asked a question of this number."""

    number: int
    people: tuple[str, ...]


AnyHint = Moved | Said | Reacted | Present | WhoIsThere | Listed | Noticed | Alive | RollCall | Answer
SEAL_BYTES = 16
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(AnyHint).decode


def sealed(hint: AnyHint, topic: str, key: bytes) -> bytes:
    content = _encode(hint)
    return _seal(content, topic, key) + content


def unsealed(found: bytes, topic: str, key: bytes) -> AnyHint | None:
    """None if it was made elsewhere, or by a process of another version."""
    seal, content = found[:SEAL_BYTES], found[SEAL_BYTES:]
    if not hmac.compare_digest(seal, _seal(content, topic, key)):
        return None
    try:
        return _decode(content)
    except msgspec.DecodeError:
        return None


def _seal(content: bytes, topic: str, key: bytes) -> bytes:
    return blake2b(topic.encode() + b"\n" + content, digest_size=SEAL_BYTES, key=key).digest()


def about_table(table: str) -> str:
    return _TABLE + table


def about_person(person: str) -> str:
    return _PERSON + person


def for_process(process: str) -> str:
    return _PROCESS + process


def table_in(topic: str) -> str | None:
    return topic.removeprefix(_TABLE) if topic.startswith(_TABLE) else None
