"""What a server keeps. Names are looked up when they are used: a plain game imports no database."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from royalcrypt.storage.addresses import Address, Addresses, Waiting
    from royalcrypt.storage.backup import back_up, restore
    from royalcrypt.storage.chat import Audience, Chat, ChatLine
    from royalcrypt.storage.dailies import Crypt, Dailies, Tried
    from royalcrypt.storage.database import Database
    from royalcrypt.storage.duplicates import Duplicate, Duplicates
    from royalcrypt.storage.forgetting import Forgetting
    from royalcrypt.storage.housekeeping import Housekeeping, Outage
    from royalcrypt.storage.journal import KeptRecord, SqlJournal
    from royalcrypt.storage.memos import Memo, Memos
    from royalcrypt.storage.notices import Notice, NoticeKind, Notices
    from royalcrypt.storage.opening import open_database
    from royalcrypt.storage.orders import OrderBook
    from royalcrypt.storage.people import People, Person
    from royalcrypt.storage.personal import PersonalData
    from royalcrypt.storage.programs import Keeping, Program, Programs
    from royalcrypt.storage.ratings import Ratings
    from royalcrypt.storage.results import Results
    from royalcrypt.storage.sqlite import SqliteDatabase

__all__ = [
    "Address",
    "Addresses",
    "Audience",
    "Chat",
    "ChatLine",
    "Crypt",
    "Dailies",
    "Database",
    "Duplicate",
    "Duplicates",
    "Forgetting",
    "Housekeeping",
    "Keeping",
    "KeptRecord",
    "Memo",
    "Memos",
    "Notice",
    "NoticeKind",
    "Notices",
    "OrderBook",
    "Outage",
    "People",
    "Person",
    "PersonalData",
    "Program",
    "Programs",
    "Ratings",
    "Results",
    "SqlJournal",
    "SqliteDatabase",
    "Tried",
    "Waiting",
    "back_up",
    "open_database",
    "restore",
]

_HOMES = {
    "Address": "addresses",
    "Addresses": "addresses",
    "Audience": "chat",
    "Chat": "chat",
    "ChatLine": "chat",
    "Crypt": "dailies",
    "Dailies": "dailies",
    "Database": "database",
    "Duplicate": "duplicates",
    "Duplicates": "duplicates",
    "Forgetting": "forgetting",
    "Housekeeping": "housekeeping",
    "Keeping": "programs",
    "KeptRecord": "journal",
    "Memo": "memos",
    "Memos": "memos",
    "Notice": "notices",
    "NoticeKind": "notices",
    "Notices": "notices",
    "OrderBook": "orders",
    "Outage": "housekeeping",
    "People": "people",
    "Person": "people",
    "PersonalData": "personal",
    "Ratings": "ratings",
    "Results": "results",
    "Program": "programs",
    "Programs": "programs",
    "SqlJournal": "journal",
    "SqliteDatabase": "sqlite",
    "Tried": "dailies",
    "Waiting": "addresses",
    "back_up": "backup",
    "open_database": "opening",
    "restore": "backup",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
