"""Programs and their tokens; a program is a separate account, owned by a person (its keeper)."""

import hmac
import secrets
from collections.abc import Callable

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import PERSON_BYTES, Caller
from royalcrypt.server.accounts.keys import ServerKeys
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import PROGRAMS
from royalcrypt.storage.people import Person, Program, Programs
from royalcrypt.tables.texts import clean_name

PREFIX = "crypt_"
"""Prefix by which people and secret scanners recognise a leaked token."""
TOKEN_BYTES = 32
DEVICE = "program"
USE_UPDATE_INTERVAL = 5 * 60 * 1000
"""Minimum time in ms between two stored updates of a token's last use."""


class Tokens:
    def __init__(
        self, programs: Programs, keys: ServerKeys, limits: Limiter, *, now: Callable[[], int]
    ) -> None:
        self._programs = programs
        self._limits = limits
        self._key = keys.derived("tokens")
        self._now = now
        self._use_stored: dict[str, int] = {}
        """Maps each program id to when its last use was stored, in ms since 1970."""

    async def make(self, keeper: str, name: str) -> tuple[Program, str]:
        """Create a program; returns it with its token, of which only a digest is stored."""
        person = Person(secrets.token_urlsafe(PERSON_BYTES), clean_name(name), self._now())
        token = new_token()
        if not await self._programs.add(person, keeper, self._digest(token), most=PROGRAMS.most):
            raise self._limits.refusal(PROGRAMS)
        return Program(person.id, person.name, person.created, None), token

    async def renew(self, keeper: str, program: str) -> tuple[Program, str]:
        """Replace a program's token; the old token becomes invalid."""
        found = await self.kept(keeper, program)
        token = new_token()
        await self._programs.renew(program, self._digest(token), self._now())
        self._use_stored.pop(program, None)
        return Program(found.id, found.name, found.created, None), token

    async def remove(self, keeper: str, program: str) -> None:
        await self.kept(keeper, program)
        await self._programs.remove(program, self._now())
        self._use_stored.pop(program, None)

    async def kept(self, keeper: str, program: str) -> Program:
        """Return a program of this keeper; raises Refusal if it does not exist or has another keeper."""
        for found in await self._programs.of(keeper):
            if found.id == program:
                return found
        raise Refusal(Reason.NO_SUCH_PROGRAM)

    async def identify(self, token: str) -> Caller | None:
        digest = self._digest(token)
        found = await self._programs.find_by_token(digest)
        if found is None:
            return None
        now = self._now()
        if now - self._use_stored.get(found.program.id, 0) >= USE_UPDATE_INTERVAL:
            self._use_stored[found.program.id] = now
            await self._programs.store_use(digest, now)
        return Caller(found.program, DEVICE, found.keeper)

    def _digest(self, token: str) -> bytes:
        return hmac.digest(self._key, token.encode("utf-8", "surrogatepass"), "sha256")


def new_token() -> str:
    return PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
