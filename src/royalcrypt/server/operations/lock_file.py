"""The lock file, which contains the URL of the server running on a data folder."""

import json
import os
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

FILE = "server.json"
HEALTH = "/health"
TIMEOUT_SECONDS = 1.0


def write_lock_file(data: Path, url: str) -> None:
    part = data / f"{FILE}.{os.getpid()}.part"
    with suppress(OSError):  # The server works without the file.
        part.write_text(json.dumps({"pid": os.getpid(), "url": url}) + "\n", "utf-8")
        part.replace(data / FILE)


def remove_lock_file(data: Path) -> None:
    if _content(data).get("pid") == os.getpid():
        with suppress(OSError):
            (data / FILE).unlink()


def find_running(data: Path) -> str | None:
    """Return the URL of the server running on a folder; None if it does not respond."""
    url = _content(data).get("url")
    return url if isinstance(url, str) and _answers(url) else None


def _content(data: Path) -> dict[str, Any]:
    try:
        found: Any = json.loads((data / FILE).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _answers(url: str) -> bool:
    try:
        parts = urlsplit(url)
        asking = HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT_SECONDS)
        try:
            asking.request("GET", HEALTH)
            return asking.getresponse().status == 200
        finally:
            asking.close()
    except (OSError, HTTPException, ValueError):
        return False
