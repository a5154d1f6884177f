"""What a server stores. Names are imported on first use: a plain game imports no database."""

# ruff: noqa: F401
# pyright: reportUnusedImport=false
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from royalcrypt.storage.addresses import Address, Addresses, Waiting
    from royalcrypt.storage.chat import Audience, Chat, ChatLine
    from royalcrypt.storage.dailies import Crypt, Dailies, Tried
    from royalcrypt.storage.database import Database, open_database
    from royalcrypt.storage.duplicates import Duplicate, Duplicates
    from royalcrypt.storage.forgetting import Forgetting
    from royalcrypt.storage.housekeeping import Housekeeping, Outage
    from royalcrypt.storage.journal import KeptRecord, SqlJournal
    from royalcrypt.storage.memos import Memo, Memos
    from royalcrypt.storage.notices import Notice, NoticeKind, Notices
    from royalcrypt.storage.orders import OrderBook
    from royalcrypt.storage.people import People, Person
    from royalcrypt.storage.personal import PersonalData
    from royalcrypt.storage.programs import Keeping, Program, Programs
    from royalcrypt.storage.ratings import Ratings
    from royalcrypt.storage.results import Results
    from royalcrypt.storage.sqlite.backup import back_up, restore
    from royalcrypt.storage.sqlite.database import SqliteDatabase

_NAMES = {
    "addresses": ("Address", "Addresses", "Waiting"),
    "chat": ("Audience", "Chat", "ChatLine"),
    "dailies": ("Crypt", "Dailies", "Tried"),
    "database": ("Database", "open_database"),
    "duplicates": ("Duplicate", "Duplicates"),
    "forgetting": ("Forgetting",),
    "housekeeping": ("Housekeeping", "Outage"),
    "journal": ("KeptRecord", "SqlJournal"),
    "memos": ("Memo", "Memos"),
    "notices": ("Notice", "NoticeKind", "Notices"),
    "orders": ("OrderBook",),
    "people": ("People", "Person"),
    "personal": ("PersonalData",),
    "programs": ("Keeping", "Program", "Programs"),
    "ratings": ("Ratings",),
    "results": ("Results",),
    "sqlite.backup": ("back_up", "restore"),
    "sqlite.database": ("SqliteDatabase",),
}
"""By module, the names that it provides."""


def __getattr__(name: str) -> Any:
    for module, names in _NAMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
