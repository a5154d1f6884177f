"""What a server keeps. Names are looked up when they are used: a plain game imports no database."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from royalcrypt.storage.addresses import Address, Addresses, Waiting
    from royalcrypt.storage.backup import back_up, restore
    from royalcrypt.storage.chat import Audience, Chat, ChatLine
    from royalcrypt.storage.database import Database
    from royalcrypt.storage.housekeeping import Housekeeping, Outage
    from royalcrypt.storage.journal import KeptRecord, SqlJournal
    from royalcrypt.storage.people import People, Person
    from royalcrypt.storage.sqlite import SqliteDatabase

__all__ = [
    "Address",
    "Addresses",
    "Audience",
    "Chat",
    "ChatLine",
    "Database",
    "Housekeeping",
    "KeptRecord",
    "Outage",
    "People",
    "Person",
    "SqlJournal",
    "SqliteDatabase",
    "Waiting",
    "back_up",
    "restore",
]

_HOMES = {
    "Address": "addresses",
    "Addresses": "addresses",
    "Audience": "chat",
    "Chat": "chat",
    "ChatLine": "chat",
    "Database": "database",
    "Housekeeping": "housekeeping",
    "KeptRecord": "journal",
    "Outage": "housekeeping",
    "People": "people",
    "Person": "people",
    "SqlJournal": "journal",
    "SqliteDatabase": "sqlite",
    "Waiting": "addresses",
    "back_up": "backup",
    "restore": "backup",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
