"""A plain state as one row of numbers, for another process."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from royalcrypt.rules.layout import State, blank, fields_of


def numbers_of(state: State) -> list[int]:
    """A plain state as one row of numbers, in the order of the declaration."""
    found: list[int] = []
    _gather(state, State, found)
    return found


def _gather(bag: Any, declaration: type, found: list[int]) -> None:
    for name, kind, length in fields_of(declaration):
        value = getattr(bag, name)
        if not isinstance(kind, str):
            for inner in value:
                _gather(inner, kind, found)
        elif length:
            found += value
        else:
            found.append(value)


def state_of(numbers: Iterable[int]) -> State:
    """The plain state that ``numbers_of`` told."""
    state = blank()
    _spread(iter(numbers), State, state)
    return state


def _spread(numbers: Iterator[int], declaration: type, bag: Any) -> None:
    for name, kind, length in fields_of(declaration):
        if not isinstance(kind, str):
            for inner in getattr(bag, name):
                _spread(numbers, kind, inner)
        else:
            setattr(bag, name, list(islice(numbers, length)) if length else next(numbers))
