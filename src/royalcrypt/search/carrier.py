"""The compiled carrier: NumPy records with the fields that ``rules.layout`` declares."""

from typing import Annotated, Any, Protocol, cast

import numpy as np

from royalcrypt.rules.layout import I2, SEATS, Ints, Options, State, fields_of, numbers_of


class Board(Protocol):
    """A row of states; putting one in copies it."""

    def __getitem__(self, index: int, /) -> State: ...
    def __setitem__(self, index: int, state: State, /) -> None: ...


class Outcome(Protocol):
    """How a game ended."""

    scores: Annotated[Ints, I2, (SEATS,)]
    winners: Annotated[int, I2]
    """One bit a seat."""
    sides: Annotated[int, I2]
    """One bit a type, in their order: set for side B."""
    decisions: Annotated[int, I2]
    """Of players."""
    steps: Annotated[int, I2]
    """Decisions of players and of chance."""


class Outcomes(Protocol):
    """A row of outcomes; indexing gives the outcome itself, so writing through it is kept."""

    def __getitem__(self, game: int, /) -> Outcome: ...


def record_dtype(declaration: type) -> np.dtype[Any]:
    """The NumPy record that a declaration describes."""
    fields: list[tuple[Any, ...]] = []
    for name, kind, length in fields_of(declaration):
        if hasattr(np.record, name):
            raise TypeError(f"records already have their own {name!r}; rename the field")
        inner: Any = kind if isinstance(kind, str) else record_dtype(kind)
        fields.append((name, inner, (length,)) if length else (name, inner))
    return np.dtype((np.record, np.dtype(fields, align=True)))


STATE = record_dtype(State)
OPTIONS = record_dtype(Options)
OUTCOME = record_dtype(Outcome)


def blank_record() -> State:
    """A record with nothing in it, to be handed to compiled functions."""
    return cast("State", np.zeros(1, STATE)[0])


def record_of(state: State) -> State:
    """A plain state as a record: both have the same fields in the same order."""
    return cast("State", np.array(numbers_of(state), np.int16).view(STATE)[0])


def no_options_record() -> Options:
    """An empty buffer, to be handed to compiled functions."""
    return cast("Options", np.zeros(1, OPTIONS)[0])
