"""Takes note of what another process has changed for all of them."""

from royalcrypt.server.connections import Close, Connection
from royalcrypt.server.farewell import reread
from royalcrypt.server.service import Service, nothing
from royalcrypt.storage.server_state import NoticeKind, ProcessNotice


async def take_note(service: Service, notice: ProcessNotice) -> None:
    """Of what this process has said itself, too: it does no harm."""
    match notice.kind:
        case NoticeKind.PERSON:
            await look_again(service, notice.subject)
        case NoticeKind.LEAVING:
            service.identities.shut_out(notice.subject)
            service.hub.disconnect(notice.subject, Close.POLICY)
        case NoticeKind.REWRITTEN:
            service.identities.forget(notice.subject)
            await reread(service, [notice.subject], nothing)
        case NoticeKind.RULES:
            before = service.house_rules.notice
            await service.load_house_rules()
            if service.house_rules.notice != before:
                service.tell_notice()


async def look_again(service: Service, person: str) -> None:
    """Whoever is connected must still be welcome, on this device, and goes by the name they have now."""
    service.identities.forget(person)
    connections = list(service.hub.of_person.get(person, ()))
    if not connections:
        return
    found = await service.people.find(person)
    for connection in connections:
        if found is None or found.is_banned or not await is_valid(service, connection):
            connection.close(Close.POLICY)
        else:
            connection.name = found.name


async def is_valid(service: Service, connection: Connection) -> bool:
    if connection.keeper is None:
        return await service.people.is_device_valid(connection.person, connection.device)
    keeper = await service.people.find(connection.keeper)
    kept = await service.programs.of(connection.keeper)
    return (
        keeper is not None
        and not keeper.is_banned
        and any(program.id == connection.person for program in kept)
    )
