"""What a new process waits for: imports, the first compilation, and loading what is compiled."""

import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from statistics import median
from time import perf_counter

NOTHING = "pass"
IMPORT = "import royalcrypt, sys; sys.exit('numpy' in sys.modules or 'numba' in sys.modules)"
COMPILED_GAME = "from royalcrypt.search.playouts import random_games; random_games(2, 1, 1)"
# OpenSpiel brings SciPy, and Numba loads it wherever it is; the project itself does not have it.
WITHOUT_SCIPY = "import sys; sys.modules['scipy'] = None; "


@dataclass(frozen=True)
class Seconds:
    """From the start of a process to its end."""

    wall: float
    processor: float


def seconds(program: str, **settings: str) -> Seconds:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = perf_counter()
    subprocess.run([sys.executable, "-c", program], env=os.environ | settings, check=True)
    wall = perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Seconds(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def median_seconds(repeats: int, program: str, **settings: str) -> Seconds:
    found = [seconds(program, **settings) for _ in range(repeats)]
    return Seconds(median(each.wall for each in found), median(each.processor for each in found))


def import_seconds(repeats: int) -> float:
    """What ``import royalcrypt`` adds to a bare interpreter; it fails if that brings in NumPy or Numba."""
    return median(seconds(IMPORT).wall - seconds(NOTHING).wall for _ in range(repeats))


def compile_seconds(repeats: int) -> tuple[Seconds, Seconds, Seconds]:
    """To the first compiled game: in the first process, in later ones, and in later ones that have SciPy."""
    with tempfile.TemporaryDirectory() as directory:
        place = {"ROYALCRYPT_CACHE_DIR": directory}
        return (
            seconds(WITHOUT_SCIPY + COMPILED_GAME, **place),
            median_seconds(repeats, WITHOUT_SCIPY + COMPILED_GAME, **place),
            median_seconds(repeats, COMPILED_GAME, **place),
        )
