"""What processes say to each other is for nobody else: neither to read, nor to write, nor to say again.

Whoever has the address of a Redis, as bot-workers do, could otherwise see what players see.
"""

import hmac
from itertools import count
from secrets import token_bytes

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NAME_BYTES, NUMBER_BYTES = 16, 12


class Envelopes:
    """Each process has a key of its own, made from the one that all share and from its name; so a number is
    enough to tell its hints apart."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._name = token_bytes(NAME_BYTES)
        self._cipher = self._cipher_of(self._name)
        self._numbers = count(1)
        self._others: dict[bytes, tuple[AESGCM, bytes]] = {}
        """By name, with the number of the last hint that came."""

    def _cipher_of(self, name: bytes) -> AESGCM:
        return AESGCM(hmac.digest(self._key, name, "sha256"))

    def closed(self, content: bytes, topic: str) -> bytes:
        number = next(self._numbers).to_bytes(NUMBER_BYTES)
        return self._name + number + self._cipher.encrypt(number, content, topic.encode())

    def is_own(self, envelope: bytes) -> bool:
        """What one has said oneself needs no hearing."""
        return envelope.startswith(self._name)

    def opened(self, envelope: bytes, topic: str) -> bytes | None:
        """None if another process of this server has not said it, not here, or said more since."""
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
