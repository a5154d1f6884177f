"""People who keep programs, and programs that talk to the server themselves."""

import contextlib
from collections.abc import AsyncGenerator
from typing import Any

from websockets.asyncio.client import connect

from tests.server.harness import Host, Json, Person


class Robot(Person):
    """Caller by a token, which it says in a header."""

    token = ""

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def connect(self, **options: Any) -> Json:
        self.socket = await connect(
            self.host.socket_url, additional_headers=self.bearer, compression=None, max_size=None, **options
        )
        return await self.hear("welcome", "refused")


async def made(keeper: Person, name: str = "Robot") -> Json:
    """The program that was made, and its token."""
    return await keeper.post("/api/me/programs", {"name": name})


@contextlib.asynccontextmanager
async def robot(keeper: Person, name: str = "Robot", *, is_connected: bool = True) -> AsyncGenerator[Robot]:
    """A new program of somebody's."""
    host: Host = keeper.host
    answer = await made(keeper, name)
    async with host.client(headers={"Authorization": f"Bearer {answer['token']}"}) as http:
        found = Robot(host, http, name)
        found.id, found.token = answer["program"]["id"], answer["token"]
        if is_connected:
            await found.connect()
        try:
            yield found
        finally:
            await found.disconnect()
