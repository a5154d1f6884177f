"""Handling of notices: stored changes (such as a ban) that every process must apply."""

from royalcrypt.server.accounts.removal import reload_tables
from royalcrypt.server.service import Service, nothing
from royalcrypt.server.sockets.connection import Close, Connection
from royalcrypt.storage.server_state import NoticeKind, ProcessNotice


async def apply_notice(service: Service, notice: ProcessNotice) -> None:
    """Apply a notice; has no further effect in the process that published it."""
    match notice.kind:
        case NoticeKind.PERSON:
            await recheck_connections(service, notice.subject)
        case NoticeKind.LEAVING:
            service.identities.lock_out(notice.subject)
            service.hub.disconnect(notice.subject, Close.POLICY)
        case NoticeKind.REWRITTEN:
            service.identities.forget(notice.subject)
            await reload_tables(service, [notice.subject], nothing)
        case NoticeKind.RULES:
            before = service.host_rules.notice
            await service.load_host_rules()
            if service.host_rules.notice != before:
                service.broadcast_notice()


async def recheck_connections(service: Service, person: str) -> None:
    """Close a person's connections that are no longer allowed, and update the name of the others."""
    service.identities.forget(person)
    connections = list(service.hub.of_person.get(person, ()))
    if not connections:
        return
    found = await service.people.find(person)
    for connection in connections:
        if found is None or found.is_banned or not await has_access(service, connection):
            connection.close(Close.POLICY)
        else:
            connection.name = found.name


async def has_access(service: Service, connection: Connection) -> bool:
    if connection.keeper is None:
        return await service.people.is_device_valid(connection.person, connection.device)
    keeper = await service.people.find(connection.keeper)
    kept = await service.programs.of(connection.keeper)
    return (
        keeper is not None
        and not keeper.is_banned
        and any(program.id == connection.person for program in kept)
    )
