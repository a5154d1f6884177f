"""Rows of numbers with fractions, for what is learned; states hold whole numbers only."""

from typing import Protocol


class Floats(Protocol):
    """A fixed row of numbers: a list, or an array of 32-bit floats."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


class Tables(Protocol):
    """Rows of numbers; indexing gives the row itself, so writing through it is kept."""

    def __getitem__(self, row: int, /) -> Floats: ...
