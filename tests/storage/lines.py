"""Lines of journals, for tests."""

import msgspec

from royalcrypt.tables.journal import Line, Listing, Status

LISTING = Listing(
    table="crypt",
    status=Status.RUNNING,
    is_listed=True,
    people=("anna", None, "ben"),
    actor=0,
    due=None,
    updated=1_000,
    info=b'{"players": 3}',
    opened=1_000,
    lobby=0,
)


def entry_at(table: str, ply: int) -> bytes:
    return f"{table} {ply}".encode()


def line(table: str = "crypt", ply: int = 0, *, record: bytes | None = None, **listed: object) -> Line:
    listing = msgspec.structs.replace(LISTING, table=table, **listed)
    return Line(table=table, ply=ply, entry=entry_at(table, ply), listing=listing, record=record)
