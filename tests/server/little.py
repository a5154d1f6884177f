"""``python -m tests.server.little`` is ``royalcrypt`` with a little application in place of the real one.

It answers ``/health``, tells who asked at ``/who``, never answers ``/never``, echoes what comes by WebSocket,
and starts or ends as the environment's ``LITTLE`` says.
"""

import asyncio
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from royalcrypt.cli import main
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import ServerKeys, load_keys
from royalcrypt.server.http.connection_limits import ConnectionLimits
from royalcrypt.server.settings import ServerSettings


def make_app(settings: ServerSettings) -> Any:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await live(receive, send)
        elif scope["type"] == "websocket":
            await echo(receive, send)
        else:
            await answer(scope, send)

    async def live(receive: Any, send: Any) -> None:
        mood = os.environ.get("LITTLE")
        await receive()
        if mood == "refuses":
            await send({"type": "lifespan.startup.failed", "message": "Traceback of some length"})
            raise Refusal(Reason.DATABASE_IN_USE, file=str(settings.database_file))
        if mood == "never starts":
            print("starting", flush=True)  # noqa: T201
            await asyncio.sleep(60)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        if mood == "never ends":
            await asyncio.sleep(60)
        settings.data.joinpath("closed").touch()
        await send({"type": "lifespan.shutdown.complete"})

    async def echo(receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})
        if message["code"] == 1012 and os.environ.get("LITTLE") == "clings":
            await asyncio.sleep(60)

    async def answer(scope: Any, send: Any) -> None:
        if scope["path"] == "/never":
            settings.data.joinpath("asked").touch()
            await asyncio.sleep(60)
        body = f"{scope['client'][0]} {scope['scheme']}".encode() if scope["path"] == "/who" else b"ok"
        length = (b"content-length", str(len(body)).encode())
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": body})

    return Little(app, load_keys(settings.data), ConnectionLimits(settings))


class Little:
    """With as much of the real application's service as the command line asks for."""

    def __init__(self, app: Any, keys: ServerKeys, connections: ConnectionLimits) -> None:
        self._app = app
        self.state = SimpleNamespace(service=SimpleNamespace(keys=keys), connections=connections)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._app(scope, receive, send)


if __name__ == "__main__":
    little = ModuleType("royalcrypt.server.app")
    little.make_app = make_app  # pyright: ignore[reportAttributeAccessIssue]
    sys.modules[little.__name__] = little
    if os.environ.get("LITTLE") == "slow import":
        Path(os.environ["ROYALCRYPT_DATA"], "importing").touch()
        import time

        time.sleep(0.5)
    sys.exit(main())
