"""REST routes for a person's programs: tokens, and seats at tables."""

from collections.abc import Collection
from typing import Annotated

import msgspec
from litestar import Controller, delete, get, post, put
from litestar.params import JSONBody
from msgspec import Meta

from royalcrypt.live.connection import Close
from royalcrypt.server.http.common import (
    ID,
    GivenCaller,
    GivenService,
    ProgramInPath,
    SeatInPath,
    TableInPath,
)
from royalcrypt.server.http.people import NewName
from royalcrypt.server.http.rate_limits import TOKENS
from royalcrypt.server.http.table_creation import Entropy, check_own_limit
from royalcrypt.server.http.tables import TableAnswer, answer, visible_table
from royalcrypt.storage.people import Program
from royalcrypt.storage.server_state import NoticeKind
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Sitter


class ProgramLine(msgspec.Struct):
    """One program of the caller, in a list."""

    id: str
    name: str
    created: int
    used: int | None
    """When the token was last used, in ms since 1970, accurate to five minutes."""
    is_connected: bool


class NewToken(msgspec.Struct):
    """A program's token, shown only once because the server stores only a digest."""

    program: ProgramLine
    token: str


class ProgramSitting(msgspec.Struct, forbid_unknown_fields=True):
    program: Annotated[str, Meta(pattern=ID)]
    entropy: Entropy = ""


def line_of(program: Program, connected: Collection[str] = ()) -> ProgramLine:
    return ProgramLine(program.id, program.name, program.created, program.used, program.id in connected)


class ProgramsController(Controller):
    path = "/api"
    tags = ("programs",)

    @get("/me/programs", operation_id="programs_programs")
    async def programs(self, caller: GivenCaller, service: GivenService) -> list[ProgramLine]:
        """List the caller's programs, oldest first."""
        found = await service.programs.of(caller.person.id)
        connected = await service.connected_people() if found else ()
        return [line_of(program, connected) for program in found]

    @post("/me/programs", operation_id="programs_make")
    async def make(self, data: JSONBody[NewName], caller: GivenCaller, service: GivenService) -> NewToken:
        """Create a program and its token."""
        service.limits.take(TOKENS, caller.person.id)
        program, token = await service.tokens.make(caller.person.id, data.name)
        return NewToken(line_of(program), token)

    @post("/me/programs/{program_id:str}/token", operation_id="programs_renew", status_code=200)
    async def renew(self, program_id: ProgramInPath, caller: GivenCaller, service: GivenService) -> NewToken:
        """Replace a program's token."""
        service.limits.take(TOKENS, caller.person.id)
        program, token = await service.tokens.renew(caller.person.id, program_id)
        service.hub.disconnect(program_id, Close.POLICY)
        await service.publisher.publish(NoticeKind.PERSON, program_id)
        return NewToken(line_of(program), token)

    @delete("/me/programs/{program_id:str}", operation_id="programs_remove")
    async def remove(self, program_id: ProgramInPath, caller: GivenCaller, service: GivenService) -> None:
        """Remove a program; bots finish its games."""
        await service.tokens.remove(caller.person.id, program_id)
        await service.removal.remove(program_id, "left")

    @put("/tables/{table_id:str}/seats/{seat:int}/program", operation_id="programs_seat_program")
    async def seat_program(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[ProgramSitting],
        caller: GivenCaller,
        service: GivenService,
    ) -> TableAnswer:
        """Give a seat to one of the caller's programs."""
        person = caller.person
        await visible_table(service, caller, table_id, None)
        program = await service.tokens.kept(person.id, data.program)
        await check_own_limit(service, program.id, is_program=True)
        sitter = Sitter(program.id, program.name, person.name)
        made = await service.tables.change(
            table_id,
            lambda table, now: commands.seat_program(table, person.id, sitter, seat, data.entropy, now=now),
        )
        return answer(made.after, person.id)
