"""The seats of a table: who holds them, and who plays them."""

from typing import Literal

import msgspec

from royalcrypt.tables.entries import WhyTakenOver


class Place(msgspec.Struct, frozen=True, gc=False):
    """One seat. A bot may play a person's seat for a while; the seat stays theirs."""

    person: str | None = None
    name: str | None = None
    level: str | None = None
    """The bot that holds the seat."""
    keeper: str | None = None
    """The name of the keeper, if a program holds the seat."""
    entropy: str = ""
    reserved_for: str | None = None
    taken_over: WhyTakenOver | None = None
    away_since: int | None = None
    """The number of the event since which a bot plays for the person."""
    run_outs: int = 0
    """How often time ran out on the current decision."""

    @property
    def is_free(self) -> bool:
        return self.person is None and self.level is None

    @property
    def is_played_by_bot(self) -> bool:
        return self.level is not None or self.taken_over is not None

    @property
    def kind(self) -> str:
        """As in RECORD.md."""
        if self.level is not None:
            return f"bot:{self.level}"
        return "human" if self.keeper is None else f"program:{self.name}"


class SeatInfo(msgspec.Struct, frozen=True, gc=False):
    """A seat as everybody at the table may see it."""

    kind: Literal["free", "kept", "person", "bot"]
    """Kept: reserved for a person of the previous game."""
    name: str | None = None
    person: str | None = None
    level: str | None = None
    keeper: str | None = None
    """The name of the program's keeper; None for people."""
    taken_over: WhyTakenOver | None = None
    """Why a bot plays it for the person, if so."""
    bank: int | None = None
    """Milliseconds left in the bank."""


def seat_info(place: Place, bank: int | None) -> SeatInfo:
    if place.is_free:
        if place.reserved_for is None:
            return SeatInfo("free")
        return SeatInfo("kept", name=place.name, person=place.reserved_for, keeper=place.keeper)
    return SeatInfo(
        kind="person" if place.level is None else "bot",
        name=place.name,
        person=place.person,
        level=place.level,
        keeper=place.keeper,
        taken_over=place.taken_over,
        bank=bank,
    )
