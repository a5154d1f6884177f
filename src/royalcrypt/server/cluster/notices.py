"""Notices: stored changes (such as a ban) that every process must apply."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from royalcrypt.live.connection import Close, Connection
from royalcrypt.live.hub import Hub
from royalcrypt.server.accounts.identities import Identities
from royalcrypt.server.cluster.peer_bus import PeerBus
from royalcrypt.server.operations.host_rules import HostRules
from royalcrypt.storage.people import People, Programs
from royalcrypt.storage.server_state import NoticeKind, Notices, ProcessNotice

NOTICE_SECONDS = 1.5
"""Seconds within which every process reads a notice by polling, even without a hint."""


class NoticePublisher:
    def __init__(self, notices: Notices, peers: PeerBus, now: Callable[[], int], *, is_shared: bool) -> None:
        self._notices = notices
        self._peers = peers
        self._now = now
        self._is_shared = is_shared

    async def publish(self, kind: NoticeKind, *subjects: str) -> None:
        """Publish a notice to all processes; for urgent kinds, wait until every process has read it."""
        if not self._is_shared:
            return
        for subject in subjects:
            await self._notices.add(kind, subject, self._now())
        self._peers.publish_notice()
        if kind in (NoticeKind.LEAVING, NoticeKind.REWRITTEN):
            await asyncio.sleep(NOTICE_SECONDS)


class NoticeHandler(NamedTuple):
    """Applies notices; without further effect in the process that published them."""

    identities: Identities
    hub: Hub
    people: People
    programs: Programs
    host_rules: HostRules
    reload: Callable[[str], Awaitable[None]]
    """Reloads the tables that mention a person."""
    reload_admin_link: Callable[[], Awaitable[None]]

    async def apply(self, notice: ProcessNotice) -> None:
        match notice.kind:
            case NoticeKind.PERSON:
                await self._recheck_connections(notice.subject)
            case NoticeKind.LEAVING:
                self.identities.lock_out(notice.subject)
                self.hub.disconnect(notice.subject, Close.POLICY)
            case NoticeKind.REWRITTEN:
                self.identities.forget(notice.subject)
                await self.reload(notice.subject)
            case NoticeKind.RULES:
                await self.host_rules.load()
                await self.reload_admin_link()

    async def _recheck_connections(self, person: str) -> None:
        """Close a person's connections that are no longer allowed, and update the name of the others."""
        self.identities.forget(person)
        connections = list(self.hub.of_person.get(person, ()))
        if not connections:
            return
        found = await self.people.find(person)
        for connection in connections:
            if found is None or found.is_banned or not await self._has_access(connection):
                connection.close(Close.POLICY)
            else:
                connection.name = found.name

    async def _has_access(self, connection: Connection) -> bool:
        if connection.keeper is None:
            return await self.people.is_device_valid(connection.person, connection.device)
        keeper = await self.people.find(connection.keeper)
        kept = await self.programs.of(connection.keeper)
        return (
            keeper is not None
            and not keeper.is_banned
            and any(program.id == connection.person for program in kept)
        )
