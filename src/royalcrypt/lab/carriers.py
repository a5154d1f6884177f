"""The two carriers of the rules behind one face: plain objects, or compiled records."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar, cast

from royalcrypt.bots.registry import can_compile
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.layout import Ints, PlainState, State, blank, fields_of
from royalcrypt.rules.reveal import set_up
from royalcrypt.search.simulation import advance

P = ParamSpec("P")
R = TypeVar("R")
PLAIN, COMPILED = CARRIERS = ("plain", "compiled")


@dataclass(frozen=True, slots=True)
class Carrier:
    """How states are made, moved and read."""

    name: str
    blank: Callable[[], State]
    row: Callable[[list[int]], Ints]
    set_up: Callable[[State, int, Ints, int], None]
    advance: Callable[[State, int, int, int], None]
    plain: Callable[[State], State]
    """The state as ordinary objects; not a copy where it is one already."""


def carrier_named(name: str) -> Carrier:
    return compiled_carrier() if name == COMPILED else plain_carrier()


def plain_carrier() -> Carrier:
    return Carrier(
        name=PLAIN,
        blank=blank,
        row=lambda numbers: numbers,
        set_up=set_up,
        advance=advance,
        plain=lambda state: state,
    )


def must_compile(*, step_by_step: bool) -> bool:
    """Whether the compiled carrier would be compiled first, which takes a while."""
    from royalcrypt.search.compilation import is_compiled
    from royalcrypt.search.playouts import play_many

    return not (is_compiled(set_up) and is_compiled(advance) if step_by_step else is_compiled(play_many))


def compiled_carrier() -> Carrier:
    """Compiles when it is used, and then only what is."""
    if not can_compile():
        raise Refusal(Reason.NO_COMPILER)
    import numpy as np

    from royalcrypt.search.backend import blank_record

    return Carrier(
        name=COMPILED,
        blank=blank_record,
        row=lambda numbers: cast("Ints", np.array(numbers, np.int16)),
        set_up=_compiled_when_used(set_up),
        advance=_compiled_when_used(advance),
        plain=plain_of,
    )


def _compiled_when_used(function: Callable[P, R]) -> Callable[P, R]:
    def twin(*arguments: P.args, **named: P.kwargs) -> R:
        from royalcrypt.search.compilation import compiled

        return compiled(function)(*arguments, **named)

    return twin


def plain_of(record: State) -> State:
    """A compiled carrier's record as ordinary objects."""
    return cast("State", _filled(PlainState(), State, record))


def _filled(bag: Any, declaration: type, record: Any) -> Any:
    for (name, kind, length), value in zip(fields_of(declaration), record.tolist(), strict=True):
        if not isinstance(kind, str):
            for index, inner in enumerate(getattr(bag, name)):
                _filled(inner, kind, value[index])
        else:
            setattr(bag, name, value.tolist() if length else value)
    return bag
