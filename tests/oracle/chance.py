"""Outcomes by address, as RECORD.md's "Chance" says."""

import hmac
from collections.abc import Sequence
from hashlib import sha256

Address = tuple[str, int, int, int]  # purpose, round, seat, index


def choose(secret: bytes, entropy: Sequence[str], address: Address, n: int) -> int:
    """Which of n outcomes of equal weight lies at the address."""
    attempt = 0
    while True:
        message = "|".join([",".join(entropy), *map(str, address), str(attempt)])
        x = int.from_bytes(hmac.new(secret, message.encode(), sha256).digest()[:4], "big")
        if x < n * (2**32 // n):
            return x % n
        attempt += 1


def commitment(secret: bytes) -> str:
    return sha256(secret).hexdigest()
