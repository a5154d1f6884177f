"""REST routes for the daily crypt: one solo game a day with the same cards for everyone."""

from functools import partial
from typing import Annotated

from litestar import Controller, get, post
from litestar.params import PathParameter
from msgspec import Meta

from royalcrypt.live.operations.daily import DailyDay, DailyDays
from royalcrypt.live.wire.tables import TableAnswer
from royalcrypt.server.http.callers import source_of
from royalcrypt.server.http.common import AnyRequest
from royalcrypt.server.http.dependencies import GivenCaller, GivenCallers, GivenDaily, GivenTableLimits

DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)"
DayInPath = Annotated[str, Meta(pattern=DAY), PathParameter(pattern=DAY)]


class DailyController(Controller):
    path = "/api/daily"
    tags = ("daily",)

    @get("/", operation_id="daily_days")
    async def days(self, request: AnyRequest, callers: GivenCallers, daily: GivenDaily) -> DailyDays:
        """List today's and earlier daily crypts."""
        return await daily.days(await callers.reader(request))

    @get("/{day:str}", operation_id="daily_day")
    async def day(
        self, day: DayInPath, request: AnyRequest, callers: GivenCallers, daily: GivenDaily
    ) -> DailyDay:
        """Return a daily crypt with its commitment and everyone's scores."""
        return await daily.day(await callers.reader(request), day)

    @post("/{day:str}", operation_id="daily_play", status_code=200)
    async def play(
        self,
        request: AnyRequest,
        day: DayInPath,
        caller: GivenCaller,
        table_limits: GivenTableLimits,
        daily: GivenDaily,
    ) -> TableAnswer:
        """Begin or resume today's only attempt; earlier days are played out of competition."""
        check = partial(table_limits.check_new, caller, source_of(request))
        return await daily.play(caller.sitter, day, check=check)
