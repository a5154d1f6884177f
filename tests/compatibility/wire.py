"""The wire documents without their wording, as they are kept in ``made/``."""

import json
import tempfile
from pathlib import Path
from typing import Any, cast

from royalcrypt.live.wire.messages import socket_schema
from royalcrypt.server.app import make_app
from royalcrypt.server.http.openapi import openapi
from royalcrypt.server.settings import ServerSettings

MADE = Path(__file__).parent / "made"
WORDING = ("summary", "description")


def documents() -> dict[str, str]:
    """By file name: the OpenAPI document and the JSON Schema of the socket's messages."""
    with tempfile.TemporaryDirectory() as data:
        rest = openapi(make_app(ServerSettings(data=Path(data))), "identity")
    return {"openapi.json": _pinned(rest), "socket.json": _pinned(socket_schema())}


def _pinned(document: bytes) -> str:
    return json.dumps(_without_wording(json.loads(document)), indent=1, sort_keys=True) + "\n"


def _without_wording(part: Any) -> Any:
    """A text called "description" is wording; a property of that name is not."""
    if isinstance(part, dict):
        named = cast("dict[str, Any]", part)
        return {
            name: _without_wording(inner)
            for name, inner in named.items()
            if not (name in WORDING and isinstance(inner, str))
        }
    return [_without_wording(inner) for inner in cast("list[Any]", part)] if isinstance(part, list) else part
