"""Who a program is: somebody of its own, made and kept by a person, and known by a token."""

import hmac
import secrets
from collections.abc import Callable

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.identities import PERSON_BYTES, Known
from royalcrypt.server.keys import ServerKeys
from royalcrypt.server.limits import MOST_PROGRAMS
from royalcrypt.storage.people import Person, Program, Programs
from royalcrypt.tables.texts import clean_name

PREFIX = "crypt_"
"""So that people, and those who search for lost secrets, see what it is."""
TOKEN_BYTES = 32
DEVICE = "program"
NOTED_EVERY = 5 * 60 * 1000
"""Milliseconds after which it is noted again that a token is used."""


class Tokens:
    def __init__(self, programs: Programs, keys: ServerKeys, *, now: Callable[[], int]) -> None:
        self._programs = programs
        self._key = keys.derived("tokens")
        self._now = now
        self._noted: dict[str, int] = {}
        """By program, when its use was last noted; there are as many as have come by since the start."""

    async def make(self, keeper: str, name: str) -> tuple[Program, str]:
        """A new program and its token, which nobody is told again."""
        person = Person(secrets.token_urlsafe(PERSON_BYTES), clean_name(name), self._now())
        token = new_token()
        if not await self._programs.add(person, keeper, self._digest(token), most=MOST_PROGRAMS):
            raise Refusal(Reason.TOO_MANY, most=MOST_PROGRAMS)
        return Program(person.id, person.name, person.created, None), token

    async def renew(self, keeper: str, program: str) -> tuple[Program, str]:
        """The old token is worth nothing from now on."""
        found = await self.kept(keeper, program)
        token = new_token()
        await self._programs.renew(program, self._digest(token), self._now())
        self._noted.pop(program, None)
        return Program(found.id, found.name, found.created, None), token

    async def remove(self, keeper: str, program: str) -> None:
        await self.kept(keeper, program)
        await self._programs.remove(program, self._now())
        self._noted.pop(program, None)

    async def kept(self, keeper: str, program: str) -> Program:
        """One's own program; others' do not exist."""
        for found in await self._programs.of(keeper):
            if found.id == program:
                return found
        raise Refusal(Reason.NO_SUCH_PROGRAM)

    async def identify(self, token: str) -> Known | None:
        digest = self._digest(token)
        found = await self._programs.known_by(digest)
        if found is None:
            return None
        now = self._now()
        if now - self._noted.get(found.program.id, 0) >= NOTED_EVERY:
            self._noted[found.program.id] = now
            await self._programs.note_use(digest, now)
        return Known(found.program, DEVICE, found.keeper)

    def _digest(self, token: str) -> bytes:
        return hmac.digest(self._key, token.encode("utf-8", "surrogatepass"), "sha256")


def new_token() -> str:
    return PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
