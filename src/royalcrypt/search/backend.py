"""The compiled backend's state: NumPy records with the fields that ``rules.layout`` declares."""

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from royalcrypt.rules.layout import Options, State, fields_of, numbers_of

T = TypeVar("T")


class Floats(Protocol):
    """A fixed-length sequence of numbers: a list, or an array of 32-bit floats."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


class Tables(Protocol):
    """A two-dimensional array of numbers. Indexing returns a row as a reference."""

    def __getitem__(self, row: int, /) -> Floats: ...


class RecordArray(Protocol[T]):
    """An array of records. Indexing returns a reference to the record; assignment copies into it."""

    def __getitem__(self, index: int, /) -> T: ...
    def __setitem__(self, index: int, record: T, /) -> None: ...


Board = RecordArray[State]


@cache
def record_dtype(declaration: type) -> np.dtype[Any]:
    """The NumPy record type with the fields of a declaration."""
    struct, names = _struct_dtype(declaration), [name for name, _, _ in fields_of(declaration)]
    for name in names:
        if hasattr(np.record, name):
            raise TypeError(f"NumPy records already have an attribute {name!r}; rename the field")
    # NumPy drops the alignment of nested records, so the offsets come from the plain struct.
    layout: Any = {
        "names": names,
        "formats": [_format(record_dtype, kind, length) for _, kind, length in fields_of(declaration)],
        "offsets": [struct.fields[name][1] for name in names],
        "itemsize": struct.itemsize,
    }
    return np.dtype((np.record, np.dtype(layout, align=True)))


def _struct_dtype(declaration: type) -> Any:
    fields = [(name, _format(_struct_dtype, *field)) for name, *field in fields_of(declaration)]
    return np.dtype(fields, align=True)


def _format(nested: Callable[[type], Any], kind: Any, length: int) -> Any:
    inner = kind if isinstance(kind, str) else nested(kind)
    return (inner, (length,)) if length else inner


STATE = record_dtype(State)
OPTIONS = record_dtype(Options)


def blank_record() -> State:
    """An empty state record for compiled functions; ``set_up`` initialises it."""
    return cast("State", np.zeros(1, STATE)[0])


def record_of(state: State) -> State:
    """The record with the values of a plain state; both have the same fields in the same order."""
    return cast("State", np.array(numbers_of(state), np.int16).view(STATE)[0])


def no_options_record() -> Options:
    """An empty options record for compiled functions."""
    return cast("Options", np.zeros(1, OPTIONS)[0])
