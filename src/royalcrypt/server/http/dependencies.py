"""Components of the service, which handlers get as parameters."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from litestar.di import NamedDependency, Provide

from royalcrypt.live.hub import Hub
from royalcrypt.live.lists import Lists
from royalcrypt.live.operations.analyses import Analyses
from royalcrypt.live.operations.daily import Daily
from royalcrypt.live.operations.duplicates import DuplicateService
from royalcrypt.live.operations.history import History
from royalcrypt.live.operations.new_tables import NewTables
from royalcrypt.live.operations.notes import Notes
from royalcrypt.live.operations.orders import OrderOperations
from royalcrypt.live.operations.records import Downloads, GameRecords
from royalcrypt.live.operations.replays import Replays
from royalcrypt.live.operations.tables import TableOperations
from royalcrypt.live.operations.what_if import WhatIfLines
from royalcrypt.live.registry import TableRegistry
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Caller, Identities
from royalcrypt.server.accounts.removal import Removal
from royalcrypt.server.accounts.tokens import Tokens
from royalcrypt.server.bots.remote_workers import RemoteWorkers
from royalcrypt.server.cluster.notices import NoticePublisher
from royalcrypt.server.cluster.peer_bus import PeerBus
from royalcrypt.server.http.callers import AnyConnection, Callers
from royalcrypt.server.http.common import AnyRequest, is_for_programs
from royalcrypt.server.http.table_limits import TableLimits
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import PROGRAM_REQUESTS, REQUESTS
from royalcrypt.server.mail.notifications import MailNotifications
from royalcrypt.server.operations.export import HostExport
from royalcrypt.server.operations.health_check import HealthCheck
from royalcrypt.server.operations.heartbeat import Heartbeats
from royalcrypt.server.operations.host_rules import HostRules
from royalcrypt.server.operations.metrics import Metrics
from royalcrypt.server.settings import ServerSettings
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.people import People, Programs

COMPONENTS = (
    "callers", "health_check", "heartbeats", "host_export", "host_rules", "hub", "identities", "journal",
    "limits", "lists", "mailing", "metrics", "peers", "people", "programs", "publisher", "removal",
    "settings", "table_limits", "tokens", "workers",
)  # fmt: skip
"""Attributes of the service that handlers may ask for, as parameters of the same name."""
OPERATIONS = (
    "analyses", "daily", "downloads", "duplicates", "history", "lines", "new_tables", "notes", "orders",
    "records", "replays", "tables",
)  # fmt: skip
"""The same of its operations."""
RENAMED = {"registry": "tables"}
"""Maps parameters to attributes of another name: ``tables`` are the operations."""

GivenCaller = NamedDependency[Caller]
"""The signed-in caller; requests without a valid cookie or token are refused."""
GivenAnalyses = NamedDependency[Analyses]
GivenCallers = NamedDependency[Callers]
GivenDaily = NamedDependency[Daily]
GivenDownloads = NamedDependency[Downloads]
GivenDuplicates = NamedDependency[DuplicateService]
GivenExport = NamedDependency[HostExport]
GivenHealthCheck = NamedDependency[HealthCheck]
GivenHeartbeats = NamedDependency[Heartbeats]
GivenHistory = NamedDependency[History]
GivenHostRules = NamedDependency[HostRules]
GivenHub = NamedDependency[Hub]
GivenIdentities = NamedDependency[Identities]
GivenJournal = NamedDependency[SqlJournal]
GivenLimits = NamedDependency[Limiter]
GivenLines = NamedDependency[WhatIfLines]
GivenLists = NamedDependency[Lists]
GivenMailing = NamedDependency[MailNotifications]
GivenMetrics = NamedDependency[Metrics]
GivenNewTables = NamedDependency[NewTables]
GivenNotes = NamedDependency[Notes]
GivenOrders = NamedDependency[OrderOperations]
GivenPeers = NamedDependency[PeerBus]
GivenPeople = NamedDependency[People]
GivenPrograms = NamedDependency[Programs]
GivenPublisher = NamedDependency[NoticePublisher]
GivenRecords = NamedDependency[GameRecords]
GivenRegistry = NamedDependency[TableRegistry]
GivenRemoval = NamedDependency[Removal]
GivenReplays = NamedDependency[Replays]
GivenSettings = NamedDependency[ServerSettings]
GivenTableLimits = NamedDependency[TableLimits]
GivenTables = NamedDependency[TableOperations]
GivenTokens = NamedDependency[Tokens]
GivenWorkers = NamedDependency[RemoteWorkers | None]


def provided() -> dict[str, Provide]:
    """Return the providers of all parameters, by name."""
    operations = {name: f"operations.{name}" for name in OPERATIONS}
    paths = {name: name for name in COMPONENTS} | operations | RENAMED
    found = {name: Provide(provider_of(path), sync_to_thread=False) for name, path in paths.items()}
    return found | {"caller": Provide(provide_caller)}


def component_of(connection: AnyConnection, name: str) -> Any:
    """Return a component of the service, by the name of its attribute."""
    return getattr(connection.app.state.service, name)


def provider_of(name: str) -> Callable[[AnyRequest], Any]:
    """Return a provider of one of the service's components; ``name`` may contain dots."""
    component = attrgetter(name)

    def provide(request: AnyRequest) -> Any:
        return component(request.app.state.service)

    return provide


async def provide_caller(request: AnyRequest, callers: GivenCallers, limits: GivenLimits) -> Caller:
    caller = await callers.of(request)
    if caller is None:
        raise Refusal(Reason.NOT_SIGNED_IN)
    if caller.keeper is not None and not is_for_programs(request.method, request.scope["path"]):
        raise Refusal(Reason.NOT_FOR_PROGRAMS)
    if request.method not in ("GET", "HEAD"):
        if caller.keeper is None:
            limits.take(REQUESTS, caller.person.id)
        else:
            limits.take(PROGRAM_REQUESTS, caller.keeper.id)
    return caller
