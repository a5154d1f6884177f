"""REST routes for duplicates: several tables with the same cards and dice, compared seat by seat."""

from typing import Annotated

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from royalcrypt.live.operations.duplicates import DuplicateAnswer, DuplicateLine, NewDuplicate
from royalcrypt.server.http.callers import source_of
from royalcrypt.server.http.common import ID, AnyRequest
from royalcrypt.server.http.dependencies import GivenCaller, GivenDuplicates, GivenTableLimits

DuplicateInPath = Annotated[str, Meta(pattern=ID), PathParameter(pattern=ID)]


class DuplicatesController(Controller):
    path = "/api/duplicates"
    tags = ("duplicates",)

    @get("/", operation_id="duplicates_mine")
    async def mine(self, caller: GivenCaller, duplicates: GivenDuplicates) -> list[DuplicateLine]:
        """List the duplicates that the caller owns or takes part in, newest first."""
        return await duplicates.mine(caller.person.id)

    @post("/", operation_id="duplicates_open")
    async def open(
        self,
        request: AnyRequest,
        data: JSONBody[NewDuplicate],
        caller: GivenCaller,
        table_limits: GivenTableLimits,
        duplicates: GivenDuplicates,
    ) -> DuplicateAnswer:
        """Open several tables with the same cards and dice."""
        await table_limits.check_new(caller, source_of(request), tables=data.tables)
        return await duplicates.open(caller.person.id, data)

    @get("/{duplicate_id:str}", operation_id="duplicates_look")
    async def look(
        self, duplicate_id: DuplicateInPath, caller: GivenCaller, duplicates: GivenDuplicates
    ) -> DuplicateAnswer:
        """Return a duplicate's progress and, after its end, its results."""
        return await duplicates.look(caller.person.id, duplicate_id)

    @post("/{duplicate_id:str}/end", operation_id="duplicates_end", status_code=200)
    async def end(
        self, duplicate_id: DuplicateInPath, caller: GivenCaller, duplicates: GivenDuplicates
    ) -> DuplicateAnswer:
        """Close a duplicate's unfinished tables and unseal its results; for its owner only."""
        return await duplicates.end(caller.person.id, duplicate_id)
