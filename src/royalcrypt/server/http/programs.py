"""REST routes for a person's programs: tokens, and seats at tables."""

from collections.abc import Collection
from typing import Annotated

import msgspec
from litestar import Controller, delete, get, post, put
from litestar.params import JSONBody
from msgspec import Meta

from royalcrypt.live.access import visible_table
from royalcrypt.live.connection import Close
from royalcrypt.live.operations.tables import table_answer
from royalcrypt.live.wire.tables import Entropy, TableAnswer
from royalcrypt.server.http.common import ID, ProgramInPath, SeatInPath, TableInPath
from royalcrypt.server.http.dependencies import (
    GivenCaller,
    GivenHub,
    GivenLimits,
    GivenPeers,
    GivenPrograms,
    GivenPublisher,
    GivenRegistry,
    GivenRemoval,
    GivenTableLimits,
    GivenTokens,
)
from royalcrypt.server.http.people import NewName
from royalcrypt.server.limits import TOKENS
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
    async def list_programs(
        self, caller: GivenCaller, programs: GivenPrograms, peers: GivenPeers
    ) -> list[ProgramLine]:
        """List the caller's programs, oldest first."""
        found = await programs.of(caller.person.id)
        connected = await peers.connected_people() if found else ()
        return [line_of(program, connected) for program in found]

    @post("/me/programs", operation_id="programs_make")
    async def make(
        self, data: JSONBody[NewName], caller: GivenCaller, limits: GivenLimits, tokens: GivenTokens
    ) -> NewToken:
        """Create a program and its token."""
        limits.take(TOKENS, caller.person.id)
        program, token = await tokens.make(caller.person.id, data.name)
        return NewToken(line_of(program), token)

    @post("/me/programs/{program_id:str}/token", operation_id="programs_renew", status_code=200)
    async def renew(
        self,
        program_id: ProgramInPath,
        caller: GivenCaller,
        limits: GivenLimits,
        tokens: GivenTokens,
        hub: GivenHub,
        publisher: GivenPublisher,
    ) -> NewToken:
        """Replace a program's token."""
        limits.take(TOKENS, caller.person.id)
        program, token = await tokens.renew(caller.person.id, program_id)
        hub.disconnect(program_id, Close.POLICY)
        await publisher.publish(NoticeKind.PERSON, program_id)
        return NewToken(line_of(program), token)

    @delete("/me/programs/{program_id:str}", operation_id="programs_remove")
    async def remove(
        self, program_id: ProgramInPath, caller: GivenCaller, tokens: GivenTokens, removal: GivenRemoval
    ) -> None:
        """Remove a program; bots finish its games."""
        await tokens.remove(caller.person.id, program_id)
        await removal.remove(program_id, "left")

    @put("/tables/{table_id:str}/seats/{seat:int}/program", operation_id="programs_seat_program")
    async def seat_program(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[ProgramSitting],
        caller: GivenCaller,
        tokens: GivenTokens,
        table_limits: GivenTableLimits,
        registry: GivenRegistry,
    ) -> TableAnswer:
        """Give a seat to one of the caller's programs."""
        person = caller.person
        await visible_table(registry, person.id, table_id, None)
        program = await tokens.kept(person.id, data.program)
        await table_limits.check_seats(program.id, is_program=True)
        sitter = Sitter(program.id, program.name, person.name)
        made = await registry.change(
            table_id,
            lambda table, now: commands.seat_program(table, person.id, sitter, seat, data.entropy, now=now),
        )
        return table_answer(made.after, person.id)
