"""Programs that a person keeps: their tokens, and a seat for one at a table of one's own."""

from collections.abc import Collection
from typing import Annotated

import msgspec
from litestar import Controller, delete, get, post, put
from litestar.params import JSONBody
from msgspec import Meta

from royalcrypt.server.connections import Close
from royalcrypt.server.limits import TOKENS
from royalcrypt.server.rest.common import (
    ID,
    GivenKnown,
    GivenService,
    ProgramInPath,
    SeatInPath,
    TableInPath,
)
from royalcrypt.server.rest.leaving import send_away
from royalcrypt.server.rest.opening import Entropy, check_own_room
from royalcrypt.server.rest.people import NewName
from royalcrypt.server.rest.tables import TableAnswer, answer, visited
from royalcrypt.storage.people import Program
from royalcrypt.storage.server_state import NoticeKind
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Sitter


class ProgramLine(msgspec.Struct):
    """A program of one's own."""

    id: str
    name: str
    created: int
    used: int | None
    """When it last came by, within some minutes."""
    is_connected: bool


class NewToken(msgspec.Struct):
    """Told once: the server keeps no copy that could be read."""

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

    @get("/me/programs", operation_id="programs_programs", summary="Programs that I keep, the oldest first")
    async def programs(self, known: GivenKnown, service: GivenService) -> list[ProgramLine]:
        found = await service.programs.of(known.person.id)
        connected = await service.everybody_connected() if found else ()
        return [line_of(program, connected) for program in found]

    @post("/me/programs", operation_id="programs_make", summary="A new program, and its token")
    async def make(self, data: JSONBody[NewName], known: GivenKnown, service: GivenService) -> NewToken:
        service.limits.take(TOKENS, known.person.id)
        program, token = await service.tokens.make(known.person.id, data.name)
        return NewToken(line_of(program), token)

    @post(
        "/me/programs/{program_id:str}/token",
        operation_id="programs_renew",
        summary="Another token, in place of the old one",
        status_code=200,
    )
    async def renew(self, program_id: ProgramInPath, known: GivenKnown, service: GivenService) -> NewToken:
        service.limits.take(TOKENS, known.person.id)
        program, token = await service.tokens.renew(known.person.id, program_id)
        service.hub.disconnect(program_id, Close.POLICY)
        await service.proclaim(NoticeKind.PERSON, program_id)
        return NewToken(line_of(program), token)

    @delete(
        "/me/programs/{program_id:str}",
        operation_id="programs_remove",
        summary="Remove a program; bots play on for it",
    )
    async def remove(self, program_id: ProgramInPath, known: GivenKnown, service: GivenService) -> None:
        await service.tokens.remove(known.person.id, program_id)
        await send_away(service, program_id, "left")

    @put(
        "/tables/{table_id:str}/seats/{seat:int}/program",
        operation_id="programs_seat_program",
        summary="Give a seat to a program of mine",
    )
    async def seat_program(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[ProgramSitting],
        known: GivenKnown,
        service: GivenService,
    ) -> TableAnswer:
        person = known.person
        await visited(service, known, table_id, None)
        program = await service.tokens.kept(person.id, data.program)
        await check_own_room(service, program.id, is_program=True)
        sitter = Sitter(program.id, program.name, person.name)
        table = await service.house.change(
            table_id,
            lambda table, now: commands.seat_program(table, person.id, sitter, seat, data.entropy, now=now),
        )
        return answer(table, person.id)
