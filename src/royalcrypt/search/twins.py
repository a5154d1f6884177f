"""Compiled variants of plain functions: the same code objects with compiled callees.

The originals stay plain, so one process can use both backends. A function passed to ``compiled`` is an entry:
one piece of machine code with everything that it calls. Only entries are stored on disk, so a later process
loads one file per entry and compiles nothing.
"""

import gc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast, get_args, get_origin, get_type_hints

import numba
import numba.core.config
from numba.core import imputils, types
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

from royalcrypt.rules.layout import Ints
from royalcrypt.search.cache import PACKAGE, cache_directory, can_keep, room_directory
from royalcrypt.search.carrier import Floats, RecordArray, Tables, record_dtype

config: Any = numba.core.config
njit: Any = numba.njit
lower_cast: Any = cast("Any", imputils).lower_cast
P = ParamSpec("P")
R = TypeVar("R")
NUMBA_TYPES: dict[Any, Any] = {
    int: numba.int64,
    bool: numba.boolean,
    float: numba.float64,
    Ints: numba.int16[::1],
    Floats: numba.float32[::1],
    Tables: numba.float32[:, ::1],
}
"""Types of parameters. Records and rows of records are added when a function first needs them."""
UNTOUCHED, LIGHTLY = 0, 1
"""LLVM optimisation levels for a callee; it is optimised again as part of its entry."""
MOST = 50
"""A callee with more functions than this is most of its entry, so only the entry is optimised."""
_entries: dict[FunctionType, Any] = {}
_callees: dict[FunctionType, Any] = {}


def is_compiled(function: Callable[..., Any] | None = None) -> bool:
    """Whether machine code of this function (or of any) is stored for these sources."""
    if function is None:
        return any(cache_directory().rglob("*.nbc"))
    plain = cast("FunctionType", function)
    return any(room_directory(_room_of(plain)).rglob(f"*.{plain.__qualname__}-*.nbc"))


def name_type(declaration: Any, numba_type: Any) -> None:
    """Let functions have parameters of this type."""
    NUMBA_TYPES[declaration] = numba_type


def rebound(function: Callable[P, R], name: str, **callees: Callable[..., object]) -> Callable[P, R]:
    """A copy of a function that calls other functions under these names.

    It stands for passing a function as an argument, which compiled code cannot inline. ``name`` must be its
    name in the module of the callees.
    """
    plain = cast("FunctionType", function)
    copy = FunctionType(plain.__code__, plain.__globals__ | callees, name, plain.__defaults__)
    copy.__annotations__ = plain.__annotations__
    copy.__qualname__ = name
    copy.__module__ = next(iter(callees.values())).__module__
    return cast("Callable[P, R]", copy)


def _room_of(plain: FunctionType) -> str:
    package, _, rest = plain.__module__.partition(".")
    return rest.partition(".")[0] if package == PACKAGE.name else ""


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The compiled variant of ``function`` with all its callees; the original stays plain."""
    plain = cast("FunctionType", function)
    if plain not in _entries:
        _entries[plain] = _entry(plain)
    return cast("Callable[P, R]", _entries[plain])


def _entry(plain: FunctionType) -> Any:
    twin = _twin(plain)
    with _no_collector():
        if can_keep() and is_compiled(plain):
            try:
                return _jit_entry(twin, plain)
            except TypingError:
                pass  # Numba found its file outdated and then called functions that are still plain.
        _compile_callees(twin)
        return _jit_entry(twin, plain)


def _jit_entry(twin: FunctionType, plain: FunctionType) -> Any:
    with _setting("CACHE_DIR", str(room_directory(_room_of(plain)))):
        return njit(
            _signature(plain), cache=can_keep(), error_model="numpy", no_cfunc_wrapper=True, nogil=True
        )(twin)


def _callee(plain: FunctionType) -> Any:
    """Compiled to be inlined: a call with its status check costs more than most rules functions."""
    if plain not in _callees:
        twin = _twin(plain)
        _compile_callees(twin)
        _ = cpu_target.target_context  # created before the setting below, which must not affect it
        with _setting("OPT", LIGHTLY if len(_functions_in(plain)) <= MOST else UNTOUCHED):
            _callees[plain] = njit(
                _signature(plain),
                error_model="numpy",
                forceinline=True,
                no_rewrites=True,
                no_cpython_wrapper=True,
                no_cfunc_wrapper=True,
            )(twin)
    return _callees[plain]


def _twin(plain: FunctionType) -> FunctionType:
    """A copy with globals of its own, into which compiled callees are put."""
    copy = FunctionType(plain.__code__, dict(plain.__globals__), plain.__name__, plain.__defaults__)
    copy.__qualname__ = plain.__qualname__
    return copy


def _compile_callees(twin: FunctionType) -> None:
    for name, callee in _called_by(twin).items():
        twin.__globals__[name] = _callee(callee)


def _called_by(function: FunctionType) -> dict[str, FunctionType]:
    """Our own functions, by the name under which they are called."""
    found = {name: function.__globals__.get(name) for name in function.__code__.co_names}
    return {
        name: callee
        for name, callee in found.items()
        if isinstance(callee, FunctionType) and callee.__module__.startswith(PACKAGE.name + ".")
    }


@cache
def _functions_in(plain: FunctionType) -> frozenset[FunctionType]:
    inner = [_functions_in(callee) for callee in _called_by(plain).values()]
    return frozenset({plain}).union(*inner)


def _signature(plain: FunctionType) -> tuple[Any, ...]:
    """One signature per function, so it compiles once: integers have 64 bits, whatever their field."""
    hints = get_type_hints(plain)
    names = plain.__code__.co_varnames[: plain.__code__.co_argcount]
    return tuple(_numba_type(hints[name]) for name in names)


def _numba_type(hint: Any) -> Any:
    if hint not in NUMBA_TYPES:
        is_row = get_origin(hint) is RecordArray
        NUMBA_TYPES[hint] = (
            _numba_type(get_args(hint)[0])[::1] if is_row else numba.from_dtype(record_dtype(hint))
        )
    return NUMBA_TYPES[hint]


@lower_cast(types.NestedArray, types.Array)
def _nested_to_array(context: Any, builder: Any, from_type: Any, to_type: Any, value: Any) -> Any:  # noqa: ARG001
    """Let a row inside a record be passed as a row: both are the same struct, but Numba has no such cast."""
    return value


@contextmanager
def _setting(name: str, value: Any) -> Generator[None]:
    """Change one of Numba's settings for the duration of a compilation."""
    before = getattr(config, name)
    setattr(config, name, value)
    try:
        yield
    finally:
        setattr(config, name, before)


@contextmanager
def _no_collector() -> Generator[None]:
    """Pause garbage collection: it takes a tenth of the compile time and finds little."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
