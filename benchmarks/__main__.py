"""Measure, show, and with ``--json FILE`` write down. Exits 0 whatever the figures are."""

import argparse
import os
import platform
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.figures import Figure, show, write

STATISTICS = Path("/proc/stat")
LIBRARIES = ("numba", "gymnasium", "pettingzoo", "pgx", "open_spiel", "ray", "uvicorn", "uvloop", "apsw")
SUBJECTS = (
    "rules",
    "search",
    "values",
    "advice",
    "envs",
    "openspiel",
    "ray",
    "dataset",
    "server",
    "blocking",
    "cluster",
    "page",
)
ON_REQUEST = ("page",)
MODULES = {"blocking": "blocking.measure", "cluster": "cluster.measure", "ray": "crews"}
"""Where a subject and what measures it are called differently."""


def measure(what: str, folder: Path) -> list[Figure]:
    if what == "server":
        from benchmarks.server import measure as server

        return server.figures(folder)
    return import_module(f"benchmarks.{MODULES.get(what, what)}").figures()


def machine() -> dict[str, str]:
    return {
        "Python": platform.python_version(),
        **{name: found for name in LIBRARIES if (found := installed(name))},
        "processor": platform.machine(),
        "cores": str(os.cpu_count()),
        "load": f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown",
    }


def stolen() -> float:
    """Seconds for which this machine's host, if it has one, has had its processors do something else."""
    try:
        columns = STATISTICS.read_text(encoding="ascii").split(maxsplit=10)
    except OSError:
        return 0
    return int(columns[8]) / os.sysconf("SC_CLK_TCK")


def installed(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "what",
        nargs="*",
        choices=SUBJECTS,
        default=[subject for subject in SUBJECTS if subject not in ON_REQUEST],
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures down as JSON, too")
    parser.add_argument("--folder", type=Path, default=Path(), help="where the server's databases are put")
    wanted = parser.parse_args()
    where = machine()
    before = stolen()
    figures = [figure for what in wanted.what for figure in measure(what, wanted.folder)]
    where["taken by the host"] = f"{stolen() - before:.1f} s"
    show(figures, where)
    if wanted.json:
        write(figures, where, wanted.json)


if __name__ == "__main__":
    main()
