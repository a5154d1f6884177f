"""REST routes for a person's finished games: list and statistics."""

from typing import Annotated, Literal

from litestar import Controller, get
from litestar.params import QueryParameter
from msgspec import Meta

from royalcrypt.live.operations.history import HistoryPage
from royalcrypt.live.statistics import Statistics
from royalcrypt.live.stores import Company
from royalcrypt.server.http.dependencies import GivenCaller, GivenHistory

MOMENT = r"^([0-9]{1,15}-[A-Za-z0-9_-]{6,32})?$(?!\n)"
# Not nullable, because a query string cannot express null.
PlayersAsked = Annotated[int, Meta(ge=0, le=4), QueryParameter(name="players", required=False, ge=0, le=4)]
CompanyAsked = Annotated[Company | Literal["any"], QueryParameter(name="company", required=False)]
BeforeAsked = Annotated[
    str, Meta(pattern=MOMENT), QueryParameter(name="before", required=False, pattern=MOMENT)
]


class HistoryController(Controller):
    path = "/api/me"
    tags = ("history",)

    @get("/history", operation_id="history_history")
    async def page(
        self,
        caller: GivenCaller,
        history: GivenHistory,
        players: PlayersAsked = 0,
        company: CompanyAsked = "any",
        before: BeforeAsked = "",
    ) -> HistoryPage:
        """Return one page of the caller's finished games, newest first."""
        return await history.page(caller.person.id, players=players, company=company, before=before)

    @get("/statistics", operation_id="history_statistics")
    async def statistics(self, caller: GivenCaller, history: GivenHistory) -> Statistics:
        """Return statistics of the caller's finished games."""
        return await history.statistics(caller.person.id)
