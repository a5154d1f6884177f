"""Check locked dependencies: the locks are whole and agree, and no locked version has a known vulnerability.

Exits 0 if all is well, 1 if something is wrong, 2 if the services that know vulnerabilities did not answer.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FINE, WRONG, NOT_REVIEWED = 0, 1, 2
ROOT = Path(__file__).parents[1]
NODE_LOCK = ROOT / "requirements" / "node.lock"
"""The lock of Node.js, which has an environment of its own."""
LOCKS = sorted({*(ROOT / "requirements").glob("*.lock")} - {NODE_LOCK})
DEPLOYED = ROOT / "requirements" / "cluster.lock"
"""The lock with everything that servers run; it contains the packages of ``play.lock`` and ``fast.lock``."""
PACKAGE_LOCK = ROOT / "web" / "package-lock.json"
PIP_AUDIT = ("--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json")
NPM_AUDIT = ("npm", "audit", "--json", "--prefix", str(PACKAGE_LOCK.parent))
NO_ANSWER = "nothing was reviewed, because the service that knows vulnerabilities did not answer."
SHOWN = 5


class Finding(NamedTuple):
    status: int
    words: str


class Pin(NamedTuple):
    name: str
    version: str
    hashes: int


def pins(lock: str) -> Iterator[Pin]:
    """Yield the packages of a lock file; raises ValueError at a line that pins nothing."""
    for line in re.sub(r"\\\n", " ", lock).splitlines():
        wanted = line.partition("#")[0].split("--hash=")
        if text := wanted[0].strip():
            found = re.fullmatch(r"([\w.-]+)(?:\[[\w,-]+\])?==([\w.+!]+)(?: ;.*)?", text)
            if found is None:
                raise ValueError(text)
            yield Pin(canonicalize_name(found[1]), found[2], len(wanted) - 1)


def faults_of_locks(locks: dict[str, str], project: dict[str, Any]) -> list[str]:
    """Return what is wrong with locks of one environment: not pinned, without hash, in conflict."""
    faults: list[str] = []
    versions: dict[str, dict[str, str]] = {}
    for file, text in locks.items():
        try:
            found = list(pins(text))
        except ValueError as error:
            faults.append(f"{file}: not pinned: {error}")
            continue
        faults += [f"{file}: {one.name} has no hash" for one in found if not one.hashes]
        for one in found:
            versions.setdefault(one.name, {})[file] = one.version
    for name, by_file in versions.items():
        if len(set(by_file.values())) > 1:
            faults.append(
                f"{name}: " + ", ".join(f"{version} in {file}" for file, version in by_file.items())
            )
    for text in chain(project["dependencies"], *project["optional-dependencies"].values()):
        wanted = Requirement(text)
        for file, version in versions.get(canonicalize_name(wanted.name), {}).items():
            if version not in wanted.specifier:
                faults.append(f"{file}: {wanted.name} {version} is not {wanted.specifier}")
    return faults


def faults_of_package_lock(lock: dict[str, Any]) -> list[str]:
    packages = {path: one for path, one in lock["packages"].items() if path and not one.get("link")}
    return [
        f"package-lock.json: {path} has no hash" for path, one in packages.items() if "integrity" not in one
    ]


def locks() -> Finding:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    faults = faults_of_locks({lock.name: lock.read_text("utf-8") for lock in LOCKS}, project)
    faults += faults_of_locks({NODE_LOCK.name: NODE_LOCK.read_text("utf-8")}, project)
    faults += faults_of_package_lock(json.loads(PACKAGE_LOCK.read_text("utf-8")))
    return (
        Finding(WRONG, "\n".join(faults)) if faults else Finding(FINE, "The lock files are whole and agree.")
    )


def python_finding(report: str) -> Finding:
    """Judge a report of pip-audit, which by itself succeeds even if it got no answer."""
    try:
        packages: list[dict[str, Any]] = json.loads(report)["dependencies"]
    except (ValueError, KeyError):
        return Finding(NOT_REVIEWED, f"Python: {NO_ANSWER}")
    weak = [(one, fault) for one in packages for fault in one.get("vulns", ())]
    unknown = [one["name"] for one in packages if "vulns" not in one]
    lines = [f"{one['name']} {one['version']}: {fault['id']}{fixed_in(fault)}" for one, fault in weak]
    if unknown:
        more = "" if len(unknown) <= SHOWN else " …"
        named = ", ".join(unknown[:SHOWN])
        lines.append(f"Python: no answer about {len(unknown)} of {len(packages)} packages: {named}{more}")
    else:
        lines.append(f"Python: {len(packages)} packages, {len(weak) or 'no'} known vulnerabilities.")
    return Finding(WRONG if weak else NOT_REVIEWED if unknown or not packages else FINE, "\n".join(lines))


def fixed_in(fault: dict[str, Any]) -> str:
    versions: list[str] = fault.get("fix_versions") or []
    return f" (fixed in {', '.join(versions)})" if versions else " (not fixed yet)"


def page_finding(report: str) -> Finding:
    """Judge a report of ``npm audit``."""
    try:
        found: dict[str, Any] = json.loads(report)
        total = found["metadata"]["dependencies"]["total"]
    except (ValueError, KeyError):
        return Finding(NOT_REVIEWED, f"Page: {NO_ANSWER}")
    weak = found["vulnerabilities"]
    lines = [f"{name}: {one['severity']}, in {one['range']}" for name, one in weak.items()]
    lines.append(f"Page: {total} packages, {len(weak) or 'no'} known vulnerabilities.")
    return Finding(WRONG if weak else FINE, "\n".join(lines))


def output_of(*command: str) -> str:
    try:
        return subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False
        ).stdout
    except OSError:  # npm is not installed.
        return ""


def main() -> int:
    pip_audit = str(Path(sys.executable).with_name("pip-audit"))
    findings = (
        locks(),
        python_finding(output_of(pip_audit, *PIP_AUDIT, "--requirement", str(DEPLOYED), *sys.argv[1:])),
        page_finding(output_of(*NPM_AUDIT)),
    )
    print("\n".join(one.words for one in findings))
    statuses = {one.status for one in findings}
    return WRONG if WRONG in statuses else NOT_REVIEWED if NOT_REVIEWED in statuses else FINE


if __name__ == "__main__":
    sys.exit(main())
