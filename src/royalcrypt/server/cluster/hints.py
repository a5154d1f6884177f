"""Hints between the processes of one server, and their encryption.

A hint says that something has changed; the change itself is read from the database. Reactions are the only
exception: they are stored nowhere, so the hint carries them. Hints are encrypted, because others who have the
address of the Redis, such as bot-workers, must not read or forge them.
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
"""Prefixes of topics; an id follows."""
NAME_BYTES, NUMBER_BYTES = 16, 12


class Hint(msgspec.Struct, frozen=True, array_like=True, gc=False):
    process: str
    """The sender."""


class TableHint(Hint, frozen=True, tag="Moved"):
    """On a table's topic, or to a process where the table is open: its journal has ``ply`` entries now."""

    table: str
    ply: int


class ChatHint(Hint, frozen=True, tag="Said"):
    """On a table's topic: there is a new chat line."""


class ReactionHint(Hint, frozen=True, tag="Reacted"):
    """On a table's topic: a reaction, as the message for sockets."""

    audience: Audience
    message: bytes


class PresenceHint(Hint, frozen=True, tag="Present"):
    """On a table's topic: the people who have it open at the sender."""

    people: tuple[str, ...]


class PresenceQuery(Hint, frozen=True, tag="WhoIsThere"):
    """On a table's topic; answered by a PresenceHint, or by a PeopleReply if it has a number."""

    number: int | None = None


class ListingHint(Hint, frozen=True, tag="Listed"):
    """In the lobby, or on a person's topic: a table's line in lists has changed."""

    table: str


class NoticeHint(Hint, frozen=True, tag="Noticed"):
    """To everybody: there is a new notice."""


class Heartbeat(Hint, frozen=True, tag="Alive"):
    """To everybody, every few seconds."""

    connections: int


class ConnectedQuery(Hint, frozen=True, tag="RollCall"):
    """To everybody; answered by a PeopleReply with all connected people."""

    number: int


class PeopleReply(Hint, frozen=True, tag="Answer"):
    """To the process that sent a query with this number."""

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
    """Encrypts hints with a key per process, derived from the shared key and the process's random name; a
    counter serves as nonce and detects replayed hints."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._name = token_bytes(NAME_BYTES)
        self._cipher = self._cipher_of(self._name)
        self._numbers = count(1)
        self._others: dict[bytes, tuple[AESGCM, bytes]] = {}
        """By name, with the number of the newest hint."""

    def _cipher_of(self, name: bytes) -> "AESGCM":
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 (an extra)

        return AESGCM(hmac.digest(self._key, name, "sha256"))

    def encrypt(self, content: bytes, topic: str) -> bytes:
        number = next(self._numbers).to_bytes(NUMBER_BYTES)
        return self._name + number + self._cipher.encrypt(number, content, topic.encode())

    def is_own(self, envelope: bytes) -> bool:
        return envelope.startswith(self._name)

    def decrypt(self, envelope: bytes, topic: str) -> bytes | None:
        """None unless another process of this server sent it on this topic, after its earlier hints."""
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
