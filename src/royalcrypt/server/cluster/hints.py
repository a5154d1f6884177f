"""Hints (change notifications) between the processes of one server, and their encryption.

A hint says that something has changed; the change itself is read from the database. Reactions are the only
exception: they are not stored, so the hint contains them. Hints are encrypted, because other clients of the
same Redis, such as bot-workers, must not read or forge them.
"""

import hmac
from itertools import count
from secrets import token_bytes
from typing import TYPE_CHECKING

import msgspec

from royalcrypt.tables.texts import Audience

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

EVERYBODY = "all"
LOBBY = "lobby"
TABLE, PERSON, PROCESS = "table:", "person:", "process:"
"""Topic prefixes, followed by an id."""
NAME_BYTES, NUMBER_BYTES = 16, 12


class Hint(msgspec.Struct, frozen=True, array_like=True, gc=False):
    process: str
    """Random name of the sending process."""


class TableHint(Hint, frozen=True, tag="Moved"):
    """A table's journal now has ``ply`` entries; sent to the table's topic or to processes with it open."""

    table: str
    ply: int


class ChatHint(Hint, frozen=True, tag="Said"):
    """A table has a new chat line; sent to the table's topic."""


class ReactionHint(Hint, frozen=True, tag="Reacted"):
    """A reaction as an encoded socket message; sent to the table's topic."""

    audience: Audience
    message: bytes


class PresenceHint(Hint, frozen=True, tag="Present"):
    """The people who have a table open in the sending process; sent to the table's topic."""

    people: tuple[str, ...]


class PresenceQuery(Hint, frozen=True, tag="WhoIsThere"):
    """Asks a table's topic who is present; the reply is a PresenceHint, or a PeopleReply if numbered."""

    number: int | None = None


class ListingHint(Hint, frozen=True, tag="Listed"):
    """A table's listing has changed; sent to the lobby's or a person's topic."""

    table: str


class NoticeHint(Hint, frozen=True, tag="Noticed"):
    """A new notice is stored in the database; sent to all processes."""


class Heartbeat(Hint, frozen=True, tag="Alive"):
    """Sign of life, sent to all processes every few seconds."""

    connections: int


class ConnectedQuery(Hint, frozen=True, tag="RollCall"):
    """Asks all processes for their connected people; the reply is a PeopleReply."""

    number: int


class PeopleReply(Hint, frozen=True, tag="Answer"):
    """Reply to the process that sent the query with this number."""

    number: int
    people: tuple[str, ...]


AnyHint = (
    TableHint
    | ChatHint
    | ReactionHint
    | PresenceHint
    | PresenceQuery
    | ListingHint
    | NoticeHint
    | Heartbeat
    | ConnectedQuery
    | PeopleReply
)
encode_hint = msgspec.msgpack.Encoder().encode
decode_hint = msgspec.msgpack.Decoder(AnyHint).decode


class HintCipher:
    """Encrypts hints with one key per process, derived from the shared key and the process's random name; a
    counter serves as nonce and detects replayed hints."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._name = token_bytes(NAME_BYTES)
        self._cipher = self._cipher_of(self._name)
        self._numbers = count(1)
        self._others: dict[bytes, tuple[AESGCM, bytes]] = {}
        """Maps each other process's name to its cipher and the counter of its newest hint."""

    def _cipher_of(self, name: bytes) -> "AESGCM":
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 (an extra)

        return AESGCM(hmac.digest(self._key, name, "sha256"))

    def encrypt(self, content: bytes, topic: str) -> bytes:
        number = next(self._numbers).to_bytes(NUMBER_BYTES)
        return self._name + number + self._cipher.encrypt(number, content, topic.encode())

    def is_own(self, envelope: bytes) -> bool:
        return envelope.startswith(self._name)

    def decrypt(self, envelope: bytes, topic: str) -> bytes | None:
        """Decrypt a hint; None if it is forged, replayed, from this process, or meant for another topic."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 (an extra)

        name, rest = envelope[:NAME_BYTES], envelope[NAME_BYTES:]
        number, secret = rest[:NUMBER_BYTES], rest[NUMBER_BYTES:]
        cipher, newest = self._others.get(name) or (self._cipher_of(name), b"")
        if number <= newest:
            return None
        try:
            content = cipher.decrypt(number, secret, topic.encode())
        except (InvalidTag, ValueError):
            return None
        self._others[name] = cipher, number
        return content
