"""The compiled carrier: a NumPy record with the fields that ``rules.layout`` declares."""

from typing import Any, cast

import numpy as np

from royalcrypt.rules.layout import Options, State, fields_of


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


def blank_record() -> State:
    """A record with nothing in it, to be handed to compiled functions."""
    return cast("State", np.zeros(1, STATE)[0])
