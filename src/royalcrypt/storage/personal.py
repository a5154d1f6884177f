"""All that is kept about one person, for them to take along."""

from typing import Any

from sqlalchemy import Connection, select

from royalcrypt.storage.database import Database
from royalcrypt.storage.schema import (
    addresses,
    chat,
    daily_tries,
    devices,
    duplicates,
    letters,
    memos,
    people,
    programs,
    ratings,
    recoveries,
    results,
    seats,
    standing_orders,
    tokens,
)

# Nothing here signs anybody in: no digests, keys or ids of devices.
PARTS: dict[str, Any] = {
    "person": select(people),
    "devices": select(devices.c.created, devices.c.revoked, devices.c.person_id),
    "recovery_phrase": select(recoveries.c.created, recoveries.c.person_id),
    "programs": select(people.c.id, people.c.name, people.c.created, programs.c.kept_by).join_from(
        programs, people, people.c.id == programs.c.person_id
    ),
    "tokens": select(tokens.c.created, tokens.c.used, tokens.c.person_id),
    "mail": select(
        addresses.c.address,
        addresses.c.language,
        addresses.c.asked,
        addresses.c.confirmed,
        addresses.c.person_id,
    ),
    "letters": select(letters),
    "seats": select(seats),
    "results": select(results),
    "rating": select(ratings),
    "memos": select(memos),
    "standing_orders": select(standing_orders),
    "daily_tries": select(daily_tries),
    "duplicates": select(duplicates),
    "chat": select(chat),
}
"""What is asked for; the last column that names a person tells whose it is."""
WHOSE = ("person_id", "kept_by", "owner", "id")


class PersonalData:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, person: str) -> dict[str, list[dict[str, Any]]]:
        """By part, every row about somebody."""

        def work(sql: Connection) -> dict[str, list[dict[str, Any]]]:
            return {part: _rows(sql, wanted, person) for part, wanted in PARTS.items()}

        return await self._database.read(work)


def _rows(sql: Connection, wanted: Any, person: str) -> list[dict[str, Any]]:
    columns = {column.name: column for column in wanted.selected_columns}
    whose = next(columns[name] for name in WHOSE if name in columns)
    found = sql.execute(wanted.where(whose == person)).mappings()
    return [{key: _plain(value) for key, value in row.items()} for row in found]


def _plain(value: Any) -> Any:
    """Bytes hold JSON."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
