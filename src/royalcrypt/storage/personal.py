"""Export of everything that is stored about one person."""

from typing import Any

from sqlalchemy import Connection, select

from royalcrypt.storage import schema
from royalcrypt.storage.database import Store
from royalcrypt.storage.schema import addresses, devices, people, programs, recoveries, tokens

# The export leaves out everything that signs somebody in: digests, keys and ids of devices.
PARTS: dict[str, Any] = {
    "person": select(people),
    "devices": select(devices.c.created, devices.c.revoked, devices.c.person_id),
    "recovery_phrase": select(recoveries.c.created, recoveries.c.person_id),
    "programs": select(people.c.id, people.c.name, people.c.created, programs.c.kept_by).join_from(
        programs, people, people.c.id == programs.c.person_id
    ),
    "tokens": select(tokens.c.created, tokens.c.used, tokens.c.person_id),
    "mail": select(*addresses.c["address", "language", "asked", "confirmed", "person_id"]),
    "letters": select(schema.letters),
    "seats": select(schema.seats),
    "results": select(schema.results),
    "rating": select(schema.ratings),
    "memos": select(schema.memos),
    "standing_orders": select(schema.standing_orders),
    "daily_tries": select(schema.daily_tries),
    "duplicates": select(schema.duplicates),
    "chat": select(schema.chat),
}
"""By part of the export, what to select."""
OWNER_COLUMNS = ("person_id", "kept_by", "owner", "id")
"""The first of these that a part has names the person."""


class PersonalData(Store):
    async def of(self, person: str) -> dict[str, list[dict[str, Any]]]:
        """By part, every row about a person."""

        def work(sql: Connection) -> dict[str, list[dict[str, Any]]]:
            return {part: _rows(sql, wanted, person) for part, wanted in PARTS.items()}

        return await self._database.read(work)


def _rows(sql: Connection, wanted: Any, person: str) -> list[dict[str, Any]]:
    columns = {column.name: column for column in wanted.selected_columns}
    whose = next(columns[name] for name in OWNER_COLUMNS if name in columns)
    found = sql.execute(wanted.where(whose == person)).mappings()
    return [{key: _plain(value) for key, value in row.items()} for row in found]


def _plain(value: Any) -> Any:
    """Bytes hold JSON."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
