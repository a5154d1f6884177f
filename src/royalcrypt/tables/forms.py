"""What lists tell of a table. A move changes only a few numbers of it: all the rest stays written."""

from collections.abc import Sequence
from typing import NamedTuple

BANK = b'"bank":}'
NUMBERS = b'"round":,"actor":,"deadline":'
"""How it reads where these are left out. No text does: in it, quotes would be escaped."""


class InfoForm(NamedTuple):
    """A table's information as JSON, with blanks for some seats' banks, then round, actor and deadline."""

    seats: tuple[int, ...]
    up_to_banks: tuple[bytes, ...]
    up_to_numbers: bytes
    rest: bytes

    @classmethod
    def of(cls, written: bytes, seats: tuple[int, ...]) -> "InfoForm":
        """From JSON in which these were left out, with the seats whose banks were."""
        head, _, rest = written.partition(NUMBERS)
        *up_to_banks, up_to_numbers = head.split(BANK)
        return cls(seats, tuple(up_to_banks), up_to_numbers, rest)

    def filled(
        self,
        *,
        banks: Sequence[int] | None,
        round_number: int | None,
        actor: int | None,
        deadline: int | None,
    ) -> bytes:
        pieces: list[bytes] = []
        for seat, piece in zip(self.seats, self.up_to_banks, strict=True):
            pieces += piece, b'"bank":%b}' % _number(None if banks is None else banks[seat])
        numbers = _number(round_number), _number(actor), _number(deadline)
        pieces += self.up_to_numbers, b'"round":%b,"actor":%b,"deadline":%b' % numbers, self.rest
        return b"".join(pieces)


def _number(number: int | None) -> bytes:
    return b"null" if number is None else b"%d" % number
