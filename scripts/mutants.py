"""Test the tests: plant leaks and mutate the rules, one fault at a time, and count what the tests catch.

python scripts/mutants.py [--leaks-only | --rules-only] [--mutants N] [--show]
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.faults.leaks import LEAKS, Leak  # noqa: E402 (found through the path above)

WORKERS = os.cpu_count() or 1
NEEDED = 0.95
LEAK_TESTS = [
    "tests/properties/test_no_leak.py",
    "tests/properties/test_knowledge_cache.py",
    "tests/live/test_twins.py",
]
FAILED = 1


def pytest(tests: list[str], source: Path, timeout: float) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=timeout, check=False
    )


def catches(leak: Leak) -> str:
    """``caught``, ``MISSED``, or why the leak could not be planted."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        path = source / "royalcrypt" / leak.path
        text = path.read_text("utf-8")
        if text.count(leak.old) != 1:
            return f"NOT PLANTED: its text stands {text.count(leak.old)} times in {leak.path}"
        path.write_text(text.replace(leak.old, leak.new), "utf-8")
        done = pytest(LEAK_TESTS, source, timeout=600)
    if done.returncode == FAILED:
        return "caught"
    return "MISSED" if done.returncode == 0 else f"BROKEN:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"


def plant_leaks() -> bool:
    with ThreadPoolExecutor(WORKERS) as pool:
        verdicts = list(pool.map(catches, LEAKS))
    for leak, verdict in zip(LEAKS, verdicts, strict=True):
        print(f"  {verdict:8} {leak.what}")
    caught = verdicts.count("caught")
    print(f"Leaks: {caught} of {len(LEAKS)} caught.")
    return caught == len(LEAKS)


def mutmut(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def mutate_rules(count: int, *, show: bool) -> bool:
    """A fixed sample of all the mutants that mutmut makes of the rules."""
    shutil.rmtree(ROOT / "mutants", ignore_errors=True)
    mutmut("run", "--max-children", str(WORKERS), "royalcrypt.rules.no_such_mutant")
    listed = re.findall(r"(royalcrypt\.rules\.\S+__mutmut_\d+)", mutmut("results", "--all", "true"))
    # Private functions fill tables at import, before mutmut can switch a mutant on.
    awake = sorted({name for name in listed if ".x__" not in name})
    names = sorted(random.Random("royal crypt").sample(awake, min(count, len(awake))))
    print(f"Mutants: {len(names)} of {len(awake)} are tried.")
    mutmut("run", "--max-children", str(WORKERS), *names)
    status = dict(
        re.findall(r"(royalcrypt\.rules\.\S+__mutmut_\d+): (.+)", mutmut("results", "--all", "true"))
    )
    survivors = [name for name in names if status.get(name) in ("survived", "no tests")]
    caught = sum(status.get(name) in ("killed", "timeout", "suspicious", "segfault") for name in names)
    for name in survivors:
        print(f"  survived: {name}")
        if show:
            print(mutmut("show", name))
    share = caught / len(names) if names else 0.0
    print(f"Mutants: {caught} of {len(names)} caught, {share:.1%}; at least {NEEDED:.0%} are needed.")
    return share >= NEEDED


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leaks-only", action="store_true")
    parser.add_argument("--rules-only", action="store_true")
    parser.add_argument("--mutants", type=int, default=240)
    parser.add_argument("--show", action="store_true", help="show what the surviving mutants changed")
    arguments = parser.parse_args()
    passed = True
    if not arguments.rules_only:
        passed &= plant_leaks()
    if not arguments.leaks_only:
        passed &= mutate_rules(arguments.mutants, show=arguments.show)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
