"""Compiled twins of plain functions: the same code objects with compiled callees, cached on disk.

The originals stay plain, so that one process uses both carriers. Numba's own cache watches one file a function
and no flags; so the cache directory is named by a digest of all the sources that may be compiled.
"""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast, get_type_hints

import numba
import numba.core.config
from platformdirs import user_cache_path

from royalcrypt.rules.layout import Ints, Options, State
from royalcrypt.search.carrier import OPTIONS, STATE

config: Any = numba.core.config
P = ParamSpec("P")
R = TypeVar("R")
PACKAGE = Path(__file__).parents[1]
COMPILED_ROOMS = ("rules", "search")
CACHES_KEPT = 4
_twins: dict[tuple[FunctionType, bool], Any] = {}
NUMBA_TYPES: dict[Any, Any] = {
    int: numba.int64,
    bool: numba.boolean,
    State: numba.from_dtype(STATE),
    Options: numba.from_dtype(OPTIONS),
    Ints: numba.int16[::1],
}


def _digest() -> str:
    flags = f"numba={numba.__version__} boundscheck={config.BOUNDSCHECK}"
    digest = hashlib.blake2b(flags.encode(), digest_size=8)
    for room in COMPILED_ROOMS:
        for source in sorted((PACKAGE / room).rglob("*.py")):
            digest.update(f"\0{source.relative_to(PACKAGE)}\0".encode() + source.read_bytes())
    return digest.hexdigest()


CACHES = user_cache_path("royalcrypt") / "compiled"
CACHE = CACHES / _digest()


def is_compiled() -> bool:
    """Whether an earlier process left compiled code for just these sources."""
    return any(CACHE.rglob("*.nbc"))


def prune_caches() -> None:
    """Forget the code of older sources, but for the few most recent."""
    others = sorted((found for found in CACHES.glob("*") if found != CACHE), key=lambda found: found.stat().st_mtime)
    for stale in others[: 1 - CACHES_KEPT]:
        shutil.rmtree(stale, ignore_errors=True)


def _signature(plain: FunctionType) -> tuple[Any, ...]:
    """One signature a function: whole numbers are 64 bits, whatever field they come from, so each compiles once."""
    hints = get_type_hints(plain)
    names = plain.__code__.co_varnames[: plain.__code__.co_argcount]
    return tuple(NUMBA_TYPES[hints[name]] for name in names)


def _twin(plain: FunctionType, is_entry: bool) -> Any:
    names = dict(plain.__globals__)
    twin = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, plain.__closure__)
    for name in plain.__code__.co_names:
        callee = names.get(name)
        if isinstance(callee, FunctionType) and callee.__module__.startswith(PACKAGE.name + "."):
            names[name] = _compile(callee, is_entry=False)
    return twin


def _compile(plain: FunctionType, *, is_entry: bool) -> Any:
    if (plain, is_entry) not in _twins:
        twin = _twin(plain, is_entry)
        before, config.CACHE_DIR = config.CACHE_DIR, str(CACHE)  # read by njit
        try:
            _twins[plain, is_entry] = numba.njit(
                _signature(plain),
                cache=True,
                error_model="numpy",
                no_cpython_wrapper=not is_entry,
                no_cfunc_wrapper=True,
            )(twin)
        finally:
            config.CACHE_DIR = before
    return _twins[plain, is_entry]


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The compiled twin of ``function`` and of all of ours that it calls; the original stays plain."""
    return cast("Callable[P, R]", _compile(cast("FunctionType", function), is_entry=True))
