"""Which server runs on a data folder: a note it leaves there while it does."""

import json
import os
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

FILE = "server.json"
HEALTH = "/health"
PATIENCE = 1.0


def write_lock_file(data: Path, url: str) -> None:
    part = data / f"{FILE}.{os.getpid()}.part"
    with suppress(OSError):  # Without the note, all that is lost is a convenience.
        part.write_text(json.dumps({"pid": os.getpid(), "url": url}) + "\n", "utf-8")
        part.replace(data / FILE)


def remove_lock_file(data: Path) -> None:
    if _noted(data).get("pid") == os.getpid():
        with suppress(OSError):
            (data / FILE).unlink()


def find_running(data: Path) -> str | None:
    """The URL of the server that runs on this folder; a note left by one that died counts for nothing."""
    url = _noted(data).get("url")
    return url if isinstance(url, str) and _answers(url) else None


def _noted(data: Path) -> dict[str, Any]:
    try:
        found: Any = json.loads((data / FILE).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _answers(url: str) -> bool:
    try:
        parts = urlsplit(url)
        asking = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE)
        try:
            asking.request("GET", HEALTH)
            return asking.getresponse().status == 200
        finally:
            asking.close()
    except (OSError, HTTPException, ValueError):
        return False
