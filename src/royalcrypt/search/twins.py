"""Compiled twins of plain functions: the same code objects with compiled callees.

The originals stay plain, so that one process uses both carriers. A function that is asked for is an entry:
one piece of machine code with all that it calls inside it. Only entries are kept on disk, so a later process
loads one file an entry and compiles nothing.
"""

import gc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast, get_type_hints

import numba
import numba.core.config
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

from royalcrypt.rules.layout import Ints, Options, State
from royalcrypt.search.cache import PACKAGE, cache_directory, can_keep, room_directory
from royalcrypt.search.candidates import CANDIDATE, Candidate, Candidates
from royalcrypt.search.carrier import OPTIONS, OUTCOME, STATE, Board, Outcome, Outcomes
from royalcrypt.search.floats import Floats, Tables
from royalcrypt.search.foresight import END_OF_ROUND, End, Ends
from royalcrypt.search.growth import EDGE, NODE, SEARCH, Edge, Edges, Node, Nodes, Search
from royalcrypt.search.replies import REPLY, Replies, Reply
from royalcrypt.search.settling import JUDGEMENT, Judgement, Judgements

config: Any = numba.core.config
njit: Any = numba.njit
P = ParamSpec("P")
R = TypeVar("R")
NUMBA_TYPES: dict[Any, Any] = {
    int: numba.int64,
    bool: numba.boolean,
    State: numba.from_dtype(STATE),
    Options: numba.from_dtype(OPTIONS),
    Ints: numba.int16[::1],
    Board: numba.from_dtype(STATE)[::1],
    Outcome: numba.from_dtype(OUTCOME),
    Outcomes: numba.from_dtype(OUTCOME)[::1],
    float: numba.float64,
    Floats: numba.float32[::1],
    Tables: numba.float32[:, ::1],
    Search: numba.from_dtype(SEARCH),
    Node: numba.from_dtype(NODE),
    Nodes: numba.from_dtype(NODE)[::1],
    Edge: numba.from_dtype(EDGE),
    Edges: numba.from_dtype(EDGE)[::1],
    End: numba.from_dtype(END_OF_ROUND),
    Ends: numba.from_dtype(END_OF_ROUND)[::1],
    Reply: numba.from_dtype(REPLY),
    Replies: numba.from_dtype(REPLY)[::1],
    Judgement: numba.from_dtype(JUDGEMENT),
    Judgements: numba.from_dtype(JUDGEMENT)[::1],
    Candidate: numba.from_dtype(CANDIDATE),
    Candidates: numba.from_dtype(CANDIDATE)[::1],
}
UNTOUCHED, LIGHTLY = 0, 1
"""How hard LLVM tries on a callee; as part of an entry it is gone over again with everything."""
MOST = 50
"""A callee with more functions in it than this is most of its entry, so only the entry is gone over."""
_entries: dict[FunctionType, Any] = {}
_callees: dict[FunctionType, Any] = {}


def is_compiled(function: Callable[..., Any] | None = None) -> bool:
    """Whether an earlier process left machine code of this function (or of any) for just these sources."""
    if function is None:
        return any(cache_directory().rglob("*.nbc"))
    plain = cast("FunctionType", function)
    return any(room_directory(_room_of(plain)).rglob(f"*.{plain.__qualname__}-*.nbc"))


def name_type(declaration: Any, numba_type: Any) -> None:
    """Let functions have parameters of this type, besides those known here."""
    NUMBA_TYPES[declaration] = numba_type


def _room_of(plain: FunctionType) -> str:
    package, _, rest = plain.__module__.partition(".")
    return rest.partition(".")[0] if package == PACKAGE.name else ""


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The compiled twin of ``function``, with all of ours that it calls; the original stays plain."""
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
                pass  # Numba found its file outdated, and met callees that are still plain.
        _compile_callees(twin)
        return _jit_entry(twin, plain)


def _jit_entry(twin: FunctionType, plain: FunctionType) -> Any:
    with _setting("CACHE_DIR", str(room_directory(_room_of(plain)))):
        return njit(
            _signature(plain), cache=can_keep(), error_model="numpy", no_cfunc_wrapper=True, nogil=True
        )(twin)


def _callee(plain: FunctionType) -> Any:
    """To be inlined into its caller: a call and the check of its status cost more than most rules do."""
    if plain not in _callees:
        twin = _twin(plain)
        _compile_callees(twin)
        _ = cpu_target.target_context  # built before the setting below, which it must not see
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
    return FunctionType(
        plain.__code__, dict(plain.__globals__), plain.__name__, plain.__defaults__, plain.__closure__
    )


def _compile_callees(twin: FunctionType) -> None:
    for name, callee in _called_by(twin).items():
        twin.__globals__[name] = _callee(callee)


def _called_by(function: FunctionType) -> dict[str, FunctionType]:
    """Functions of ours, by the name under which they are called."""
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
    """One a function, so that it compiles once: whole numbers are 64 bits, whatever field they come from."""
    hints = get_type_hints(plain)
    names = plain.__code__.co_varnames[: plain.__code__.co_argcount]
    return tuple(NUMBA_TYPES[hints[name]] for name in names)


@contextmanager
def _setting(name: str, value: Any) -> Generator[None]:
    """One of Numba's settings, for as long as it compiles for us."""
    before = getattr(config, name)
    setattr(config, name, value)
    try:
        yield
    finally:
        setattr(config, name, before)


@contextmanager
def _no_collector() -> Generator[None]:
    """Compiling makes millions of objects and little garbage; looking for it takes a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
