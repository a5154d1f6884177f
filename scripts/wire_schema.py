"""Prints one JSON Schema of all that goes between page and server: messages of the socket, bodies of REST."""

import tempfile
from pathlib import Path

import msgspec

from royalcrypt.live.wire.messages import socket_schema
from royalcrypt.server.app import make_app
from royalcrypt.server.http.openapi import openapi
from royalcrypt.server.settings import ServerSettings


def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        rest = msgspec.json.decode(openapi(make_app(ServerSettings(data=Path(data))), "identity"))
    schema = msgspec.json.decode(socket_schema())
    bodies = msgspec.json.decode(
        msgspec.json.encode(rest["components"]["schemas"]).replace(b"#/components/schemas/", b"#/$defs/")
    )
    schema["$defs"] = bodies | schema["$defs"]
    print(msgspec.json.encode(schema).decode())


if __name__ == "__main__":
    main()
