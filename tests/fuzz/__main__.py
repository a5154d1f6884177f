"""Fuzz what reads bytes from strangers, guided by coverage: ``make fuzz ARGS="commands --seconds 600"``.

Each target runs in a process of its own, from the kept seeds and what earlier campaigns found (``.fuzz``).
A fault leaves its input in ``.fuzz/faults``. It becomes a seed with its fix. ``--keep`` adds inputs to the
seeds that reach code which no seed reached.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.fuzz.targets import MAX_BYTES, SEEDS, TARGETS

FOUND = Path(".fuzz")
MEMORY_MB = 2048
TIMEOUT = 20
"""Seconds that one input may take: more is a hang. Coverage makes everything several times slower."""


def campaign(name: str, seconds: int, *, is_kept: bool) -> bool:
    """Whether no input was a fault."""
    found, faults, seeds = FOUND / name, FOUND / "faults", SEEDS / name
    for folder in (found, faults, seeds):
        folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.fuzz.guided", name]
    limits = [f"-max_len={MAX_BYTES}", f"-rss_limit_mb={MEMORY_MB}", f"-timeout={TIMEOUT}"]
    where = [f"-artifact_prefix={faults}/{name}-", "-print_final_stats=1"]
    done = subprocess.run(
        [*command, f"-max_total_time={seconds}", *limits, *where, str(found), str(seeds)], check=False
    )
    if is_kept and done.returncode == 0:
        subprocess.run([*command, "-merge=1", *limits, str(seeds), str(found)], check=True)
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help=f"any of {', '.join(TARGETS)}; all by default")
    parser.add_argument("--seconds", type=int, default=60, help="of each target")
    parser.add_argument("--keep", action="store_true", help="keep new inputs as seeds")
    arguments = parser.parse_args()
    os.environ.setdefault("PYTHONHASHSEED", "0")
    faulty = [
        name
        for name in arguments.targets or TARGETS
        if not campaign(name, arguments.seconds, is_kept=arguments.keep)
    ]
    told = f"Faults in: {', '.join(faulty)}; see {FOUND / 'faults'}." if faulty else "No faults."
    sys.stdout.write(f"{told}\n")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
