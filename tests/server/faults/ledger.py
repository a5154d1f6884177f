"""What simulated people sent and were told, to be compared with what a server has kept."""

import json
from collections import Counter, defaultdict
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from royalcrypt.live.wire.commands import Act
from royalcrypt.storage.sqlite.connection import open_raw
from tests.oracle.referee import Disagreement, recompute
from tests.server.processes import REAL, finished

Json = dict[str, Any]
AT_ONCE = 100
"""Records in one file."""


class Sent(NamedTuple):
    """A command; sent twice it is still the same."""

    seat: int
    ply: int
    move: str


class Ledger:
    def __init__(self) -> None:
        self.sent: defaultdict[str, set[Sent]] = defaultdict(set)
        self.acknowledged: list[tuple[str, int, Sent]] = []
        """With the table, and the ply that the entry must have there."""
        self.told: Counter[str] = Counter()
        """The highest ply that anybody was told of."""
        self.resent = 0
        self.refusals: Counter[str] = Counter()
        self.gaps = 0
        """Updates that were not the next ply of those who heard them."""

    @property
    def moves(self) -> int:
        return len(self.acknowledged)

    def send(self, command: Json) -> Sent:
        sent = Sent(command["seat"], command["ply"], str(msgspec.convert(command, Act).move()))
        self.sent[command["table"]].add(sent)
        return sent

    def acknowledge(self, table: str, ply: int, sent: Sent) -> None:
        self.acknowledged.append((table, ply - 1, sent))

    def refuse(self, answer: Json) -> None:
        self.refusals[answer["reason"]["code"]] += 1

    def tell(self, table: str, ply: int) -> None:
        self.told[table] = max(self.told[table], ply)


class Kept(NamedTuple):
    entries: dict[str, list[Json]]
    """By table, what its journal holds."""
    statuses: dict[str, str]
    records: dict[str, bytes]


def kept_in(path: Path) -> Kept:
    """What is in a database that nobody has open any more."""
    kept = Kept(defaultdict(list), {}, {})
    with closing(open_raw(path)) as raw:
        for table, ply, entry in raw.execute("SELECT table_id, ply, entry FROM journal ORDER BY 1, 2"):
            assert ply == len(kept.entries[table]), "a ply is missing"
            kept.entries[table].append(json.loads(entry))
        kept.statuses.update(raw.execute("SELECT id, status FROM tables"))  # pyright: ignore[reportArgumentType, reportCallIssue]
        kept.records.update(raw.execute("SELECT table_id, record FROM records"))  # pyright: ignore[reportArgumentType, reportCallIssue]
    return kept


def lost(ledger: Ledger, kept: Kept) -> int:
    """Moves that were acknowledged and are not there, and plies that somebody was told of."""
    count = sum(max(0, ply - len(kept.entries.get(table, ()))) for table, ply in ledger.told.items())
    for table, ply, sent in ledger.acknowledged:
        entry = dict(enumerate(kept.entries.get(table, ()))).get(ply, {})
        count += not is_entry_of(sent, entry)
    return count


def there_twice(ledger: Ledger, kept: Kept) -> int:
    """Moves of people that are there, but more often than they were sent."""
    count = 0
    for table, entries in kept.entries.items():
        unused = sorted(ledger.sent[table], key=lambda sent: -sent.ply)
        for ply, entry in enumerate(entries):
            if entry["type"] == "moved" and not entry.get("is_bots"):
                fitting = (sent for sent in unused if sent.ply <= ply and is_entry_of(sent, entry))
                found = next(fitting, None)
                count += found is None
                unused = [sent for sent in unused if sent != found]
    return count


def is_entry_of(sent: Sent, entry: Json) -> bool:
    is_persons = entry.get("type") == "moved" and not entry.get("is_bots")
    return is_persons and (entry["seat"], entry["move"]) == (sent.seat, sent.move)


def unfinished(tables: list[str], kept: Kept) -> int:
    return sum(kept.statuses.get(table) != "over" or table not in kept.records for table in tables)


def unsound(kept: Kept, folder: Path) -> int:
    """Records that one of the commands finds fault with, or the oracle, or that tell another game."""
    records = list(kept.records.values())
    count = sum(not is_oracles(table, record) for table, record in kept.records.items())
    for command, first in product(("check", "verify"), range(0, len(records), AT_ONCE)):
        group = records[first : first + AT_ONCE]
        if not passes(command, group, folder):
            count += sum(not passes(command, [record], folder) for record in group)
    return count


def passes(command: str, records: list[bytes], folder: Path) -> bool:
    file = folder / "records.jsonl"
    file.write_bytes(b"".join(record + b"\n" for record in records))
    return finished(folder, command, str(file), program=REAL).returncode == 0


def is_oracles(table: str, record: bytes) -> bool:
    """Whether the oracle tells the same game."""
    told = json.loads(record)
    try:
        recompute(told)
    except Disagreement:
        return False
    return told["game"]["id"] == table
