"""Review locked dependencies for known weaknesses; what nobody could tell about counts as not reviewed.

python scripts/audit.py requirements/play.lock
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FINE, WEAK, NOT_REVIEWED = 0, 1, 2
OPTIONS = ("--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json")
SHOWN = 5


def judged(report: str) -> tuple[int, str]:
    """What a report of pip-audit comes down to. By itself it calls all well also if it learned nothing."""
    try:
        packages: list[dict[str, Any]] = json.loads(report)["dependencies"]
    except (ValueError, KeyError):
        return (
            NOT_REVIEWED,
            "Nothing was reviewed: the service that knows of weaknesses could not be reached.",
        )
    weak = [(one, fault) for one in packages for fault in one.get("vulns", ())]
    unknown = [one["name"] for one in packages if "vulns" not in one]
    lines = [f"{one['name']} {one['version']}: {fault['id']}{mended(fault)}" for one, fault in weak]
    if unknown:
        more = "" if len(unknown) <= SHOWN else " …"
        named = ", ".join(unknown[:SHOWN])
        lines.append(
            f"Not reviewed, {len(unknown)} of {len(packages)}: {named}{more} (no answer about them)."
        )
    else:
        lines.append(f"Reviewed {len(packages)} packages: {len(weak) or 'no'} known weaknesses.")
    status = WEAK if weak else NOT_REVIEWED if unknown or not packages else FINE
    return status, "\n".join(lines)


def mended(fault: dict[str, Any]) -> str:
    versions: list[str] = fault.get("fix_versions") or []
    return f" (mended in {', '.join(versions)})" if versions else " (not mended yet)"


def main() -> int:
    lock, *options = sys.argv[1:]
    program = Path(sys.executable).with_name("pip-audit")
    asked = [str(program), *OPTIONS, "--requirement", lock, *options]
    done = subprocess.run(asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    status, words = judged(done.stdout)
    print(words)
    return status


if __name__ == "__main__":
    sys.exit(main())
