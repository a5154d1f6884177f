"""The two carriers of the rules behind one face: plain objects, or compiled records."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any, cast

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.layout import Ints, Options, PlainState, State, blank, fields_of, no_options
from royalcrypt.rules.setup import set_up
from royalcrypt.search.random_games import FINDINGS, carry_on

PLAIN, COMPILED = CARRIERS = ("plain", "compiled")


@dataclass(frozen=True, slots=True)
class Carrier:
    """How states are made, moved and read. Its buffers serve one game at a time."""

    name: str
    blank: Callable[[], State]
    row: Callable[[list[int]], Ints]
    options: Options
    findings: Ints
    set_up: Callable[[State, int, Ints, int], None]
    carry_on: Callable[[State, Options, Ints, int, int, int, int, int, int], bool]
    plain: Callable[[State], State]
    """The state as ordinary objects; not a copy where it is one already."""


def carrier_named(name: str) -> Carrier:
    return compiled_carrier() if name == COMPILED else plain_carrier()


def plain_carrier() -> Carrier:
    return Carrier(
        name=PLAIN,
        blank=blank,
        row=lambda numbers: numbers,
        options=no_options(),
        findings=[0] * FINDINGS,
        set_up=set_up,
        carry_on=carry_on,
        plain=lambda state: state,
    )


def can_compile() -> bool:
    return find_spec("numba") is not None and find_spec("numpy") is not None


def must_compile() -> bool:
    """Whether the compiled carrier would be compiled first, which takes a while."""
    from royalcrypt.search.twins import is_compiled

    return not (is_compiled(carry_on) and is_compiled(set_up))


def compiled_carrier() -> Carrier:
    if not can_compile():
        raise Refusal(Reason.NO_COMPILER)
    import numpy as np

    from royalcrypt.search.carrier import blank_record, no_options_record
    from royalcrypt.search.twins import compiled

    return Carrier(
        name=COMPILED,
        blank=blank_record,
        row=lambda numbers: cast("Ints", np.array(numbers, np.int16)),
        options=no_options_record(),
        findings=cast("Ints", np.zeros(FINDINGS, np.int16)),
        set_up=compiled(set_up),
        carry_on=compiled(carry_on),
        plain=plain_of,
    )


_fields = cache(fields_of)


def plain_of(record: State) -> State:
    """A compiled carrier's record as ordinary objects."""
    return cast("State", _filled(PlainState(), State, record))


def _filled(bag: Any, declaration: type, record: Any) -> Any:
    for (name, kind, length), value in zip(_fields(declaration), record.tolist(), strict=True):
        if not isinstance(kind, str):
            for index, inner in enumerate(getattr(bag, name)):
                _filled(inner, kind, value[index])
        else:
            setattr(bag, name, value.tolist() if length else value)
    return bag
