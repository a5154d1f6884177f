"""What a server keeps. Names are looked up when they are used: a plain game imports no database."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from royalcrypt.storage.backup import back_up, restore
    from royalcrypt.storage.chat import Audience, Chat, ChatLine
    from royalcrypt.storage.database import Database
    from royalcrypt.storage.housekeeping import Housekeeping, Outage
    from royalcrypt.storage.journal import KeptRecord, SqlJournal
    from royalcrypt.storage.people import People, Person
    from royalcrypt.storage.programs import Keeping, Program, Programs
    from royalcrypt.storage.sqlite import SqliteDatabase

__all__ = [
    "Audience",
    "Chat",
    "ChatLine",
    "Database",
    "Housekeeping",
    "Keeping",
    "KeptRecord",
    "Outage",
    "People",
    "Person",
    "Program",
    "Programs",
    "SqlJournal",
    "SqliteDatabase",
    "back_up",
    "restore",
]

_HOMES = {
    "Audience": "chat",
    "Chat": "chat",
    "ChatLine": "chat",
    "Database": "database",
    "Housekeeping": "housekeeping",
    "Keeping": "programs",
    "KeptRecord": "journal",
    "Outage": "housekeeping",
    "People": "people",
    "Person": "people",
    "Program": "programs",
    "Programs": "programs",
    "SqlJournal": "journal",
    "SqliteDatabase": "sqlite",
    "back_up": "backup",
    "restore": "backup",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
