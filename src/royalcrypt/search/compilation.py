"""Compiled variants of plain functions, and the directory that stores their machine code.

A compiled variant has the same code object with compiled callees; the original stays plain, so one process
can use both backends. A function passed to ``compiled`` is an entry: it is compiled together with
all functions that it calls. Only entries are stored on disk, so a later process loads one file per entry and
compiles nothing.

Numba's own cache checks one source file per function and no flags. So the directory name is a digest of
all sources that may be compiled and of the flags that change the code. Other packages with compiled
functions have separate subdirectories: a change in them does not invalidate the rules and searches.
"""

import gc
import hashlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast, get_args, get_origin, get_type_hints

import numba
import numba.core.config
from numba.core import imputils, types
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from platformdirs import user_cache_path

from royalcrypt.rules.layout import Ints, fields_of
from royalcrypt.search.backend import Floats, RecordArray, Tables, record_dtype

config: Any = numba.core.config
njit: Any = numba.njit
lower_cast: Any = cast("Any", imputils).lower_cast
P = ParamSpec("P")
R = TypeVar("R")
ROOT = Path(__file__).parents[1]
SHARED_PACKAGES = ("rules", "search")
CACHES_STORED = 4
"""The number of most recent caches that are kept; caches of older sources are deleted."""
CACHE_VARIABLE = "ROYALCRYPT_CACHE_DIR"
CANNOT_STORE = (
    "compiled code cannot be stored in {caches} ({reason}), so every process compiles again; "
    "set " + CACHE_VARIABLE + " to a directory that can be written"
)


@cache
def _digest(*packages: str) -> str:
    flags = f"numba={numba.__version__} boundscheck={config.BOUNDSCHECK}"
    digest = hashlib.blake2b(flags.encode(), digest_size=8)
    for package in packages:
        for source in sorted((ROOT / package).rglob("*.py")):
            digest.update(f"\0{source.relative_to(ROOT)}\0".encode() + source.read_bytes())
    return digest.hexdigest()


@cache
def cache_directory() -> Path:
    """The cache directory for the current sources; it may not exist yet."""
    chosen = os.environ.get(CACHE_VARIABLE)
    caches = Path(chosen) if chosen else user_cache_path("royalcrypt") / "compiled"
    return caches / _digest(*SHARED_PACKAGES)


def package_directory(package: str) -> Path:
    """The cache directory for compiled functions of this package."""
    is_below = package in SHARED_PACKAGES or not (ROOT / package).is_dir()
    return cache_directory() if is_below else cache_directory() / f"{package}-{_digest(package)}"


@cache
def can_store() -> bool:
    """Whether compiled code can be stored; warns once if not, for example in a read-only home directory."""
    directory = cache_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError as problem:
        message = CANNOT_STORE.format(caches=directory.parent, reason=problem.strerror)
        warnings.warn(message, RuntimeWarning, stacklevel=2)
        return False
    others = [found for found in directory.parent.iterdir() if found != directory]
    others.sort(key=lambda found: found.stat().st_mtime)
    for stale in others[: 1 - CACHES_STORED]:
        shutil.rmtree(stale, ignore_errors=True)
    return True


NUMBA_TYPES: dict[Any, Any] = {
    int: numba.int64,
    bool: numba.boolean,
    float: numba.float64,
    Ints: numba.int16[::1],
    Floats: numba.float32[::1],
    Tables: numba.float32[:, ::1],
}
"""The Numba types of parameters. Record and array types are added when a function first needs them."""
LARGE_CALLEE = 50
"""LLVM does not optimise callees with more functions separately, as they are most of the entry's code."""
_entries: dict[FunctionType, Any] = {}
_callees: dict[FunctionType, Any] = {}


def is_compiled(function: Callable[..., Any] | None = None) -> bool:
    """Whether machine code of this function (by default, of any function) is stored for these sources."""
    if function is None:
        return any(cache_directory().rglob("*.nbc"))
    plain = cast("FunctionType", function)
    return any(package_directory(_package_of(plain)).rglob(f"*.{plain.__qualname__}-*.nbc"))


def name_type(declaration: Any, numba_type: Any) -> None:
    """Register the Numba type for parameters with this annotation."""
    NUMBA_TYPES[declaration] = numba_type


def _package_of(plain: FunctionType) -> str:
    package, _, rest = plain.__module__.partition(".")
    return rest.partition(".")[0] if package == ROOT.name else ""


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """The compiled variant of ``function`` with all its callees; the original stays plain."""
    plain = cast("FunctionType", function)
    if plain not in _entries:
        _entries[plain] = _entry(plain)
    return cast("Callable[P, R]", _entries[plain])


def _entry(plain: FunctionType) -> Any:
    variant = _variant_of(plain)
    with _garbage_collection_paused():
        if can_store() and is_compiled(plain):
            try:
                return _jit_entry(variant, plain)
            except TypingError:
                pass  # Numba found its file outdated and then called functions that are not compiled yet.
        _compile_callees(variant)
        return _jit_entry(variant, plain)


def _jit_entry(variant: FunctionType, plain: FunctionType) -> Any:
    with _setting("CACHE_DIR", str(package_directory(_package_of(plain)))):
        options = {"cache": can_store(), "error_model": "numpy", "no_cfunc_wrapper": True, "nogil": True}
        return njit(_signature(plain), **options)(variant)


def _callee(plain: FunctionType) -> Any:
    """A callee compiled for inlining, because calls with status checks are slower than most rules."""
    if plain not in _callees:
        variant = _variant_of(plain)
        _compile_callees(variant)
        _ = cpu_target.target_context  # created before the next setting, which must not affect it
        with _setting("OPT", 1 if len(_functions_in(plain)) <= LARGE_CALLEE else 0):
            _callees[plain] = njit(
                _signature(plain),
                error_model="numpy",
                forceinline=True,
                no_rewrites=True,
                no_cpython_wrapper=True,
                no_cfunc_wrapper=True,
            )(variant)
    return _callees[plain]


def _variant_of(plain: FunctionType) -> FunctionType:
    """A copy of the function with separate globals, in which callees are replaced by compiled ones."""
    copy = FunctionType(plain.__code__, dict(plain.__globals__), plain.__name__, plain.__defaults__)
    copy.__qualname__ = plain.__qualname__
    return copy


def _compile_callees(variant: FunctionType) -> None:
    for name, callee in _called_by(variant).items():
        variant.__globals__[name] = _callee(callee)


def _called_by(function: FunctionType) -> dict[str, FunctionType]:
    """The package's own functions that a function calls, by their names in its globals."""
    found = {name: function.__globals__.get(name) for name in function.__code__.co_names}
    return {
        name: callee
        for name, callee in found.items()
        if isinstance(callee, FunctionType) and callee.__module__.startswith(ROOT.name + ".")
    }


@cache
def _functions_in(plain: FunctionType) -> frozenset[FunctionType]:
    inner = [_functions_in(callee) for callee in _called_by(plain).values()]
    return frozenset({plain}).union(*inner)


def _signature(plain: FunctionType) -> tuple[Any, ...]:
    """A single signature per function, so that it compiles once: all integers have 64 bits."""
    hints = get_type_hints(plain)
    names = plain.__code__.co_varnames[: plain.__code__.co_argcount]
    return tuple(_numba_type(hints[name]) for name in names)


def _numba_type(hint: Any) -> Any:
    if get_origin(hint) is RecordArray:
        return _numba_type(get_args(hint)[0])[::1]
    if hint not in NUMBA_TYPES:
        if not fields_of(hint):
            raise KeyError(hint)
        NUMBA_TYPES[hint] = numba.from_dtype(record_dtype(hint))
    return NUMBA_TYPES[hint]


@lower_cast(types.NestedArray, types.Array)
def _nested_to_array(context: Any, builder: Any, from_type: Any, to_type: Any, value: Any) -> Any:  # noqa: ARG001
    """Cast a nested row to an array: both have the same layout, but Numba lacks this cast."""
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
def _garbage_collection_paused() -> Generator[None]:
    """Pause garbage collection, which takes a tenth of the compile time and frees little memory."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
