"""The directory that keeps compiled code between processes: one for each version of the sources.

Numba's own cache checks one source file per function and no flags. So the directory is named by a digest of
all sources that may be compiled and of the flags that change the code. Other packages with compiled functions
have subdirectories of their own: a change in them does not invalidate the rules and searches.
"""

import hashlib
import os
import shutil
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numba.core.config
from platformdirs import user_cache_path

config: Any = numba.core.config
PACKAGE = Path(__file__).parents[1]
COMPILED_ROOMS = ("rules", "search")
CACHES_KEPT = 4
CACHE_VARIABLE = "ROYALCRYPT_CACHE_DIR"
CANNOT_KEEP = (
    "compiled code cannot be kept in {caches} ({reason}), so every process compiles anew; "
    "set " + CACHE_VARIABLE + " to a directory that can be written"
)


@cache
def _digest(*rooms: str) -> str:
    flags = f"numba={numba.__version__} boundscheck={config.BOUNDSCHECK}"
    digest = hashlib.blake2b(flags.encode(), digest_size=8)
    for room in rooms:
        for source in sorted((PACKAGE / room).rglob("*.py")):
            digest.update(f"\0{source.relative_to(PACKAGE)}\0".encode() + source.read_bytes())
    return digest.hexdigest()


@cache
def cache_directory() -> Path:
    """The directory for these sources; it may not exist yet."""
    chosen = os.environ.get(CACHE_VARIABLE)
    caches = Path(chosen) if chosen else user_cache_path("royalcrypt") / "compiled"
    return caches / _digest(*COMPILED_ROOMS)


def room_directory(room: str) -> Path:
    """The directory for compiled functions of this package."""
    is_below = room in COMPILED_ROOMS or not (PACKAGE / room).is_dir()
    return cache_directory() if is_below else cache_directory() / f"{room}-{_digest(room)}"


@cache
def can_keep() -> bool:
    """Whether compiled code can be stored; warns once if not, for example in a read-only home directory."""
    directory = cache_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError as problem:
        caches = directory.parent
        warnings.warn(
            CANNOT_KEEP.format(caches=caches, reason=problem.strerror), RuntimeWarning, stacklevel=2
        )
        return False
    prune_caches()
    return True


def prune_caches() -> None:
    """Delete the code of older sources, except for the most recent ``CACHES_KEPT - 1``."""
    ours = cache_directory()
    others = sorted(
        (found for found in ours.parent.iterdir() if found != ours), key=lambda found: found.stat().st_mtime
    )
    for stale in others[: 1 - CACHES_KEPT]:
        shutil.rmtree(stale, ignore_errors=True)
