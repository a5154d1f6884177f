"""A common interface of the two backends: plain objects and compiled records."""

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
PLAIN, COMPILED = BACKENDS = ("plain", "compiled")


@dataclass(frozen=True, slots=True)
class Backend:
    """Functions that create, advance and read states; the defaults are plain Python."""

    name: str = PLAIN
    blank: Callable[[], State] = blank
    row: Callable[[list[int]], Ints] = lambda numbers: numbers
    set_up: Callable[[State, int, Ints, int], None] = set_up
    advance: Callable[[State, int, int, int], None] = advance
    plain: Callable[[State], State] = lambda state: state
    """Convert a state to a plain object; returns the same object if it is one already."""


def backend_named(name: str) -> Backend:
    return compiled_backend() if name == COMPILED else Backend()


def plain_backend() -> Backend:
    return Backend()


def must_compile(*, step_by_step: bool) -> bool:
    """Whether the compiled backend still has to be compiled, which takes a while."""
    from royalcrypt.search.compilation import is_compiled
    from royalcrypt.search.playouts import play_many

    return not (is_compiled(set_up) and is_compiled(advance) if step_by_step else is_compiled(play_many))


def compiled_backend() -> Backend:
    """The compiled backend; each function is compiled on its first call."""
    if not can_compile():
        raise Refusal(Reason.NO_COMPILER)
    import numpy as np

    from royalcrypt.search.backend import blank_record

    return Backend(
        name=COMPILED,
        blank=blank_record,
        row=lambda numbers: cast("Ints", np.array(numbers, np.int16)),
        set_up=_compiled_on_call(set_up),
        advance=_compiled_on_call(advance),
        plain=plain_of,
    )


def _compiled_on_call(function: Callable[P, R]) -> Callable[P, R]:
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        from royalcrypt.search.compilation import compiled

        return compiled(function)(*arguments, **named)

    return call


def plain_of(record: State) -> State:
    """Convert a compiled state to a plain object."""
    return cast("State", _filled(PlainState(), State, record))


def _filled(target: Any, declaration: type, record: Any) -> Any:
    for (name, kind, length), value in zip(fields_of(declaration), record.tolist(), strict=True):
        if not isinstance(kind, str):
            for index, inner in enumerate(getattr(target, name)):
                _filled(inner, kind, value[index])
        else:
            setattr(target, name, value.tolist() if length else value)
    return target
